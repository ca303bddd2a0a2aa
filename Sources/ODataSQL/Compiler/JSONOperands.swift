import ODataModel
import ODataQuery
import ODataText

/// Collections and structures written as JSON (URL Conventions 4.01, section 5.1.1.14.2) as operands.
extension ExpressionCompiler {
    /// The JSON text as a bound value.
    func json(_ text: String) throws -> SQLTerm {
        let value = try Self.parsed(text)
        guard case .array(let members) = value else {
            return SQLTerm(
                try dialect.written(.text(value.text), as: .json),
                .json(TypeReference(.primitive(.untyped))))
        }
        let type = TypeReference(.primitive(Self.type(of: members)), isCollection: true)
        return SQLTerm(try dialect.written(.text(value.text), as: .json), .json(type))
    }

    private static func parsed(_ text: String) throws -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw notImplemented("JSON that holds expressions")
        }
    }

    /// The type of which all members are.
    private static func type(of members: [JSONValue]) -> PrimitiveType {
        var found: PrimitiveType?
        for member in members {
            let type: PrimitiveType
            switch member {
            case .null: continue
            case .string: type = .string
            case .boolean: type = .boolean
            case .number(let text): type = Int64(text) == nil ? .double : .int64
            case .array, .object: return .untyped
            }
            switch (found, type) {
            case (nil, _), (.int64, .double): found = type
            case (.double, .int64): break
            default: guard found == type else { return .untyped }
            }
        }
        return found ?? .untyped
    }

    /// The value of a parameter alias; other expressions as they are.
    private func value(_ expression: Expression) -> Expression {
        guard case .alias(let name) = expression, let value = aliases[name] else {
            return expression
        }
        return value
    }

    // MARK: in

    /// The members of a list that is given as JSON, or the list as it is.
    func members(of list: [Expression]) throws -> [Expression] {
        guard list.count == 1, case .json(let text) = value(list[0]),
            case .array(let members) = try Self.parsed(text)
        else { return list }
        return members.map(Self.literal)
    }

    private static func literal(_ value: JSONValue) -> Expression {
        switch value {
        case .null: .literal(.null, nil)
        case .boolean(let value): .literal(.boolean(value), .boolean)
        case .string(let text): .literal(.string(text), .string)
        case .number(let text):
            .literal(
                Int64(text).map(Scalar.integer) ?? DecimalNumber(text).map(Scalar.decimal)
                    ?? .null, nil)
        case .array, .object: .json(value.text)
        }
    }

    /// Whether a value is a member of the collection that the other side is; nil where it is none.
    mutating func member(_ term: SQLTerm, of item: Expression) throws -> SQLTerm? {
        switch term.kind {
        case .complex, .row: return nil
        case .json(let own) where own.isCollection: return nil
        default: break
        }
        switch item {
        case .path, .call, .alias: break
        default: return nil
        }
        let list = try compile(item)
        guard case .json(var type) = list.kind, type.isCollection else { return nil }
        type.isCollection = false
        let alias = makeAlias("j")
        let value: SQLText = "\(name: alias).\(name: "value")"
        let test = try compare(.eq, term, self.term(RowCursor.JSONPlace(sql: value, type: type)))
        let from = dialect.elements(of: list.sql, alias: alias)
        let isUnknown = [list, term].filter { !$0.sql.isEmpty }
            .map { "\($0.sql) IS NULL" as SQLText }.joined(" OR ")
        return SQLTerm(
            "CASE WHEN \(isUnknown) THEN NULL WHEN EXISTS (SELECT 1 FROM \(from) WHERE \(test)) "
                + "THEN \(truth: true) WHEN EXISTS (SELECT 1 FROM \(from) WHERE \(value) IS NULL) "
                + "THEN NULL ELSE \(truth: false) END", .boolean)
    }

    // MARK: eq and ne

    func sameJSON(
        _ operation: BinaryOperator, _ left: SQLText, _ right: SQLText
    ) throws -> SQLText {
        try dialect.requireSQLite(for: "comparison of collections and structures")
        return "\(raw: operation == .ne ? "NOT " : "")_odata_same(\(left), \(right))"
    }

    /// A complex value against a structure in JSON; nil for other operands.
    mutating func structures(
        _ operation: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> SQLTerm? {
        guard operation == .eq || operation == .ne else { return nil }
        let path: ExpressionPath
        let text: String
        switch (value(left), value(right)) {
        case (.path(let found), .json(let json)), (.json(let json), .path(let found)):
            (path, text) = (found, json)
        default: return nil
        }
        guard case .object(let object) = try Self.parsed(text),
            case .row(let cursor) = try resolve(path)
        else { return nil }
        if let json = cursor.json {
            let literal = SQLText(argument: .text(JSONValue.object(object).text))
            return SQLTerm(try sameJSON(operation, json.sql, literal), .boolean)
        }
        guard !cursor.prefix.isEmpty else { return nil }
        let (presence, members) = try same(path, cursor, object)
        let test: SQLText = operation == .eq ? members : "NOT \(members)"
        return SQLTerm("CASE WHEN \(presence) IS NOT NULL THEN \(test) END", .boolean)
    }

    /// What is null where the complex value is, and whether all its properties are those of the object.
    private mutating func same(
        _ path: ExpressionPath, _ cursor: RowCursor, _ object: JSONObject
    ) throws -> (presence: SQLText, members: SQLText) {
        guard let owner = cursor.structure,
            let type = graph.type(ofPath: String(cursor.prefix.dropLast()), in: owner)?.structure
        else { throw Self.invalid("Expected a complex property.") }
        for member in object.members where !member.name.contains("@") {
            guard graph[type].slot(named: member.name) != nil else {
                throw ODataError(
                    .unknownName,
                    "Expected a property of \(graph[type].qualifiedName), found \(member.name).",
                    at: .path(member.name), status: 400)
            }
        }
        var tests: [SQLText] = []
        for property in graph[type].properties where !property.isNavigation {
            let next = ExpressionPath(root: path.root, path.segments + [.property(property.name)])
            tests.append(try same(next, object[property.name] ?? .null))
        }
        let presence = try term(for: path).sql
        return (presence, "(\(tests.isEmpty ? SQLText(truth: true) : tests.joined(" AND ")))")
    }

    /// Whether a property has the value; true or false.
    private mutating func same(_ path: ExpressionPath, _ value: JSONValue) throws -> SQLText {
        let end = try resolve(path)
        if case .row(let cursor) = end, cursor.json == nil {
            guard case .object(let object) = value else {
                return value.isNull
                    ? "\(try term(for: path).sql) IS NULL" : SQLText(truth: false)
            }
            let (presence, members) = try same(path, cursor, object)
            return "(\(presence) IS NOT NULL AND \(members))"
        }
        let term = try term(for: path)
        if value.isNull { return "\(term.sql) IS NULL" }
        let isSame: SQLText
        switch (term.kind, Self.literal(value)) {
        case (.json, _), (.complex, _):
            isSame = try sameJSON(.eq, term.sql, SQLText(argument: .text(value.text)))
        case (_, .literal(let scalar, _)):
            isSame = try compare(.eq, term, SQLTerm(SQLText(), .literal(scalar)))
        default: return SQLText(truth: false)
        }
        return "(\(term.sql) IS NOT NULL AND \(isSame))"
    }
}
