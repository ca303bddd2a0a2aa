import ODataModel

/// Quoting of names and text constants, the same in SQLite and PostgreSQL.
package enum SQLName {
    // Hot: ServerFigures
    /// The name in double quotes; for texts, which names nearly always are, without the detour of any kind of string.
    package static func quoted(_ name: String) -> String {
        var name = name
        let quote = UInt8(ascii: "\"")
        let isPlain = name.withUTF8 { !$0.contains(quote) }
        return isPlain ? "\"\(name)\"" : "\"" + doubled(name, quote) + "\""
    }

    /// The name in double quotes.
    package static func quoted(_ name: some StringProtocol) -> String {
        "\"" + doubled(name, UInt8(ascii: "\"")) + "\""
    }

    /// A text constant in single quotes, for definitions only: values are bound.
    package static func constant(_ text: some StringProtocol) -> String {
        "'" + doubled(text, UInt8(ascii: "'")) + "'"
    }

    /// Bytes, not characters: a quote stays one with an accent behind it.
    private static func doubled(_ text: some StringProtocol, _ quote: UInt8) -> String {
        guard text.utf8.contains(quote) else { return String(text) }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TableMapping {
    /// `CREATE TABLE` with every column, and nothing that slows down a first load.
    package var createTable: String { createTable(in: .sqlite) }

    package func createTable(in dialect: SQLDialect) -> String {
        let (integer, text) = (dialect.integerType, dialect.textType)
        var lines: [String] = []
        func add(_ name: String?, _ declaration: String) {
            if let name { lines.append("    \(SQLName.quoted(name)) \(declaration)") }
        }
        add(system.id, "\(integer) PRIMARY KEY")
        add(system.etag, text)
        add(system.sources, "\(integer) NOT NULL DEFAULT 0")
        add(system.state, "\(integer) NOT NULL DEFAULT 0")
        add(system.type, text)
        add(system.parent, integer)
        add(system.control, text)
        for column in columns {
            add(column.name, dialect.columnType(column.encoding))
            add(column.orderColumn, "BLOB")
            add(column.offsetColumn, integer)
        }
        add(system.dynamic, text)
        return "CREATE TABLE \(SQLName.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n)"
    }

    /// The unique index over the key; nil without a key (singletons).
    package var createKeyIndex: String? {
        guard !keyColumns.isEmpty else { return nil }
        let columns = uniqueColumns.map { SQLName.quoted($0) }.joined(separator: ", ")
        return "CREATE UNIQUE INDEX \(SQLName.quoted("_odata_key_\(name)"))"
            + " ON \(SQLName.quoted(name)) (\(columns))"
    }

    /// Indexes that links need, to be made after a first load.
    package var createLinkIndexes: [String] {
        var wanted: [[String]] = []
        for navigation in navigations {
            guard case .columns(let pairs) = navigation.storage else { continue }
            let columns = pairs.map(\.source)
            let isCovered =
                Array(uniqueColumns.prefix(columns.count)) == columns
                || columns == [system.id]
            if !isCovered, !wanted.contains(columns) { wanted.append(columns) }
        }
        return wanted.map { columns in
            let label = columns.joined(separator: "_")
            return "CREATE INDEX \(SQLName.quoted("_odata_index_\(name)_\(label)"))"
                + " ON \(SQLName.quoted(name)) "
                + "(\(columns.map { SQLName.quoted($0) }.joined(separator: ", ")))"
        }
    }
}

extension LinkTableMapping {
    /// The table, keyed by both ends, and the index for the way back.
    package var createStatements: [String] { createStatements(in: .sqlite) }

    package func createStatements(in dialect: SQLDialect) -> [String] {
        let integer = dialect.integerType
        let table = SQLName.quoted(name)
        let unique = isInverseToOne ? "UNIQUE " : ""
        let key = isToOne ? "source" : "source, target"
        return [
            "CREATE TABLE \(table) (source \(integer) NOT NULL, target \(integer) NOT NULL,"
                + " PRIMARY KEY (\(key)))\(dialect.tableOptions)",
            "CREATE \(unique)INDEX \(SQLName.quoted(name + "_target")) ON \(table)"
                + " (\(isInverseToOne ? "target" : "target, source"))",
        ]
    }
}

extension SchemaMapping {
    /// Every statement that makes the tables, key indexes, link tables, link indexes and views of a new store.
    package var ddl: [String] { tableDDL + linkIndexDDL + viewDDL }

    /// The same for a database of this dialect, with the functions that its statements need. The mapping is one of this
    /// dialect.
    package func ddl(in dialect: SQLDialect) -> [String] {
        let tables = self.tables.flatMap { table in
            [table.createTable(in: dialect), table.createKeyIndex].compactMap { $0 }
        }
        let links = linkTables.flatMap { $0.createStatements(in: dialect) }
        let views = self.tables.map { $0.createView(graph: graph, in: dialect) }
        return dialect.functionDefinitions
            + (tables + links + linkIndexDDL + views).map(dialect.withShortNames)
    }

    /// Tables, key indexes and link tables: what a first load writes to.
    package var tableDDL: [String] {
        tables.flatMap { [$0.createTable, $0.createKeyIndex].compactMap { $0 } }
            + linkTables.flatMap(\.createStatements)
    }

    /// Indexes to make after a first load.
    package var linkIndexDDL: [String] { tables.flatMap(\.createLinkIndexes) }

    /// One view per table for people: names instead of numbers, no columns of ours.
    package var viewDDL: [String] { tables.map { $0.createView(graph: graph) } }
}
