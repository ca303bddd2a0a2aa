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

        package init(
            request: Int64, contentID: String? = nil, changeSet: Int? = nil, part: Int = 0
        ) {
            self.request = request
            self.contentID = contentID
            self.changeSet = changeSet
            self.part = part
        }
    }

    package var id: Int64
    package var message: RequestMessage
    package var members: [Member]
    /// Milliseconds since 1970.
    package var frozenAt: Int64
    /// How often it was handed to the transport.
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

    package var isBatch: Bool { members.contains { $0.contentID != nil } || members.count > 1 }
}
