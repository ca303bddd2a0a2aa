import ODataModel
import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// Brings the pages of one download query into the store: a first load directly, in short transactions that each
/// keep their resume point; deltas and sweeps staged, and applied with their last page in one transaction.
///
/// For each page: ``take(_:mode:)``, then ``takeRest(_:)`` while there is an ``openLink``, then ``endPage()``.
/// Used by one thread.
package final class SourceIngest {
    /// What the ingest needs from the store around it.
    package struct Context {
        package var mapping: SchemaMapping
        package var handler: any ShadowedRowHandler
        /// Runs its argument in one write transaction.
        package var write: ((Database) throws -> Void) throws -> Void
        /// A steady clock.
        package var uptime: () -> Duration
        /// Milliseconds since 1970.
        package var now: () -> Int64
        /// Passes a named point between two transactions: `World.checkpoint(_:)`.
        package var checkpoint: (StaticString) -> Void
        /// Staged rows after which a part of a delta or sweep is applied.
        package var rowsPerApplication = 50_000
        /// Bytes of staged pages beyond which they move from memory to the file.
        package var stagedBytesInMemory = 4 << 20
        /// Given when a first load is to insert several rows by one statement.
        package var batching: StatementBatching?
        /// Runs its argument in one snapshot of another connection; nil where pages of sweeps are kept without comparing.
        package var read: (((Database) throws -> Void) throws -> Void)?
        /// How indexes are made at the end of a first load.
        package var indexBuild = IndexBuild()
        /// The bounds of one transaction of a first load.
        package var limits = PageIngest.Limits()
        /// What the expansions of the source lead to.
        package var expansions = ExpandedRemovals.Source()
        /// Settles what the rows that came tell of changes of unknown fate, at the end of a read; says what it found.
        /// `met` has the bits of the expansions of which whole collections came.
        package var settle: ((_ isComplete: Bool, _ met: UInt64, Database) throws -> [String])?

        /// What the end of a read leads to, in its transaction.
        package var ended: ((Database) throws -> Void)?

        package init(
            mapping: SchemaMapping, handler: any ShadowedRowHandler,
            write: @escaping ((Database) throws -> Void) throws -> Void,
            uptime: @escaping () -> Duration, now: @escaping () -> Int64,
            checkpoint: @escaping (StaticString) -> Void = { _ in }
        ) {
            self.mapping = mapping
            self.handler = handler
            self.write = write
            self.uptime = uptime
            self.now = now
            self.checkpoint = checkpoint
        }
    }

    /// The rest of an expanded collection that is still to be read.
    enum Rest {
        case direct(OpenNavigation, RowIngest.Mode)
        case staged(OpenLink)
    }

    package let source: DownloadSource
    package internal(set) var counts = IngestCounts()
    /// The tables that its rows bring values of.
    package let tables: Set<String>
    /// The link that the read has ended with is where the next one begins.
    package private(set) var hasKeptLink = false
    /// What the end of the read has settled, one sentence each.
    package private(set) var settled: [String] = []
    let plan: IngestPlan
    let context: Context
    private var identity: String
    private let plainIdentity: String
    /// The answer is one entity, not a page.
    package let isSingle: Bool
    private let persists: Bool
    private var links: LoadedLinks
    /// The first delta link that a page of the read brought.
    var deltaLink: String?
    var reader: RowReader
    var staged: StagedPages
    var seen: SeenRows?
    /// Bytes of pages that were here as they came, since it was last noted how far the read has come.
    var bytesKnown = 0
    /// The expansions that rows have said something about.
    var met: UInt64 = 0
    /// The expansions of which rows say that there is more elsewhere, which is read before the page ends.
    private var continued: UInt64 = 0
    /// What rows have said that came through expansions.
    var below = NestedTraces.none
    private var rests: [Rest] = []
    /// What a first load does about indexes; nil before its first page.
    var indexing: Indexing?
    /// What the pages before an interruption have said; nil when there were none.
    private var earlier: ReadTraces?
    /// How often the service had accepted changes before anything of the read was asked for; nil where nobody noted it.
    package private(set) var beginning: Int64?
    private var isBegun = false
    private var cache = LoadCache()
    /// The links of this page that were followed or will be; none is followed twice, so that a circle ends.
    private var followed: Set<String> = []
    /// The page that is being taken, and whether its resume point is still to be kept.
    var current: (mode: ReadMode, control: PageControl, isKept: Bool)?

    /// - Parameters:
    ///   - identity: user, language and headers that the query's links belong to.
    ///   - plainIdentity: the same for the query without its expansions.
    ///   - isSingle: the answer is one entity, not a page (a singleton).
    ///   - persists: false reads pages to their end and stores nothing of them, nor how far the read came.
    ///   - links: the navigation properties whose links the whole read brings.
    package init(
        _ source: DownloadSource, plan: IngestPlan, identity: String,
        plainIdentity: String? = nil, isSingle: Bool, persists: Bool = true,
        links: LoadedLinks = LoadedLinks(), context: Context
    ) {
        self.source = source
        self.plan = plan
        self.identity = identity
        self.plainIdentity = plainIdentity ?? identity
        self.isSingle = isSingle
        self.persists = persists
        self.links = links
        self.context = context
        tables = Set(plan.valueTables.map(\.path))
        reader = RowReader(shape: plan.shape)
        staged = StagedPages(query: source.key, memoryLimit: context.stagedBytesInMemory)
    }

    /// Finds what an interrupted read has staged, when the read goes on where it stopped.
    package func load(_ resume: ResumePoint?, from database: Database) throws {
        loadNothing()
        guard let resume else { return }
        if resume.mode == .sweep { seen = nil }
        deltaLink = resume.deltaLink
        // Where nobody noted what came, there were rows, of which nothing is known.
        earlier = try ReadTraces.kept(of: source, in: database) ?? ReadTraces(hasRows: true)
        beginning = try DownloadBookkeeping(database).beginning(of: source, mode: resume.mode)
        guard resume.stagedPages > 0 else { return }
        try staged.load(resume.stagedPages, from: database)
    }

    /// The read begins with its first page: what an earlier sweep has met counts only where this one goes on.
    package func loadNothing() {
        seen = SeenRows()
        (deltaLink, earlier) = (nil, nil)
    }

    /// Notes what the service has accepted so far: call it before the first request of the read, as often as you like.
    ///
    /// What it accepts later may be missing in what comes, even where that is whole. Such a read takes nothing away that
    /// was made here and accepted, nor does it bring older values of it, and the next one tells again all that this one was
    /// to tell: a delta its changes, anything else every row.
    package func noteBeginning(in database: Database) throws {
        beginning = try beginning ?? AcceptedAnswers(database: database).count()
    }

    /// True when the service has accepted changes since the read began, in tables that its rows go into.
    func isOvertaken(in database: Database) throws -> Bool {
        guard let beginning else { return false }
        return try AcceptedAnswers(database: database).last(in: plan.tables) > beginning
    }

    /// True where all that came says that nothing has changed, so that the read ends with a few words of bookkeeping: such ends
    /// may share a transaction.
    package var isQuiet: Bool {
        !isSingle && persists && !staged.mayHaveRows && counts.received == 0 && openLink == nil
            && current?.mode == .delta && current?.control.nextLink == nil
    }

    /// Takes the rows away again that pages from before their deletion was accepted have brought: in the transaction that
    /// brought them, but behind what their collections bring from elsewhere, which needs a row that it belongs to.
    func takeBackDeleted(in database: Database) throws {
        // Where nobody knows any more what was accepted since, a row may be rightly back.
        guard let beginning, beginning != DownloadBookkeeping.overtaken,
            try isOvertaken(in: database)
        else { return }
        let deletions = AcceptedDeletions(database: database)
        for table in plan.tables {
            let removals = RowRemovals(table: table, mapping: context.mapping, database: database)
            for row in try deletions.returned(to: table, since: beginning) {
                try removals.delete(id: row)
            }
        }
    }

    /// True when rows bring related ones, whose collections may go on elsewhere.
    package var expands: Bool { !plan.expansions.isEmpty }

    /// The read goes on without the expansions of its query: it says nothing about links.
    package func readWithoutExpansions() {
        identity = plainIdentity
        links.leaveOutExpansions()
        (met, continued, below) = (0, 0, .none)
        earlier = earlier.map { ReadTraces(hasRows: $0.hasRows) }
    }

    /// Takes a page that is applied in the given mode.
    ///
    /// - Returns: what the page says beside its rows.
    /// - Throws: what is wrong with the page; of a staged page nothing has reached the tables then.
    package func take(
        _ page: any ByteSource, mode: ReadMode, isAtom: Bool = false
    ) throws -> PageControl {
        if isAtom, persists { return try takeAtom(page, mode: mode) }
        guard persists else { return try skip(page) }
        if isSingle { return try takeEntity(page) }
        guard mode == .first else {
            let control =
                try mode == .sweep ? stageUnlessKnown(page) : stage(page, plan, path: [])
            deltaLink = deltaLink ?? control.deltaLink
            current = (mode, control, false)
            return control
        }
        try leaveOutIndexes()
        let stored = try store(page)
        ended(stored.control, stored.open)
        return stored.control
    }

    /// Runs one transaction of a first load, which says how many rows it has received. The first notes that there are some,
    /// should the load have to start anew.
    func writePart(_ body: (Database) throws -> Int) throws {
        var isAwaited = false
        try context.write { database in
            if !self.isBegun {
                try DownloadBookkeeping(database).begin(self.source, identity: self.identity)
                try self.giveUpOlderPages(in: database)
            }
            try self.cache.load(database) { try body(database) }
            isAwaited = self.context.indexBuild.isAwaited()
        }
        isBegun = true
        if isAwaited { try fillIndexes() }
    }

    /// Rows are about to be stored: what other reads of the same ones have kept for later came before.
    func giveUpOlderPages(in database: Database) throws {
        try DownloadBookkeeping(database).giveUpPages(ofOthersThan: source.key, in: tables)
    }

    /// The rows of a page of a first load are stored.
    func ended(_ control: PageControl, _ open: [OpenNavigation]) {
        current = (.first, control, open.isEmpty)
        for open in open { add(open, .first) }
        context.checkpoint("ingest.commit")
    }

    /// Writes a page of a first load; its last transaction keeps where the read goes on, unless collections are open:
    /// repeating the page is what leads to them again.
    private func store(
        _ page: any ByteSource
    ) throws -> (control: PageControl, open: [OpenNavigation]) {
        var rows = RowPage(source: page)
        let paced = page as? any PacedSource
        var parts = PageIngest(plan, context, from: paced)
        var isComplete = false
        while !isComplete {
            paced?.waitUntilBuffered()
            try writePart { database in
                var ingest = try parts.begin(in: database)
                isComplete = try self.reader.read(&rows, into: &ingest)
                try self.plan.check(rows.control)
                let received = try parts.end(&ingest)
                if parts.open.isEmpty { try self.takeBackDeleted(in: database) }
                if isComplete, parts.open.isEmpty {
                    try self.keep(rows.control, of: parts, rows: received, in: database)
                }
                return received
            }
        }
        return (rows.control, took(parts))
    }

    /// Adds up what became of a page of a first load; returns the collections that go on elsewhere.
    func took(_ parts: PageIngest) -> [OpenNavigation] {
        counts += parts.counts
        met |= parts.met
        below = below | parts.below
        return parts.open
    }

    /// Keeps where a first load goes on behind a page.
    func keep(
        _ control: PageControl, of parts: PageIngest, rows: Int, in database: Database
    ) throws {
        deltaLink = deltaLink ?? control.deltaLink
        guard let next = control.nextLink else { return }
        let page = ReadTraces(
            met: parts.met, hasRows: parts.counts.received > 0, below: parts.below)
        try keep(next, .first, rows: rows, page, in: database)
    }

    /// What all pages have said that were taken so far.
    private var traces: ReadTraces {
        (earlier ?? ReadTraces())
            | ReadTraces(
                met: met, continued: continued, hasRows: counts.received > 0, below: below)
    }

    /// Where the rest of an expanded collection of the page is; nil when all are whole.
    package var openLink: String? {
        switch rests.last {
        case .direct(let open, _): open.nextLink
        case .staged(let open): open.link
        case nil: nil
        }
    }

    /// Takes the page that ``openLink`` leads to.
    package func takeRest(_ page: any ByteSource) throws {
        switch rests.popLast() {
        case .direct(let open, let mode): try takeRest(page, of: open, mode)
        case .staged(let open):
            guard let below = plan.expansion(at: open.path)?.expansion.plan else { return }
            let control = try stage(page, below, path: open.path, link: open.link)
            if let next = control.nextLink { add(OpenLink(link: next, path: open.path)) }
        case nil: return
        }
    }

    /// Ends a page of which everything has come: from here the read goes on after an interruption.
    package func endPage() throws {
        followed = []
        guard let page = current else { return }
        current = nil
        guard let next = page.control.nextLink, !page.isKept else { return }
        guard page.mode != .sweep || isNoteDue else { return }
        bytesKnown = 0
        let isDue = staged.rows >= context.rowsPerApplication
        try context.write { database in
            if page.mode != .first {
                if isDue {
                    try self.apply(database, mode: page.mode, isLast: false)
                    try self.staged.removeAll(database)
                } else {
                    try self.staged.store(database)
                }
            }
            if page.mode == .first || isDue { try self.takeBackDeleted(in: database) }
            try self.keep(next, page.mode, rows: 0, in: database)
        }
        context.checkpoint(page.mode == .first || isDue ? "ingest.commit" : "stage.commit")
    }

    /// Ends the read: applies what is staged, closes a sweep, keeps the delta link, all in one transaction.
    ///
    /// - Returns: how many objects of a delta could not be matched to any row; the delta link is not kept then, because
    ///   only all rows can tell what they meant.
    @discardableResult
    package func finish(mode: ReadMode, deltaLink: String?) throws -> Int {
        guard persists else { return 0 }
        // A first load that had to start anew ends as a sweep.
        if mode != .delta { try makeIndexes() }
        var settled: [String] = []
        try context.write { database in
            try self.apply(database, mode: mode, isLast: true)
            try self.takeBackDeleted(in: database)
            try DeferredIndexes(table: self.plan.table, database: database).settle()
            if mode == .first {
                try UpsertedRows(database: database).add(self.plan, loadedBy: self.source)
            }
            try self.staged.removeAll(database)
            try self.noteLinks(mode, in: database)
            let link = try self.link(deltaLink, mode, in: database)
            self.hasKeptLink = link != nil && link == deltaLink
            try DownloadBookkeeping(database).finish(
                self.source, deltaLink: link, identity: self.identity, mode: mode,
                at: self.context.now())
            try self.context.ended?(database)
            let isComplete = mode != .delta || self.counts.unmatched == 0
            settled =
                try self.context.settle?(isComplete, mode == .delta ? 0 : self.met, database) ?? []
        }
        self.settled += settled
        context.checkpoint("ingest.commit")
        seen = nil
        defer { counts.unmatched = 0 }
        return mode == .delta ? counts.unmatched : 0
    }

    /// The delta link to keep at the end of a read. When the service gave it, it may have known of changes that the rows
    /// before do not show.
    private func link(
        _ new: String?, _ mode: ReadMode, in database: Database
    ) throws -> String? {
        if mode == .delta, counts.unmatched > 0 { return nil }
        guard try isOvertaken(in: database) else { return new }
        guard mode == .delta else { return nil }
        return try DownloadBookkeeping(database).state(of: source, identity: identity).deltaLink
    }

    /// All rows tell which links are known, and where there are none nothing is left unknown. A delta tells of the rows that
    /// changed alone.
    private func noteLinks(_ mode: ReadMode, in database: Database) throws {
        guard mode != .delta else { return }
        let traces = traces
        try links.note(met: traces.hasRows ? traces.met : .max, in: database)
        guard traces.hasRows else { return }
        try links.noteContained(met: traces.met | traces.continued, traces.below, in: database)
    }

    /// Forgets what is staged and where the read would go on, because it starts again.
    ///
    /// - Parameter broken: the kept link that has led to this.
    package func restart(behind broken: String? = nil) throws {
        (seen, bytesKnown) = (nil, 0)
        (rests, followed, current, deltaLink) = ([], [], nil, nil)
        (met, continued, below, earlier) = (0, 0, .none, nil)
        guard persists else { return }
        try context.write { database in
            try self.staged.removeAll(database)
            try DownloadBookkeeping(database).beginAnew(self.source)
            if let broken {
                try DownloadBookkeeping(database).note(brokenLink: broken, of: self.source)
            }
        }
    }

    private func keep(
        _ next: String, _ mode: ReadMode, rows: Int, _ page: ReadTraces = ReadTraces(),
        in database: Database
    ) throws {
        try (traces | page).keep(of: source, in: database)
        let point = ResumePoint(
            mode: mode, nextLink: next,
            stagedPages: mode == .first ? 0 : (staged.pages.last?.number ?? -1) + 1,
            deltaLink: deltaLink)
        try DownloadBookkeeping(database).keep(
            point, of: source, identity: identity, seen: seen, rows: rows,
            beginning: isOvertaken(in: database) ? DownloadBookkeeping.overtaken : beginning)
    }

    func add(_ open: OpenNavigation, _ mode: RowIngest.Mode) {
        noteContinued(open.path)
        if followed.insert(open.nextLink).inserted { rests.append(.direct(open, mode)) }
    }

    func add(_ open: OpenLink) {
        noteContinued(open.path)
        if followed.insert(open.link).inserted { rests.append(.staged(open)) }
    }

    private func noteContinued(_ path: [Int]) {
        if let index = path.first { continued |= 1 << UInt64(index & 63) }
        if path.count > 1 { below.met |= NestedTraces.bit(plan.number(at: path)) }
    }

    private func skip(_ page: any ByteSource) throws -> PageControl {
        if isSingle {
            _ = try Self.parts(of: page)
            return PageControl()
        }
        var finder = OpenLinkFinder(plan)
        var rows = RowPage(source: page)
        while try !reader.read(&rows, into: &finder) {}
        counts.received += finder.rows
        return rows.control
    }

    private func takeEntity(_ page: any ByteSource) throws -> PageControl {
        let parts = try Self.parts(of: page)
        guard !parts.isEmpty else {
            throw ODataError(
                .malformedText, "Expected an entity, found an empty answer.",
                at: .path(source.url))
        }
        var found: [OpenNavigation] = []
        try context.write { database in
            try self.giveUpOlderPages(in: database)
            var ingest = try RowIngest(
                self.plan, mapping: self.context.mapping, database: database, mode: .merge,
                handler: self.context.handler)
            try self.reader.readEntity(from: ByteParts(parts), into: &ingest)
            found = ingest.takeOpenNavigations()
            self.met |= ingest.metExpansions
            self.below = self.below | ingest.traces()
            try ingest.finish()
            self.counts += ingest.counts
        }
        for navigation in found { add(navigation, .merge) }
        return PageControl()
    }

    static func parts(of source: any ByteSource) throws -> [[UInt8]] {
        var parts: [[UInt8]] = []
        while true {
            let part = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = try source.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            guard !part.isEmpty else { return parts }
            parts.append(part)
        }
    }
}
