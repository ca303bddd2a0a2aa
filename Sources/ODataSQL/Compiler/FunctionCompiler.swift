import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// The canonical functions (URL Conventions 4.01, section 5.1.1.5 and following).
    mutating func call(_ function: Function, _ arguments: [Expression]) throws -> SQLTerm {
        let range = Self.arity(function)
        guard range.contains(arguments.count) else {
            throw Self.invalid(
                "Expected \(range.lowerBound) to \(range.upperBound) arguments of "
                    + "\(function.rawValue), found \(arguments.count).")
        }
        switch function {
        case .now, .minDateTime, .maxDateTime: return constantInstant(function)
        case .case: return try caseOf(arguments)
        default: break
        }
        var terms: [SQLTerm] = []
        for argument in arguments { terms.append(try compile(argument)) }
        switch function {
        case .round, .floor, .ceiling: return try rounded(function, terms[0])
        case .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .date, .time,
            .totalOffsetMinutes, .totalSeconds:
            return try dateFunction(function, rendered(terms[0]))
        case .concat, .contains, .endsWith, .indexOf, .length, .startsWith, .substring,
            .matchesPattern, .toLower, .toUpper, .trim, .replace:
            return try stringFunction(function, terms)
        default: throw Self.notImplemented("the function \(function.rawValue)")
        }
    }

    private static func arity(_ function: Function) -> ClosedRange<Int> {
        switch function {
        case .now, .minDateTime, .maxDateTime: 0...0
        case .concat, .contains, .endsWith, .indexOf, .startsWith, .matchesPattern, .hasSubset,
            .hasSubsequence, .geoDistance, .geoIntersects:
            2...2
        case .substring: 2...3
        case .replace: 3...3
        case .case: 2...200
        default: 1...1
        }
    }

    private func constantInstant(_ function: Function) -> SQLTerm {
        switch function {
        case .minDateTime: return SQLTerm("'0001-01-01T00:00:00'", .instant(offset: nil))
        case .maxDateTime:
            return SQLTerm("'9999-12-31T23:59:59.999999999999'", .instant(offset: nil))
        default:
            let now: SQLText =
                options.now.map { SQLText(argument: .text($0.utcText)) }
                ?? "strftime('%Y-%m-%dT%H:%M:%f', 'now')"
            return SQLTerm(now, .instant(offset: nil))
        }
    }

    private mutating func caseOf(_ arguments: [Expression]) throws -> SQLTerm {
        guard arguments.count.isMultiple(of: 2) else {
            throw Self.invalid("Expected pairs of condition and value in case().")
        }
        var sql: SQLText = "CASE"
        var kind: SQLTerm.Kind?
        for index in stride(from: 0, to: arguments.count, by: 2) {
            let condition = try condition(arguments[index])
            let value = try rendered(compile(arguments[index + 1]))
            if value.kind != .null {
                guard kind == nil || kind == value.kind else {
                    throw Self.notImplemented("case() with values of different types")
                }
                kind = value.kind
            }
            sql.append(" WHEN \(condition) THEN \(value.sql)")
        }
        return SQLTerm("\(sql) END", kind ?? .null)
    }

    /// A custom function: the local state of the row, or one that the caller compiles.
    mutating func custom(_ name: String, _ arguments: [Expression]) throws -> SQLTerm {
        let lowered = name.lowercased()
        let cursor = scopes[itScope].cursor
        guard let table = cursor.table else { throw Self.invalid("Expected a row.") }
        if lowered == "sap.entityexists" {
            guard arguments.count == 1, case .path(let path) = arguments[0] else {
                throw Self.invalid("Expected one navigation path in sap.entityexists().")
            }
            let term = try term(for: path)
            guard term.kind == .row else {
                throw Self.invalid("Expected a to-one navigation in sap.entityexists().")
            }
            return SQLTerm("\(term.sql) IS NOT NULL", .boolean)
        }
        if let bits = Self.stateBits[lowered] {
            guard let state = table.system.state else { return SQLTerm("0", .boolean) }
            return SQLTerm(
                "(\(name: cursor.alias).\(name: state) & \(number: bits.rawValue)) <> 0", .boolean)
        }
        if let term = try options.customFunction?(lowered, arguments, table, cursor.alias) {
            return term
        }
        throw ODataError(
            .unknownName, "Expected a known function, found \(name).", at: .path(name), status: 400)
    }

    /// The offline functions and the bits that answer them.
    private static let stateBits: [String: EntityState] = [
        "sap.islocal": .local,
        "sap.haspendingchanges": .pending,
        "sap.inerrorstate": .error,
        "sap.upsertedlastdownload": .upserted,
    ]

    /// `cast(value, Edm.X)`.
    mutating func cast(_ operand: Expression?, to name: String) throws -> SQLTerm {
        guard let operand else { throw Self.notImplemented("cast of the whole entity") }
        guard let type = PrimitiveType(name: name) else {
            throw Self.notImplemented("cast to \(name)")
        }
        let term = try rendered(compile(operand))
        switch type {
        case .string
        where term.kind == .string || term.kind == .guid || term.kind == .date
            || term.kind == .time || term.kind == .wall:
            return SQLTerm(term.sql, .string)
        case .string:
            let number = try number(term)
            guard number.scale == 0 || number.scale == nil else {
                throw Self.notImplemented("cast of Decimal to Edm.String")
            }
            return SQLTerm("CAST(\(number.sql) AS TEXT)", .string)
        case .byte, .sbyte, .int16, .int32, .int64:
            if term.kind == .string { return SQLTerm("CAST(\(term.sql) AS INTEGER)", .integer) }
            let number = try number(term)
            if number.isInteger { return term }
            return SQLTerm("CAST(\(number.real) AS INTEGER)", .integer)
        case .single, .double, .decimal:
            if term.kind == .string {
                return SQLTerm("CAST(\(term.sql) AS REAL)", .real(isStored: false))
            }
            if type == .decimal, term.isNumeric { return term }
            return SQLTerm(try number(term).real, .real(isStored: false))
        case .date: return try dateFunction(.date, term)
        case .timeOfDay: return try dateFunction(.time, term)
        default: throw Self.notImplemented("cast to \(name)")
        }
    }

    /// `isof(type)` and `isof(path, type)`.
    mutating func isOf(_ operand: Expression?, _ name: String) throws -> SQLTerm {
        guard let type = graph.structure(named: name) else {
            throw Self.notImplemented("isof with \(name)")
        }
        var cursor = scopes[itScope].cursor
        if let operand {
            guard case .path(let path) = operand, case .row(let end) = try resolve(path) else {
                throw Self.invalid("Expected a path to an entity in isof().")
            }
            cursor = end
        }
        guard let table = cursor.table, cursor.prefix.isEmpty, cursor.json == nil else {
            throw Self.notImplemented("isof of complex values")
        }
        guard let condition = typeCondition(type, table: table, alias: cursor.alias) else {
            return SQLTerm("\(identity(of: table, alias: cursor.alias)) IS NOT NULL", .boolean)
        }
        return SQLTerm(condition, .boolean)
    }
}
