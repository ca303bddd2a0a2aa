import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

extension Download {
    mutating func read(
        _ phase: DownloadPlanner.Phase, of work: DownloadWork, _ notice: ProgressNotice
    ) throws {
        let settings = work.settings
        let mode = DownloadPlanner.resolve(
            phase.mode, count: phase.sources.count,
            batches: settings.batchesDownloads && work.supportsBatch
                && progress.profile.takesBatches != false,
            threads: settings.downloadThreads)
        var ahead =
            mode == .sequence
            ? 1 : max(1, min(settings.downloadThreads, settings.downloadQueueCapacity))
        let limit = max(
            settings.downloadWindow / max(2, min(ahead, phase.sources.count)), 256 << 10)
        var reads: [SourceRead] = []
        for source in phase.sources {
            if let read = try beginRead(of: source, work, limit) { reads.append(read) }
        }
        // One request more may be on its way for the rest of an expanded collection.
        if reads.contains(where: \.ingest.expands) { ahead = max(1, ahead - 1) }
        defer { for read in reads { read.close() } }
        if mode == .batch {
            try readFirstPagesInBatch(reads, settings)
            try work.endTogether(reads)
        }
        var overlapping = OverlappingReads()
        for position in reads.indices {
            if reads[position].mayBeOvertaken,
                overlapping.overtake(reads[position].ingest.tables)
            {
                reads[position].close()
                guard let anew = try beginRead(of: reads[position].source, work, limit) else {
                    continue
                }
                reads[position] = anew
            }
            let next = Self.independent(Array(reads[position...].prefix(ahead))) { _ in true }
            try noteBeginning(of: next)
            if mode != .sequence { for later in next { later.prefetch() } }
            try store(reads[position], notice)
            if reads[position].hasStored {
                overlapping.note(stored: reads[position].ingest.tables)
            }
        }
        try scope.store.forgetDeletions(before: reads.map(\.ingest))
        reads = []
    }

    /// The read of a source; nil where there is no such source any more, or no place for what it brings.
    private mutating func beginRead(
        of source: DownloadSource, _ work: DownloadWork, _ pageLimit: Int
    ) throws -> SourceRead? {
        let settings = work.settings
        let pages = PageReader(
            connection: connection, world: scope.world, headers: HeaderFields(),
            requests: settings.requests, pageLimit: pageLimit,
            maximumPageBytes: settings.maximumPageBytes,
            foresees: settings.foresees(source), cancellation: cancellation)
        do {
            return try work.read(source, pages)
        } catch let error as ODataError where error.underlying is DepartedSource {
            note(departed: source, error)
        } catch let error as ODataError where DownloadWork.hasNoPlace(error) {
            progress.refused.append(SourceRefusal(source, reason: error.message, status: 0))
            progress.finishedSources += 1
        }
        return nil
    }

    private static func independent(
        _ reads: [SourceRead], waits: (SourceRead) -> Bool
    ) -> [SourceRead] {
        OverlappingReads.independent(reads.map { ($0.ingest.tables, waits($0)) }).map { reads[$0] }
    }

    private func noteBeginning(of reads: [SourceRead]) throws {
        try scope.store.read { database in
            for read in reads { try read.ingest.noteBeginning(in: database) }
        }
    }

    /// Stores a source to its end, unless the service refuses it.
    private mutating func store(_ read: SourceRead, _ notice: ProgressNotice) throws {
        progress.current = read.source.entitySet
        let started = scope.world.uptime()
        do {
            defer { read.close() }
            try storePages(of: read, notice)
        } catch let error as ODataError where error.underlying is DepartedSource {
            note(departed: read.source, error)
            return
        } catch let error as ODataError
            where SourceRefusal.isAboutOneSource(error) || SourceRefusal.isBroken(error)
        {
            let url = scope.connection.absolute(read.nextURL ?? read.source.url)
            let error = explained(
                error.inAnswer(of: url, set: read.source.entitySet), of: read)
            let refusal = SourceRefusal(
                read.source, reason: error.message, status: error.status,
                isBroken: SourceRefusal.isBroken(error))
            progress.refused.append(refusal)
            refusedInRow.append(refusal)
            if refusal.isBroken { broken.append(error) }
            progress.finishedSources += 1
            let isOver = SourceRefusal.endsDownload(
                refusedInRow, finished: progress.results.count)
            let first = broken.suffix(refusedInRow.count(where: \.isBroken)).first
            if isOver { throw refusal.isBroken ? first ?? error : error }
            return
        }
        refusedInRow = []
        learn(from: read)
        progress.settled += read.ingest.settled
        for sentence in read.ingest.settled { scope.events.info(sentence) }
        let counts = read.ingest.counts
        progress.rows += counts.received
        progress.written += counts.written
        progress.removed += counts.removed
        progress.finishedSources += 1
        progress.results.append(
            DownloadProgress.SourceResult(
                source: read.source, mode: read.mode, received: counts.received,
                written: counts.written, removed: counts.removed, pages: read.pageCount,
                seconds: (scope.world.uptime() - started) / .seconds(1)))
        notice.report(progress)
    }

    /// The app has removed or replaced a query while it was read: what had come of it has gone with it, and the others go on.
    private mutating func note(departed source: DownloadSource, _ error: ODataError) {
        progress.skipped[source.key] = error.message
        progress.finishedSources += 1
        scope.events.warn("Left out, the query \(source.name ?? ""): " + error.message)
    }

    /// Does what the read says with what it brings, page after page.
    private mutating func storePages(of read: SourceRead, _ notice: ProgressNotice) throws {
        let ingest = read.ingest
        var isTold = false
        if read.isOver { notice.report(progress) }
        while let step = try read.step(checkCancellation) {
            switch step {
            case .page(let page):
                read.took(
                    try ingest.take(page.body, mode: page.mode, isAtom: page.isAtom))
            case .rest(let body):
                try ingest.takeRest(body)
                continue
            case .endPage:
                try ingest.endPage()
                continue
            case .restart:
                try ingest.restart(behind: read.machine.brokenLink)
                if let reason = read.lostPage, !isTold {
                    isTold = true
                    progress.lessons.append(
                        "failed at the page where the read of \(read.source.key) was to go on"
                            + " (\(reason)); it starts anew")
                }
                continue
            case .finish(let mode, let deltaLink):
                read.ended(mode, unmatched: try finish(ingest, mode, deltaLink))
            case .fail(let error):
                try ingest.restart()
                throw error
            }
            var now = progress
            now.rows += ingest.counts.received
            notice.report(now)
        }
    }

    /// Pages that waited for the last one may have a form that the metadata does not know: they are not kept to fail each time.
    private func finish(
        _ ingest: SourceIngest, _ mode: ReadMode, _ deltaLink: String?
    ) throws -> Int {
        do {
            return try ingest.finish(mode: mode, deltaLink: deltaLink)
        } catch let error as ODataError where SourceRefusal.isOfContent(error) {
            try ingest.restart()
            throw error
        }
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
    private mutating func readFirstPagesInBatch(
        _ reads: [SourceRead], _ settings: SyncSettings
    ) throws {
        // What waits for its turn is asked for again where it came too early; rows of a first load do not wait.
        let asked = Self.independent(reads.filter(\.isFetching)) { $0.nextMode == .first }
        guard asked.count > 1 else { return }
        try noteBeginning(of: asked)
        let parts = asked.map { read in
            settings.requests.part(
                .request(
                    RequestMessage(
                        method: "GET",
                        url: ServiceURL.relative(read.nextURL ?? "", root: scope.connection.root),
                        headers: read.fields), contentID: nil))
        }
        var message = try BatchWriter.request(
            parts, boundary: BatchWriter.boundary(scope.world.makeIdentifier()),
            headers: settings.readHeaders.version)
        message.headers["Accept"] = "multipart/mixed"
        message.headers["Prefer"] = "odata.continue-on-error"
        let answer = try connection.send(
            settings.requests.sent(message), cancellation: cancellation)
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
                contentType: answer.headers["Content-Type"] ?? "",
                source: settings.bounded(answer.read(into:)))
            while let part = try answers.next() {
                try checkCancellation()
                guard part.part < asked.count else { break }
                guard part.status == 200 else { continue }
                let read = asked[part.part]
                let body = BufferedBody(answers, limit: settings.downloadWindow)
                // Bytes were lost or changed on the way: the page is asked for alone.
                if body.isWhole, !answers.bodyHasStatedLength { continue }
                let page = try read.page(
                    status: part.status, headers: part.headers, body: body,
                    mode: read.nextMode, envelope: answer.headers)
                guard let page else { continue }
                let control = try read.ingest.take(
                    page.body, mode: page.mode, isAtom: page.isAtom)
                _ = try answers.readBody()
                guard answers.bodyHasStatedLength else {
                    read.distrust()
                    continue
                }
                read.took(control)
            }
        } catch let error as ODataError
            where SourceRefusal.isAboutOneSource(error) || SourceRefusal.isBroken(error)
            || error.underlying is DepartedSource
        {
            // What came whole is kept; the page that was met and those behind it are asked for alone.
            return
        }
    }
}

extension SyncSettings {
    /// A source of a batch's bytes that has the bound that each page has when it is asked for alone.
    fileprivate func bounded(
        _ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) -> (UnsafeMutableRawBufferPointer) throws -> Int {
        var rest = maximumPageBytes
        return { buffer in
            let count = try read(buffer)
            rest -= count
            guard rest >= 0 else {
                throw ODataError(
                    .limitExceeded, "Expected a batch that ends, found one that goes on.")
            }
            return count
        }
    }

    /// With one request at a time, the next page has to wait for the rests of the collections that this one expands;
    /// with one page at a time, for this one to be stored.
    fileprivate func foresees(_ source: DownloadSource) -> Bool {
        downloadQueueCapacity > 1 && (downloadThreads > 1 || !source.url.contains("expand="))
    }
}
