import GRDB
import ODataSQL

/// The short transactions that a page of a first load is stored in: gives each its ingest, and adds up what became of it.
///
/// Between two of them others may write, and a kill leaves a row wholly in or wholly out; repeating the page writes
/// nothing twice. This is how a first load works, where half of the data is allowed to be visible.
package struct PageIngest {
    /// The bounds of one transaction. Time is what keeps others waiting; rows bound what a clock that stands would not.
    package struct Limits: Sendable, Hashable {
        package var rows: Int
        package var duration: Duration
        /// The time where another waits: long enough for work that is worth a commit.
        package var whileAwaited: Duration
        /// Rows of which an index is made in about that time, so that it may be made before the end of a load.
        package var indexedRows: Int

        package init(
            rows: Int = 5_000, duration: Duration = .milliseconds(20),
            whileAwaited: Duration = .milliseconds(10), indexedRows: Int = 25_000
        ) {
            self.rows = rows
            self.duration = duration
            self.whileAwaited = whileAwaited
            self.indexedRows = indexedRows
        }

        /// Whether a transaction has taken its time.
        func isOver(_ time: Duration, isAwaited: () -> Bool) -> Bool {
            time > duration || (time > whileAwaited && isAwaited())
        }
    }

    let plan: IngestPlan
    let context: SourceIngest.Context
    /// What the page is read from, where that may wait for a network: a transaction ends before it would have to wait,
    /// unless a single row is larger than what is buffered.
    let source: (any PacedSource)?
    /// The counts of all transactions.
    private(set) var counts = IngestCounts()
    /// Expanded collections that go on elsewhere.
    private(set) var open: [OpenNavigation] = []
    /// The expansions that rows say something about.
    private(set) var met: UInt64 = 0
    /// What rows say that came through expansions.
    private(set) var below = NestedTraces.none

    init(_ plan: IngestPlan, _ context: SourceIngest.Context, from source: (any PacedSource)?) {
        self.plan = plan
        self.context = context
        self.source = source
    }

    /// The ingest of the next transaction.
    func begin(in database: Database) throws -> RowIngest {
        let (start, uptime, limits) = (context.uptime(), context.uptime, context.limits)
        return try RowIngest(
            plan, mapping: context.mapping, database: database, mode: .first,
            handler: context.handler, rowLimit: limits.rows, batching: context.batching,
            isTimeUp: { [source, index = context.indexBuild] in
                limits.isOver(uptime() - start, isAwaited: index.isAwaited)
                    || source?.isRunningDry == true
            })
    }

    /// Ends what ``begin(in:)`` began; the transaction may commit then.
    ///
    /// - Returns: how many rows it received.
    mutating func end(_ ingest: inout RowIngest) throws -> Int {
        try ingest.finish()
        counts += ingest.counts
        self.open += ingest.takeOpenNavigations()
        met |= ingest.metExpansions
        below = below | ingest.traces()
        return ingest.counts.received
    }
}

extension IngestPlan {
    /// The tables that rows go into, those of expansions included; one may stand here more than once.
    var tables: [TableMapping] { [table] + expansions.flatMap(\.plan.tables) }

    /// Those of which rows bring values. One that is named by its key alone, for a link, makes nothing older.
    var valueTables: [TableMapping] {
        [table]
            + expansions.flatMap { expansion in
                let plan = expansion.plan
                let isNamed = plan.columns.allSatisfy(plan.table.keyColumns.contains)
                return isNamed ? Array(plan.valueTables.dropFirst()) : plan.valueTables
            }
    }
}

extension TableMapping {
    /// Makes the indexes that a first load does without; those that are there already stay.
    package func createDeferredIndexes(_ database: Database) throws {
        for statement in try DeferredIndexes(table: self, database: database).statements() {
            try database.makeIndex(statement)
        }
    }
}
