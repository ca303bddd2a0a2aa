import ODataText

/// The course of reading one source, from the first request to the stored delta link: event in, action out.
///
/// States: *idle* → ``start()`` → *reading* → … → *done*. A page leads to the next one or to the end; a link that the
/// service no longer knows leads back to a full read, once.
package struct ReadMachine: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// A page was received whole, with the links at its end.
        case page(nextLink: String?, deltaLink: String?)
        /// The service refused the link or query with this status.
        case refused(status: Int)
    }

    package enum Action: Sendable, Hashable {
        /// Fetch this URL; its rows are applied in the given mode.
        case fetch(url: String, mode: ReadMode)
        /// Forget what was staged and where to resume: the read starts again.
        case restart(url: String, mode: ReadMode)
        /// Everything was read: apply what is staged, close the sweep, keep the delta link.
        case finish(mode: ReadMode, deltaLink: String?)
        /// The service will not give this source.
        case fail(status: Int)
    }

    private enum Link: Sendable, Hashable {
        case query, next, delta
        /// The next link of a delta that an earlier run has begun to read.
        case resumedDelta
    }

    package let source: DownloadSource
    package private(set) var mode: ReadMode
    private let state: SourceState
    private var link = Link.query
    private var hasRestarted = false
    private var pages = 0

    /// The number of pages of one read is bounded, so that a service whose next links circle cannot hold us.
    private static let maximumPages = 10_000_000

    package init(source: DownloadSource, state: SourceState, ignoresDeltaLinks: Bool = false) {
        self.source = source
        var state = state
        if ignoresDeltaLinks { state.deltaLink = nil }
        if state.deltaLink == nil, state.resume?.mode == .delta { state.resume = nil }
        self.state = state
        mode = state.isComplete ? .sweep : .first
    }

    /// Where the read goes on; nil when it starts anew.
    package var resume: ResumePoint? { state.resume }

    /// The first request.
    package mutating func start() -> Action {
        if let resume = state.resume {
            mode = resume.mode
            link = mode == .delta ? .resumedDelta : .next
            return .fetch(url: resume.nextLink, mode: mode)
        }
        if let deltaLink = state.deltaLink, state.isComplete {
            mode = .delta
            link = .delta
            return .fetch(url: deltaLink, mode: .delta)
        }
        return .fetch(url: source.url, mode: mode)
    }

    package mutating func step(_ event: Event) -> Action {
        switch event {
        case .page(let nextLink?, _) where pages < Self.maximumPages:
            pages += 1
            link = mode == .delta ? .delta : .next
            return .fetch(url: nextLink, mode: mode)
        case .page(_, let deltaLink):
            return .finish(mode: mode, deltaLink: deltaLink)
        case .refused(let status):
            return refused(status)
        }
    }

    /// A link may have expired (Protocol 4.01, section 11.4: 410, and what real services answer instead); a query may
    /// not, and neither does anything the caller or the moment is to blame for.
    private mutating func refused(_ status: Int) -> Action {
        let isExpiry = (400..<500).contains(status) && ![401, 403, 407, 408, 429].contains(status)
        if link == .resumedDelta, isExpiry, let deltaLink = state.deltaLink {
            link = .delta
            return .restart(url: deltaLink, mode: .delta)
        }
        guard link != .query, isExpiry || (link == .delta && status == 501), !hasRestarted else {
            return .fail(status: status)
        }
        hasRestarted = true
        link = .query
        mode = state.isComplete ? .sweep : .first
        return .restart(url: source.url, mode: mode)
    }
}
