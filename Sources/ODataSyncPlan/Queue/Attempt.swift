import ODataQuery

/// One HTTP request exactly as it was first sent, kept until its answer is recorded, so that a resend is identical
/// to the byte (docs/design.md, decision 15).
package struct Attempt: Sendable, Hashable, Identifiable {
    /// A request of the queue inside the attempt.
    package struct Member: Sendable, Hashable {
        package var request: Int64
        /// The Content-ID of its part; nil when the attempt is a single request.
        package var contentID: String?
        /// Which change set of the batch the part belongs to; nil outside change sets.
        package var changeSet: Int?
        /// Place of the part's answer in the batch answer.
        package var part: Int
        /// Whether it was sent with its identity, so that a service that knows identities recognises another sending.
        package var isIdentified: Bool

        package init(
            request: Int64, contentID: String? = nil, changeSet: Int? = nil, part: Int = 0,
            isIdentified: Bool = true
        ) {
            self.request = request
            self.contentID = contentID
            self.changeSet = changeSet
            self.part = part
            self.isIdentified = isIdentified
        }
    }

    package var id: Int64
    package var message: RequestMessage
    package var members: [Member]
    /// Milliseconds since 1970.
    package var frozenAt: Int64
    /// How many sendings have no answer: each may have had the effect.
    package var sendCount: Int

    package init(
        id: Int64, message: RequestMessage, members: [Member], frozenAt: Int64, sendCount: Int = 0
    ) {
        self.id = id
        self.message = message
        self.members = members
        self.frozenAt = frozenAt
        self.sendCount = sendCount
    }

    /// False when some of what was sent has an answer, so that it is not sent again as a whole.
    package var isWhole: Bool { !message.url.isEmpty }

    /// A service that knows identities recognises another sending of all of it.
    package var isIdentified: Bool { members.allSatisfy(\.isIdentified) }

    package var isBatch: Bool { members.contains { $0.contentID != nil } || members.count > 1 }
}

extension Attempt {
    /// What it asks for, which says how an answer to it looks.
    package func question(_ requests: [QueuedRequest]) -> ServiceMarks.Question {
        if isBatch { return .batch }
        switch requests.first?.operation {
        case .create?: return .create
        case .delete?, .deleteLink?, .deleteStream?: return .delete
        default: return .update
        }
    }
}
