import GRDB
import ODataSQL
import ODataText
import ODataWire

/// Brings a page into a table in several short transactions, each of which also stores how far it came.
///
/// Between two of them others may write, and a kill leaves a row wholly in or wholly out; repeating the page writes
/// nothing twice. This is how a first load works, where half of the data is allowed to be visible.
package struct PageIngest {
    /// The bounds of one transaction.
    package struct Limits: Sendable, Hashable {
        package var rows: Int
        package var duration: Duration

        package init(rows: Int = 2_000, duration: Duration = .milliseconds(20)) {
            self.rows = rows
            self.duration = duration
        }
    }

    let plan: IngestPlan
    let mapping: SchemaMapping
    let handler: any ShadowedRowHandler
    let limits: Limits
    /// A steady clock: `World.uptime()`.
    let uptime: () -> Duration
    let batching: StatementBatching?

    package init(
        _ plan: IngestPlan, mapping: SchemaMapping,
        handler: any ShadowedRowHandler = NoShadowedRows(), limits: Limits = Limits(),
        batching: StatementBatching? = nil, uptime: @escaping () -> Duration
    ) {
        self.plan = plan
        self.mapping = mapping
        self.handler = handler
        self.limits = limits
        self.uptime = uptime
        self.batching = batching
    }

    /// What became of a page.
    package struct Result {
        /// The counts of all transactions.
        package var counts = IngestCounts()
        /// What the page says beside its rows.
        package var control = PageControl()
        /// Expanded collections that go on elsewhere.
        package var open: [OpenNavigation] = []
        /// The expansions that rows say something about.
        package var met: UInt64 = 0
    }

    /// Writes all rows of the page.
    ///
    /// - Parameters:
    ///   - source: What the page is read from, where that may wait for a network: no transaction is open meanwhile,
    ///     unless a single row is larger than what is buffered.
    ///   - write: Runs its argument in one write transaction, as `DatabaseWriter.write` does.
    ///   - commit: Called at the end of each transaction with what it did and, after the page's last row, the page's
    ///     control information: the place to store the resume point. Not while collections are open: repeating the
    ///     page is what leads to them again.
    package func store(
        _ page: inout RowPage, from source: (any PacedSource)? = nil, with reader: inout RowReader,
        mode: RowIngest.Mode = .first,
        write: ((Database) throws -> Void) throws -> Void,
        commit: @escaping (Database, IngestCounts, PageControl?) throws -> Void
    ) throws -> Result {
        var result = Result()
        var isComplete = false
        while !isComplete {
            source?.waitUntilBuffered()
            try write { database in
                let start = uptime()
                var ingest = try RowIngest(
                    plan, mapping: mapping, database: database, mode: mode, handler: handler,
                    rowLimit: limits.rows, batching: batching,
                    isTimeUp: {
                        uptime() - start > limits.duration || source?.isRunningDry == true
                    })
                isComplete = try reader.read(&page, into: &ingest)
                try ingest.finish()
                result.counts += ingest.counts
                result.open += ingest.takeOpenNavigations()
                result.met |= ingest.metExpansions
                let control = isComplete && result.open.isEmpty ? page.control : nil
                try commit(database, ingest.counts, control)
            }
        }
        result.control = page.control
        return result
    }
}

extension IngestCounts {
    package static func += (left: inout IngestCounts, right: IngestCounts) {
        left.received += right.received
        left.written += right.written
        left.removed += right.removed
        left.shadowed += right.shadowed
        left.unmatched += right.unmatched
    }
}

extension IngestPlan {
    /// The tables that rows go into, those of expansions included; one may stand here more than once.
    var tables: [TableMapping] { [table] + expansions.flatMap(\.plan.tables) }
}

extension TableMapping {
    /// Makes the indexes that a first load does without; those that are there already stay.
    package func createDeferredIndexes(_ database: Database) throws {
        for statement in try DeferredIndexes(table: self, database: database).statements() {
            try database.execute(sql: statement)
        }
    }
}
