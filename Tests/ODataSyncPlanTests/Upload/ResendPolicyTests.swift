import ODataSyncPlan
import Testing

@Suite struct ResendPolicyTests {
    private func request(_ operation: QueuedRequest.Operation) -> QueuedRequest {
        QueuedRequest(
            id: 4, identity: RepeatabilityIdentity(id: "g"), operation: operation,
            target: RowReference(table: "Tools", id: -1))
    }

    private func decide(
        _ operation: QueuedRequest.Operation, wasSent: Bool = true, isRepeatable: Bool = false,
        hasKey: Bool = false
    ) -> ResendPolicy.Decision {
        ResendPolicy.decide(
            [request(operation)], wasSent: wasSent, isRepeatable: isRepeatable,
            hasKey: { _ in hasKey })
    }

    @Test func whatWasNeverSentIsSent() {
        #expect(decide(.create, wasSent: false) == .resend)
    }

    @Test func aServiceThatRecognisesRepetitionsIsAskedAgain() {
        #expect(decide(.create, isRepeatable: true) == .resend)
    }

    @Test func changesAndDeletesAreSentAgain() {
        #expect(decide(.update(.merge)) == .resend)
        #expect(decide(.delete) == .resend)
        #expect(decide(.updateLink) == .resend)
    }

    @Test func aCreateIsLookedForByItsKeyOrElseUnknown() {
        #expect(decide(.create, hasKey: true) == .probe([4]))
        #expect(decide(.create) == .unknown)
    }
}
