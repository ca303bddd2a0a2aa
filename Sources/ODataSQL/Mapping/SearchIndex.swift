/// The full-text index of a table: an FTS5 table over text columns, its rowid the row's internal id.
package struct SearchIndex: Sendable, Hashable {
    /// What the names of all FTS5 tables begin with; the name of the data table is behind it.
    package static let prefix = "_odata_search_"

    /// The FTS5 table.
    package var name: String
    /// The columns of the data table that are searched.
    package var columns: [String]

    package init(name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }

    /// The index of a data table.
    package init(of table: String, columns: [String]) {
        self.init(name: Self.prefix + table, columns: columns)
    }
}

extension SearchIndex {
    private var quoted: String { SQLName.quoted(name) }

    private var list: String { columns.map { SQLName.quoted($0) }.joined(separator: ", ") }

    /// An index without triggers and contents, the texts being those of the data table.
    ///
    /// - Parameter id: the column with the rows' internal ids.
    package func createTable(of data: String, id: String) -> String {
        "CREATE VIRTUAL TABLE \(quoted) USING fts5(\(list), content=\(SQLName.quoted(data)),"
            + " content_rowid=\(SQLName.quoted(id)))"
    }

    /// Triggers that keep the index in step with the data table.
    package func createTriggers(of data: String, id: String) -> [String] {
        let (data, id) = (SQLName.quoted(data), SQLName.quoted(id))
        func values(_ row: String) -> String {
            columns.map { "\(row).\(SQLName.quoted($0))" }.joined(separator: ", ")
        }
        let add = "INSERT INTO \(quoted)(rowid, \(list)) VALUES (new.\(id), \(values("new")));"
        let remove =
            "INSERT INTO \(quoted)(\(quoted), rowid, \(list))"
            + " VALUES ('delete', old.\(id), \(values("old")));"
        return [
            (Event.insert, "AFTER INSERT ON \(data)", add),
            (Event.delete, "AFTER DELETE ON \(data)", remove),
            (Event.update, "AFTER UPDATE OF \(id), \(list) ON \(data)", remove + " " + add),
        ].map { event, when, body in
            "CREATE TRIGGER \(trigger(event)) \(when) BEGIN \(body) END"
        }
    }

    /// Lets the columns of the data table go.
    package var dropTriggers: [String] {
        Event.allCases.map { "DROP TRIGGER IF EXISTS \(trigger($0))" }
    }

    package var dropTable: String { "DROP TABLE \(quoted)" }

    /// Fills the index from the data table.
    package var rebuild: String { "INSERT INTO \(quoted)(\(quoted)) VALUES ('rebuild')" }

    private enum Event: String, CaseIterable {
        case insert, delete, update
    }

    private func trigger(_ event: Event) -> String {
        SQLName.quoted("\(name)_\(event.rawValue)")
    }
}
