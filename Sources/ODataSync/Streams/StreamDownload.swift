import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// Brings the contents of streams that a download wants into the store: several at once, each part by part.
///
/// What the store has already is not read again: the tag in the row tells, or the service when asked for content that
/// differs (`If-None-Match`). What broke off is gone on with where the service takes ranges, in this download or a later
/// one.
package struct StreamDownload: Sendable {
    let store: LocalStore
    let connection: ServiceConnection
    let world: any World
    let settings: SyncSettings
    let supportsBatch: Bool
    let cancellation: CancellationFlag

    package init(
        store: LocalStore, connection: ServiceConnection, world: any World, settings: SyncSettings,
        supportsBatch: Bool, cancellation: CancellationFlag
    ) {
        self.store = store
        self.connection = connection
        self.world = world
        self.settings = settings
        self.supportsBatch = supportsBatch
        self.cancellation = cancellation
    }

    /// How many reads of streams share a batch.
    private static let batchSize = 20

    /// Reads the streams of a table's rows; those of one download source where `hold` is given.
    ///
    /// - Returns: the contents that did not come, and why. Where that ended the read, what came before stays.
    /// - Throws: what the store throws, and the transport for a batch.
    package func run(table: String, hold: RowHold?) throws -> ContentFailures {
        var failures = ContentFailures()
        // Rows made here keep the negative ids that they were given.
        var last = Int64.min
        while failures.end == nil,
            let page = try store.wantedStreams(of: table, after: last, hold: hold)
        {
            last = page.last
            var reads = page.streams.map { LoneRead(stream: $0) }
            if settings.batchesStreamDownloads, supportsBatch {
                let (alone, together) = try divided(page.streams)
                reads = alone.map { LoneRead(stream: $0) }
                var hasCome = false
                for start in stride(from: 0, to: together.count, by: Self.batchSize) {
                    let group = Array(together[start..<min(start + Self.batchSize, together.count)])
                    reads += try readTogether(group, &hasCome)
                }
                if hasCome { failures.succeed() }
            }
            failures = readInParallel(reads, failures)
        }
        return failures
    }

    /// What has begun to come is gone on with alone, since a batch tells of no ranges.
    private func divided(
        _ wanted: [LocalStore.WantedStream]
    ) throws -> (alone: [LocalStore.WantedStream], together: [LocalStore.WantedStream]) {
        var (alone, together): ([LocalStore.WantedStream], [LocalStore.WantedStream]) = ([], [])
        for stream in wanted {
            if try store.partialStream(stream.row, stream.property) == nil {
                together.append(stream)
            } else {
                alone.append(stream)
            }
        }
        return together.count > 1 ? (alone, together) : (wanted, [])
    }

    // MARK: One by one

    /// Workers take turns in asking for the next stream.
    private func readInParallel(
        _ wanted: [LoneRead], _ failures: ContentFailures
    ) -> ContentFailures {
        guard !wanted.isEmpty else { return failures }
        let turns = StreamTurns(wanted, failures, world.makeMonitor())
        let workers = (0..<min(max(1, settings.streamThreads), wanted.count)).map { _ in
            world.startWorker("OData streams") { [self] in
                while let next = turns.next() {
                    do {
                        try read(next.stream)
                        turns.succeed()
                    } catch {
                        turns.fail(error, of: next)
                    }
                }
            }
        }
        for worker in workers { worker.join() }
        return turns.result()
    }

    private func read(_ wanted: LocalStore.WantedStream) throws {
        try checkCancellation()
        let partial =
            settings.persistsStreams ? try store.partialStream(wanted.row, wanted.property) : nil
        // Encoded bytes could not be counted, which going on after a break needs.
        var message = try message(wanted)
        message.headers["Accept-Encoding"] = "identity"
        let answer = try ResumingRead(
            connection, settings.requests.sent(message), start: partial?.length ?? 0,
            tag: partial?.etag,
            cancellation: cancellation)
        defer { answer.close() }
        try refuseForeign(answer, wanted, message.url)
        switch answer.status {
        case 200:
            try keep(wanted, answer.headers, after: answer.start > 0 ? partial : nil, answer.next)
        case 304: return
        case 204, 404, 410: try store.noteNoContent(wanted.row, wanted.property)
        default:
            let whole = try answer.readAll(limit: 1 << 20)
            throw ErrorPayload(whole).error(status: whole.status)
        }
    }

    /// A page for people in place of the content, or of word that there is none, is a portal's or a gateway's: it says
    /// nothing about the content, and nothing about others.
    private func refuseForeign(
        _ answer: ResumingRead, _ wanted: LocalStore.WantedStream, _ url: String
    ) throws {
        guard answer.status != 304,
            ForeignAnswer.stands(
                forContentOf: wanted.mediaType, answer.headers,
                sendsVersion: connection.hasSeenVersion)
        else { return }
        let head = ResponseMessage(status: answer.status, headers: answer.headers)
        var error = ForeignAnswer.error(
            (try? answer.readAll(limit: 1 << 20)) ?? head, of: connection.absolute(url))
        error.code = .service
        error.status = answer.status == 200 ? 0 : answer.status
        throw error
    }

    // MARK: Together

    /// Asks for several streams in one batch.
    ///
    /// - Parameter hasCome: contents came behind the last that has to be asked for alone.
    /// - Returns: what has to be asked for alone: everything where the service takes no batch, and what it would not
    ///   answer inside one.
    private func readTogether(
        _ wanted: [LocalStore.WantedStream], _ hasCome: inout Bool
    ) throws -> [LoneRead] {
        try checkCancellation()
        let parts = try wanted.map { wanted in
            var part = try message(wanted)
            part.url = ServiceURL.relative(part.url, root: connection.root)
            return settings.requests.part(.request(part, contentID: nil))
        }
        var batch = try BatchWriter.request(
            parts, boundary: BatchWriter.boundary(world.makeIdentifier()),
            headers: settings.readHeaders.version)
        batch.headers["Accept"] = "multipart/mixed"
        batch.headers["Prefer"] = "odata.continue-on-error"
        let answer = try connection.send(settings.requests.sent(batch), cancellation: cancellation)
        defer { answer.close() }
        guard (200..<300).contains(answer.status),
            answer.headers["Content-Type"]?.lowercased().hasPrefix("multipart/") == true
        else { return wanted.map { LoneRead(stream: $0) } }
        let answers = try BatchResponseReader(
            contentType: answer.headers["Content-Type"] ?? "", source: answer.read(into:))
        var rest: [LoneRead] = []
        func leave(_ stream: LocalStore.WantedStream) {
            rest.append(LoneRead(stream: stream, isBehindContent: hasCome))
            hasCome = false
        }
        var answered = 0
        while let part = try answers.next() {
            try checkCancellation()
            guard part.part < wanted.count else { break }
            answered = part.part + 1
            let stream = wanted[part.part]
            switch part.status {
            case 200:
                do {
                    try keep(stream, part.headers) { try Self.next(of: answers) }
                    hasCome = true
                } catch is MangledPart {
                    // What a batch mangles comes whole by itself.
                    if let partial = try store.partialStream(stream.row, stream.property) {
                        try store.giveUp(content: partial.id)
                    }
                    leave(stream)
                }
            case 304: hasCome = true
            case 204, 404, 410:
                try store.noteNoContent(stream.row, stream.property)
                hasCome = true
            default: leave(stream)
            }
        }
        for stream in wanted[answered...] { leave(stream) }
        return rest
    }

    private struct MangledPart: Error {}

    /// The next bytes of a part; nil at its end.
    ///
    /// - Throws: `MangledPart` when that is not where the part says.
    private static func next(of answers: BatchResponseReader) throws -> [UInt8]? {
        let bytes = try [UInt8](unsafeUninitializedCapacity: 256 << 10) { room, count in
            count = try answers.read(into: UnsafeMutableRawBufferPointer(room))
        }
        guard bytes.isEmpty else { return bytes }
        guard answers.bodyHasStatedLength else { throw MangledPart() }
        return nil
    }

    // MARK: Parts

    private func message(_ wanted: LocalStore.WantedStream) throws -> RequestMessage {
        let url: String
        if let link = wanted.link {
            // Content may lie elsewhere, but not where only the service's name for itself differs.
            url = ServiceLink.followable(link, root: connection.root) ?? link
        } else {
            let row = try store.address(of: wanted.row)
            url =
                row + "/"
                + (wanted.property.map { PercentCoding.encode($0, for: .path) } ?? "$value")
        }
        var message = RequestMessage(method: "GET", url: url, headers: ["Accept": "*/*"])
        if let tag = wanted.storedETag { message.headers["If-None-Match"] = tag }
        return message
    }

    private func keep(
        _ wanted: LocalStore.WantedStream, _ headers: HeaderFields,
        after partial: PartialStream? = nil, _ read: () throws -> [UInt8]?
    ) throws {
        func next() throws -> [UInt8]? {
            try checkCancellation()
            return try read()
        }
        guard settings.persistsStreams else {
            while try next() != nil {}
            return
        }
        _ = try store.storeContent(
            ArrivingStream(
                row: wanted.row, property: wanted.property, mediaType: headers["Content-Type"],
                etag: headers["ETag"]), after: partial, next)
    }

    private func checkCancellation() throws {
        if cancellation.isCancelled {
            throw ODataError(.cancelled, "The download was cancelled; what was stored stays.")
        }
    }
}

/// A stream that is asked for by itself.
private struct LoneRead: Sendable {
    var stream: LocalStore.WantedStream
    /// Contents came with a batch between the one before it and this one.
    var isBehindContent = false
}

/// Hands streams out to workers as long as asking for more makes sense; everything mutable is guarded by `monitor`.
private final class StreamTurns: @unchecked Sendable {
    private let monitor: any Monitor
    private var remaining: ArraySlice<LoneRead>
    private var failures: ContentFailures

    init(
        _ wanted: [LoneRead], _ failures: ContentFailures, _ monitor: any Monitor
    ) {
        remaining = wanted[...]
        self.failures = failures
        self.monitor = monitor
    }

    func next() -> LoneRead? {
        monitor.withLock { failures.end == nil ? remaining.popFirst() : nil }
    }

    func succeed() { monitor.withLock { failures.succeed() } }

    func fail(_ error: any Error, of read: LoneRead) {
        monitor.withLock {
            if read.isBehindContent { failures.succeed() }
            failures.fail(error)
        }
    }

    func result() -> ContentFailures { monitor.withLock { failures } }
}
