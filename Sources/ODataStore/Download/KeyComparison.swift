import GRDB
import ODataSQL
import ODataSyncPlan
import ODataText
import ODataWire

/// Compares the keys that a service gives of a source, and the entity tags that come with them, with the rows that the store
/// takes it to have. Used by one thread.
package final class KeyComparison {
    /// Rows of the service.
    package private(set) var there = 0
    /// Rows of the service that are not here.
    package private(set) var missing = 0
    /// Rows without changes of the app whose entity tag is another one here, where both sides have one.
    package private(set) var changed = 0
    private let store: LocalStore
    private let plan: IngestPlan
    private var seen = SeenRows()

    /// - Parameter plan: of the source, with its key columns at least.
    package init(_ store: LocalStore, _ plan: IngestPlan) {
        self.store = store
        self.plan = plan
    }

    /// Takes a page; what it says beside its rows is returned.
    ///
    /// A slow service keeps no reader at the store and so no log from being written back: what has come is waited for
    /// outside, and compared in reads as short as that allows.
    ///
    /// - Throws: what is wrong with the page; the comparison is of no use then.
    package func take(_ page: any ByteSource) throws -> PageControl {
        let paced = page as? any PacedSource
        var rows = RowPage(source: page)
        var reader = RowReader(shape: plan.shape)
        var isComplete = false
        while !isComplete {
            paced?.waitUntilBuffered()
            try store.reading { transaction in
                let ingest = try RowIngest(
                    plan, mapping: transaction.mapping, database: transaction.database,
                    mode: .merge, handler: QueueShadow(store))
                var sink = Sink(
                    ingest: ingest, source: paced, seen: takeSeen(),
                    tags: try plan.storedTags(transaction.database))
                isComplete = try reader.read(&rows, into: &sink)
                seen = sink.seen
                there += sink.there
                missing += sink.missing
                changed += sink.changed
            }
        }
        return rows.control
    }

    /// Moved, so that no second copy is made of it.
    private func takeSeen() -> SeenRows {
        defer { seen = SeenRows() }
        return seen
    }

    /// How many rows the store has that no page named.
    package func surplus() throws -> Int {
        try store.reading { transaction in
            let ids = try Int64.fetchAll(
                transaction.database, sql: PresentRows(plan).ids)
            return ids.count { !seen.contains($0) }
        }
    }

    private struct Sink: RowSink, ~Copyable {
        var ingest: RowIngest
        let source: (any PacedSource)?
        var seen: SeenRows
        /// The tag of a row; nil for a table that keeps none.
        let tags: BoundStatement?
        var there = 0
        var missing = 0
        var changed = 0

        /// What comes next would have to be waited for.
        var isFull: Bool { source?.isRunningDry == true }

        mutating func receive(_ row: IncomingRow) throws {
            guard case .entity = row.kind else { return }
            there += 1
            guard ingest.hasKey(row) else {
                missing += 1
                return
            }
            ingest.scratch.reset(row.raw.count)
            guard let found = try ingest.find(row), !found.state.contains(.keyOnly) else {
                missing += 1
                return
            }
            seen.insert(found.id)
            if try hasAnotherTag(row, found) { changed += 1 }
        }

        private func hasAnotherTag(_ row: IncomingRow, _ found: FoundRow) throws -> Bool {
            guard let tags, !found.isOnlyBase, !found.state.contains(.pending),
                let told = row.text(row.etag)
            else { return false }
            tags.bind(found.id, 1)
            let stored = try tags.first { columns -> String? in
                columns.isNull(0) ? nil : String(decoding: columns.bytes(0), as: UTF8.self)
            }
            guard let stored = stored ?? nil else { return false }
            return !EntityTag(stored).matches(EntityTag(told))
        }
    }
}

extension IngestPlan {
    fileprivate func storedTags(_ database: Database) throws -> BoundStatement? {
        guard keepsETags, let tag = table.system.etag, let id = table.system.id else { return nil }
        return try BoundStatement(
            database,
            sql: "SELECT \(SQLName.quoted(tag)) FROM \(SQLName.quoted(table.name))"
                + " WHERE \(SQLName.quoted(id)) = ?")
    }
}

/// The rows of a source that the store takes the service to have: what is unsent here does not count.
struct PresentRows {
    private let plan: IngestPlan

    init(_ plan: IngestPlan) { self.plan = plan }

    /// A statement for their internal ids.
    var ids: String {
        let table = plan.table
        let id = SQLName.quoted(table.system.id ?? "_odata_id")
        let base = SQLName.quoted(table.baseName)
        var own = ["\(id) NOT IN (SELECT \(id) FROM \(base))"]
        var image = ["_odata_base_kind = 0"]
        if let state = table.system.state.map({ SQLName.quoted($0) }) {
            let unsent = EntityState([.created, .pending]).rawValue
            own.append("(\(state) & \(unsent)) <> \(unsent)")
            own.append("(\(state) & \(EntityState.keyOnly.rawValue)) = 0")
            image.append("(\(state) & \(EntityState.keyOnly.rawValue)) = 0")
        }
        if let held = plan.isHeld("t"), let hold = plan.hold {
            own.append(held)
            image.append(HoldSQL(hold: hold, table: table).isHeld("b"))
        }
        return "SELECT \(id) FROM \(SQLName.quoted(table.name)) t WHERE "
            + own.joined(separator: " AND ")
            + " UNION SELECT \(id) FROM \(base) b WHERE " + image.joined(separator: " AND ")
    }
}

extension LocalStore {
    /// How many rows of a source the store takes the service to have.
    package func presentRows(_ plan: IngestPlan) throws -> Int {
        try reading { transaction in
            try Int.fetchOne(
                transaction.database, sql: "SELECT count(*) FROM (\(PresentRows(plan).ids))") ?? 0
        }
    }

    /// When sources were last compared with the service or read in full, in milliseconds, by their keys.
    package func verifiedTimes() throws -> [String: Int64] {
        try read { try StoreSettings(database: $0).verifiedTimes() }
    }

    /// Keeps that sources are right now.
    package func noteVerified(_ sources: [String], at time: Int64) throws {
        guard !sources.isEmpty else { return }
        try write(.normal) { database in
            let settings = StoreSettings(database: database)
            var times = try settings.verifiedTimes()
            for source in sources { times[source] = time }
            try settings.setVerifiedTimes(times)
        }
    }
}
