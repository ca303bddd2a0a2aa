import ODataQuery

/// Which pages of rows are the service's: what is missing on them goes in the store.
extension ServiceMarks {
    /// Whether an answer has to be looked into before its rows count: the service marks its answers, and the headers of this
    /// one do not say whose it is.
    package func doubtsPage(_ headers: HeaderFields) -> Bool {
        sendsVersion && !Self.hasVersion(headers)
    }

    /// Whether a page without a version header is the service's all the same: its rows are marked, by their context at least
    /// (JSON Format 4.01, section 4.5.1).
    ///
    /// - Parameter start: the first bytes of the page.
    package static func isMarked(page headers: HeaderFields, start: [UInt8]) -> Bool {
        let body = AnswerBody(contentType: headers["Content-Type"] ?? "", start: start)
        return !body.isHTML && body.isMarked
    }

    /// How much of a page is looked into.
    package static let pageStart = 4_096
}
