import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataText

/// The file of a service whose database is made from a CSDL document.
///
/// `_odata_model` holds the document, the names of tables and columns that differ from the document's, and what form each
/// table and column has, so that another document can be told from a larger one.
enum ModelDatabase {
    static let table = "_odata_model"

    private static let schema = """
        CREATE TABLE IF NOT EXISTS _odata_model (
            kind TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, name)
        ) WITHOUT ROWID
        """

    /// The document that a service hosts: the one that is asked for, else the one that its file was made from; nil where
    /// the file is an ordinary database. Makes the file where there is none.
    ///
    /// - Throws: `storage` for a file that holds anything else, and where it cannot be opened.
    static func document(for configuration: ServiceConfiguration) throws -> (
        ModelDocument, MappingRecord
    )? {
        let path = configuration.databasePath
        if configuration.model != nil, !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        _ = try ServiceDatabase.journalMode(path)
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try database.tableExists(table) else {
                guard let model = configuration.model else { return nil }
                // Tables of ours alone are what a start that failed leaves.
                let others = try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM sqlite_schema WHERE substr(tbl_name, 1, 7) NOT IN"
                        + " ('_odata_', 'sqlite_')")
                // The document says what of a database that is there is offered.
                guard others == 0 else { return nil }
                return (model, MappingRecord())
            }
            var record = MappingRecord()
            for row in try entries("name", database) { record.names[row.name] = row.value }
            if let model = configuration.model { return (model, record) }
            guard
                let bytes = try Data.fetchOne(
                    database, sql: "SELECT value FROM \(table) WHERE kind = 'document'")
            else { return nil }
            return (ModelDocument([UInt8](bytes)), record)
        }
    }

    private static func entries(_ kind: String, _ database: Database) throws
        -> [(name: String, value: String)]
    {
        try Row.fetchAll(
            database, sql: "SELECT name, value FROM \(table) WHERE kind = ?", arguments: [kind]
        ).map { (row: Row) in (name: row.text("name") ?? "", value: row.text("value") ?? "") }
    }

    /// Makes the tables of a model, or adds to those that there are what it has beyond them.
    ///
    /// - Returns: True for tables that were made from nothing.
    /// - Throws: `unhostable` for a model that changes or lacks what the file has; nothing is changed then.
    static func install(_ model: DocumentModel, in database: Database) throws -> Bool {
        try database.execute(sql: schema)
        let known = Dictionary(
            try entries("form", database).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first })
        let tables = ModelTable.all(of: model)
        try requireAddition(tables, to: known)
        for item in tables {
            if known[item.name] == nil {
                for statement in item.create { try database.execute(sql: statement) }
            } else {
                for column in item.columns where known[item.form(of: column)] == nil {
                    try database.execute(sql: try item.add(column))
                }
                for statement in item.indexes { try database.execute(sql: statement) }
            }
            try note("form", item.name, item.rules, database)
            for column in item.columns {
                try note("form", item.form(of: column), column.form, database)
            }
        }
        for (name, value) in model.mapping.record.names { try note("name", name, value, database) }
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(table) (kind, name, value) VALUES ('document', '', ?)",
            arguments: [Data(model.document.bytes)])
        return known.isEmpty
    }

    private static func note(
        _ kind: String, _ name: String, _ value: String, _ database: Database
    ) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(table) (kind, name, value) VALUES (?, ?, ?)",
            arguments: [kind, name, value])
    }

    private static func requireAddition(
        _ tables: [ModelTable], to known: [String: String]
    ) throws {
        guard !known.isEmpty else { return }
        var wanted: [String: String] = [:]
        for item in tables {
            wanted[item.name] = item.rules
            for column in item.columns { wanted[item.form(of: column)] = column.form }
        }
        for (name, form) in known.sorted(by: { $0.key < $1.key }) where wanted[name] != form {
            throw ODataError(
                ServiceCode.unhostable,
                "Expected a model that has all that the file has in the same form, found "
                    + (wanted[name] == nil ? "one without it." : "it in another form."),
                at: .path(name))
        }
    }
}
