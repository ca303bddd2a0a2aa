import ODataModel
import ODataSyncPlan
import ODataText
import Testing

/// Random queues: whatever the passes do, rows end in the same state and everything can still be sent.
@Suite struct QueuePassesTests {
    private static let served: ClosedRange<Int64> = 1...3
    private static let rows: [Int64] = [1, 2, 3, -1, -2, -3]

    private static func base(_ row: Int64) -> BaseImage {
        served.contains(row) ? .present(QueueFixture.values(row, 0, 0)) : .absent
    }

    /// A queue that a user could have made: nothing changes a row before it exists or after it is gone.
    private static func queue(
        _ random: inout SeededGenerator, count: Int, transactions: [String?]
    ) -> [QueuedRequest] {
        var alive = Set(served)
        var known = Set(served)
        var queue: [QueuedRequest] = []
        var changeSet: (name: String, left: Int)?
        for id in 1...Int64(count) {
            let row = rows.randomElement(using: &random) ?? 1
            let operation: QueuedRequest.Operation
            if !known.contains(row) {
                operation = .create
            } else if alive.contains(row) {
                operation = Int.random(in: 0..<6, using: &random) == 0 ? .delete : .update(.merge)
            } else {
                continue
            }
            known.insert(row)
            if operation == .delete { alive.remove(row) } else { alive.insert(row) }
            if let open = changeSet {
                changeSet = open.left > 1 ? (open.name, open.left - 1) : nil
            } else if Int.random(in: 0..<5, using: &random) == 0 {
                changeSet = ("set\(id)", 2)
            }
            let isFirst = Bool.random(using: &random)
            let value = Int64.random(in: 1...99, using: &random)
            let values = QueueFixture.values(
                operation == .create ? row : nil, isFirst ? value : nil, isFirst ? nil : value)
            queue.append(
                QueuedRequest(
                    id: id, identity: RepeatabilityIdentity(id: "\(id)"), operation: operation,
                    target: QueueFixture.row(row),
                    body: operation == .delete ? nil : RequestBody(values: values),
                    principals: [1, 2].contains(Int.random(in: 0..<9, using: &random))
                        ? alive.subtracting([row]).sorted().prefix(1).map(QueueFixture.row) : [],
                    changeSet: changeSet?.name,
                    transactionID: changeSet == nil
                        ? transactions.randomElement(using: &random) ?? nil : nil,
                    flags: Int.random(in: 0..<6, using: &random) == 0 ? .unmodifiable : []))
        }
        return queue
    }

    private static func states(_ queue: [QueuedRequest]) -> [StructureValue?] {
        let fold = QueueFold(graph: QueueFixture.graph)
        return rows.map {
            fold.state(of: QueueFixture.row($0), base: base($0), requests: queue).values
        }
    }

    /// Sends wave after wave until nothing can be sent; the requests in the order the service sees them.
    private static func drain(_ queue: [QueuedRequest]) -> [QueuedRequest] {
        var (left, sent): ([QueuedRequest], [QueuedRequest]) = (queue, [])
        while true {
            let wave = UploadPlanner(usesBatch: true).wave(
                of: left, selected: Set(left.map(\.id))
            ).flatMap { $0 }.flatMap(\.ids)
            if wave.isEmpty { break }
            for id in wave { sent += left.filter { $0.id == id } }
            left.removeAll { wave.contains($0.id) }
        }
        return sent
    }

    /// Numbers the requests by the order they were sent in.
    private static func renumbered(_ sent: [QueuedRequest]) -> [QueuedRequest] {
        sent.enumerated().map { place, request in
            var request = request
            request.position = Int64(place)
            return request
        }
    }

    @Test(arguments: [
        (true, false, false), (false, true, false), (false, false, true), (true, true, true),
    ])
    func rowsEndInTheSameStateAndNothingIsStuck(
        merges: Bool, builds: Bool, undoes: Bool
    ) {
        var passes = QueuePasses()
        passes.mergesRequests = merges
        passes.buildsTransactions = builds
        passes.undoesCreations = undoes
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let queue = Self.queue(&random, count: 14, transactions: [nil, "a", "b"])
            var next: Int64 = 1_000
            let edits = passes.edits(queue, selected: Set(queue.map(\.id)))
            let after = QueueEdit.apply(edits, to: queue, nextID: &next)
            let sent = Self.drain(after)
            #expect(sent.count == after.count, "seed \(seed)")
            #expect(Self.states(queue) == Self.states(after), "seed \(seed)")
            #expect(Self.states(queue) == Self.states(Self.renumbered(sent)), "seed \(seed)")
            #expect(after.count <= queue.count, "seed \(seed)")
        }
    }

    @Test func aTransactionIsSplitIntoAsFewChangeSetsAsAnyWayCould() {
        for seed in 1...60 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: ~seed)
            let queue = Self.queue(&random, count: 8, transactions: [nil, "a", "a"])
                .filter { $0.changeSet == nil }
            let members = queue.filter { $0.transactionID == "a" }.map(\.id)
            var next: Int64 = 1_000
            let edits = TransactionBuilding(queue: queue, selected: Set(queue.map(\.id))).edits
            let after = QueueEdit.apply(edits, to: queue, nextID: &next)
            let sets = Set(
                after.filter { $0.transactionID == "a" }.map { $0.changeSet ?? "\($0.id)" })
            let least = Self.partitions(members).filter { Self.isValid($0, queue) }.map(\.count)
                .min()
            #expect(sets.count == least ?? 0, "seed \(seed)")
        }
    }

    /// Every way to divide `ids` into groups.
    private static func partitions(_ ids: [Int64]) -> [[[Int64]]] {
        guard let first = ids.first else { return [[]] }
        return partitions(Array(ids.dropFirst())).flatMap { rest -> [[[Int64]]] in
            [rest + [[first]]]
                + rest.indices.map { place in
                    var groups = rest
                    groups[place].append(first)
                    return groups
                }
        }
    }

    /// True when the groups can be sent as change sets, one unmodifiable request per entity in each.
    private static func isValid(_ groups: [[Int64]], _ queue: [QueuedRequest]) -> Bool {
        var grouped = queue
        for group in groups {
            let flagged = queue.filter {
                group.contains($0.id) && $0.flags.contains(.unmodifiable)
            }
            guard Set(flagged.map(\.target)).count == flagged.count else { return false }
            for place in grouped.indices where group.contains(grouped[place].id) {
                grouped[place].changeSet = "g\(group[0])"
            }
        }
        return drain(grouped).count == queue.count
    }
}
