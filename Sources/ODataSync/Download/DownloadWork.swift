import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// What one download has to do, and with what: its phases, and how the read of a source begins.
struct DownloadWork {
    private(set) var settings: SyncSettings
    let capabilities: ServiceCapabilities
    private(set) var phases: [DownloadPlanner.Phase]
    let links: LinkDownload?
    let profile: ServiceProfile
    private let scope: SyncScope
    private let mapping: SchemaMapping
    /// What stands in the store for whom links belong to.
    private let identity: (plain: String, text: String)
    private let mark: DownloadMark
    private let expanded: ExpandedTables
    /// Every default download and download query that the app wants.
    private let wanted: [DownloadSource]
    /// How their rows go into their tables, where entities contain others; nil for a query that cannot be parsed any more, which
    /// may ask for anything.
    private var wantedPlans: [IngestPlan?] = []
    private let writes = SharedWrites()

    init(_ scope: SyncScope, groups: [String], loadsLinks: Bool, readsAll: Bool) throws {
        self.scope = scope
        let store = scope.store
        mapping = try store.mapping()
        capabilities = ServiceCapabilities(mapping.graph)
        let sets = mapping.graph.entitySets.map(\.name)
        var selection = scope.choice.selection(of: sets)
        // A set that is gone stops no other.
        let gone = try store.downloadQueries().filter { !sets.contains($0.entitySet) }
        for query in gone {
            scope.events.warn(
                "Left out, the query \(query.name ?? ""): the service has no \(query.entitySet).")
        }
        selection.leaveOut(Set(gone.compactMap(\.name)))
        var settings = SyncSettings(scope.configuration)
        settings.setsWithoutDeltaLinks = scope.choice.withoutDeltaLinks.names(of: sets)
        settings.requests = scope.service.requests
        settings.readHeaders = ReadHeaders(
            isV2: settings.requests.dialect(of: mapping.graph).wrapsPayload)
        settings.readsAll = readsAll
        self.settings = settings
        var sources = try DownloadQueries(scope).sources(mapping.graph, capabilities)
        links = loadsLinks ? LinkDownload(&sources, mapping, capabilities) : nil
        var phases = try DownloadPlanner.plan(
            sources: sources, groups: groups, selection: selection)
        wanted = DownloadQueries.wanted(sources, selection)
        if scope.configuration.autoRefreshEntities {
            try Self.add(store.changedSets(), to: &phases, wanted)
        }
        self.phases = phases
        if settings.persistsEntities {
            try store.noteSources(
                wanted, switchedOff: scope.choice.switchedOff(of: mapping.graph))
        }
        profile = try store.serviceProfile()
        identity = (try store.sum(ofIdentity: scope.identity), scope.identity)
        mark = DownloadMark(mapping)
        expanded = try store.expandedTables(of: wanted)
        if mapping.tables.contains(where: { $0.parent != nil }) {
            wantedPlans = wanted.map { try? ingest($0, expands: true).plan }
        }
    }

    /// What is known of its sources when it ends.
    func ending(refused: Set<String>) -> LocalStore.Ending {
        LocalStore.Ending(wanted: wanted, refused: refused)
    }

    /// Whether several reads may go as one request.
    var supportsBatch: Bool { capabilities.supportsBatch && settings.requests.supportsBatch }

    /// Sets whose metadata grew are read even when the groups leave them out; a default download that is switched off is not.
    private static func add(
        _ changedSets: Set<String>, to phases: inout [DownloadPlanner.Phase],
        _ sources: [DownloadSource]
    ) {
        let planned = Set(phases.flatMap(\.sources).map(\.key))
        let missing = sources.filter {
            changedSets.contains($0.entitySet) && !planned.contains($0.key)
        }
        guard !missing.isEmpty else { return }
        phases.append(DownloadPlanner.Phase(number: Int.max, mode: .any, sources: missing))
    }

    /// Makes the read of a source: what is known of it, how its rows go into their table, and who stores them.
    ///
    /// - Throws: `conflict` with ``DepartedSource`` for a query that is no more; so does whatever the read stores.
    func read(_ source: DownloadSource, _ pages: PageReader) throws -> SourceRead {
        let (store, isUntracked) = (
            scope.store, settings.setsWithoutDeltaLinks.contains(source.entitySet)
        )
        var watch = SourceWatch(source)
        if !source.isDefault {
            try store.read {
                try watch.requireSource(in: $0)
                try watch.noteTraces(in: $0)
            }
        }
        let form = form(of: source, tracks: !isUntracked)
        let (query, plan, holds) = try ingest(source, expands: form.expands)
        let (plain, own) = try identities(of: source, query)
        var state = try state(of: source, identity: own)
        if plan.ownsRowsWithoutSource, !state.isComplete, !state.hasRows, state.resume == nil {
            // Only a comparison with all rows tells which of them have gone since.
            state.hasRows = try store.hasMadeRows(in: source.entitySet)
        }
        let machine = ReadMachine(
            source: source, state: state, root: scope.connection.root, form: form,
            usesDeltaLink: !isUntracked, readsAll: settings.readsAll)
        let isWhole = query.bringsEveryRow
        var context = context(of: watch)
        let awaited = try store.awaitedCreations(
            in: source.entitySet, isWhole: isWhole,
            hasAllProperties: query.select.isEmpty || query.selectsAll,
            isContinued: machine.resume != nil, expanding: query.expand)
        context.settle = { isComplete, met, database in
            try store.settleCreations(awaited, isComplete: isComplete, met: met, database)
        }
        context.ended = { try store.release(inPlaceOf: source, $0) }
        context.expansions = ExpandedRemovals.Source(
            expansions: SourceExpansions(source, mapping), own: holds.own,
            holds: holds.expansions)
        let ingest = SourceIngest(
            source, plan: plan, identity: own, plainIdentity: plain,
            isSingle: try isSingle(source),
            persists: settings.persistsEntities,
            links: try loadedLinks(source, plan, expands: form.expands, isWhole: isWhole),
            context: context)
        if let resume = machine.resume {
            try store.read { try ingest.load(resume, from: $0) }
        } else {
            ingest.loadNothing()
        }
        return SourceRead(
            machine: machine, ingest: ingest, pages: pages, headers: settings.readHeaders,
            marks: ServiceMarks(
                sendsVersion: profile.flag(.version) ?? scope.connection.hasSeenVersion))
    }

    /// Ends the reads that have brought no change, many in one transaction: with a transaction for each, that is what asking for
    /// changes where there are none costs. A read of which the query is gone meanwhile is left to whoever stores it.
    func endTogether(_ reads: [SourceRead]) throws {
        var rest = reads.filter(\.isQuiet)[...]
        while rest.count > 1 {
            let group = rest.prefix(SharedWrites.limit)
            rest = rest.dropFirst(group.count)
            try writes.share(scope.store) {
                for read in group {
                    do {
                        try read.endQuiet()
                    } catch let error as ODataError where error.underlying is DepartedSource {
                        continue
                    }
                }
            }
            scope.store.world.checkpoint("ingest.commit")
        }
    }

    private func form(of source: DownloadSource, tracks: Bool) -> ReadForm {
        var wish = form
        wish.tracksChanges = tracks && settings.requests.supportsDelta
        return profile.form(of: source.key, wish: wish)
    }

    /// Links of a query with expansions are of no use to the same query without.
    private func identities(
        of source: DownloadSource, _ query: Query
    ) throws -> (plain: String, own: String) {
        guard !query.expand.isEmpty else { return (identity.plain, identity.plain) }
        let own = try scope.store.sum(ofIdentity: identity.text + "\n" + source.url)
        return (identity.plain, own)
    }

    /// Leaves out all sources but these.
    mutating func keepOnly(_ keys: Set<String>) {
        for phase in phases.indices {
            phases[phase].sources.removeAll { !keys.contains($0.key) }
        }
        phases.removeAll { $0.sources.isEmpty }
    }

    /// The links under which the service tells what changes, of the sources that are read to their end and have one. V2 has no
    /// word for a request that is held.
    func changeLinks() throws -> [ChangeLink] {
        guard !settings.readHeaders.isV2 else { return [] }
        return try phases.flatMap(\.sources).compactMap { source in
            let isUntracked = settings.setsWithoutDeltaLinks.contains(source.entitySet)
            let form = form(of: source, tracks: !isUntracked)
            guard form.tracksChanges else { return nil }
            let query = try ingest(source, expands: form.expands).query
            let state = try state(of: source, identity: identities(of: source, query).own)
            guard state.isComplete, state.resume == nil, let link = state.deltaLink,
                let own = ServiceLink.followable(link, root: scope.connection.root)
            else { return nil }
            return ChangeLink(source: source.key, url: own)
        }
    }

    /// What a read of a source tells of links, and of what its rows contain.
    ///
    /// - Parameter plan: how its rows go into their table, as it is read.
    private func loadedLinks(
        _ source: DownloadSource, _ plan: IngestPlan, expands: Bool, isWhole: Bool
    ) throws -> LoadedLinks {
        let unasked = source.isDefault ? links?.unasked(of: source.entitySet) ?? [] : []
        let isLeftOut = !expands && source.urlWithoutExpansions != nil
        let asked = isLeftOut ? try ingest(source, expands: true).plan : plan
        var loaded = LoadedLinks(asked, mapping: mapping, isWhole: isWhole, unasked: unasked)
        if isLeftOut { loaded.leaveOutExpansions() }
        if loaded.leavesOutContained {
            for other in wantedPlans { loaded.leave(to: other) }
        }
        return loaded
    }

    /// The query of a source, and how its rows go into their table.
    private func ingest(
        _ source: DownloadSource, expands: Bool
    ) throws -> (query: Query, plan: IngestPlan, holds: LocalStore.Holds) {
        let table = try mapping.existingTable(path: source.entitySet)
        let query = try URLParser.parse(
            expands ? source.url : source.urlWithoutExpansions ?? source.url,
            graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        let selection: Set<String>? =
            query.select.isEmpty || query.selectsAll
            ? nil : Set(query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") })
        let holds = try scope.store.holds(of: source)
        var plan = IngestPlan(
            table: table, mapping: mapping, selection: selection, expanding: query.expand,
            hold: holds.own, holds: holds.expansions, expanded: expanded)
        plan.ownsRowsWithoutSource = query.bringsEveryRow
        return (query, plan, holds)
    }

    private func state(of source: DownloadSource, identity: String) throws -> SourceState {
        try scope.store.read { try DownloadBookkeeping($0).state(of: source, identity: identity) }
    }

    private func isSingle(_ source: DownloadSource) throws -> Bool {
        let table = try mapping.existingTable(path: source.entitySet)
        return mapping.graph[table.entitySet].isSingleton
    }

    /// How a source is compared with the service; nil for one that was never read to its end, or has one row.
    func comparison(of source: DownloadSource) throws -> (VerificationPlan, IngestPlan)? {
        guard try !isSingle(source),
            try state(of: source, identity: identity.plain).isComplete
        else {
            return nil
        }
        let plan = try VerificationPlan(
            source, graph: mapping.graph, dialect: Dialect.of(mapping.graph.version))
        return (plan, try ingest(source, expands: false).plan)
    }

    /// A query that the metadata has no place for any more; it stops no other.
    static func hasNoPlace(_ error: ODataError) -> Bool {
        error.code == .unknownName || error.code == .invalidQuery
    }

    /// The same work with all rows read, whatever delta links there are.
    var readingAll: DownloadWork {
        var work = self
        work.settings.readsAll = true
        return work
    }

    /// How sources are asked for as long as nothing is refused.
    private var form: ReadForm {
        let isV2 = settings.readHeaders.isV2
        let isCompact = !isV2 && scope.configuration.preferCompactResponses
        return ReadForm(isCompact ? .compact : .plain, mayBeAtom: isV2)
    }

    private func context(of watch: SourceWatch) -> SourceIngest.Context {
        let (store, mark, scope, writes) = (scope.store, mark, scope, writes)
        var watch = watch
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in
                try writes.write(store) { database in
                    try watch.requireSource(in: database)
                    try mark.begin(database)
                    try body(database)
                    try watch.noteTraces(in: database)
                }
            }, uptime: store.world.uptime, now: { scope.milliseconds },
            checkpoint: { if !writes.isShared { store.world.checkpoint($0) } })
        context.indexBuild = store.indexBuild
        context.read = { body in try store.read { try body($0) } }
        if scope.configuration.enableStatementBatching {
            context.batching = StatementBatching { path, rows in
                scope.events.warn(
                    "Some of \(rows) rows of \(path) came twice or are there already;"
                        + " they are written one by one.")
            }
        }
        return context
    }
}

extension Query {
    /// True where nothing narrows the rows of the set.
    fileprivate var bringsEveryRow: Bool {
        path.segments.count == 1 && filter == nil && search == nil && top == nil && skip == nil
            && apply.isEmpty && period.isEmpty && customOptions.isEmpty
    }
}
