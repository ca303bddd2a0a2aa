/// Which requests rely on which (offline reference, 12.2), and what follows from that for failure and cancel.
///
/// Two relations: a request *depends* on an earlier one when it makes no sense without its success; it only
/// *follows* an earlier one when the order must be kept. Both are kept as chains: what waits stands for everything before it
/// that it relies on itself, so that a thousand changes of one row are a thousand relations and not half a million.
/// Building takes time linear in rows named, but for what is on its way or listed, which stands for itself only: whether it
/// passes on what is said of those before it depends on what is asked.
package struct RequestDependencies: Sendable {
    /// Request ids in queue order.
    package let order: [Int64]
    private let direct: [Int64: Set<Int64>]
    private let ordering: [Int64: Set<Int64>]
    private let dependents: [Int64: Set<Int64>]

    // Hot: Upload
    /// - Parameters:
    ///   - apart: waiting requests that stand for themselves only.
    ///   - keepsAll: each request names all that it relies on, near or far: quadratic in the changes of one row.
    package init(_ requests: [QueuedRequest], apart: Set<Int64> = [], keepsAll: Bool = false) {
        var index = Index()
        var direct: [Int64: Set<Int64>] = [:]
        var ordering: [Int64: Set<Int64>] = [:]
        var dependents: [Int64: Set<Int64>] = [:]
        // As the store reads them they are in order: sorting copies each of them several times.
        let isInOrder = zip(requests, requests.dropFirst())
            .allSatisfy { !QueuedRequest.comesBefore($1, $0) }
        let sorted = isInOrder ? requests : requests.sorted(by: QueuedRequest.comesBefore)
        for request in sorted {
            let needed = index.dependencies(of: request)
            direct[request.id] = needed
            ordering[request.id] = needed.union(index.predecessors(of: request))
            for earlier in needed { dependents[earlier, default: []].insert(request.id) }
            index.add(
                request,
                standsForEarlier: !keepsAll && request.state == .waiting
                    && !apart.contains(request.id))
        }
        order = sorted.map(\.id)
        self.direct = direct
        self.ordering = ordering
        self.dependents = dependents
    }

    /// The requests that `id` depends on directly; what these depend on may be left out.
    package func dependencies(of id: Int64) -> Set<Int64> { direct[id] ?? [] }

    /// The requests that must be answered, well or not, before `id` is sent: dependencies and what is only ordered, as far as
    /// no other of them waits for these.
    package func predecessors(of id: Int64) -> Set<Int64> { ordering[id] ?? [] }

    /// `ids` and everything that depends on one of them, at any distance.
    package func closure(of ids: Set<Int64>) -> Set<Int64> {
        var found = ids
        var open = Array(ids)
        while let id = open.popLast() {
            for dependent in dependents[id] ?? [] where found.insert(dependent).inserted {
                open.append(dependent)
            }
        }
        return found
    }

    /// `ids` and everything they depend on, at any distance: what a partial upload has to send.
    package func requirements(of ids: Set<Int64>) -> Set<Int64> {
        var found = ids
        var open = Array(ids)
        while let id = open.popLast() {
            for earlier in ordering[id] ?? [] where found.insert(earlier).inserted {
                open.append(earlier)
            }
        }
        return found
    }
}

extension RequestDependencies {
    /// The requests that a failure keeps from being sent, each with the failed request that caused it
    /// (offline reference, 13.3). Frozen requests have answers of their own to come and are left out.
    package static func quarantine(
        after failed: Set<Int64>, in requests: [QueuedRequest]
    ) -> [Int64: Int64] {
        let dependencies = RequestDependencies(requests, apart: failed)
        let waiting = Set(requests.filter { $0.state == .waiting }.map(\.id))
        var cause: [Int64: Int64] = Dictionary(uniqueKeysWithValues: failed.map { ($0, $0) })
        for id in dependencies.order where waiting.contains(id) && !failed.contains(id) {
            let causes = dependencies.dependencies(of: id).compactMap { cause[$0] }
            if let first = causes.min() { cause[id] = first }
        }
        for id in failed { cause[id] = nil }
        return cause
    }

    /// Who touched, created or referred to which row so far.
    private struct Index {
        var touched: [RowReference: [Int64]] = [:]
        var created: [RowReference: [Int64]] = [:]
        var referenced: [RowReference: [Int64]] = [:]
        var written: [RowReference: [Int64]] = [:]
        var changeSets: [String: [Int64]] = [:]

        func dependencies(of request: QueuedRequest) -> Set<Int64> {
            var found: Set<Int64> = []
            for row in request.touchedRows { found.formUnion(touched[row] ?? []) }
            for row in request.referencedRows { found.formUnion(created[row] ?? []) }
            if let name = request.changeSet { found.formUnion(changeSets[name] ?? []) }
            return found
        }

        func predecessors(of request: QueuedRequest) -> Set<Int64> {
            var found: Set<Int64> = []
            for row in request.writtenRows {
                found.formUnion(referenced[row] ?? [])
                found.formUnion(written[row] ?? [])
            }
            for row in request.referencedRows { found.formUnion(touched[row] ?? []) }
            return found
        }

        /// - Parameter standsForEarlier: whoever would rely on what `request` relies on relies on it alone, which relies on
        ///   them.
        mutating func add(_ request: QueuedRequest, standsForEarlier: Bool) {
            let id = request.id
            func note(_ list: inout [Int64]) {
                if standsForEarlier { list.removeAll(keepingCapacity: true) }
                list.append(id)
            }
            for row in request.touchedRows { note(&touched[row, default: []]) }
            for row in request.createdRows { created[row, default: []].append(id) }
            for row in request.referencedRows { referenced[row, default: []].append(id) }
            for row in request.writtenRows {
                note(&written[row, default: []])
                if standsForEarlier { referenced[row] = nil }
            }
            if let name = request.changeSet { note(&changeSets[name, default: []]) }
        }
    }
}
