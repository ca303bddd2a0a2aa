import ODataModel
import ODataQuery
import ODataText

/// Steps that keep some of the rows by their order (Data Aggregation 4.0, section 3.3), in each part by itself.
extension ApplyCompiler {
    private static let rowName = "_odata_row"
    private static let numberName = "_odata_number"
    private static let valueName = "_odata_value"
    private static let beforeName = "_odata_before"
    private static let totalName = "_odata_total"
    private static let mostName = "_odata_most"

    private mutating func orderText(_ items: [OrderItem]) throws -> SQLText {
        try target.expressions.order(
            items, table: target.table, alias: target.alias, keyed: derived == nil)
    }

    mutating func page(top: Int?, skip: Int?) throws {
        let text = try orderText(order)
        if let part = partitions.last { return try page(top: top, skip: skip, of: part, by: text) }
        let limit = dialect.limit(top: top, skip: skip)
        let ordered: SQLText = text.isEmpty ? "" : " ORDER BY \(text)"
        if let row = rowIdentity {
            let body: SQLText =
                "SELECT \(row.joined(", "))\(target.fromClause)\(target.whereClause)\(ordered)\(limit)"
            target.conditions = base + ["\(Self.tuple(row)) IN (\(body))"]
            return
        }
        let kept = order
        try materialise(suffix: ordered + limit)
        order = kept
    }

    private static func tuple(_ values: [SQLText]) -> SQLText {
        values.count == 1 ? values[0] : "(\(values.joined(", ")))"
    }

    /// Skips and takes in each part by itself.
    private mutating func page(
        top: Int?, skip: Int?, of part: RowPartition, by order: SQLText
    ) throws {
        let ordered: SQLText = order.isEmpty ? "1" : order
        let window: SQLText = "row_number() OVER (PARTITION BY \(part.sql) ORDER BY \(ordered))"
        let number: SQLText = "\(name: Self.numberName)"
        var range: SQLText = "\(number) > \(argument: .integer(Int64(skip ?? 0)))"
        if let top {
            let last = Int64(skip ?? 0).addingReportingOverflow(Int64(top))
            if !last.overflow {
                range.append(" AND \(number) <= \(argument: .integer(last.partialValue))")
            }
        }
        if let row = rowIdentity {
            let inner: SQLText =
                "SELECT \(Self.named(row, of: part)), \(window) AS \(number)\(target.fromClause)"
                + "\(target.whereClause)"
            return keep(row, of: part, "(\(inner)) AS \(name: "n") WHERE \(range)")
        }
        let kept = self.order
        let columns = self.current()
        let items = partitionItems + columns.flatMap { $0.0.items($0.1) }
        let inner: SQLText =
            "SELECT \(items.joined(", ")), \(window) AS \(number)\(target.fromClause)"
            + "\(target.whereClause)"
        try derive(columns.map(\.0), "SELECT * FROM (\(inner)) AS \(name: "n") WHERE \(range)")
        self.order = kept
    }

    /// The part and what tells rows apart, as columns.
    private static func named(_ row: [SQLText], of part: RowPartition?) -> SQLText {
        let rows = row.enumerated().map { position, sql -> SQLText in
            "\(sql) AS \(name: "\(rowName)\(position)")"
        }
        return ((part.map { ["\($0.sql) AS \(name: $0.name)"] } ?? []) + rows).joined(", ")
    }

    /// Keeps the entities that stand in a subselect.
    private mutating func keep(_ row: [SQLText], of part: RowPartition?, _ from: SQLText) {
        let values = (part.map { [$0.sql] } ?? []) + row
        let names = row.indices.map { "\(name: "\(Self.rowName)\($0)")" as SQLText }
        let columns = (part.map { ["\(name: $0.name)" as SQLText] } ?? []) + names
        target.conditions =
            base + [
                "\(Self.tuple(values)) IN (SELECT \(columns.joined(", ")) FROM \(from))"
            ]
    }

    /// `topcount` and its like: by number, or as many as make up a sum.
    mutating func rank(
        _ method: RankedMethod, _ amount: Expression, _ value: Expression
    ) throws {
        if method.measure == .count {
            guard let count = constant(amount), count >= 0 else {
                throw ExpressionCompiler.notImplemented("a count that is no literal")
            }
            order = [OrderItem(value, isDescending: method.isTop)]
            try page(top: Int(clamping: count), skip: nil)
            order = []
            return
        }
        let term = try target.expressions.rendered(target.expressions.compile(value))
        let number = try target.expressions.number(term)
        let limit = try target.expressions.number(target.expressions.compile(amount)).real(dialect)
        // Sums of scaled decimals and integers are exact as integers, while they cannot overflow.
        var (x, unit): (SQLText, Int64) = (number.real(dialect), 1)
        if case .exact(let scale, let digits) = number.form, digits <= 12, scale <= 12 {
            (x, unit) = (number.sql, SQLNumber.power(scale))
        }
        let part = partitions.last
        let columns = current()
        let row = rowIdentity
        var items: SQLText
        if let row {
            items = Self.named(row, of: part)
        } else {
            let ordered = try orderText(order)
            let number: SQLText =
                "row_number() OVER (ORDER BY \(ordered.isEmpty ? "1" : ordered)) AS "
                + "\(name: Self.rowName + "0")"
            items = (partitionItems + columns.flatMap { $0.0.items($0.1) } + [number]).joined(", ")
        }
        items.append(", \(x) AS \(name: Self.valueName)")
        let marks = marks(
            items, rows: row?.count ?? 1, direction: method.isTop ? " DESC" : "", part)
        let most: SQLText = "\(name: Self.mostName)"
        let wanted: SQLText =
            method.measure == .sum
            ? "\(most) < \(limit) * \(number: unit)"
            : "\(most) * 100 < \(name: Self.totalName) * \(limit)"
        let from: SQLText = "(\(marks)) AS \(name: "m") WHERE \(wanted)"
        order = []
        guard let row else { return try derive(columns.map(\.0), "SELECT * FROM \(from)") }
        keep(row, of: part, from)
    }

    /// The rows with the most that was taken before them, and the total.
    private func marks(
        _ items: SQLText, rows: Int, direction: String, _ part: RowPartition?
    ) -> SQLText {
        let numbers: SQLText = "SELECT \(items)\(target.fromClause)\(target.whereClause)"
        let group: SQLText = part.map { "PARTITION BY \(name: $0.name) " } ?? ""
        let keys = (0..<rows).map { "\(name: "\(Self.rowName)\($0)")" as SQLText }.joined(", ")
        let value: SQLText = "\(name: Self.valueName)"
        // Rows are taken until what was taken reaches the amount: a later number below zero brings none back.
        let order: SQLText =
            "OVER (\(group)ORDER BY \(value)\(raw: direction), \(keys) ROWS UNBOUNDED PRECEDING)"
        let sums: SQLText =
            "SELECT *, sum(\(value)) \(order) - \(value) AS \(name: Self.beforeName), "
            + "sum(\(value)) OVER (\(group)) AS \(name: Self.totalName) FROM (\(numbers)) AS "
            + "\(name: "n") WHERE \(value) IS NOT NULL"
        return "SELECT *, max(\(name: Self.beforeName)) \(order) AS \(name: Self.mostName) "
            + "FROM (\(sums)) AS \(name: "s")"
    }

    /// A whole number that is written as such, or given as a parameter.
    private func constant(_ amount: Expression) -> Int64? {
        switch amount {
        case .literal(.integer(let value), _): value
        case .literal(.decimal(let value), _): value.int64Value
        case .alias(let name):
            target.expressions.aliases[name].flatMap { value in
                if case .alias = value { nil } else { constant(value) }
            }
        default: nil
        }
    }
}
