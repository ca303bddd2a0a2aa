import ODataQuery
import ODataSyncPlan
import Testing

@Suite struct ResendPolicyTests {
    private func request(
        _ operation: QueuedRequest.Operation, _ id: Int64 = 4, ifMatch: String? = nil
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "g"), operation: operation,
            target: RowReference(table: "Tools", id: -id), ifMatch: ifMatch)
    }

    private func isBlind(
        _ request: QueuedRequest, wasSent: Bool = true, isRepeatable: Bool = false
    ) -> Bool {
        ResendPolicy.resendsBlindly([request], wasSent: wasSent, isRepeatable: isRepeatable)
    }

    @Test func whatWasNeverSentIsSent() {
        #expect(isBlind(request(.create), wasSent: false))
    }

    @Test func aServiceThatRecognisesRepetitionsIsAskedAgain() {
        #expect(isBlind(request(.create), isRepeatable: true))
    }

    @Test func whatEndsInTheSameStateIsSentAgain() {
        #expect(isBlind(request(.update(.merge))))
        #expect(isBlind(request(.update(.replace), ifMatch: "*")))
        #expect(isBlind(request(.delete, ifMatch: "W/\"1\"")))
        #expect(isBlind(request(.updateLink)))
    }

    @Test func creationsAndChangesOfAKnownStateAreLookedFor() {
        #expect(!isBlind(request(.create)))
        #expect(!isBlind(request(.update(.merge), ifMatch: "W/\"1\"")))
    }

    private func verdicts(
        _ findings: [ResendPolicy.Finding], inChangeSet: Bool = false
    ) -> [ResendPolicy.Verdict?] {
        let operations: [QueuedRequest.Operation] = [.create, .update(.merge)]
        let requests = operations.indices.map { request(operations[$0], Int64($0 + 1)) }
        let members = requests.map {
            Attempt.Member(request: $0.id, changeSet: inChangeSet ? 0 : nil)
        }
        let verdicts = ResendPolicy.verdicts(
            members, requests, Dictionary(uniqueKeysWithValues: zip([1, 2], findings)))
        return [verdicts[1], verdicts[2]]
    }

    private static let shown = ResponseMessage(status: 200)
    private static let inferred = ResponseMessage(status: 204)

    @Test func requestsOfTheirOwnAreSettledOneByOne() {
        #expect(
            verdicts([.undecided, .carriedOut(Self.shown)]) == [.unknown, .accepted(Self.shown)])
        #expect(verdicts([.notCarriedOut, .repeatable]) == [.again, .repeated])
    }

    @Test func aChangeSetIsDecidedByTheMemberOfWhichMostIsKnown() {
        #expect(
            verdicts([.undecided, .carriedOut(Self.shown)], inChangeSet: true)
                == [.unknown, .accepted(Self.shown)])
        #expect(
            verdicts([.carriedOut(Self.shown), .repeatable], inChangeSet: true)
                == [.accepted(Self.shown), .accepted(Self.inferred)])
        #expect(
            verdicts([.undecided, .notCarriedOut], inChangeSet: true) == [.again, .again])
        #expect(
            verdicts([.undecided, .repeatable], inChangeSet: true) == [.unknown, .unknown])
    }
}
