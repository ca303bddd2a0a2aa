/// Puts requests that name the same transaction into as few change sets as keep every order (offline reference, 12.6).
///
/// A set stands where its first member stood. A request may join a set when nothing outside has to come between the
/// two, that is when the order between sets and requests stays free of cycles; it joins the first set that takes it.
/// One set holds one unmodifiable request per entity, and requests of one upload group.
package struct TransactionBuilding: Sendable {
    package private(set) var edits: [QueueEdit] = []

    private let requests: [Int64: QueuedRequest]
    private let dependencies: RequestDependencies
    /// Which unit or set a request is part of, named by the first request.
    private var nodes: [Int64: Int64] = [:]
    private var members: [Int64: [Int64]] = [:]

    package init(queue: [QueuedRequest], selected: Set<Int64>) {
        requests = Dictionary(uniqueKeysWithValues: queue.map { ($0.id, $0) })
        dependencies = RequestDependencies(queue)
        formUnits()
        var sets: [String: [Int64]] = [:]
        for id in dependencies.order where nodes[id] == id {
            guard let name = transaction(of: id, selected) else { continue }
            if let set = sets[name]?.first(where: { mayJoin(id, $0) }) {
                join(id, set)
            } else {
                sets[name, default: []].append(id)
            }
        }
        let built = sets.values.flatMap { $0 }.sorted()
        edits = built.flatMap { nameMembers(of: $0) }
    }

    /// A unit is a request, or a change set that the app made.
    private mutating func formUnits() {
        var first: [String: Int64] = [:]
        for id in dependencies.order {
            var node = id
            if let name = requests[id]?.changeSet {
                node = first[name] ?? id
                first[name] = node
            }
            nodes[id] = node
            members[node, default: []].append(id)
        }
    }

    /// The transaction that all of a unit belongs to; nil for a unit that stays as it is.
    private func transaction(of node: Int64, _ selected: Set<Int64>) -> String? {
        let unit = (members[node] ?? []).compactMap { requests[$0] }
        guard let name = unit.first?.transactionID,
            unit.allSatisfy({
                // A content goes alone: a change set is held in memory as a whole.
                $0.transactionID == name && $0.state == .waiting && !$0.wasSent
                    && !$0.bringsStream && selected.contains($0.id)
            })
        else { return nil }
        return name
    }

    private func mayJoin(_ unit: Int64, _ set: Int64) -> Bool {
        let new = (members[unit] ?? []).compactMap { requests[$0] }
        let present = (members[set] ?? []).compactMap { requests[$0] }
        guard new.first?.uploadGroup == present.first?.uploadGroup else { return false }
        let fixed = Set(present.filter { $0.flags.contains(.unmodifiable) }.map(\.target))
        guard
            !new.contains(where: { $0.flags.contains(.unmodifiable) && fixed.contains($0.target) })
        else { return false }
        return !hasDetour(from: set, to: unit) && !hasDetour(from: unit, to: set)
    }

    /// True when something outside must come after `start` and before `end`.
    private func hasDetour(from start: Int64, to end: Int64) -> Bool {
        var seen: Set<Int64> = [start, end]
        var open: [Int64] = []
        func predecessors(_ node: Int64) -> [Int64] {
            (members[node] ?? []).flatMap { dependencies.predecessors(of: $0) }
                .compactMap { nodes[$0] }
        }
        for node in predecessors(end) where seen.insert(node).inserted { open.append(node) }
        while let node = open.popLast() {
            for earlier in predecessors(node) {
                if earlier == start { return true }
                if seen.insert(earlier).inserted { open.append(earlier) }
            }
        }
        return false
    }

    private mutating func join(_ unit: Int64, _ set: Int64) {
        let moved = members.removeValue(forKey: unit) ?? []
        for id in moved { nodes[id] = set }
        members[set, default: []] += moved
    }

    private func nameMembers(of set: Int64) -> [QueueEdit] {
        let found = (members[set] ?? []).compactMap { requests[$0] }
        guard found.count > 1,
            let leader = found.first(where: { $0.changeSet != nil }) ?? found.first
        else { return [] }
        let name = leader.changeSet ?? "transaction-\(set)"
        return found.filter { $0.changeSet != name }.map { request in
            var request = request
            request.changeSet = name
            return .replace(request)
        }
    }
}
