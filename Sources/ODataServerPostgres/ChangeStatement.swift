import ODataSQL
import ODataServer
import ODataText

/// Writes the statements that change rows of one table.
struct ChangeStatement {
    private let table: ChangedTable
    private var arguments: [SQLArgument] = []

    private init(_ table: ChangedTable) { self.table = table }

    /// - Throws: `storage` for columns that the table does not have, and for a change of every row.
    static func make(_ change: RowChange, of table: ChangedTable) throws -> SQLStatement {
        var writer = ChangeStatement(table)
        let text = try writer.text(change)
        return SQLStatement(text: text, arguments: writer.arguments)
    }

    private mutating func text(_ change: RowChange) throws -> String {
        let returned = try change.returning.enumerated().map { position, name in
            "\(try column(name).form) AS c\(position + 1)"
        }.joined(separator: ", ")
        let returning = returned.isEmpty ? "" : " RETURNING \(returned)"
        switch change.kind {
        case .insert: return try insert(change) + returning
        case .update:
            let list = try change.values.map { value in
                "\(SQLName.quoted(value.column)) = \(try self.value(value))"
            }.joined(separator: ", ")
            return "UPDATE \(table.qualifiedName) SET \(list)\(try condition(change))\(returning)"
        case .delete:
            return "DELETE FROM \(table.qualifiedName)\(try condition(change))\(returning)"
        case .lock:
            // Rows of others may go on to refer to these.
            return "SELECT \(returned.isEmpty ? "1" : returned) FROM \(table.qualifiedName)"
                + "\(try condition(change)) FOR NO KEY UPDATE"
        }
    }

    private mutating func insert(_ change: RowChange) throws -> String {
        guard !change.values.isEmpty else {
            return "INSERT INTO \(table.qualifiedName) DEFAULT VALUES"
        }
        let names = change.values.map { SQLName.quoted($0.column) }.joined(separator: ", ")
        let values = try change.values.map { try value($0) }.joined(separator: ", ")
        return "INSERT INTO \(table.qualifiedName) (\(names)) VALUES (\(values))"
    }

    private mutating func condition(_ change: RowChange) throws -> String {
        guard !change.conditions.isEmpty else {
            throw ODataError(.storage, "Expected a change of some rows, not of all.")
        }
        let list = try change.conditions.map { condition in
            "\(SQLName.quoted(condition.column)) = \(try value(condition))"
        }
        return " WHERE " + list.joined(separator: " AND ")
    }

    private mutating func value(_ value: RowChange.Value) throws -> String {
        guard let given = value.value else { return "DEFAULT" }
        let type = try column(value.column).native
        arguments.append(type.argument(given))
        return type.cast("$\(arguments.count)")
    }

    private func column(_ name: String) throws -> ChangedTable.Column {
        guard let column = table.columns[name] else {
            throw ODataError(.storage, "Expected a column that the table had at the start.")
        }
        return column
    }
}
