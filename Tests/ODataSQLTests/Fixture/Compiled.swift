import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ShopFixture
import Testing

/// What the compiler makes of the text of a URL, to be read as one line of SQL.
enum Compiled {
    /// The plan of a URL, checked against the model as every caller does, unless told otherwise.
    static func plan(
        _ url: String, _ dialect: SQLDialect = .sqlite, in graph: MetadataGraph? = nil,
        isChecked: Bool = true, options: (inout CompilerOptions) -> Void = { _ in }
    ) throws -> QueryPlan {
        let graph = try graph ?? Shop.graph()
        let mapping = SchemaMapping.local(for: graph, dialect: dialect)
        var query = try URLParser.parse(
            url.replacing(" ", with: "%20"), graph: graph, dialect: .v401)
        if isChecked { try QueryChecker.check(&query, graph: graph) }
        var asked = CompilerOptions(dialect: dialect, hidesDeleted: false)
        options(&asked)
        return try QueryCompiler(mapping: mapping, options: asked).compile(query)
    }

    /// The statement for the rows, each argument in braces where it is bound.
    static func sql(
        _ url: String, _ dialect: SQLDialect = .sqlite, in graph: MetadataGraph? = nil
    ) throws -> String {
        shown(try #require(try plan(url, dialect, in: graph).statement), dialect)
    }

    /// What follows the columns of the rows: the tables, the condition, the order and the page.
    static func rows(
        _ url: String, _ dialect: SQLDialect = .sqlite, in graph: MetadataGraph? = nil
    ) throws -> String {
        let text = try sql(url, dialect, in: graph)
        return String(text[try #require(text.range(of: " FROM ")).upperBound...])
    }

    /// The condition that a filter becomes, without the parentheses around it.
    static func condition(
        _ filter: String, _ dialect: SQLDialect = .sqlite, of set: String = "Customers",
        in graph: MetadataGraph? = nil
    ) throws -> String {
        let text = try sql("\(set)?$filter=\(filter)", dialect, in: graph)
        let start = try #require(text.range(of: " WHERE (")).upperBound
        return String(text[start...].dropLast())
    }

    static func shown(_ statement: SQLStatement, _ dialect: SQLDialect) -> String {
        guard dialect == .postgreSQL else { return Readable.text(statement) }
        var text = statement.text
        for (position, argument) in statement.arguments.enumerated().reversed() {
            let one = SQLStatement(text: "?1", arguments: [argument])
            text = text.replacing("$\(position + 1)", with: Readable.text(one))
        }
        return text.replacing(#/\(({[^}]*}) COLLATE "C"\)/#) { "\($0.output.1)" }
    }
}

extension Compiled {
    /// The statement for the number of rows.
    static func count(_ url: String, _ dialect: SQLDialect = .sqlite) throws -> String {
        shown(try #require(try plan(url, dialect).countStatement), dialect)
    }

    /// What follows the columns of the customers that were joined.
    static func joined(_ url: String, _ dialect: SQLDialect) throws -> String {
        let text = try sql(url, dialect)
        let start = try #require(text.range(of: #" FROM "Customers""#)).lowerBound
        return String(text[start...].dropFirst(" FROM ".count))
    }
}
