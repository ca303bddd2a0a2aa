import ODataModel
import ODataQuery
import ODataSyncPlan
import Testing

/// What relies on what is kept as chains, which tell the same as all relations do.
@Suite struct DependencyChainTests {
    private static func request(
        _ id: Int64, _ operation: QueuedRequest.Operation = .update(.merge), row: Int64,
        principals: [Int64] = [], changeSet: String? = nil, state: RequestState = .waiting
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "g\(id)"), operation: operation,
            target: QueueFixture.row(row), principals: principals.map(QueueFixture.row),
            changeSet: changeSet, state: state)
    }

    /// Requests of few rows in every state, so that they hang together in many ways.
    private static func queue(seed: UInt64, count: Int) -> [QueuedRequest] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (1...Int64(count)).map { id in
            let operations: [QueuedRequest.Operation] = [
                .create, .update(.merge), .update(.merge), .delete,
            ]
            let states: [RequestState] = [
                .frozen(attempt: 1), .failed(RequestFailure(status: 400)), .blocked(by: 1),
                .unknown(reason: nil),
            ]
            return request(
                id, operations[below(4)], row: Int64(below(4)),
                principals: below(3) == 0 ? [Int64(below(4))] : [],
                changeSet: below(4) == 0 ? "c\(below(2))" : nil,
                state: below(3) == 0 ? states[below(4)] : .waiting)
        }
    }

    @Test(arguments: [UInt64](1...300)) func aChainTellsWhatAllRelationsTell(seed: UInt64) {
        let queue = Self.queue(seed: seed, count: 9)
        let chain = RequestDependencies(queue)
        let whole = RequestDependencies(queue, keepsAll: true)
        let unanswered = Set(queue.filter { !$0.state.isFailure }.map(\.id))
        for request in queue {
            let id = request.id
            #expect(chain.dependencies(of: id).isSubset(of: whole.dependencies(of: id)))
            #expect(chain.closure(of: [id]) == whole.closure(of: [id]))
            #expect(chain.requirements(of: [id]) == whole.requirements(of: [id]))
            let isOpen = whole.predecessors(of: id).isDisjoint(with: unanswered)
            #expect(chain.predecessors(of: id).isDisjoint(with: unanswered) == isOpen)
        }
        let listed = queue.filter { $0.id % 3 == Int64(seed % 3) }.map(\.id)
        let failed = Set(listed + queue.filter { $0.state.isUnknown }.map(\.id))
        #expect(
            RequestDependencies.quarantine(after: failed, in: queue)
                == Self.quarantine(after: failed, in: queue, whole))
        // One part of each change set must wait for what any of its members waits for.
        let sent = Set(
            UploadPlanner(usesBatch: false).wave(of: queue, selected: Set(queue.map(\.id)))
                .joined().flatMap(\.ids))
        for request in queue where request.state == .waiting {
            let members = request.changeSet.map { name in
                queue.filter { $0.changeSet == name && $0.state == .waiting }.map(\.id)
            }
            let together = Set(members ?? [request.id])
            let before = together.reduce(into: Set<Int64>()) {
                $0.formUnion(whole.predecessors(of: $1))
            }
            let isFree = before.subtracting(together).isDisjoint(with: unanswered)
            #expect(sent.contains(request.id) == isFree)
        }
    }

    private static func quarantine(
        after failed: Set<Int64>, in queue: [QueuedRequest], _ whole: RequestDependencies
    ) -> [Int64: Int64] {
        var causes = Dictionary(uniqueKeysWithValues: failed.map { ($0, $0) })
        for request in queue where request.state == .waiting && !failed.contains(request.id) {
            causes[request.id] = whole.dependencies(of: request.id).compactMap { causes[$0] }.min()
        }
        return causes.filter { !failed.contains($0.key) }
    }

    /// Half a million relations for each of these before.
    @Test func changesOfOneRowAndMembersOfOneSetAreChains() {
        let count: Int64 = 1_000
        for changeSet in [nil, "c"] {
            let queue = (1...count).map {
                Self.request($0, row: changeSet == nil ? 7 : $0, changeSet: changeSet)
            }
            let dependencies = RequestDependencies(queue)
            #expect(
                queue.reduce(0) { $0 + dependencies.predecessors(of: $1.id).count }
                    == Int(count) - 1)
            #expect(dependencies.requirements(of: [count]).count == Int(count))
        }
    }

    /// A thousand rows that refer to one, and a thousand changes of it.
    @Test func whoChangesARowThatManyReferToWaitsForThemOnce() {
        let count: Int64 = 1_000
        let referring = (1...count).map { Self.request($0, .create, row: $0, principals: [0]) }
        let changing = (1...count).map { Self.request(count + $0, row: 0) }
        let queue = referring + changing
        let dependencies = RequestDependencies(queue)
        #expect(
            queue.reduce(0) { $0 + dependencies.predecessors(of: $1.id).count }
                == 2 * Int(count) - 1)
        #expect(dependencies.requirements(of: [2 * count]).count == 2 * Int(count))
    }
}
