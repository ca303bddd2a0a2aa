import ODataSQL

/// What the log of changes has to know of a table.
struct LoggedTable: Sendable, Hashable {
    /// Quoted, with its schema.
    var qualifiedName: String
    /// The SQL that gives the form that is read of each column.
    var forms: [String: String] = [:]
    /// What a query for its rows gives, in the order in which it is written.
    var items: [Item] = []
    /// Columns whose old values are not kept: nothing compares them, and they would be held twice.
    var leftOut: [String] = []
    /// The columns that name its rows, once it is known.
    var key: [String] = []

    struct Item: Sendable, Hashable {
        var sql: String
        var name: String
    }

    /// The query for the rows as they were before some changes, whose numbers are bound under `placeholder` as the text of
    /// an array.
    func former(_ placeholder: String) -> String {
        let list = items.map { item in
            // What was has no tag any more.
            let sql = item.name == ChangedTable.tagColumn ? "CAST(NULL AS text)" : item.sql
            return "\(sql) AS \(SQLName.quoted(item.name))"
        }.joined(separator: ", ")
        return """
            SELECT \(list) FROM (SELECT "r".* FROM \(LogTables.changes) AS "c" CROSS JOIN LATERAL
            jsonb_populate_record(CAST(NULL AS \(qualifiedName)), "c"."old") AS "r"
            WHERE "c"."number" = ANY (CAST(\(placeholder) AS bigint[])) AND "c"."old" IS NOT NULL) AS "t"
            """
    }

    /// The text of an array of texts.
    static func array(_ names: [String]) -> String {
        let items = names.map {
            "\"" + $0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return "{" + items.joined(separator: ",") + "}"
    }
}
