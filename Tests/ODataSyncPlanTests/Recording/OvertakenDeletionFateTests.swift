import ODataSyncPlan
import Testing

/// Each fact that decides what becomes of a deletion whose row's key the service has given to what a creation made.
@Suite struct OvertakenDeletionFateTests {
    private func request(
        _ id: Int64, _ operation: QueuedRequest.Operation, _ state: RequestState = .waiting,
        flags: QueuedRequest.Flags = []
    ) -> QueuedRequest {
        QueuedRequest(
            id: id, identity: RepeatabilityIdentity(id: "i\(id)"), operation: operation,
            target: RowReference(table: "Customers", id: id), flags: flags, state: state)
    }

    /// - Parameter isEarlier: the deletion was recorded before the creation was.
    private func overtaken(
        isEarlier: Bool = true, _ state: RequestState = .frozen(attempt: 1),
        flags: QueuedRequest.Flags = [], isOnItsWay: Bool = false
    ) -> OvertakenDeletion {
        var overtaken = OvertakenDeletion(
            of: request(isEarlier ? 1 : 3, .delete, state, flags: flags),
            by: request(2, .create))
        overtaken.isOnItsWay = isOnItsWay
        return overtaken
    }

    @Test func onlyASentDeletionIsSettled() {
        #expect(overtaken().fate == .stays)
        #expect(overtaken(.waiting).fate == .stays)
        #expect(overtaken(isOnItsWay: true).fate == .isGone)
        #expect(overtaken(.unknown(reason: nil)).fate == .isGone)
        #expect(overtaken(.waiting, flags: .open).fate == .isGone)
    }

    @Test func oneThatWasNotSentIsSettledWhereTheServiceToldThatTheRowHasGone() {
        var overtaken = overtaken(.waiting)
        overtaken.isToldGone = true
        #expect(overtaken.fate == .isGone)
        // What came before the row went is of no account.
        overtaken.isRewritten = true
        #expect(overtaken.fate == .isGone)
    }

    /// With the creation sent before: nil where nobody noted what was there then.
    @Test(
        arguments: [
            (true, nil, false, OvertakenDeletion.Fate.isGone), (true, nil, true, .isReplaced),
            (true, true, false, .isGone), (true, true, true, .isReplaced),
            (true, false, false, .stays), (true, false, true, .stays),
            (false, nil, false, .stays), (false, nil, true, .stays),
            (false, true, false, .isGone), (false, true, true, .stays),
            (false, false, false, .stays), (false, false, true, .stays),
        ] as [(Bool, Bool?, Bool, OvertakenDeletion.Fate)])
    func whatTheCreationMayHaveMadeIsLeftAlone(
        isEarlier: Bool, isOlder: Bool?, isRewritten: Bool, fate: OvertakenDeletion.Fate
    ) {
        var overtaken = overtaken(isEarlier: isEarlier, isOnItsWay: true)
        overtaken.isOlder = isOlder
        overtaken.isRewritten = isRewritten
        #expect(overtaken.fate == fate)
    }
}
