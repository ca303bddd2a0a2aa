import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire

/// One source on its way into the store: steps the read machine with what came, and lets the ingest carry out what it
/// says. Used by one thread.
package final class SourceRead {
    package let source: DownloadSource
    let pages: PageReader
    private let ingest: SourceIngest
    private var machine: ReadMachine
    private(set) var next: ReadMachine.Action
    private(set) var pageCount = 0
    private lazy var rests = pages.makeRestReader()
    private var hasRests = false

    package init(
        machine: ReadMachine, ingest: SourceIngest, pages: PageReader
    ) {
        var machine = machine
        source = machine.source
        next = machine.start()
        self.machine = machine
        self.ingest = ingest
        self.pages = pages
    }

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
                let page = pages.page(at: url)
                let head = try page.waitForHead()
                try accept(status: head.status, headers: head.headers, body: page.pipe, mode: mode)
                onPage()
            case .restart(let url, let mode):
                try ingest.restart()
                next = .fetch(url: url, mode: mode)
            case .finish(let mode, let deltaLink):
                try ingest.finish(mode: mode, deltaLink: deltaLink)
                onPage()
                return
            case .fail(let status):
                throw ODataError(
                    .service, "Expected the service to answer the query, found status \(status).",
                    at: .path(source.url), status: status)
            }
        }
    }

    /// Fetches what expanded collections of the page left for later; from then on the read goes on behind the page.
    private func endPage(_ checkCancellation: () throws -> Void) throws {
        while let link = ingest.openLink {
            try checkCancellation()
            hasRests = true
            let page = rests.page(at: link)
            let head = try page.waitForHead()
            switch head.status {
            case 200: try ingest.takeRest(page.pipe)
            case 204: try ingest.takeRest(ByteParts([Array(#"{"value":[]}"#.utf8)]))
            default:
                throw try Self.error(
                    status: head.status, headers: head.headers, body: page.pipe, source: source)
            }
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
        guard status == 200 || status == 204 else {
            let refusal = machine.step(.refused(status: status))
            guard case .fail = refusal else {
                next = refusal
                return
            }
            throw try Self.error(status: status, headers: headers, body: body, source: source)
        }
        pageCount += 1
        guard status == 200 else {
            next = machine.step(.page(nextLink: nil, deltaLink: nil))
            return
        }
        let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        let control =
            try type?.isXML == true
            ? ingest.takeAtom(body, mode: mode) : ingest.take(body, mode: mode)
        next = machine.step(.page(nextLink: control.nextLink, deltaLink: control.deltaLink))
    }

    /// The mode of the page that ``next`` fetches.
    var nextMode: ReadMode {
        switch next {
        case .fetch(_, let mode), .restart(_, let mode), .finish(let mode, _): mode
        case .fail: machine.mode
        }
    }

    private static func error(
        status: Int, headers: HeaderFields, body: any ByteSource, source: DownloadSource
    ) throws -> ODataError {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            let part = try [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                count = try body.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if part.isEmpty { break }
            bytes += part
        }
        let response = ResponseMessage(status: status, headers: headers, body: bytes)
        var error = ErrorPayload(response).error(status: status)
        error.location = error.location ?? .path(source.url)
        return error
    }
}
