import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// A compiled query with the layouts of its rows; used again for the same query.
package final class PreparedQuery: Sendable {
    package let plan: QueryPlan
    let layout: RowLayout
    let expands: [PreparedExpand]

    package init(_ plan: QueryPlan, mapping: SchemaMapping) {
        self.plan = plan
        layout = RowLayout(shape: plan.shape, mapping: mapping)
        expands = plan.expands.map { PreparedExpand($0, mapping: mapping) }
    }

    /// The same with other values at some positions of the row statement's arguments.
    func bound(_ values: [(position: Int, value: SQLArgument)]) -> PreparedQuery {
        var plan = plan
        for (position, value) in values { plan.statement?.arguments[position] = value }
        return PreparedQuery(plan, layout, expands)
    }

    private init(_ plan: QueryPlan, _ layout: RowLayout, _ expands: [PreparedExpand]) {
        self.plan = plan
        self.layout = layout
        self.expands = expands
    }
}

/// One level of expanded rows with its layout.
struct PreparedExpand: Sendable {
    let plan: ExpandPlan
    let layout: RowLayout
    let children: [PreparedExpand]

    init(_ plan: ExpandPlan, mapping: SchemaMapping) {
        self.plan = plan
        layout = RowLayout(shape: plan.shape, mapping: mapping)
        children = plan.children.map { PreparedExpand($0, mapping: mapping) }
    }
}

/// Runs queries on a connection: one statement for the rows, and one for each expanded navigation property and level
/// of every ``rowsPerChunk`` parent rows.
package struct QueryReader: Sendable {
    package let mapping: SchemaMapping
    package let compiler: QueryCompiler

    package init(mapping: SchemaMapping, options: CompilerOptions = CompilerOptions()) {
        self.mapping = mapping
        compiler = QueryCompiler(mapping: mapping, options: options)
    }

    /// Compiles a query that is to run more than once.
    package func prepare(_ query: Query) throws -> PreparedQuery {
        PreparedQuery(try compiler.compile(query), mapping: mapping)
    }

    /// Compiles and runs a query.
    package func run(_ query: Query, in database: Database) throws -> RowPage {
        try run(try prepare(query), in: database)
    }

    /// Runs a compiled query; nothing of it is open when this returns.
    package func run(_ query: PreparedQuery, in database: Database) throws -> RowPage {
        var count: Int64?
        if let statement = query.plan.countStatement {
            let raw = try RawStatement(statement, in: database)
            var packed = PackedRows(columnCount: 1)
            if try raw.step() { packed.append(raw.handle) }
            count = packed.rowCount > 0 ? packed.integer(0, 0) : 0
        }
        guard let statement = query.plan.statement else {
            return RowPage(query: query, chunks: [], count: count)
        }
        let parts = try packedRows(
            statement, columns: query.plan.shape.count, limit: Self.rowsPerChunk, in: database)
        let chunks = try parts.map {
            try chunk($0, query.layout, query.expands, in: database)
        }
        return RowPage(query: query, chunks: chunks, count: count)
    }

    private func packedRows(
        _ statement: SQLStatement, columns: Int, limit: Int, in database: Database
    ) throws -> [PackedRows] {
        let raw = try RawStatement(statement, in: database)
        var parts: [PackedRows] = []
        var current = PackedRows(columnCount: columns)
        while try raw.step() {
            if current.rowCount == limit {
                parts.append(current)
                current = PackedRows(columnCount: columns)
                current.reserve(rows: limit)
            }
            current.append(raw.handle)
        }
        if current.rowCount > 0 { parts.append(current) }
        return parts
    }

    private func chunk(
        _ rows: PackedRows, _ layout: RowLayout, _ expands: [PreparedExpand],
        in database: Database
    ) throws -> SQLiteRowChunk {
        guard !expands.isEmpty, rows.rowCount > 0 else {
            return SQLiteRowChunk(rows: rows, layout: layout, expanded: [])
        }
        let identities = try ParentRows.json(rows, layout)
        let expanded = try expands.map {
            try expand($0, parents: rows.rowCount, identities, in: database)
        }
        return SQLiteRowChunk(rows: rows, layout: layout, expanded: expanded)
    }

    private func expand(
        _ expand: PreparedExpand, parents: Int, _ identities: String, in database: Database
    ) throws -> SQLiteRowChunk.Expanded {
        var counts: [Int64] = []
        if let statement = expand.plan.countStatement {
            counts = Array(repeating: 0, count: parents)
            let found = try packedRows(
                statement.bound(parentRows: identities), columns: 2, limit: .max, in: database)
            for part in found {
                for row in 0..<part.rowCount {
                    guard let parent = part.integer(row, 0).map(Int.init),
                        counts.indices.contains(parent)
                    else { continue }
                    counts[parent] = part.integer(row, 1) ?? 0
                }
            }
        }
        guard let statement = expand.plan.statement else {
            return SQLiteRowChunk.Expanded(
                plan: expand.plan, rows: nil, ranges: [], counts: counts)
        }
        let columns = expand.plan.shape.count
        let rows =
            try packedRows(
                statement.bound(parentRows: identities), columns: columns, limit: .max,
                in: database
            ).first ?? PackedRows(columnCount: columns)
        return SQLiteRowChunk.Expanded(
            plan: expand.plan, rows: try chunk(rows, expand.layout, expand.children, in: database),
            ranges: try ParentRows.ranges(
                rows, column: expand.plan.shape.parentRow, parents: parents),
            counts: counts)
    }

    package static let rowsPerChunk = 1_024
}

/// Parent rows on their way into an expand and back.
enum ParentRows {
    /// The identities as a JSON array: internal ids, or arrays of key values.
    static func json(_ rows: PackedRows, _ layout: RowLayout) throws -> String {
        var writer = JSONWriter(reservingBytes: rows.rowCount * 8)
        writer.beginArray()
        if let id = layout.shape.id {
            for row in 0..<rows.rowCount { writer.integer(rows.integer(row, id) ?? 0) }
        } else {
            guard let keys = layout.shape.keyColumns(of: layout.table) else {
                throw ODataError(
                    .notImplemented, "Expected a table with a key to expand from.",
                    at: .path(layout.table.path), status: 501)
            }
            for row in 0..<rows.rowCount {
                writer.beginArray()
                for key in keys { write(rows.argument(row, key.index), to: &writer) }
                writer.endArray()
            }
        }
        writer.endArray()
        return writer.text
    }

    private static func write(_ value: SQLArgument, to writer: inout JSONWriter) {
        switch value {
        case .integer(let value): writer.integer(value)
        case .real(let value) where value.isFinite: writer.number("\(value)")
        case .text(let text): writer.string(text)
        default: writer.null()
        }
    }

    /// The child rows of each parent; children come in the order of their parents.
    static func ranges(
        _ rows: PackedRows, column: Int?, parents: Int
    ) throws -> [Range<Int>] {
        var ranges = Array(repeating: 0..<0, count: parents)
        guard let column else { return ranges }
        var start = 0
        while start < rows.rowCount {
            let parent = rows.integer(start, column)
            var end = start + 1
            while end < rows.rowCount, rows.integer(end, column) == parent { end += 1 }
            if let parent, ranges.indices.contains(Int(parent)) {
                ranges[Int(parent)] = start..<end
            }
            start = end
        }
        return ranges
    }
}
