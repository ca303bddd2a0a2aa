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
        case .isDefined: return try isDefined(arguments[0])
        default: break
        }
        let terms = try arguments.map { try compile($0) }
        if let term = try collectionFunction(function, terms) { return term }
        if terms.contains(where: \.isOpen) { return try openFunction(function, terms) }
        switch function {
        case .round, .floor, .ceiling: return try rounded(function, terms[0])
        case .year, .month, .day, .hour, .minute, .second, .fractionalSeconds, .date, .time,
            .totalOffsetMinutes, .totalSeconds:
            return try dateFunction(function, rendered(terms[0]))
        case .concat, .contains, .endsWith, .indexOf, .length, .startsWith, .substring,
            .matchesPattern, .toLower, .toUpper, .trim, .replace:
            return try stringFunction(function, terms)
        case .geoDistance, .geoIntersects, .geoLength:
            return try geoFunction(function, terms, arguments)
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
                ?? dialect.now
            return SQLTerm(now, .instant(offset: nil))
        }
    }

    private mutating func caseOf(_ arguments: [Expression]) throws -> SQLTerm {
        guard arguments.count.isMultiple(of: 2) else {
            throw Self.invalid("Expected pairs of condition and value in case().")
        }
        var sql: SQLText = "CASE"
        var kind: SQLTerm.Kind?
        var values = try stride(from: 1, to: arguments.count, by: 2).map {
            try rendered(compile(arguments[$0]))
        }
        if values.contains(where: \.isOpen) {
            values = try values.map { SQLTerm(try boxed($0), .open) }
        }
        for index in stride(from: 0, to: arguments.count, by: 2) {
            let condition = try condition(arguments[index])
            let value = values[index / 2]
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
        if let term = try rollupNode(name, arguments) { return term }
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
            guard let state = table.system.state else {
                return SQLTerm(SQLText(truth: false), .boolean)
            }
            let isSet: SQLText =
                "(\(name: cursor.alias).\(name: state) & \(number: bits.rawValue)) <> 0"
            guard bits == .upserted, let id = table.system.id else {
                return SQLTerm(isSet, .boolean)
            }
            try dialect.requireSQLite(for: "the function \(name)")
            // After a first load the list has the table as a whole, for every row that the service brought.
            let isFirst: SQLText =
                "\(name: cursor.alias).\(name: id) > 0 AND EXISTS (SELECT 1 FROM"
                + " \(name: "_odata_upserted") WHERE \(name: "table") ="
                + " \(argument: .text(table.path)) AND \(name: "row") = 0)"
            return SQLTerm("(\(isSet) OR \(isFirst))", .boolean)
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
        if term.kind == .null { return term }
        switch type {
        case .string: return try castToString(term)
        case .byte, .sbyte, .int16, .int32, .int64, .single, .double, .decimal:
            return try castToNumber(term, type)
        case .date: return try castToPart(.date, parsed(term, type))
        case .timeOfDay where term.kind == .time: return term
        case .timeOfDay: return try castToPart(.time, parsed(term, type))
        default:
            guard term.kind == .string else { throw Self.notImplemented("cast to \(name)") }
            return try parsed(term, type)
        }
    }

    /// The text of a value as literals spell it, without prefix and quotes.
    private func castToString(_ term: SQLTerm) throws -> SQLTerm {
        switch term.kind {
        case .string, .guid, .date, .time, .wall: return SQLTerm(term.sql, .string)
        case .enumeration(let id): return try memberText(term, graph[id])
        case .decimalText: return SQLTerm(dialect.decimalText(term.sql), .string)
        case .duration: return SQLTerm(dialect.durationText(term.sql), .string)
        case .boolean:
            let text: SQLText =
                "CASE \(term.sql) WHEN \(truth: true) THEN 'true' WHEN \(truth: false) THEN 'false' END"
            return SQLTerm(text, .string)
        case .instant(let offset):
            return SQLTerm(dialect.instantText(term.sql, offset: offset), .string)
        default:
            let number = try number(term)
            switch number.form {
            case .exact(0, _): return SQLTerm(dialect.text(number.sql), .string)
            case .exact, .text:
                return SQLTerm(dialect.decimalText(number.decimal(dialect)), .string)
            case .real: return SQLTerm(dialect.realText(number.sql), .string)
            }
        }
    }

    /// A number of another type; null where it has no room for the whole part, or a text is no number.
    private func castToNumber(_ term: SQLTerm, _ type: PrimitiveType) throws -> SQLTerm {
        let number: SQLNumber
        if term.kind == .string {
            let source: PrimitiveType = type == .single ? .double : type
            number = try self.number(parsed(term, source))
        } else {
            number = try self.number(term)
        }
        switch type {
        case .double, .single:
            let sql = type == .single ? dialect.single(number.real(dialect)) : number.real(dialect)
            return SQLTerm(sql, .real(isStored: number.isReal))
        case .decimal where !number.isReal: return number.decimalTerm(dialect)
        default:
            let sql = dialect.cast(number.decimal(dialect), to: type)
            guard type == .decimal else {
                var result = SQLTerm(sql, .integer)
                result.digits = type == .int64 ? nil : 10
                return result
            }
            return SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
        }
    }

    /// A text read as a value of another type, null where it is none; other terms as they are.
    private func parsed(_ term: SQLTerm, _ type: PrimitiveType) throws -> SQLTerm {
        guard term.kind == .string else { return term }
        func parsed(_ kind: SQLTerm.Kind) -> SQLTerm {
            SQLTerm(dialect.parsed(term.sql, as: type, kind), kind)
        }
        switch type {
        case .byte, .sbyte, .int16, .int32, .int64: return parsed(.integer)
        case .double: return parsed(.real(isStored: true))
        case .decimal:
            let sql = parsed(.decimalText(order: "")).sql
            return SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
        case .boolean: return parsed(.boolean)
        case .date: return parsed(.date)
        case .timeOfDay: return parsed(.time)
        case .dateTimeOffset: return parsed(.instant(offset: nil))
        case .duration:
            let sql = parsed(.duration(order: "")).sql
            return SQLTerm(sql, .duration(order: dialect.durationOrder(sql)))
        case .guid: return parsed(.guid)
        default: throw Self.notImplemented("cast to \(type.name)")
        }
    }
}
