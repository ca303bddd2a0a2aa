import ODataText

/// The course of reading one source, from the first request to the stored delta link: event in, action out.
///
/// States: *idle* → ``start()`` → *reading* → … → *done*. A page leads to the next one or to the end. A query that the
/// service refuses is asked again in a simpler ``ReadForm``; a link that it no longer knows, that circles or that leads
/// elsewhere leads back to a full read, once.
package struct ReadMachine: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// A page was received whole, with the links at its end.
        case page(nextLink: String?, deltaLink: String?)
        /// The service refused the link or query with this status; an answer without content counts as one.
        ///
        /// - Parameter isOwn: it said so itself, and not a gateway in front of it.
        case refused(status: Int, isOwn: Bool = false)
        /// What a delta named could not be matched to any row.
        case unmatched
        /// Everything is stored, and so is the link to what changes later.
        case kept
        /// The service refused a page of an expanded collection with this status; 0 for a link out of the service.
        case restRefused(status: Int)
        /// The first page came changed on the way, and some of it may be stored.
        case distrusted
    }

    package enum Action: Sendable, Hashable {
        /// Fetch this URL in the machine's ``ReadMachine/form``; its rows are applied in the given mode.
        case fetch(url: String, mode: ReadMode)
        /// Forget what was staged and where to resume: the read starts again.
        case restart(url: String, mode: ReadMode)
        /// Everything was read: apply what is staged, close the sweep, keep the delta link.
        case finish(mode: ReadMode, deltaLink: String?)
        /// The service will not give this source.
        case fail(Failure)
    }

    package enum Failure: Sendable, Hashable {
        case status(Int)
        /// The next link of a page is that of an earlier page.
        case circle
        /// A next link leads to another service.
        case foreign(host: String)
    }

    /// A form that was refused.
    package struct Refusal: Sendable, Hashable {
        package var form: ReadForm
        package var status: Int

        package init(form: ReadForm, status: Int) {
            self.form = form
            self.status = status
        }
    }

    private enum Link: Sendable, Hashable {
        case query, next, delta
        /// The next link of a read that an earlier run has begun.
        case resumed
        /// The same of a delta.
        case resumedDelta
    }

    package let source: DownloadSource
    package private(set) var mode: ReadMode
    /// How the next request is to be made.
    package private(set) var form: ReadForm
    /// The forms that were refused on the way.
    package private(set) var refusals: [Refusal] = []
    private let top: ReadForm
    private let state: SourceState
    private let root: String
    private var link = Link.query
    private var url: String
    private var circle = LinkCircle()
    private var firstDeltaLink: String?
    private var hasRestarted = false
    private var hasCaughtUp = false
    /// The kept link that failed for good, so that the read began anew.
    package private(set) var brokenLink: String?
    /// The kept link failed and was asked for once more.
    private var hasAskedTwice = false
    /// An earlier read has left something behind that this one does not go on with.
    private let isStale: Bool

    /// - Parameters:
    ///   - root: the service root, on which links of other origins are based where they fit.
    ///   - form: how the source is asked for first.
    ///   - usesDeltaLink: false for all rows, whatever delta link there is.
    ///   - readsAll: reads all rows from the beginning, wherever an earlier read has come to.
    package init(
        source: DownloadSource, state: SourceState, root: String = "",
        form: ReadForm = ReadForm(), usesDeltaLink: Bool = true, readsAll: Bool = false
    ) {
        self.source = source
        var state = state
        var form = form
        form.expands = form.expands && source.urlWithoutExpansions != nil
        let hasRows = state.hasRows || state.resume != nil
        if readsAll || !usesDeltaLink { state.deltaLink = nil }
        if readsAll || state.deltaLink == nil && state.resume?.mode == .delta { state.resume = nil }
        isStale = hasRows && state.resume == nil
        self.state = state
        self.root = root
        self.form = form
        top = form
        mode = state.isComplete || hasRows ? .sweep : .first
        url = ""
        url = query
    }

    /// The URL of the whole result in the present form.
    private var query: String {
        form.expands ? source.url : source.urlWithoutExpansions ?? source.url
    }

    /// Where the read goes on; nil when it starts anew.
    package var resume: ResumePoint? { state.resume }

    /// The next answer is that to the link which an earlier run has kept.
    package var resumes: Bool { link == .resumed || link == .resumedDelta }

    /// The first request.
    package mutating func start() -> Action {
        if let resume = state.resume {
            mode = resume.mode
            link = mode == .delta ? .resumedDelta : .resumed
            firstDeltaLink = resume.deltaLink
            return follow(resume.nextLink)
        }
        guard let deltaLink = state.deltaLink, state.isComplete else {
            return isStale ? .restart(url: query, mode: mode) : fetch(query)
        }
        mode = .delta
        link = .delta
        return follow(deltaLink)
    }

    package mutating func step(_ event: Event) -> Action {
        switch event {
        case .page(let nextLink, let deltaLink):
            // Where several pages carry one, the first knows the state that the read began with.
            firstDeltaLink = firstDeltaLink ?? deltaLink
            guard let nextLink else { return .finish(mode: mode, deltaLink: firstDeltaLink) }
            link = mode == .delta ? .delta : .next
            return follow(nextLink)
        case .refused(let status, let isOwn):
            return refused(status, isOwn: isOwn)
        case .unmatched:
            return (mode == .delta ? readAll() : nil) ?? .finish(mode: mode, deltaLink: nil)
        case .kept:
            return readSince() ?? .finish(mode: mode, deltaLink: firstDeltaLink)
        case .restRefused(let status):
            return restRefused(status)
        case .distrusted:
            return (mode == .delta ? readDelta() : nil) ?? begin()
        }
    }

    private mutating func fetch(_ url: String) -> Action {
        self.url = url
        return .fetch(url: url, mode: mode)
    }

    /// Goes to a link unless it leads in a circle or out of the service.
    private mutating func follow(_ target: String) -> Action {
        guard let own = ServiceLink.followable(target, root: root) else {
            return bad(.foreign(host: ServiceLink.host(of: target) ?? target))
        }
        guard !circle.closes(with: own) else { return bad(.circle) }
        return fetch(own)
    }

    /// What a link that cannot be followed leads to: a delta can be replaced by a full read, and so can what an earlier
    /// run left.
    private mutating func bad(_ failure: Failure) -> Action {
        if mode == .delta || state.resume != nil, let action = readAll() { return action }
        return .fail(failure)
    }

    /// A link may have expired (Protocol 4.01, section 11.4: 410, and what real services answer instead); a query may
    /// not, and neither does anything the caller or the moment is to blame for.
    private mutating func refused(_ status: Int, isOwn: Bool) -> Action {
        let isExpiry =
            (400..<500).contains(status) && ![401, 403, 407, 408, 429].contains(status)
            || status == 204
        switch link {
        case .query:
            guard let next = form.next(afterRefusal: status, top: top) else { break }
            refusals.append(Refusal(form: form, status: status))
            form = next
            return fetch(query)
        case .next, .delta, .resumed, .resumedDelta:
            if let plainer = form.plainer(afterRefusal: status) {
                refusals.append(Refusal(form: form, status: status))
                form = plainer
                return fetch(url)
            }
            if link == .resumedDelta, isExpiry, let action = readDelta() { return action }
            // A page that fails just now does not throw a long load back; one that was kept and fails again never comes.
            let isBrokenPage =
                link == .resumed && isOwn && Self.isOfThePage(status) && url != state.brokenLink
            if isBrokenPage, !hasAskedTwice {
                hasAskedTwice = true
                return fetch(url)
            }
            // A delta link that fails in the plainest form, too, may never work again.
            let isBroken =
                mode == .delta && (status == 500 || status == 501)
                || link == .resumed && status == 501 || isBrokenPage
            let place = url
            if isExpiry || isBroken, let action = readAll() {
                if isBrokenPage { brokenLink = place }
                return action
            }
        }
        return .fail(.status(status))
    }

    /// Whether a failure of the service may be one of what was asked for: 501 is at once, a gateway's is of the moment.
    private static func isOfThePage(_ status: Int) -> Bool {
        (500..<600).contains(status) && ![501, 502, 503, 504].contains(status)
    }

    /// What cannot be read to its end is read without expansions, from the beginning; nothing is expanded then, so it
    /// happens once.
    private mutating func restRefused(_ status: Int) -> Action {
        guard form.expands, ![401, 407, 408, 429, 502, 503, 504].contains(status) else {
            return .fail(.status(status))
        }
        // A row or a page that has gone meanwhile says nothing lasting of the set; neither does a status of 500.
        let isLasting = [400, 405, 501].contains(status)
        refusals.append(Refusal(form: form, status: isLasting ? status : 500))
        form.expands = false
        return begin()
    }

    /// The delta from its beginning; nil when its link leads out of the service.
    private mutating func readDelta() -> Action? {
        guard let deltaLink = state.deltaLink,
            let own = ServiceLink.followable(deltaLink, root: root)
        else { return nil }
        return begin(.delta, at: own, .delta)
    }

    /// What has changed since the read began; nil where this run began it, or has done so.
    ///
    /// A read that goes on where an earlier one was interrupted ends with what the service had then, however long ago that was.
    private mutating func readSince() -> Action? {
        guard state.resume != nil, !hasRestarted, !hasCaughtUp, let link = firstDeltaLink,
            let own = ServiceLink.followable(link, root: root)
        else { return nil }
        hasCaughtUp = true
        return begin(.delta, at: own, .delta)
    }

    /// The whole result from its beginning; nil when that was tried already.
    private mutating func readAll() -> Action? {
        guard !hasRestarted else { return nil }
        hasRestarted = true
        return begin()
    }

    /// The whole result from its beginning. Rows of it may be there, be it from the read that ends here: those that the
    /// service no longer has are to go.
    private mutating func begin() -> Action { begin(.query, at: query, .sweep) }

    private mutating func begin(_ link: Link, at url: String, _ mode: ReadMode) -> Action {
        (self.link, self.url, self.mode) = (link, url, mode)
        circle = LinkCircle()
        firstDeltaLink = nil
        return .restart(url: url, mode: mode)
    }
}
