import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

/// One source on its way into the store: steps the read machine with what came, and lets the ingest carry out what it
/// says. Used by one thread.
package final class SourceRead {
    package var source: DownloadSource { machine.source }
    let pages: PageReader
    private let ingest: SourceIngest
    private let headers: ReadHeaders
    private(set) var machine: ReadMachine
    private(set) var next: ReadMachine.Action
    private(set) var pageCount = 0
    /// What the service said when it refused a form of the query.
    private(set) var refusal: String?
    /// How many objects of deltas could not be matched, so that everything was read again.
    private(set) var unmatched = 0
    private lazy var rests = pages.makeRestReader()
    private var hasRests = false

    package init(
        machine: ReadMachine, ingest: SourceIngest, pages: PageReader, headers: ReadHeaders
    ) {
        var machine = machine
        next = machine.start()
        self.machine = machine
        self.ingest = ingest
        self.pages = pages
        self.headers = headers
        pages.use(fields)
    }

    /// The headers of the request that comes next.
    var fields: HeaderFields { headers.fields(machine.form, machine.mode) }

    /// The rows received, written and removed so far.
    var counts: IngestCounts { ingest.counts }
    var mode: ReadMode { machine.mode }

    /// The URL that the next step fetches; nil when the read is over.
    var nextURL: String? {
        switch next {
        case .fetch(let url, _), .restart(let url, _): url
        case .finish, .fail: nil
        }
    }

    /// Fetches and stores page after page to the end.
    ///
    /// - Throws: what the network, the service or the store says; what is stored stays, and the read goes on there.
    func run(checkCancellation: () throws -> Void, onPage: () -> Void) throws {
        defer {
            pages.close()
            if hasRests { rests.close() }
        }
        while true {
            try endPage(checkCancellation)
            try checkCancellation()
            switch next {
            case .fetch(let url, let mode):
                pages.use(fields)
                let page = pages.page(at: url)
                let head = try page.waitForHead()
                try accept(status: head.status, headers: head.headers, body: page.pipe, mode: mode)
                onPage()
            case .restart(let url, let mode):
                try ingest.restart()
                next = .fetch(url: url, mode: mode)
            case .finish(let mode, let deltaLink):
                let lost = try ingest.finish(mode: mode, deltaLink: deltaLink)
                onPage()
                guard lost > 0, unmatched == 0 else { return }
                unmatched = lost
                next = machine.step(.unmatched)
                guard case .restart = next else { return }
            case .fail(let failure):
                try ingest.restart()
                throw error(failure)
            }
        }
    }

    /// Fetches what expanded collections of the page left for later; from then on the read goes on behind the page.
    private func endPage(_ checkCancellation: () throws -> Void) throws {
        while let link = ingest.openLink {
            try checkCancellation()
            guard let own = ServiceLink.followable(link, root: pages.root) else {
                throw error(.foreign(host: ServiceLink.host(of: link) ?? link))
            }
            hasRests = true
            let page = rests.page(at: own)
            let head = try page.waitForHead()
            guard head.status == 200 else {
                throw try Self.error(
                    status: head.status, headers: head.headers, body: page.pipe, source: source)
            }
            try checkOrigin(head.headers, page.pipe)
            try ingest.takeRest(page.pipe)
            pageCount += 1
        }
        try ingest.endPage()
    }

    /// True when pages may leave expanded collections for later.
    var expands: Bool { ingest.expands }

    /// Takes the answer to the URL of ``next``.
    func accept(
        status: Int, headers: HeaderFields, body: any ByteSource, mode: ReadMode
    ) throws {
        // A singleton may be null; its row stays until the service says more.
        if status == 204, ingest.isSingle {
            pageCount += 1
            next = machine.step(.page(nextLink: nil, deltaLink: nil))
            return
        }
        guard status == 200 else {
            return try refused(status: status, headers: headers, body: body)
        }
        try checkOrigin(headers, body)
        pageCount += 1
        let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        let control =
            try type?.isXML == true
            ? ingest.takeAtom(body, mode: mode) : ingest.take(body, mode: mode)
        next = machine.step(.page(nextLink: control.nextLink, deltaLink: control.deltaLink))
    }

    private func refused(
        status: Int, headers: HeaderFields, body: any ByteSource
    ) throws {
        let error = try Self.error(status: status, headers: headers, body: body, source: source)
        let expanded = machine.form.expands
        let action = machine.step(.refused(status: status))
        if case .fail = action { throw error }
        refusal = error.message
        if expanded, !machine.form.expands { ingest.readWithoutExpansions() }
        next = action
    }

    /// A page for people is the network's or a gateway's, never the service's.
    private func checkOrigin(_ headers: HeaderFields, _ body: any ByteSource) throws {
        let type = headers["Content-Type"]?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        guard type == "text/html" || type == "application/xhtml+xml" else { return }
        let answer = ResponseMessage(
            status: 200, headers: headers, body: try Self.beginning(of: body, 16 << 10))
        throw ForeignAnswer.error(answer, of: pages.root + source.url)
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

    /// The mode of the page that ``next`` fetches.
    var nextMode: ReadMode {
        switch next {
        case .fetch(_, let mode), .restart(_, let mode), .finish(let mode, _): mode
        case .fail: machine.mode
        }
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

    private static func error(
        status: Int, headers: HeaderFields, body: any ByteSource, source: DownloadSource
    ) throws -> ODataError {
        guard status != 204 else {
            return ODataError(
                .service, "Expected a page of rows, found an answer without content.",
                at: .path(source.url), status: status)
        }
        let response = ResponseMessage(
            status: status, headers: headers, body: try beginning(of: body, 1 << 20))
        var error = ErrorPayload(response).error(status: status)
        error.location = error.location ?? .path(source.url)
        return error
    }
}
