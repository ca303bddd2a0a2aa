import GRDB
import ODataModel
import ODataPostgres
import ODataSQL
import PostgreSQLFixture
import Testing

/// The tables that the mapping makes in PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isThere, "PostgreSQL's initdb is not installed"))
struct TableTests {
    @Test func columnsHaveTheTypesOfTheDocument() throws {
        let shop = try ShopPair()
        let types = try shop.postgreSQL.rows(
            SQLStatement(
                text: "SELECT column_name, data_type, coalesce(collation_name, '') FROM"
                    + " information_schema.columns WHERE table_name = 'Customers' ORDER BY 1"))
        let found = Dictionary(
            types.compactMap { row -> (String, String)? in
                guard case .text(let name) = row[0], case .text(let type) = row[1],
                    case .text(let collation) = row[2]
                else { return nil }
                return (name, type + (collation.isEmpty ? "" : " " + collation))
            }
        ) { first, _ in first }
        let expected = [
            "_odata_id": "bigint", "_odata_etag": "text C", "_odata_state": "bigint",
            "Name": "text C", "Balance": "bigint", "Exact": "numeric",
            "Score": "double precision", "Since": "text C", "Changed": "text C",
            "Changed#offset": "bigint", "Wakes": "text C", "Wait": "numeric", "Token": "text C",
            "Active": "boolean", "Grade": "bigint", "Photo": "bytea", "Tags": "text C",
        ]
        for (name, type) in expected { #expect(found[name] == type, "\(name)") }
        #expect(found["Exact#order"] == nil && found["Wait#order"] == nil)
    }

    @Test func aViewShowsPeopleTheRows() throws {
        let shop = try ShopPair.filled()
        let rows = try shop.postgreSQL.rows(
            SQLStatement(
                text: #"SELECT "Balance", "Wait", "Changed", "Exact" FROM "_odata_view_Customers""#
                    + #" ORDER BY "Id""#))
        #expect(rows.count == 6)
        #expect(
            rows[0] == [
                .text("12.50"), .text("P1DT12H"), .text("2025-12-31T22:30:00.123Z"), .text("12.50"),
            ])
        #expect(rows[1][0] == .text("-0.05"))
        #expect(rows[1][1] == .text("-PT0.5S"))
    }

    @Test func theDefinitionsCanBeRunAgain() throws {
        let shop = try ShopPair()
        for statement in PostgreSQLFunctions.definitions { try shop.postgreSQL.run(statement) }
    }

    @Test func aKeyIsUnique() throws {
        let shop = try ShopPair()
        let row = try shop.value("Label", ["Code": .scalar(.string("a"))])
        try shop.insert("Labels", row)
        let lite = #expect(throws: DatabaseError.self) {
            try shop.insert("Labels", row, in: [.sqlite])
        }
        #expect(lite?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
        let postgreSQL = #expect(throws: PostgresError.self) {
            try shop.insert("Labels", row, in: [.postgreSQL])
        }
        #expect(postgreSQL?.sqlState == "23505")
        #expect(postgreSQL?.constraint == "_odata_key_Labels")
    }
}
