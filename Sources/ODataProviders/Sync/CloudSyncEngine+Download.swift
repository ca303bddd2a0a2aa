import ODataClasses
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld
import SAPCommon

extension CloudSyncEngine {
    func download(groups: [String], _ options: SyncOptions) throws {
        let progress = try downloadReporting(groups: groups, options)
        try ErrorBase.translating {
            if let error = SourceRefusal.error(progress.refused) { throw error }
        }
    }

    /// As ``download(groups:_:)``, and says what became of each source; what the service refuses is left out.
    ///
    /// - Parameters:
    ///   - loadsLinks: expands what whole sets need so that no link stays unknown.
    ///   - readsAll: reads all rows, whatever delta links there are.
    @discardableResult
    package func downloadReporting(
        groups: [String], _ options: SyncOptions, loadsLinks: Bool = false,
        readsAll: Bool = false
    ) throws -> DownloadProgress {
        try ErrorBase.translating {
            try cancellable(.download, options) { flag in
                try downloadTurn.take(flag) {
                    let progress = try wideningColumns {
                        try runDownload(
                            groups, options, flag, loadsLinks: loadsLinks, readsAll: readsAll)
                    }
                    try noteMarks()
                    return progress
                }
            }
        }
    }

    /// Keeps what the answers of the service carry, so that uploads can tell it from others.
    private func noteMarks() throws {
        let store = try store()
        guard onlineProvider.connection.hasSeenVersion, try !store.flag(.sendsVersion) else {
            return
        }
        try store.setFlag(true, for: .sendsVersion)
    }

    /// Repeats the download after a value that its column cannot hold exactly: the column is widened, and what was
    /// stored stays.
    private func wideningColumns<Result>(_ download: () throws -> Result) throws -> Result {
        var columns: Set<String> = []
        while true {
            do {
                return try download()
            } catch let error as ODataError where error.code == .valueBeyondColumn {
                guard case .path(let column)? = error.location, columns.insert(column).inserted
                else { throw error }
                try store().widenColumn(column)
            }
        }
    }

    private func runDownload(
        _ groups: [String], _ options: SyncOptions, _ flag: CancellationFlag, loadsLinks: Bool,
        readsAll: Bool
    ) throws -> DownloadProgress {
        let store = try store()
        try store.setFlag(true, for: .pendingDownload)
        try refreshMetadata(store, flag)
        let mapping = try store.mapping()
        let capabilities = ServiceCapabilities(mapping.graph)
        let sets = mapping.graph.entitySets.map(\.name)
        let (selection, withoutDeltaLinks) = selection.snapshot(of: sets)
        var settings = makeSettings(withoutDeltaLinks, Dialect.of(mapping.graph.version))
        settings.readsAll = readsAll
        var sources = try makeSources(store, mapping.graph, capabilities)
        let links = loadsLinks ? LinkDownload(&sources, mapping, capabilities) : nil
        var phases = try DownloadPlanner.plan(
            sources: sources, groups: groups, selection: selection)
        try addChangedSets(to: &phases, sources, store.changedSets())
        let notice = ProgressNotice(
            .download, listener: options.progressListener ?? objects.progressListener,
            world: world)
        loadEstimatesOnce()
        notice.expect(estimates.total(of: phases.flatMap(\.sources).map(\.key)))
        let profile = try store.serviceProfile()
        let opener = SourceOpener(
            store: store, mapping: mapping, root: onlineProvider.connection.root,
            identity: identity(), settings: settings, profile: profile.reads,
            form: readForm(settings),
            mark: DownloadMark(mapping), batching: statementBatching(),
            expanded: try store.expandedTables(of: wanted(sources, selection)))
        var run = DownloadRun(
            connection: onlineProvider.connection, world: world, settings: settings,
            supportsBatch: capabilities.supportsBatch, profile: profile.reads,
            cancellation: flag, open: opener.open, report: notice.report)
        do {
            try run.run(phases)
        } catch {
            try? store.note(run.progress.lessons, leadingTo: run.progress.profile)
            throw error
        }
        var result = run.progress
        try store.note(result.lessons, leadingTo: result.profile)
        try links?.report(to: &result, unknown: store.unknownLinks())
        result.refused += try downloadStreams(
            of: result.results.map(\.source), store, settings, capabilities, flag)
        for (set, reason) in capabilities.unreadable { result.skipped["set:" + set] = reason }
        noteEstimates(result.results)
        try store.noteRefreshed(result.results.map(\.source.entitySet))
        let details = groups.isEmpty ? nil : groups.joined(separator: ",")
        if !result.refused.isEmpty {
            try store.noteRefused(result.refused, details: details)
        } else if settings.persistsEntities {
            try store.noteFinished("download", details: details)
        } else {
            try store.setFlag(false, for: .pendingDownload)
        }
        store.checkpointIfLarge()
        notice.finish()
        return result
    }

    private func statementBatching() -> StatementBatching? {
        guard configuration.enableStatementBatching else { return nil }
        return StatementBatching { [logger] path, rows in
            logger.warn(
                "Some of \(rows) rows of \(path) came twice or are there already; they are written one by one."
            )
        }
    }

    private func makeSettings(
        _ withoutDeltaLinks: Set<String>, _ dialect: Dialect
    ) -> SyncSettings {
        let configuration = configuration
        var settings = SyncSettings()
        settings.batchesDownloads = configuration.batchEntityDownloads
        settings.downloadThreads = max(1, configuration.entityDownloadThreads)
        settings.downloadQueueCapacity = max(1, configuration.downloadQueueCapacity)
        settings.batchesStreamDownloads = configuration.batchStreamDownloads
        settings.streamThreads = max(1, configuration.streamDownloadThreads)
        settings.persistsStreams = configuration.persistDownloadedStreams
        settings.persistsEntities = configuration.persistDownloadedEntities
        settings.setsWithoutDeltaLinks = withoutDeltaLinks
        settings.readHeaders = ReadHeaders(isV2: dialect.wrapsPayload)
        return settings
    }

    /// How sources are asked for as long as nothing is refused.
    private func readForm(_ settings: SyncSettings) -> ReadForm {
        let isCompact = !settings.readHeaders.isV2 && configuration.preferCompactResponses
        return ReadForm(isCompact ? .compact : .plain)
    }

    /// The default download of each set that can be read, and the download queries.
    func makeSources(
        _ store: LocalStore, _ graph: MetadataGraph, _ capabilities: ServiceCapabilities
    ) throws -> [DownloadSource] {
        let document = try offlineStore.document()
        let queries = try store.downloadQueries()
        var sources: [DownloadSource] = []
        let clientOnly = graph.clientOnlySets
        for set in graph.entitySets {
            let isWanted = document.entitySet(named: set.name)?.downloadEntitiesByDefault ?? true
            if capabilities.unreadable[set.name] == nil, isWanted, !clientOnly.contains(set.name) {
                sources.append(
                    DownloadSource(
                        entitySet: set.name,
                        url: PercentCoding.encode(graph.address(of: set), for: .path), bit: 0))
            }
            sources += queries.filter { $0.entitySet == set.name }
        }
        return sources
    }

    /// The sources without the default downloads that the app has switched off.
    func wanted(
        _ sources: [DownloadSource], _ selection: DownloadSelection
    ) -> [DownloadSource] {
        sources.filter {
            $0.name != nil || !selection.setsWithoutDefaultDownload.contains($0.entitySet)
        }
    }

    /// Sets whose metadata grew are read even when the groups leave them out.
    private func addChangedSets(
        to phases: inout [DownloadPlanner.Phase], _ sources: [DownloadSource],
        _ changedSets: Set<String>
    ) {
        guard configuration.autoRefreshEntities else { return }
        let planned = Set(phases.flatMap(\.sources).map(\.key))
        let missing = sources.filter {
            changedSets.contains($0.entitySet) && !planned.contains($0.key)
        }
        guard !missing.isEmpty else { return }
        phases.append(DownloadPlanner.Phase(number: Int.max, mode: .any, sources: missing))
    }

    /// What a delta link belongs to beside its query: user, language and other headers.
    private func identity() -> String {
        let headers = onlineProvider.httpHeaders.fields.fields.filter {
            $0.name.lowercased() != "authorization"
        }.map { "\($0.name.lowercased())=\($0.value)" }.sorted()
        return ([configuration.currentUser ?? ""] + headers).joined(separator: "\n")
    }
}

/// Makes the read of a source: what is known of it, how its rows go into their table, and who stores them.
private struct SourceOpener {
    let store: LocalStore
    let mapping: SchemaMapping
    let root: String
    let identity: String
    let settings: SyncSettings
    let profile: ReadProfile
    let form: ReadForm
    let mark: DownloadMark
    let batching: StatementBatching?
    let expanded: ExpandedTables

    func open(_ source: DownloadSource, _ pages: PageReader) throws -> SourceRead {
        let table = try mapping.existingTable(path: source.entitySet)
        var wish = form
        wish.tracksChanges = !settings.setsWithoutDeltaLinks.contains(source.entitySet)
        let form = profile.form(of: source.key, wish: wish)
        let query = try URLParser.parse(
            form.expands ? source.url : source.urlWithoutExpansions ?? source.url,
            graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        let selection: Set<String>? =
            query.select.isEmpty || query.selectsAll
            ? nil : Set(query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
        let hasQueries = try !store.downloadQueries(of: source.entitySet).isEmpty
        let plan = IngestPlan(
            table: table, mapping: mapping, selection: selection, expanding: query.expand,
            sourceBit: hasQueries ? 1 << Int64(source.bit) : 0, expanded: expanded)
        // Links of a query with expansions are of no use to the same query without.
        let identity = query.expand.isEmpty ? identity : identity + "\n" + source.url
        let state = try store.read {
            try DownloadBookkeeping($0).state(of: source, identity: identity)
        }
        let isWhole = query.filter == nil && query.top == nil && query.skip == nil
        let ingest = SourceIngest(
            source, plan: plan, identity: identity, plainIdentity: self.identity,
            isSingle: mapping.graph[table.entitySet].isSingleton,
            persists: settings.persistsEntities,
            links: LoadedLinks(plan, mapping: mapping, isWhole: isWhole), context: context)
        let machine = ReadMachine(
            source: source, state: state, root: root, form: form,
            readsAll: settings.readsAll
                || settings.setsWithoutDeltaLinks.contains(source.entitySet))
        try store.read { try ingest.load(machine.resume, from: $0) }
        return SourceRead(
            machine: machine, ingest: ingest, pages: pages, headers: settings.readHeaders)
    }

    private var context: SourceIngest.Context {
        let store = store
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { [mark] body in
                try store.write(.normal) { database in
                    try mark.begin(database)
                    try body(database)
                }
            },
            uptime: store.world.uptime,
            now: {
                let now = store.world.now()
                return now.seconds * 1_000 + Int64(now.nanoseconds / 1_000_000)
            }, checkpoint: store.world.checkpoint)
        context.batching = batching
        context.expanded = expanded
        return context
    }
}
