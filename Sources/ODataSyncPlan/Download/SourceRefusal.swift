import ODataQuery
import ODataText

/// A source that the service did not give, and why.
package struct SourceRefusal: Sendable, Hashable {
    package var source: DownloadSource
    package var reason: String
    /// The status of the service's answer; 0 where the answer itself was wrong.
    package var status: Int
    /// The answer began, and broke off or was somebody else's.
    package var isBroken: Bool

    package init(
        _ source: DownloadSource, reason: String, status: Int, isBroken: Bool = false
    ) {
        self.isBroken = isBroken
        self.source = source
        self.reason = reason
        self.status = status
    }

    /// True when an error says something about one source and nothing about the others.
    package static func isAboutOneSource(_ error: ODataError) -> Bool {
        switch error.code {
        case .service, .invalidPayload, .invalidValue, .malformedText, .limitExceeded: true
        default: false
        }
    }

    /// True when what came cannot be stored: where it was staged, the next download reads it anew.
    package static func isOfContent(_ error: ODataError) -> Bool {
        [.invalidPayload, .invalidValue, .malformedText].contains(error.code)
    }

    /// True when an answer began and broke off, or came from somebody else: that may be so of one source, and of the
    /// network where it is so of the next one, too.
    package static func isBroken(_ error: ODataError) -> Bool {
        guard error.code == .network else { return false }
        return (error.underlying as? NetworkFailure)?.phase == .body
            || error.underlying is ForeignPage
    }

    /// True when asking for further sources makes no sense: nobody may read, or nothing may be read now.
    ///
    /// - Parameters:
    ///   - refused: what was refused since the last source that was read, the last one at the end.
    ///   - finished: how many sources were read.
    package static func endsDownload(_ refused: [SourceRefusal], finished: Int) -> Bool {
        if refused.last?.isBroken == true { return refused.count(where: \.isBroken) > 1 }
        return switch refused.last?.status {
        case 401: finished == 0 || refused.count { $0.status == 401 } > 1
        case 407, 429: true
        case 403: finished == 0 && refused.count >= patience
        default: false
        }
    }

    /// Sets that may be forbidden, one after the other, before everything counts as forbidden.
    private static let patience = 3

    /// One error for a download that had to leave sources out; nil when there are none.
    package static func error(_ refused: [SourceRefusal]) -> ODataError? {
        guard let first = refused.first else { return nil }
        let names = refused.map { "\($0.source.name ?? $0.source.entitySet) (\($0.reason))" }
        var error = ODataError(
            .service,
            "Expected the service to give every entity set, found it refusing "
                + names.joined(separator: ", "),
            at: .path(first.source.url))
        error.status = first.status
        return error
    }
}
