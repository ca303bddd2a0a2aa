import ODataModel
import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// Brings the pages of one download query into the store: a first load directly, in short transactions that each
/// keep their resume point; deltas and sweeps staged, and applied with their last page in one transaction.
///
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

    package let source: DownloadSource
    package private(set) var counts = IngestCounts()
    private let plan: IngestPlan
    private let context: Context
    private let identity: String
    private let isSingle: Bool
    private let persists: Bool
    private var reader: RowReader
    private var staged = StagedPages()
    private var seen: SeenRows?

    /// - Parameters:
    ///   - identity: user, language and headers that the query's links belong to.
    ///   - isSingle: the answer is one entity, not a page (a singleton).
    ///   - persists: false reads pages to their end and stores nothing of them, nor how far the read came.
    package init(
        _ source: DownloadSource, plan: IngestPlan, identity: String, isSingle: Bool,
        persists: Bool = true, context: Context
    ) {
        self.source = source
        self.plan = plan
        self.identity = identity
        self.isSingle = isSingle
        self.persists = persists
        self.context = context
        reader = RowReader(shape: plan.shape)
    }

    /// Takes a page that is applied in the given mode.
    ///
    /// - Returns: what the page says beside its rows.
    /// - Throws: what is wrong with the page; of a staged page nothing has reached the tables then.
    package func take(_ page: any ByteSource, mode: ReadMode) throws -> PageControl {
        guard persists else { return try skip(page) }
        if isSingle { return try takeEntity(page) }
        guard mode == .first else { return try stage(page, mode: mode) }
        var rows = RowPage(source: page)
        let ingest = PageIngest(
            plan, mapping: context.mapping, handler: context.handler, uptime: context.uptime)
        let (counts, control) = try ingest.store(
            &rows, with: &reader, write: context.write
        ) { [source, identity] database, counts, control in
            guard let next = control?.nextLink else { return }
            try DownloadBookkeeping(database).keep(
                ResumePoint(mode: .first, nextLink: next), of: source, identity: identity,
                seen: nil, rows: counts.received)
        }
        self.counts += counts
        context.checkpoint("ingest.commit")
        return control
    }

    /// Takes a page in Atom, in which some V2 services give tombstones that their JSON lacks.
    ///
    /// - Throws: what ``take(_:mode:)`` throws.
    package func takeAtom(_ page: any ByteSource, mode: ReadMode) throws -> PageControl {
        let bytes = try Self.parts(of: page).flatMap { $0 }
        let graph = context.mapping.graph
        let feed = try AtomReader(graph).page(
            bytes, of: plan.table.structure, in: plan.table.entitySet)
        let writer = EntityJSONWriter(graph, dialect: .v4)
        let json = try writer.page(feed, of: plan.table.structure, in: plan.table.entitySet)
        return try take(ByteParts([json]), mode: mode)
    }

    /// Ends the read: applies what is staged, closes a sweep, keeps the delta link, all in one transaction.
    package func finish(mode: ReadMode, deltaLink: String?) throws {
        guard persists else { return }
        if mode == .first { context.checkpoint("index.build") }
        try context.write { database in
            try self.apply(database, mode: mode, isLast: true)
            if mode == .first { try self.plan.table.createDeferredIndexes(database) }
            try DownloadBookkeeping(database).finish(
                self.source, deltaLink: deltaLink, identity: self.identity, mode: mode,
                at: self.context.now())
        }
        context.checkpoint("ingest.commit")
        staged.removeAll()
        seen = nil
    }

    /// Forgets what is staged and where the read would go on, because it starts again.
    package func restart() throws {
        staged.removeAll()
        seen = nil
        guard persists else { return }
        try context.write { try DownloadBookkeeping($0).dropResume(of: self.source) }
    }

    private func skip(_ page: any ByteSource) throws -> PageControl {
        if isSingle {
            _ = try Self.parts(of: page)
            return PageControl()
        }
        var skip = SkippedRows()
        var rows = RowPage(source: page)
        while try !reader.read(&rows, into: &skip) {}
        counts.received += skip.count
        return rows.control
    }

    // MARK: Staging

    private func stage(_ page: any ByteSource, mode: ReadMode) throws -> PageControl {
        let parts = try Self.parts(of: page)
        var skip = SkippedRows()
        var rows = RowPage(source: ByteParts(parts))
        _ = try reader.read(&rows, into: &skip)
        let control = rows.control
        staged.append(parts)
        if staged.isFull, let next = control.nextLink {
            try context.write { database in
                try self.apply(database, mode: mode, isLast: false)
                guard mode == .sweep else { return }
                try DownloadBookkeeping(database).keep(
                    ResumePoint(mode: mode, nextLink: next), of: self.source,
                    identity: self.identity, seen: self.seen, rows: 0)
            }
            staged.removeAll()
        }
        return control
    }

    private func apply(_ database: Database, mode: ReadMode, isLast: Bool) throws {
        guard mode != .first else { return }
        var ingest = try RowIngest(
            plan, mapping: context.mapping, database: database, mode: .merge,
            handler: context.handler)
        if mode == .sweep {
            ingest.seen = try seen ?? DownloadBookkeeping(database).seenRows(of: source)
        }
        for page in staged.pages {
            var rows = RowPage(source: ByteParts(page))
            _ = try reader.read(&rows, into: &ingest)
        }
        if mode == .sweep, isLast { try ingest.removeUnseen() }
        try ingest.finish()
        seen = ingest.seen
        counts += ingest.counts
    }

    private func takeEntity(_ page: any ByteSource) throws -> PageControl {
        let parts = try Self.parts(of: page)
        guard !parts.isEmpty else { return PageControl() }
        try context.write { database in
            var ingest = try RowIngest(
                self.plan, mapping: self.context.mapping, database: database, mode: .merge,
                handler: self.context.handler)
            try self.reader.readEntity(from: ByteParts(parts), into: &ingest)
            try ingest.finish()
            self.counts += ingest.counts
        }
        return PageControl()
    }

    private static func parts(of source: any ByteSource) throws -> [[UInt8]] {
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

/// Takes no row: for reading only what a page says beside them.
private struct SkippedRows: RowSink {
    var count = 0

    mutating func receive(_ row: IncomingRow) { count += 1 }
}
