import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

/// One source on its way into the store: fetches what its read machine asks for, and says step by step what the ingest has
/// to do with it. Used by one thread.
final class SourceRead {
    /// A page whose rows are to be stored.
    struct Page {
        var body: any ByteSource
        var mode: ReadMode
        var isAtom: Bool
    }

    /// What is to be done with the ingest next.
    enum Step {
        case page(Page)
        /// The page that `openLink` leads to.
        case rest(any ByteSource)
        case endPage
        case restart
        case finish(ReadMode, deltaLink: String?)
        case fail(ODataError)
    }

    let ingest: SourceIngest
    private let pages: PageReader
    private let headers: ReadHeaders
    private let marks: ServiceMarks
    private(set) var machine: ReadMachine
    private var next: ReadMachine.Action
    private(set) var pageCount = 0
    /// What the service said when it refused a form of the query.
    private(set) var refusal: String?
    /// Why the read did not go on at the page that an earlier one came to.
    private(set) var lostPage: String?
    /// How many objects of deltas could not be matched, so that everything was read again.
    private(set) var unmatched = 0
    private lazy var rests = pages.makeRestReader()
    private var hasRests = false
    private var endedMode: ReadMode?
    /// A page was taken and is not ended.
    private var isPageOpen = false
    private(set) var isOver = false

    init(
        machine: ReadMachine, ingest: SourceIngest, pages: PageReader, headers: ReadHeaders,
        marks: ServiceMarks = ServiceMarks()
    ) {
        var machine = machine
        next = machine.start()
        self.machine = machine
        self.ingest = ingest
        self.pages = pages
        self.headers = headers
        self.marks = marks
        pages.use(fields)
    }

    var source: DownloadSource { machine.source }

    /// Pages of it came before its turn, or in an earlier run, and are not stored yet: what another read of its rows brings in
    /// between is newer.
    var mayBeOvertaken: Bool {
        !isOver && (pageCount > 0 || (machine.resume?.stagedPages ?? 0) > 0)
    }

    /// Rows have come of it and were stored, or some were taken away.
    var hasStored: Bool { ingest.counts.received > 0 || ingest.counts.removed > 0 }

    /// How the read came to its end, before what has changed since it began.
    var mode: ReadMode { endedMode ?? machine.mode }

    /// The headers of the request that comes next.
    var fields: HeaderFields { headers.fields(machine.form, machine.mode) }

    /// Whether the next step fetches a page.
    var isFetching: Bool { if case .fetch = next { true } else { false } }

    /// The URL that the next step fetches; nil when the read is over.
    var nextURL: String? {
        switch next {
        case .fetch(let url, _), .restart(let url, _): url
        case .finish, .fail: nil
        }
    }

    /// The mode of the page that the next step fetches.
    var nextMode: ReadMode {
        switch next {
        case .fetch(_, let mode), .restart(_, let mode), .finish(let mode, _): mode
        case .fail: machine.mode
        }
    }

    /// Starts fetching the next page without waiting for it.
    func prefetch() {
        if let url = nextURL { pages.prefetch(url) }
    }

    /// Gives up what is on its way.
    func close() {
        pages.close()
        if hasRests { rests.close() }
    }

    /// What is left of the page is of no use any more.
    private var startsAnew: Bool {
        if case .restart = next { true } else { false }
    }

    /// Fetches what comes next; nil at the end. A page is followed by ``took(_:)``, a finish by ``ended(unmatched:)``.
    ///
    /// - Throws: what the network or the service says; what is stored stays, and the read goes on there.
    func step(_ checkCancellation: () throws -> Void) throws -> Step? {
        guard !isOver else { return nil }
        if let link = ingest.openLink, !startsAnew {
            try checkCancellation()
            if let body = try rest(at: link) { return .rest(body) }
        }
        guard !isPageOpen else {
            isPageOpen = false
            return .endPage
        }
        while true {
            try checkCancellation()
            switch next {
            case .fetch(let url, let mode):
                pages.use(fields)
                let fetch = pages.page(at: url)
                let head = try fetch.waitForHead()
                let page = try page(
                    status: head.status, headers: head.headers, body: fetch.pipe, mode: mode)
                if let page { return .page(page) }
            case .restart(let url, let mode):
                next = .fetch(url: url, mode: mode)
                return .restart
            case .finish(let mode, let deltaLink):
                return .finish(mode, deltaLink: deltaLink)
            case .fail(let failure):
                isOver = true
                return .fail(error(failure))
            }
        }
    }

    /// The page of an answer to ``nextURL``; nil where there are no rows in it, or the service refused the form.
    ///
    /// - Parameter envelope: the headers of the batch that the answer is a part of.
    /// - Throws: `service` for a refusal of the query, `network` for what is somebody else's.
    func page(
        status: Int, headers: HeaderFields, body: any ByteSource, mode: ReadMode,
        envelope: HeaderFields? = nil
    ) throws -> Page? {
        // A singleton may be null; its row stays until the service says more.
        if status == 204, ingest.isSingle {
            pageCount += 1
            next = machine.step(.page(nextLink: nil, deltaLink: nil))
            return nil
        }
        guard status == 200 else {
            try refused(status: status, headers: headers, body: body)
            return nil
        }
        let body = try checked(headers, body, envelope: envelope)
        pageCount += 1
        let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        return Page(body: body, mode: mode, isAtom: type?.isXML == true)
    }

    /// The page is stored; this is what it said beside its rows.
    func took(_ control: PageControl) {
        isPageOpen = true
        next = machine.step(.page(nextLink: control.nextLink, deltaLink: control.deltaLink))
    }

    /// What came first was changed on the way and may be stored: the source is read from its beginning.
    func distrust() {
        next = machine.step(.distrusted)
    }

    /// True where the page that was taken is the last one and says that nothing has changed.
    var isQuiet: Bool {
        guard isPageOpen, !isOver, ingest.isQuiet, case .finish(.delta, _) = next else {
            return false
        }
        return true
    }

    /// Ends a quiet read, in the transaction that it shares with others; the steps that follow find it over.
    func endQuiet() throws {
        guard isQuiet, case .finish(let mode, let deltaLink) = next else { return }
        try ingest.endPage()
        isPageOpen = false
        let unmatched = try ingest.finish(mode: mode, deltaLink: deltaLink)
        ended(mode, unmatched: unmatched)
    }

    /// The ingest has finished; everything is read again, once, where it could not match objects of a delta. Where an earlier run
    /// began the read, what has changed since is read, too.
    func ended(_ mode: ReadMode, unmatched lost: Int) {
        isOver = true
        if lost == 0 {
            endedMode = endedMode ?? mode
            if ingest.hasKeptLink { next = machine.step(.kept) }
        } else if unmatched == 0 {
            (unmatched, endedMode) = (lost, nil)
            next = machine.step(.unmatched)
        }
        if case .restart = next { isOver = false }
    }

    /// What an expanded collection of the page left for later; the read goes on behind the page afterwards. Nil where the
    /// source is read without its expansions instead.
    private func rest(at link: String) throws -> (any ByteSource)? {
        guard let own = ServiceLink.followable(link, root: pages.root) else {
            let host = ServiceLink.host(of: link) ?? link
            try restRefused(status: 0, error(.foreign(host: host)))
            return nil
        }
        hasRests = true
        let fetch = rests.page(at: own)
        let head = try fetch.waitForHead()
        guard head.status == 200 else {
            let (error, _) = try answered(
                status: head.status, headers: head.headers, body: fetch.pipe)
            try restRefused(status: head.status, error)
            return nil
        }
        let body = try checked(head.headers, fetch.pipe)
        pageCount += 1
        return body
    }

    private func restRefused(status: Int, _ error: ODataError) throws {
        let action = machine.step(.restRefused(status: status))
        if case .fail = action { throw error }
        refusal = error.message
        ingest.readWithoutExpansions()
        isPageOpen = false
        next = action
    }

    private func refused(
        status: Int, headers: HeaderFields, body: any ByteSource
    ) throws {
        let (error, isOwn) = try answered(status: status, headers: headers, body: body)
        let (expanded, resumes) = (machine.form.expands, machine.resumes)
        let action = machine.step(.refused(status: status, isOwn: isOwn))
        if case .fail = action { throw error }
        if resumes, case .restart = action { lostPage = "\(error.message), status \(status)" }
        refusal = error.message
        if expanded, !machine.form.expands { ingest.readWithoutExpansions() }
        next = action
    }

    /// A page for people is the network's or a gateway's, never the service's, and so is one without any mark from a service
    /// that marks its answers: as rows it would empty the set.
    ///
    /// - Returns: the body from its beginning.
    private func checked(
        _ headers: HeaderFields, _ body: any ByteSource, envelope: HeaderFields? = nil
    ) throws -> any ByteSource {
        let type = headers["Content-Type"]?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        let isPage = type == "text/html" || type == "application/xhtml+xml"
        let isDoubtful =
            marks.doubtsPage(headers) && envelope.map { marks.doubtsPage($0) } != false
        guard isPage || isDoubtful else { return body }
        let start = try Self.beginning(of: body, isPage ? 16 << 10 : ServiceMarks.pageStart)
        guard isPage || !ServiceMarks.isMarked(page: headers, start: start) else {
            return BufferedBody(body, after: start, limit: 256 << 10)
        }
        throw ForeignAnswer.error(
            ResponseMessage(status: 200, headers: headers, body: start),
            of: ServiceURL.absolute(source.url, root: pages.root))
    }

    private static func beginning(of body: any ByteSource, _ limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            let part = try [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                count = try body.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if part.isEmpty { break }
            bytes += part
        }
        return bytes
    }

    private func error(_ failure: ReadMachine.Failure) -> ODataError {
        switch failure {
        case .status(let status):
            ODataError(
                .service, "Expected the service to answer the query, found status \(status).",
                at: .path(source.url), status: status)
        case .circle:
            ODataError(
                .invalidPayload,
                "Expected next links to come to an end, found one that leads to an earlier page.",
                at: .path(source.url))
        case .foreign(let host):
            ODataError(
                .invalidPayload,
                "Expected a next link below the service root, found one that leads to \(host).",
                at: .path(source.url))
        }
    }

    /// The error of an answer without rows, and whether it carries what only the service sends.
    private func answered(
        status: Int, headers: HeaderFields, body: any ByteSource
    ) throws -> (error: ODataError, isOwn: Bool) {
        guard status != 204 else {
            let error = ODataError(
                .service, "Expected a page of rows, found an answer without content.",
                at: .path(source.url), status: status)
            return (error, true)
        }
        let response = ResponseMessage(
            status: status, headers: headers, body: try Self.beginning(of: body, 1 << 20))
        var error = ErrorPayload(response).error(status: status)
        error.location = error.location ?? .path(source.url)
        return (error, marks.origin(of: response, to: .data) == .service)
    }
}
