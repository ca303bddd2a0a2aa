import ODataModel
import ODataSyncPlan
import Testing

@Suite struct UploadPlannerTests {
    private let planner = UploadPlanner(usesBatch: true)

    private func request(
        _ id: Int64, _ operation: QueuedRequest.Operation = .update(.merge), row: Int64,
        principals: [Int64] = [], changeSet: String? = nil, group: String? = nil,
        state: RequestState = .waiting
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "g\(id)"), operation: operation,
            target: RowReference(table: "Tools", id: row),
            principals: principals.map { RowReference(table: "Tools", id: $0) },
            changeSet: changeSet, uploadGroup: group, state: state)
    }

    private func wave(
        _ requests: [QueuedRequest], selection: UploadSelection = .all
    ) -> [[UploadPlanner.Part]] {
        planner.wave(of: requests, selected: selection.ids(in: requests))
    }

    @Test func independentRequestsShareABatch() {
        #expect(
            wave([request(1, row: 7), request(2, row: 8)]) == [[.request(1), .request(2)]])
    }

    @Test func aChainGoesInWaves() {
        var requests = [
            request(1, .create, row: -1), request(2, .create, row: -2, principals: [-1]),
            request(3, row: -2), request(4, row: 9),
        ]
        #expect(wave(requests) == [[.request(1), .request(4)]])
        requests.removeAll { $0.id == 1 || $0.id == 4 }
        #expect(wave(requests) == [[.request(2)]])
        requests.removeAll { $0.id == 2 }
        #expect(wave(requests) == [[.request(3)]])
        #expect(wave([]).isEmpty)
    }

    @Test func whatWaitsForAFrozenRequestIsNotSent() {
        let requests = [
            request(1, .create, row: -1, state: .frozen(attempt: 4)),
            request(2, row: -1),
        ]
        #expect(wave(requests).isEmpty)
    }

    @Test func aChangeSetStaysTogetherThoughItsMembersDependOnEachOther() {
        let requests = [
            request(1, .create, row: -1, changeSet: "a"), request(2, row: 5),
            request(3, row: -1, changeSet: "a"),
        ]
        #expect(wave(requests) == [[.changeSet([1, 3]), .request(2)]])
    }

    @Test func whoeverAsksForAllAsksForEachItself() {
        #expect(UploadSelection.all.asks(for: request(1, row: 7)))
        let some = UploadSelection(groups: ["a"])
        #expect(some.asks(for: request(1, row: 7, group: "a")))
        #expect(!some.asks(for: request(1, row: 7, group: "b")))
        #expect(!some.asks(for: request(1, row: 7)))
    }

    /// Who sends one of them alone breaks what they are.
    @Test func aChangeSetOfWhichAPartIsSelectedIsNotSent() {
        let requests = [
            request(1, row: 7, changeSet: "a"), request(2, row: 8, changeSet: "a"),
            request(3, row: 9),
        ]
        #expect(planner.wave(of: requests, selected: [1, 3]) == [[.request(3)]])
    }

    @Test func withoutBatchEachPartIsARequestOfItsOwn() {
        let planner = UploadPlanner(usesBatch: false)
        #expect(
            planner.wave(of: [request(1, row: 7), request(2, row: 8)], selected: [1, 2])
                == [[.request(1)], [.request(2)]])
    }

    @Test func aGroupBringsWhatItDependsOnAndNothingElse() {
        let requests = [
            request(1, .create, row: -1), request(2, row: 5, group: "b"),
            request(3, .create, row: -2, principals: [-1], group: "a"),
        ]
        #expect(UploadSelection(groups: ["a"]).ids(in: requests) == [1, 3])
        #expect(wave(requests, selection: UploadSelection(groups: ["a"])) == [[.request(1)]])
    }

    // MARK: Pieces

    private static let large = UploadPlanner.largestBatchedStream

    /// The ids of each piece of one batch.
    private func pieces(
        _ parts: [UploadPlanner.Part], _ lengths: [Int64: Int64] = [:], bytes: Int = .max,
        batchesStreams: Bool = true
    ) -> [[Int64]] {
        var planner = planner
        planner.maximumBytes = bytes
        planner.batchesStreams = batchesStreams
        let requests = parts.flatMap(\.ids).map { request($0, .putStream, row: $0) }
        return planner.pieces(of: [parts], requests, lengths: lengths).map { $0.flatMap(\.ids) }
    }

    @Test func batchesAreSplitByBytesButNeverBelowOnePart() {
        let parts: [UploadPlanner.Part] = [.request(1), .request(2), .request(3)]
        let lengths: [Int64: Int64] = [1: 6_000, 2: 6_000, 3: 50_000]
        #expect(pieces(parts, lengths, bytes: 14_000) == [[1, 2], [3]])
        #expect(pieces(parts, lengths, bytes: 1) == [[1], [2], [3]])
        #expect(pieces(parts, lengths) == [[1, 2, 3]])
        // Requests without a content take room, too.
        #expect(pieces(parts, bytes: 1_200) == [[1, 2], [3]])
    }

    @Test func aChangeSetCountsAsAWholeAndIsNeverDivided() {
        let parts: [UploadPlanner.Part] = [.request(1), .changeSet([2, 3]), .request(4)]
        let lengths: [Int64: Int64] = [2: 6_000, 3: 6_000]
        #expect(pieces(parts, lengths, bytes: 4_000) == [[1], [2, 3], [4]])
        #expect(pieces(parts, lengths, bytes: 13_700) == [[1], [2, 3], [4]])
        #expect(pieces(parts, lengths, bytes: 20_000) == [[1, 2, 3, 4]])
    }

    @Test func contentsGoAloneWhereTheyAreLargeOrShareNoBatch() {
        let parts: [UploadPlanner.Part] = [.request(1), .request(2), .request(3)]
        #expect(pieces(parts, [1: Self.large, 2: 0]) == [[1, 2, 3]])
        #expect(pieces(parts, [1: Self.large + 1, 2: 0]) == [[2, 3], [1]])
        #expect(pieces(parts, [1: 4, 2: 0], batchesStreams: false) == [[3], [1], [2]])
        #expect(pieces(parts, batchesStreams: false) == [[1, 2, 3]])
        // Those of a change set succeed or fail with it.
        let set: [UploadPlanner.Part] = [.changeSet([1, 2])]
        #expect(pieces(set, [1: Self.large + 1], batchesStreams: false) == [[1, 2]])
    }

    @Test func eachBatchOfAWaveIsDividedByItself() {
        let requests = (Int64(1)...4).map { request($0, row: $0) }
        let wave: [[UploadPlanner.Part]] = [
            [.request(1), .request(2)], [.request(3), .request(4)],
        ]
        #expect(planner.pieces(of: wave, requests) == wave)
        #expect(
            planner.pieces(of: wave, requests, lengths: [1: Self.large + 1])
                == [[.request(2)], [.request(1)], [.request(3), .request(4)]])
        #expect(planner.pieces(of: [], requests).isEmpty)
    }
}
