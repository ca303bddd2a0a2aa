import ODataModel
import ODataSQL

/// Copies the rows of a local store's tables to PostgreSQL, in the encodings of its columns.
package struct TableCopy {
    package let source: SchemaMapping
    package let target: SchemaMapping

    package init(from source: SchemaMapping, to target: SchemaMapping) {
        (self.source, self.target) = (source, target)
    }

    /// The statements that write what `rows` reads.
    package func statements(
        rows: (SQLStatement) throws -> [[SQLArgument]]
    ) throws -> [SQLStatement] {
        var statements: [SQLStatement] = []
        for (from, to) in zip(source.tables, target.tables) {
            let system = [
                from.system.id, from.system.etag, from.system.sources, from.system.state,
                from.system.type, from.system.parent, from.system.control, from.system.dynamic,
            ].compactMap { $0 }
            var read = system
            for column in from.columns {
                read += [column.name] + [column.offsetColumn].compactMap { $0 }
            }
            for values in try rows(Self.select(read, from.name)) {
                var (names, items) = (
                    system, values.prefix(system.count).map { SQLText(argument: $0) }
                )
                var next = system.count
                for column in to.columns {
                    names.append(column.name)
                    items.append(
                        try SQLDialect.postgreSQL.written(values[next], as: column.encoding))
                    next += 1
                    guard let offset = column.offsetColumn else { continue }
                    names.append(offset)
                    items.append(SQLText(argument: values[next]))
                    next += 1
                }
                statements.append(Self.insert(names, items, to.name))
            }
        }
        for (from, to) in zip(source.linkTables, target.linkTables) {
            for values in try rows(Self.select(["source", "target"], from.name)) {
                statements.append(
                    Self.insert(
                        ["source", "target"], values.map { SQLText(argument: $0) }, to.name))
            }
        }
        return statements
    }

    private static func select(_ names: [String], _ table: String) -> SQLStatement {
        let columns = names.map { "\(name: $0)" as SQLText }.joined(", ")
        return ("SELECT \(columns) FROM \(name: table)" as SQLText).statement(.sqlite)
    }

    /// An INSERT of one row.
    package static func insert(
        _ names: [String], _ items: [SQLText], _ table: String
    ) -> SQLStatement {
        let columns = names.map { "\(name: $0)" as SQLText }.joined(", ")
        let sql: SQLText =
            "INSERT INTO \(name: table) (\(columns)) VALUES (\(items.joined(", ")))"
        return sql.statement(.postgreSQL)
    }
}
