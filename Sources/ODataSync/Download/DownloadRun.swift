import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// One download: phase after phase, each source read to its end and stored by this thread while workers fetch ahead.
package struct DownloadRun {
    let connection: ServiceConnection
    let world: any World
    let settings: SyncSettings
    let supportsBatch: Bool
    let cancellation: CancellationFlag
    /// Makes the read of a source with its pages.
    let open: (DownloadSource, PageReader) throws -> SourceRead
    let report: (DownloadProgress) -> Void
    /// What was done so far, and what was found out.
    package private(set) var progress = DownloadProgress()

    package init(
        connection: ServiceConnection, world: any World, settings: SyncSettings,
        supportsBatch: Bool, profile: ReadProfile, cancellation: CancellationFlag,
        open: @escaping (DownloadSource, PageReader) throws -> SourceRead,
        report: @escaping (DownloadProgress) -> Void
    ) {
        self.connection = connection
        self.world = world
        self.settings = settings
        self.supportsBatch = supportsBatch
        self.cancellation = cancellation
        self.open = open
        self.report = report
        progress.profile = profile
    }

    /// Reads every phase; what was stored before a failure stays, and ``progress`` says what was done.
    package mutating func run(_ phases: [DownloadPlanner.Phase]) throws {
        progress.sourceCount = phases.reduce(0) { $0 + $1.sources.count }
        report(progress)
        for phase in phases { try run(phase) }
        for refusal in progress.refused { progress.skipped[refusal.source.key] = refusal.reason }
    }

    private mutating func run(_ phase: DownloadPlanner.Phase) throws {
        let mode = DownloadPlanner.resolve(
            phase.mode, count: phase.sources.count,
            batches: settings.batchesDownloads && supportsBatch
                && progress.profile.refusedBatch == nil,
            threads: settings.downloadThreads)
        var ahead =
            mode == .sequence
            ? 1 : max(1, min(settings.downloadThreads, settings.downloadQueueCapacity))
        let limit = max(
            settings.downloadWindow / max(2, min(ahead, phase.sources.count)), 256 << 10)
        var reads = try phase.sources.map { source in
            try open(
                source,
                PageReader(
                    connection: connection, world: world, headers: HeaderFields(),
                    pageLimit: limit, foresees: foresees(source), cancellation: cancellation))
        }
        // One request more may be on its way for the rest of an expanded collection.
        if reads.contains(where: \.expands) { ahead = max(1, ahead - 1) }
        defer { for read in reads { read.pages.close() } }
        if mode == .batch { try readFirstPagesInBatch(reads) }
        for position in reads.indices {
            for later in reads[position...].prefix(ahead) {
                if mode != .sequence, let url = later.nextURL { later.pages.prefetch(url) }
            }
            try finish(reads[position])
        }
        reads = []
    }

    private mutating func finish(_ read: SourceRead) throws {
        progress.current = read.source.entitySet
        let before = progress
        let started = world.uptime()
        do {
            try read.run(checkCancellation: checkCancellation) { [report] in
                var now = before
                now.rows += read.counts.received
                report(now)
            }
        } catch let error as ODataError where SourceRefusal.isAboutOneSource(error) {
            progress.refused.append(
                SourceRefusal(read.source, reason: error.message, status: error.status))
            progress.finishedSources += 1
            let isOver = SourceRefusal.endsDownload(
                progress.refused, finished: progress.results.count)
            if isOver { throw error }
            return
        }
        learn(from: read)
        progress.rows += read.counts.received
        progress.written += read.counts.written
        progress.removed += read.counts.removed
        progress.finishedSources += 1
        progress.results.append(
            DownloadProgress.SourceResult(
                source: read.source, mode: read.mode, received: read.counts.received,
                written: read.counts.written, removed: read.counts.removed,
                pages: read.pageCount, seconds: (world.uptime() - started) / .seconds(1)))
        report(progress)
    }

    private mutating func learn(from read: SourceRead) {
        progress.lessons += progress.profile.learn(
            of: read.source, from: read.machine.refusals, finally: read.machine.form)
        if !read.machine.form.expands, read.source.urlWithoutExpansions != nil {
            progress.unexpanded[read.source.key] = read.refusal ?? "as it did before"
        }
        if read.unmatched > 0 {
            progress.lessons.append(
                "named \(read.unmatched) objects of \(read.source.key) in a delta that match nothing;"
                    + " everything was read again")
        }
    }

    /// Asks for the first page of every source in one request. A service that takes no batch is asked again for
    /// each, by the caller, and so is what it would not answer inside one.
    private mutating func readFirstPagesInBatch(_ reads: [SourceRead]) throws {
        let asked = reads.filter { if case .fetch = $0.next { true } else { false } }
        guard asked.count > 1 else { return }
        let parts = asked.map { read in
            BatchPart.request(
                RequestMessage(
                    method: "GET",
                    url: ServiceURL.relative(read.nextURL ?? "", root: connection.root),
                    headers: read.fields), contentID: nil)
        }
        var message = try BatchWriter.request(
            parts, boundary: BatchWriter.boundary(world.makeIdentifier()),
            headers: settings.readHeaders.version)
        message.headers["Accept"] = "multipart/mixed"
        message.headers["Prefer"] = "odata.continue-on-error"
        let answer = try connection.send(message, cancellation: cancellation)
        defer { answer.close() }
        guard (200..<300).contains(answer.status),
            answer.headers["Content-Type"]?.lowercased().hasPrefix("multipart/") == true
        else {
            if let lesson = progress.profile.learnBatch(refusedWith: answer.status) {
                progress.lessons.append(lesson)
            }
            return
        }
        do {
            let answers = try BatchResponseReader(
                contentType: answer.headers["Content-Type"] ?? "", source: answer.read(into:))
            while let part = try answers.next() {
                try checkCancellation()
                guard part.part < asked.count else { break }
                guard part.status == 200 else { continue }
                let read = asked[part.part]
                try read.accept(
                    status: part.status, headers: part.headers,
                    body: BufferedBody(answers, limit: settings.downloadWindow),
                    mode: read.nextMode)
            }
        } catch let error as ODataError where SourceRefusal.isAboutOneSource(error) {
            // What came whole is kept; the page that was met and those behind it are asked for alone.
            return
        }
    }

    /// With one request at a time, the next page has to wait for the rests of the collections that this one expands;
    /// with one page at a time, for this one to be stored.
    private func foresees(_ source: DownloadSource) -> Bool {
        settings.downloadQueueCapacity > 1
            && (settings.downloadThreads > 1 || !source.url.contains("expand="))
    }

    private func checkCancellation() throws {
        if cancellation.isCancelled {
            throw ODataError(.cancelled, "The download was cancelled; what was stored stays.")
        }
    }
}

/// How far a download has come, and at its end what it did.
package struct DownloadProgress: Sendable, Hashable {
    /// What became of one source.
    package struct SourceResult: Sendable, Hashable {
        package var source: DownloadSource
        package var mode: ReadMode
        package var received: Int
        package var written: Int
        package var removed: Int
        package var pages: Int
        /// How long its pages took to come and to be stored.
        package var seconds: Double
    }

    package var sourceCount = 0
    package var finishedSources = 0
    package var current: String?
    package var rows = 0
    package var written = 0
    package var removed = 0
    package var results: [SourceResult] = []
    /// What the service refused, in the order of the refusals.
    package var refused: [SourceRefusal] = []
    /// Why sources were left out, by their key: what the service refused, and what it says cannot be read.
    package var skipped: [String: String] = [:]
    /// Why sources came without their expansions, by their key.
    package var unexpanded: [String: String] = [:]
    /// What is known of the service, what this download found out included.
    package var profile = ReadProfile()
    /// What this download found out, one sentence each.
    package var lessons: [String] = []
    /// Why links of navigation properties are unknown, by names as `Orders/Customer`.
    package var unknownLinks: [String: String] = [:]
}
