import ErrorFixture
import ODataModel
import ODataSQL
import ODataText
import Testing

/// A query and what it is in SQL.
struct Translation: Sendable, CustomTestStringConvertible {
    let query: String
    let sqlite: String
    /// Nil where both databases are told the same.
    let postgreSQL: String?

    init(_ query: String, _ sqlite: String, _ postgreSQL: String? = nil) {
        self.query = query
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
    }

    var testDescription: String { query }

    /// Compares both dialects; what PostgreSQL cannot answer reads `refused: ` and the thing itself.
    func expect(
        _ compile: (String, SQLDialect) throws -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try compile(query, .sqlite)
        #expect(found == sqlite, sourceLocation: sourceLocation)
        let other = try Self.orRefused { try compile(query, .postgreSQL) }
        #expect(other == (postgreSQL ?? sqlite), sourceLocation: sourceLocation)
    }

    private static func orRefused(_ compile: () throws -> String) throws -> String {
        do {
            return try compile()
        } catch let error as ODataError where error.code == .notImplemented {
            let beginning = "Expected a query that the database can answer, found "
            return "refused: \(error.message.dropFirst(beginning.count))"
        }
    }
}
