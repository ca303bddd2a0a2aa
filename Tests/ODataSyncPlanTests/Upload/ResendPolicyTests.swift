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

    private static let shown = ResponseMessage(status: 200)
    private static let refusal = ResponseMessage(status: 400)

    @Test func requestsAreSettledOneByOneThoseOfAChangeSetToo() {
        let findings: [Int64: ResendPolicy.Finding] = [
            1: .undecided, 2: .carriedOut(Self.shown), 3: .notCarriedOut, 4: .repeatable,
        ]
        let members = (1...5).map { Attempt.Member(request: $0, changeSet: $0 < 4 ? 0 : nil) }
        #expect(
            ResendPolicy.verdicts(members, findings) == [
                1: .unknown, 2: .accepted(Self.shown), 3: .again, 4: .repeated, 5: .unknown,
            ])
    }

    private func outcomes(
        _ findings: [Int64: ResendPolicy.Finding], keepsParts: Bool = false
    ) -> [Int64: AttemptAnswers.Outcome] {
        ResendPolicy.outcomes(
            ofRefused: findings.mapValues { _ in Self.refusal }, findings, keepsParts: keepsParts)
    }

    @Test func aRefusalCountsForTheWholeSetWhereNothingOfItTookEffect() {
        #expect(
            outcomes([1: .undecided, 2: .notCarriedOut, 3: .repeatable])
                == [
                    1: .refused(Self.refusal), 2: .refusedWithoutEffect(Self.refusal),
                    3: .refused(Self.refusal),
                ])
    }

    @Test func whatARefusedSetHasLeftBehindIsSettledOnItsOwn() {
        let found = outcomes([1: .undecided, 2: .carriedOut(Self.shown), 3: .notCarriedOut])
        #expect(
            found[2] == .answered(Self.shown) && found[3] == .refusedWithoutEffect(Self.refusal))
        guard case .undecided? = found[1],
            case .undecided? = outcomes([1: .undecided], keepsParts: true)[1]
        else {
            Issue.record("Expected a creation whose fate nobody knows.")
            return
        }
    }
}
