import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

extension SourceIngest {
    /// Keeps a page for later and finds out what it says beside its rows; no transaction is open while it comes.
    ///
    /// - Parameter path: the expansions that lead to its rows, for the rest of an expanded collection.
    func stage(
        _ page: any ByteSource, _ plan: IngestPlan, path: [Int], link: String? = nil
    ) throws -> PageControl {
        var finder = OpenLinkFinder(plan, path: path)
        let control: PageControl
        if path.isEmpty {
            control = try stage(page, into: &finder)
        } else {
            var reader = RowReader(shape: plan.shape)
            control = try stage(page, link: link) { while try !reader.read(&$0, into: &finder) {} }
        }
        staged.endPage(rows: finder.rows)
        for open in finder.links { add(open) }
        return control
    }

    /// Keeps a page of the query itself and brings its rows to `sink`; the caller ends the page.
    func stage<Sink: RowSink & ~Copyable>(
        _ page: any ByteSource, into sink: inout Sink
    ) throws -> PageControl {
        try stage(page, link: nil) { rows in
            while try !reader.read(&rows, into: &sink) {}
            try plan.check(rows.control)
        }
    }

    /// Keeps a page, the rows of which `read` takes to their end.
    func stage(
        _ page: any ByteSource, link: String?, _ read: (inout RowPage) throws -> Void
    ) throws -> PageControl {
        staged.beginPage(link: link)
        let copying = CopyingSource(page) { [self] part in
            staged.append(part)
            if staged.isHeavy { try context.write { try self.staged.store($0) } }
        }
        var rows = RowPage(source: copying)
        do {
            try read(&rows)
        } catch {
            // A page that did not come whole must not be found by whoever reads it again.
            try dropStagedPage()
            throw error
        }
        return rows.control
    }

    private func dropStagedPage() throws {
        guard staged.hasStoredPartsOfLastPage else {
            staged.dropLastPage()
            return
        }
        try context.write { try self.staged.dropLastPage($0) }
    }

    /// Brings the staged pages into the tables.
    func apply(_ database: Database, mode: ReadMode, isLast: Bool) throws {
        // A singleton is written as it comes, and is never seen to be gone.
        guard mode != .first, !isSingle else { return }
        // A delta without objects says nothing, unless some of it was applied before; a sweep without rows says that all are
        // gone.
        guard mode != .delta || staged.mayHaveRows || counts.received > 0 else { return }
        try giveUpOlderPages(in: database)
        let isOvertaken = try isOvertaken(in: database)
        let dropped = DroppedRows(isSweep: mode == .sweep && !isOvertaken)
        var ingest = try RowIngest(
            plan, mapping: context.mapping, database: database, mode: .merge,
            handler: context.handler, dropped: dropped, isDelta: mode == .delta,
            leavesAccepted: isOvertaken)
        if mode == .sweep {
            ingest.seen = try seen ?? DownloadBookkeeping(database).seenRows(of: source)
        }
        var rests = StagedRests(self, database, dropped, leavesAccepted: isOvertaken)
        for page in staged.pages where page.link == nil {
            if try staged.isAtom(page, in: database) {
                try applyAtom(page, database, into: &ingest)
            } else {
                var rows = RowPage(source: staged.source(of: page, in: database))
                while try !reader.read(&rows, into: &ingest) {}
            }
            try ingest.endPage()
            for open in ingest.takeOpenNavigations() { try rests.apply(open) }
        }
        if mode == .sweep, isLast { try ingest.removeUnseen() }
        try ingest.finish()
        seen = ingest.seen
        met |= ingest.metExpansions
        below = below | ingest.traces()
        counts += ingest.counts
        counts += try rests.finish()
        below = below | rests.traces
        let removals = ExpandedRemovals(
            source: context.expansions, mapping: context.mapping, database: database,
            handler: context.handler)
        counts.removed += try removals.remove(dropped)
        guard isLast, mode == .sweep || counts.received > 0 else { return }
        counts.removed += try removals.sweep()
    }

    /// Stores a page of an expanded collection's rest in short transactions.
    func takeRest(
        _ page: any ByteSource, of start: OpenNavigation, _ mode: RowIngest.Mode
    ) throws {
        guard let (expansion, table) = plan.expansion(at: start.path) else { return }
        var open = start
        var below: [OpenNavigation] = []
        var rows = RowPage(source: page)
        let paced = page as? any PacedSource
        let limits = context.limits
        var isComplete = false
        while !isComplete {
            paced?.waitUntilBuffered()
            try context.write { database in
                let begin = self.context.uptime()
                let nested = try NestedIngest(
                    expansion, of: table, mapping: self.context.mapping, database: database,
                    mode: mode, handler: self.context.handler, rowLimit: limits.rows,
                    isTimeUp: { [context = self.context] in
                        limits.isOver(
                            context.uptime() - begin, isAwaited: context.indexBuild.isAwaited)
                            || paced?.isRunningDry == true
                    })
                isComplete = try nested.takeRest(&rows, of: &open)
                below += nested.takeOpenNavigations(below: open.path)
                if isComplete, rows.control.nextLink == nil { try nested.close(open) }
                self.counts += try nested.finish()
                self.below = self.below | nested.traces(self.plan.number(at: start.path))
            }
            context.checkpoint("ingest.commit")
        }
        if let next = rows.control.nextLink {
            open.nextLink = next
            add(open, mode)
        }
        for open in below { add(open, mode) }
    }
}

/// Applies the staged rests of expanded collections, inside the transaction of the rows they belong to.
private struct StagedRests {
    private let ingest: SourceIngest
    private let database: Database
    /// The positions of staged pages by the link they were read from.
    private let pages: [String: Int]
    private var nested: [[Int]: NestedIngest] = [:]

    private let dropped: DroppedRows
    private let leavesAccepted: Bool

    init(
        _ ingest: SourceIngest, _ database: Database, _ dropped: DroppedRows,
        leavesAccepted: Bool
    ) {
        self.dropped = dropped
        self.leavesAccepted = leavesAccepted
        self.ingest = ingest
        self.database = database
        pages = Dictionary(
            ingest.staged.pages.enumerated().compactMap { index, page in
                page.link.map { ($0, index) }
            }, uniquingKeysWith: { $1 })
    }

    mutating func apply(_ first: OpenNavigation) throws {
        var waiting = [first]
        while var open = waiting.popLast() {
            guard let nested = try nested(at: open.path) else { continue }
            var followed: Set<String> = []
            var next: String? = open.nextLink
            while let link = next, let page = pages[link], followed.insert(link).inserted {
                var rows = RowPage(
                    source: ingest.staged.source(of: ingest.staged.pages[page], in: database))
                while try !nested.takeRest(&rows, of: &open) {}
                waiting += nested.takeOpenNavigations(below: open.path)
                next = rows.control.nextLink
            }
            if next == nil { try nested.close(open) }
        }
    }

    private mutating func nested(at path: [Int]) throws -> NestedIngest? {
        if let known = nested[path] { return known }
        guard let (expansion, table) = ingest.plan.expansion(at: path) else { return nil }
        let made = try NestedIngest(
            expansion, of: table, mapping: ingest.context.mapping, database: database,
            mode: .merge, handler: ingest.context.handler, dropped: dropped,
            leavesAccepted: leavesAccepted)
        nested[path] = made
        return made
    }

    /// What their rows have said.
    var traces: NestedTraces {
        nested.reduce(.none) { $0 | $1.value.traces(ingest.plan.number(at: $1.key)) }
    }

    func finish() throws -> IngestCounts {
        try nested.values.reduce(into: IngestCounts()) { $0 += try $1.finish() }
    }
}
