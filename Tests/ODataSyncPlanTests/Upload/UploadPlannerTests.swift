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

    @Test func batchesAreSplitByBytesButNeverBelowOnePart() {
        let parts: [UploadPlanner.Part] = [.request(1), .request(2), .request(3)]
        #expect(
            UploadPlanner.split(parts, sizes: [60, 60, 500], limit: 120)
                == [[.request(1), .request(2)], [.request(3)]])
        #expect(UploadPlanner.split(parts, sizes: [9, 9, 9], limit: 1).count == 3)
    }
}
