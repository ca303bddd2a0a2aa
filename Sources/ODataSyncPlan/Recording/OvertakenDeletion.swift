/// What the store knows of a deletion whose row has the key of what an accepted creation made → what becomes of the deletion.
///
/// A service that has given the key to another row has carried the deletion out, unless that is about what the creation made.
/// Sent again it would take the new row, where no entity tag tells the two apart.
package struct OvertakenDeletion: Sendable {
    package enum Fate: Sendable, Hashable {
        /// It waits for its own answer: nobody was sent it, or it is perhaps about what the creation made, which a download may have
        /// brought before the deletion was recorded.
        case stays
        /// Carried out: the row has gone.
        case isGone
        /// Carried out: the row has gone, and a download may have brought what the creation made in its place.
        case isReplaced
    }

    private let deletion: QueuedRequest
    private let creation: QueuedRequest
    /// The row was there when the creation was first sent; nil where nobody noted what was there.
    package var isOlder: Bool?
    /// A download has told that the service has the row no more, and nothing of another in its place.
    package var isToldGone = false
    /// The row came with other values since the creation was first sent.
    package var isRewritten = false
    /// The attempt that the deletion is frozen in was sent, and has no answer.
    package var isOnItsWay = false

    package init(of deletion: QueuedRequest, by creation: QueuedRequest) {
        self.deletion = deletion
        self.creation = creation
    }

    package var fate: Fate {
        // One that nobody was sent is settled only where the service itself has told that there was nothing left to delete.
        guard isToldGone || isUnanswered else { return .stays }
        let isOther = isRewritten && !isToldGone
        // What was deleted before the creation was recorded is nothing that this made.
        if deletion.id < creation.id, isOlder ?? true { return isOther ? .isReplaced : .isGone }
        return isOlder == true && !isOther ? .isGone : .stays
    }

    private var isUnanswered: Bool {
        isOnItsWay || deletion.flags.contains(.open) || deletion.state.isUnknown
    }
}
