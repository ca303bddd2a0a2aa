import GRDB
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import Synchronization

/// A query whose result is kept up to date: committed writes wake it, and the next step says what changed.
///
/// What happened in between is joined, so that a slow reader makes nothing wait and nothing grow.
package final class LiveQuery: Sendable {
    /// The first result, or the difference to the one before.
    package enum Step: Sendable {
        case first([LiveRow])
        case difference(LiveDifference)
    }

    /// The compiled forms of the query, and the tables that they read.
    private struct Compiled: Sendable {
        let source: ObjectIdentifier
        let reader: QueryReader
        let plan: PreparedQuery
        /// The same for some rows only; nil where a row's place depends on others.
        let touched: PreparedQuery?
        let tables: Set<String>
    }

    private struct Result: Sendable {
        var compiled: Compiled?
        var rows: LiveRows?
    }

    private let store: LocalStore
    private let check: @Sendable () throws -> Query
    private let wake: @Sendable () -> Void
    private let pending = Mutex(CommittedRows())
    /// Held while the query runs; never while anything of the app's is called.
    private let result = Mutex(Result())
    private let number: Mutex<Int?> = Mutex(nil)

    /// - Parameters:
    ///   - check: Gives the query, checked against the metadata of the moment.
    ///   - wake: Called after a commit that may have changed the result, on the writer's thread and outside of its
    ///     transaction; must return at once.
    package init(
        store: LocalStore, check: @escaping @Sendable () throws -> Query,
        wake: @escaping @Sendable () -> Void
    ) throws {
        self.store = store
        self.check = check
        self.wake = wake
        let compiled = try compile()
        result.withLock { $0.compiled = compiled }
        let number = try store.live.add(self, to: store)
        self.number.withLock { $0 = number }
    }

    /// The names of the tables that decide about the result.
    package var tables: Set<String> { result.withLock { $0.compiled?.tables ?? [] } }

    /// Ends the observation.
    package func cancel() {
        guard
            let number = self.number.withLock({ number -> Int? in
                defer { number = nil }
                return number
            })
        else { return }
        store.live.remove(number, from: store)
    }

    func note(_ touched: CommittedRows) {
        let tables = result.withLockIfAvailable { $0.compiled?.tables }
        // While the query runs its tables are not asked for: one step too many does no harm.
        let mine = (tables ?? nil).map { touched.filtered($0) } ?? touched
        guard !mine.isEmpty else { return }
        pending.withLock { $0.formUnion(mine) }
        wake()
    }

    /// What changed since the last step; nil when nothing did. Blocks for a read.
    package func next() throws -> Step? {
        try result.withLock { result in
            let touched = pending.withLock { pending in
                defer { pending = CommittedRows() }
                return pending
            }
            let queries = try store.queries()
            if result.compiled?.source != ObjectIdentifier(queries) {
                result.compiled = try compile()
            } else if result.rows != nil, touched.isEmpty {
                return nil
            }
            guard let compiled = result.compiled else { return nil }
            guard var rows = result.rows else {
                let first = try all(compiled)
                result.rows = first
                return .first(first.rows)
            }
            let difference: LiveDifference
            if let plan = compiled.touched, let table = compiled.tables.first,
                case .rows(let ids)? = touched.filtered(compiled.tables).tables[table]
            {
                let found = try some(compiled, plan, ids)
                // Held once only, so that the rows are changed where they are.
                result.rows = nil
                difference = rows.replace(ids, with: found)
                result.rows = rows
            } else {
                guard !touched.filtered(compiled.tables).isEmpty else { return nil }
                let new = try all(compiled)
                difference = rows.difference(to: new)
                result.rows = new
            }
            return difference.isEmpty ? nil : .difference(difference)
        }
    }

    // MARK: Running

    private func all(_ compiled: Compiled) throws -> LiveRows {
        let page = try store.leavingOutUnknown(
            try store.read { try compiled.reader.run(compiled.plan, in: $0) },
            compiled.reader.mapping)
        return LiveRows(Self.rows(page), isDescending: compiled.plan.plan.shape.order)
    }

    private func some(
        _ compiled: Compiled, _ plan: PreparedQuery, _ ids: Set<Int64>
    ) throws -> [LiveRow] {
        var bound = plan.plan
        let json = "[\(ids.map { "\($0)" }.joined(separator: ","))]"
        if let statement = bound.statement {
            bound.statement?.arguments = statement.arguments(parentRows: json)
        }
        let query = PreparedQuery(bound, mapping: compiled.reader.mapping)
        return Self.rows(try store.read { try compiled.reader.run(query, in: $0) })
    }

    private static func rows(_ page: ODataSQLite.ResultPage) -> [LiveRow] {
        var rows: [LiveRow] = []
        rows.reserveCapacity(page.rowCount)
        for chunk in page.chunks {
            for row in 0..<chunk.count {
                guard let id = chunk.localID(row: row) else { continue }
                rows.append(
                    LiveRow(
                        id: id, keys: chunk.orderKeys(row: row),
                        fingerprint: chunk.fingerprint(row: row), chunk: chunk, row: row))
            }
        }
        return rows
    }

    // MARK: Compiling

    private func compile() throws -> Compiled {
        let queries = try store.queries()
        let query = try check()
        var options = queries.reader.compiler.options
        options.exposesOrder = true
        let mapping = queries.reader.mapping
        let reader = QueryReader(mapping: mapping, options: options)
        let plan = try reader.prepare(query)
        guard plan.plan.result == .entities, !plan.plan.isDerived else {
            throw ODataError(
                .notImplemented, "Expected a query for entities to observe, found another.",
                at: plan.plan.tables.first.map { .path($0) }, status: 501)
        }
        return Compiled(
            source: ObjectIdentifier(queries), reader: reader, plan: plan,
            touched: try touched(query, plan.plan, reader), tables: Set(plan.plan.tables))
    }

    /// The query for some rows of its only table; nil where others decide about them, be they of the same table.
    private func touched(
        _ query: Query, _ plan: QueryPlan, _ reader: QueryReader
    ) throws -> PreparedQuery? {
        guard plan.tables.count == 1, plan.expands.isEmpty, plan.countStatement == nil,
            query.top == nil, query.skip == nil
        else { return nil }
        var options = reader.compiler.options
        options.visibility = { table, alias in
            table.system.id.map { id in
                "\(name: alias).\(name: id) IN (SELECT value FROM json_each("
                    + "\(SQLText(argument: .parentRows))))"
            }
        }
        return try QueryReader(mapping: reader.mapping, options: options).prepare(query)
    }
}
