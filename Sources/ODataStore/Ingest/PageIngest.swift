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

    package init(
        _ plan: IngestPlan, mapping: SchemaMapping,
        handler: any ShadowedRowHandler = NoShadowedRows(), limits: Limits = Limits(),
        uptime: @escaping () -> Duration
    ) {
        self.plan = plan
        self.mapping = mapping
        self.handler = handler
        self.limits = limits
        self.uptime = uptime
    }

    /// Writes all rows of the page.
    ///
    /// - Parameters:
    ///   - write: Runs its argument in one write transaction, as `DatabaseWriter.write` does.
    ///   - commit: Called at the end of each transaction with what it did and, after the page's last row, the page's
    ///     control information: the place to store the resume point.
    /// - Returns: The counts of all transactions, and what the page says beside its rows.
    package func store(
        _ page: inout RowPage, with reader: inout RowReader,
        mode: RowIngest.Mode = .first,
        write: ((Database) throws -> Void) throws -> Void,
        commit: @escaping (Database, IngestCounts, PageControl?) throws -> Void
    ) throws -> (counts: IngestCounts, control: PageControl) {
        var total = IngestCounts()
        var isComplete = false
        while !isComplete {
            try write { database in
                let start = uptime()
                var ingest = try RowIngest(
                    plan, mapping: mapping, database: database, mode: mode, handler: handler,
                    rowLimit: limits.rows, isTimeUp: { uptime() - start > limits.duration })
                isComplete = try reader.read(&page, into: &ingest)
                try ingest.finish()
                total += ingest.counts
                try commit(database, ingest.counts, isComplete ? page.control : nil)
            }
        }
        return (total, page.control)
    }
}

extension IngestCounts {
    package static func += (left: inout IngestCounts, right: IngestCounts) {
        left.received += right.received
        left.written += right.written
        left.removed += right.removed
        left.shadowed += right.shadowed
    }
}

extension TableMapping {
    /// Makes the indexes that a first load does without; those that are there already stay.
    package func createDeferredIndexes(_ database: Database) throws {
        for statement in createLinkIndexes {
            let safe = statement.replacing(
                "CREATE INDEX ", with: "CREATE INDEX IF NOT EXISTS ", maxReplacements: 1)
            try database.execute(sql: safe)
        }
    }
}
