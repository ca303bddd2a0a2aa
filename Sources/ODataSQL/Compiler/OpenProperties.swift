import ODataModel
import ODataQuery
import ODataText

/// Properties that an open type does not declare (CSDL 4.01, section 6.3): their values are JSON, and only the row tells
/// their type. What does not fit an operand's type is null; values of different kinds are not equal, and neither is
/// less than the other.
extension ExpressionCompiler {
    /// The object that holds the values, and the names on the way in it.
    struct OpenPlace: Sendable {
        var container: SQLText
        var names: [String]
    }

    /// The place of a property of a row that its type does not declare; nil where the type is not open.
    func openPlace(_ name: String, of cursor: RowCursor) throws -> OpenPlace? {
        let type = cursor.json.map(\.type.structure) ?? cursor.structure
        guard let structure = type, graph[structure].isOpen,
            graph[structure].slot(named: name) == nil
        else { return nil }
        let container: SQLText
        if let json = cursor.json {
            container = json.sql
        } else if cursor.prefix.isEmpty, let column = cursor.table?.system.dynamic {
            container = "\(name: cursor.alias).\(name: column)"
        } else {
            return nil
        }
        try dialect.requireSQLite(for: "dynamic properties")
        return OpenPlace(container: container, names: [name])
    }

    static func term(_ place: OpenPlace) throws -> SQLTerm {
        guard place.names.count <= maximumNames else {
            throw ODataError(
                .limitExceeded, "Expected at most \(maximumNames) names in a dynamic value.",
                status: 400)
        }
        let names = place.names.map { SQLText(argument: .text($0)) }
        return SQLTerm("_odata_open(\(place.container), \(names.joined(", ")))", .open)
    }

    /// SQLite's functions take few arguments.
    private static let maximumNames = 16

    // MARK: Values beside them

    /// Any value in the form of dynamic ones.
    func boxed(_ term: SQLTerm) throws -> SQLText {
        if case .enumerationLiteral(let type?, let members) = term.kind,
            let id = graph.enumeration(named: type)
        {
            return SQLText(argument: .text("\(graph[id].qualifiedName):\(members)"))
        }
        if case .literal(let scalar) = term.kind {
            if case .geo = scalar { throw Self.notImplemented("shapes beside dynamic properties") }
            return OpenValue.scalar(scalar).text.map { SQLText(argument: .text($0)) } ?? "NULL"
        }
        let sql = term.sql
        switch term.kind {
        case .null: return "NULL"
        case .open: return sql
        case .string: return "('String:' || \(sql))"
        case .guid: return "('Guid:' || \(sql))"
        case .date: return "('Date:' || \(sql))"
        case .time: return "('TimeOfDay:' || \(sql))"
        case .wall: return "('DateTime:' || \(sql))"
        case .duration: return "('Duration:' || \(sql))"
        case .boolean:
            return "CASE (\(sql)) WHEN 1 THEN 'Boolean:true' WHEN 0 THEN 'Boolean:false' END"
        case .binary: return "CASE WHEN \(sql) IS NOT NULL THEN 'Hex:' || hex(\(sql)) END"
        case .instant(let offset):
            return "('DateTimeOffset:' || _odata_instant(\(sql), coalesce(\(offset ?? "0"), 0)))"
        case .integer, .scaled, .decimalText, .real:
            let number = try number(term)
            if number.isReal { return "('Double:' || _odata_real_text(\(number.sql)))" }
            let type: SQLText = number.isInteger ? "'Int64:'" : "'Decimal:'"
            return "(\(type) || \(number.decimal(dialect)))"
        default: throw Self.notImplemented("this kind of value beside a dynamic property")
        }
    }

    private func call(_ operation: String, _ terms: [SQLTerm], givesOpen: Bool) throws -> SQLText {
        let operands = try [SQLText(argument: .text(operation))] + terms.map(boxed)
        return
            "\(raw: givesOpen ? "_odata_open_call" : "_odata_open_value")(\(operands.joined(", ")))"
    }

    /// An operation whose result is of a kind that only its operands tell.
    func open(_ operation: String, _ terms: SQLTerm...) throws -> SQLTerm {
        SQLTerm(try call(operation, terms, givesOpen: true), .open)
    }

    /// A comparison with one or two dynamic values.
    func compareOpen(
        _ operation: BinaryOperator, _ left: SQLTerm, _ right: SQLTerm
    ) throws -> SQLText {
        try call(operation.rawValue, [left, right], givesOpen: false)
    }

    /// A canonical function of dynamic values.
    func openFunction(_ function: Function, _ terms: [SQLTerm]) throws -> SQLTerm {
        let name = function.rawValue
        switch function {
        case .contains, .startsWith, .endsWith, .matchesPattern:
            return SQLTerm(try call(name, terms, givesOpen: false), .boolean)
        case .length, .indexOf, .year, .month, .day, .hour, .minute, .second, .totalOffsetMinutes:
            return SQLTerm(try call(name, terms, givesOpen: false), .integer)
        case .toLower, .toUpper, .trim, .replace:
            return SQLTerm(try call(name, terms, givesOpen: false), .string)
        case .date: return SQLTerm(try call(name, terms, givesOpen: false), .date)
        case .time: return SQLTerm(try call(name, terms, givesOpen: false), .time)
        case .fractionalSeconds, .totalSeconds:
            let sql = try call(name, terms, givesOpen: false)
            return SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
        case .concat, .substring, .round, .floor, .ceiling:
            return SQLTerm(try call(name, terms, givesOpen: true), .open)
        default: throw Self.notImplemented("\(name) of a dynamic property")
        }
    }

    /// The value as a condition: null for everything but a Boolean.
    func openCondition(_ term: SQLTerm) throws -> SQLText {
        try call("truth", [term], givesOpen: false)
    }

    // MARK: Types

    /// `cast` of a dynamic value; nil for operands of other kinds.
    mutating func openCast(_ operand: Expression?, _ name: String) throws -> SQLTerm? {
        guard let term = try openOperand(operand) else { return nil }
        guard let type = PrimitiveType(name: name) else {
            throw Self.notImplemented("cast of a dynamic property to \(name)")
        }
        let operation = "cast Edm.\(type.name)"
        let sql = try call(operation, [term], givesOpen: false)
        switch type {
        case .boolean: return SQLTerm(sql, .boolean)
        case .string: return SQLTerm(sql, .string)
        case .byte, .sbyte, .int16, .int32, .int64:
            var result = SQLTerm(sql, .integer)
            result.digits = type == .int64 ? nil : 10
            return result
        case .single, .double: return SQLTerm(sql, .real(isStored: true))
        case .decimal: return SQLTerm(sql, .decimalText(order: dialect.decimalOrder(sql)))
        case .date: return SQLTerm(sql, .date)
        case .timeOfDay: return SQLTerm(sql, .time)
        case .duration: return SQLTerm(sql, .duration(order: dialect.durationOrder(sql)))
        case .guid: return SQLTerm(sql, .guid)
        default: return try open(operation, term)
        }
    }

    /// `isof` of a dynamic value, false where it is null or not there; nil for operands of other kinds.
    mutating func openTest(_ operand: Expression?, _ name: String) throws -> SQLTerm? {
        guard let term = try openOperand(operand) else { return nil }
        if let id = graph.structure(named: name) {
            let names = graph.familyOf(id).map {
                SQLText(argument: .text(graph[$0].qualifiedName))
            }
            let type = try call("type", [term], givesOpen: false)
            return SQLTerm("coalesce(\(type) IN (\(names.joined(", "))), 0)", .boolean)
        }
        if let id = graph.enumeration(named: name) {
            let type = try call("type", [term], givesOpen: false)
            return SQLTerm(
                "coalesce(\(type) = \(argument: .text(graph[id].qualifiedName)), 0)", .boolean)
        }
        guard let type = PrimitiveType(name: name) else {
            throw Self.notImplemented("isof of a dynamic property with \(name)")
        }
        let test = try call("isof Edm.\(type.name)", [term], givesOpen: false)
        return SQLTerm("coalesce(\(test), 0)", .boolean)
    }

    private mutating func openOperand(_ operand: Expression?) throws -> SQLTerm? {
        guard let operand, readsOpen(operand) else { return nil }
        let term = try compile(operand)
        return term.isOpen ? term : nil
    }

    /// True for expressions that may give a dynamic value: paths that go into one, and what is made of those.
    private mutating func readsOpen(_ expression: Expression, levels: Int = 16) -> Bool {
        switch expression {
        case .path: return (try? compile(expression).isOpen) ?? false
        case .cast(let operand?, _), .unary(.negate, let operand):
            return readsOpen(operand, levels: levels)
        case .binary(_, let left, let right):
            return readsOpen(left, levels: levels) || readsOpen(right, levels: levels)
        case .call(_, let arguments):
            for argument in arguments where readsOpen(argument, levels: levels) { return true }
            return false
        case .alias(let name):
            guard levels > 0, let value = aliases[name] else { return false }
            return readsOpen(value, levels: levels - 1)
        default: return false
        }
    }
}
