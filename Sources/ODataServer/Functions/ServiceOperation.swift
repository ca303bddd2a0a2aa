import GRDB
import GRDBSQLite
import ODataModel
import ODataText

/// A function or an action of the service: unbound, offered by an import of its name, and written in SQL.
///
/// Parameters are bound as `:name`. The last statement's rows are the result: the first column of the first row for a
/// value, of every row for values; for entities the columns are those of their key, in key order.
package struct ServiceOperation: Sendable, Hashable {
    /// What comes back.
    package enum Result: Sendable, Hashable {
        case nothing
        case value(PrimitiveType, isCollection: Bool)
        /// Entities of the set of this name.
        case entities(String, isCollection: Bool)
    }

    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var type: PrimitiveType
        package var isNullable: Bool
    }

    package var name: String
    /// An action is called by POST and may change data; a function is called by GET and cannot.
    package var isAction: Bool
    package var parameters: [Parameter]
    package var result: Result
    package var statements: [String]

    /// The name of the entity set that the result is of.
    var entitySet: String? {
        if case .entities(let set, _) = result { return set }
        return nil
    }

    /// - Throws: `usage` for SQL that is none, that needs what is no parameter, or that changes data in a function.
    func check(_ database: Database) throws {
        for sql in statements {
            let statement: Statement
            do {
                statement = try database.makeStatement(sql: sql)
            } catch let error as DatabaseError {
                throw ODataError(
                    .usage, "Expected SQL for \(name), SQLite says: \(error.message ?? "no").")
            }
            let count = sqlite3_bind_parameter_count(statement.sqliteStatement)
            for position in 0..<max(0, count) {
                let bound = sqlite3_bind_parameter_name(statement.sqliteStatement, position + 1)
                    .map { String(cString: $0) }
                guard parameters.contains(where: { ":" + $0.name == bound }) else {
                    throw ODataError(
                        .usage,
                        "Expected the parameters of \(name) in its SQL, found \(bound ?? "?").")
                }
            }
            guard isAction || sqlite3_stmt_readonly(statement.sqliteStatement) != 0 else {
                throw ODataError(
                    .usage, "Expected a function that reads only, found one that writes: \(name).")
            }
        }
    }
}

extension ServiceOperation {
    /// The operations that a file declares:
    ///
    /// ```json
    /// {"functions": [{"name": "CheaperThan", "parameters": {"limit": "Edm.Decimal"},
    ///                 "returns": "Collection(Tools)", "sql": "SELECT Id FROM Tools WHERE Price < :limit"}],
    ///  "actions": [{"name": "Lend", "parameters": {"id": "Edm.Int64"},
    ///               "sql": "UPDATE Tools SET Lent = 1 WHERE Id = :id"}]}
    /// ```
    ///
    /// Types are primitive (`Edm.String?` may be null) or names of entity sets, alone or in `Collection(…)`; `sql` is one
    /// statement or an array of them.
    ///
    /// - Throws: `usage` that says what was expected where.
    package static func parse(_ bytes: [UInt8]) throws -> [ServiceOperation] {
        let document = try JSONValue(parsing: bytes)
        guard let object = document.object else { throw expected("an object", "the file") }
        var operations: [ServiceOperation] = []
        for member in object.members {
            guard ["functions", "actions"].contains(member.name), let list = member.value.array
            else { throw expected("arrays named functions and actions", member.name) }
            for (position, value) in list.enumerated() {
                operations.append(
                    try ServiceOperation(
                        value, isAction: member.name == "actions", at: "\(member.name)[\(position)]"
                    ))
            }
        }
        guard Set(operations.map(\.name)).count == operations.count else {
            throw expected("a name for each operation of its own", "the file")
        }
        return operations
    }

    private init(_ value: JSONValue, isAction: Bool, at place: String) throws {
        guard let object = value.object, let name = object["name"]?.string,
            IdentifierSpace.identifier(from: name) == name
        else { throw Self.expected("an object with a name", place) }
        let known = ["name", "parameters", "returns", "sql"]
        if let other = object.members.first(where: { !known.contains($0.name) }) {
            throw Self.expected("name, parameters, returns and sql", "\(place).\(other.name)")
        }
        self.name = name
        self.isAction = isAction
        parameters = try (object["parameters"]?.object?.members ?? []).map { member in
            guard let text = member.value.string, let parsed = Self.primitive(text) else {
                throw Self.expected("a primitive type", "\(place).parameters.\(member.name)")
            }
            return Parameter(name: member.name, type: parsed.type, isNullable: parsed.isNullable)
        }
        result = try object["returns"].map { try Self.result($0, place + ".returns") } ?? .nothing
        guard isAction || result != .nothing else {
            throw Self.expected("what the function returns", place)
        }
        let sql = object["sql"]?.array?.map(\.string) ?? [object["sql"]?.string]
        statements = sql.compactMap { $0 }
        guard !statements.isEmpty, statements.count == sql.count else {
            throw Self.expected("a statement or an array of them", place + ".sql")
        }
    }

    private static func result(_ value: JSONValue, _ place: String) throws -> Result {
        guard var text = value.string, !text.isEmpty else {
            throw expected("the name of a type or an entity set", place)
        }
        let isCollection = text.hasPrefix("Collection(") && text.hasSuffix(")")
        if isCollection { text = String(text.dropFirst("Collection(".count).dropLast()) }
        if let parsed = primitive(text) { return .value(parsed.type, isCollection: isCollection) }
        guard !text.hasPrefix("Edm.") else { throw expected("a type that the service has", place) }
        return .entities(text, isCollection: isCollection)
    }

    private static func primitive(_ text: String) -> (type: PrimitiveType, isNullable: Bool)? {
        let isNullable = text.hasSuffix("?")
        let name = isNullable ? String(text.dropLast()) : text
        guard name.hasPrefix("Edm."), let type = PrimitiveType(name: String(name.dropFirst(4))),
            types[type] != nil
        else { return nil }
        return (type, isNullable)
    }

    private static func expected(_ what: String, _ place: String) -> ODataError {
        ODataError(.usage, "Expected \(what) in the file of operations.", at: .path(place))
    }
}
