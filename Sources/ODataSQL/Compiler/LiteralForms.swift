import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// A literal in the form of a term that it is compared with, as the dialect writes it.
    func literal(_ scalar: Scalar, like term: SQLTerm) throws -> SQLText {
        try dialect.literal(
            Self.argument(scalar, like: term, in: graph), scalar, like: term.kind)
    }

    /// A literal in the form of a term that it is compared with.
    ///
    /// - Throws: `invalidQuery` when the two do not compare, or the form cannot hold the literal exactly.
    static func argument(
        _ scalar: Scalar, like term: SQLTerm, in graph: MetadataGraph
    ) throws -> SQLArgument {
        switch term.kind {
        case .boolean:
            if case .boolean(let value) = scalar { return .boolean(value) }
        case .integer, .scaled, .unix:
            let (number, scale) = try number(scalar, like: term)
            if let value = number.scaled(by: scale) { return .integer(value) }
        case .real:
            if let value = ColumnEncoding.double(scalar), value.isFinite { return .real(value) }
        case .decimalText:
            if let value = ColumnEncoding.decimal(scalar) { return .blob(value.orderKey) }
        case .duration:
            if case .duration(let value) = try coerced(scalar, to: .duration) {
                return .blob(value.orderKey)
            }
        case .enumeration(let id):
            if case .integer(let value) = scalar { return .integer(value) }
            if case .string(let text) = scalar, let value = graph[id].value(of: text) {
                return .integer(value)
            }
        case .string:
            if case .string(let text) = scalar { return .text(text) }
        case .binary:
            if case .binary(let bytes) = try coerced(scalar, to: .binary) { return .blob(bytes) }
        case .guidBytes:
            if case .guid(let value) = try coerced(scalar, to: .guid) { return .blob(value.bytes) }
        case .guid:
            if case .guid(let value) = try coerced(scalar, to: .guid) {
                return .text(value.description)
            }
        default:
            if let text = try timeText(scalar, like: term) { return .text(text) }
        }
        throw invalid("Expected a literal of the type it is compared with, found another type.")
    }

    private static func timeText(_ scalar: Scalar, like term: SQLTerm) throws -> String? {
        switch term.kind {
        case .date:
            switch try coerced(scalar, to: .date) {
            case .date(let value): return value.description
            case .dateTime(let value): return value.description
            case .dateTimeOffset(let value): return value.utcText
            default: return nil
            }
        case .time:
            if case .timeOfDay(let value) = try coerced(scalar, to: .timeOfDay) {
                return value.description
            }
            return nil
        case .instant, .wall:
            switch try coerced(scalar, to: .dateTimeOffset) {
            case .dateTimeOffset(let value): return value.utcText
            case .dateTime(let value): return value.description
            case .date(let value): return value.description + "T00:00:00"
            default: return nil
            }
        default: return nil
        }
    }

    /// A quoted literal where another type is wanted: its text is read as that type.
    private static func coerced(_ scalar: Scalar, to type: PrimitiveType) throws -> Scalar {
        guard case .string(let text) = scalar else { return scalar }
        do {
            return try Lexical.parse(text, as: type)
        } catch {
            throw invalid("Expected a literal of Edm.\(type.name), found a string.")
        }
    }

    /// A literal number and the power of ten by which an integer form is multiplied.
    static func number(
        _ scalar: Scalar, like term: SQLTerm
    ) throws -> (number: DecimalNumber, scale: Int) {
        if case .unix(let units) = term.kind {
            guard case .dateTimeOffset(let value) = try coerced(scalar, to: .dateTimeOffset) else {
                throw invalid("Expected an instant to compare with an instant.")
            }
            let whole = DecimalNumber(value.seconds) * DecimalNumber(units)
            let part = DecimalNumber(coefficient: value.picoseconds, scale: 12)
            return (whole + part * DecimalNumber(units), 0)
        }
        guard let number = ColumnEncoding.decimal(scalar) else {
            throw invalid("Expected a number to compare with a number.")
        }
        if case .scaled(let scale) = term.kind { return (number, scale) }
        return (number, 0)
    }

    /// A literal by itself, in the form of its own type.
    func rendered(_ term: SQLTerm) throws -> SQLTerm {
        guard case .literal(let scalar) = term.kind else {
            if case .enumerationLiteral(let type?, let members) = term.kind,
                let id = graph.enumeration(named: type),
                let value = graph[id].value(of: members)
            {
                return SQLTerm(SQLText(argument: .integer(value)), .enumeration(id))
            }
            return term
        }
        func bound(_ argument: SQLArgument, _ kind: SQLTerm.Kind) -> SQLTerm {
            SQLTerm(SQLText(argument: argument), kind)
        }
        switch scalar {
        case .null: return SQLTerm("NULL", .null)
        case .boolean(let value): return SQLTerm(SQLText(truth: value), .boolean)
        case .integer(let value): return bound(.integer(value), .integer)
        case .double, .decimal: return try number(term).term
        case .string(let text): return SQLTerm(try dialect.bound(.text(text)), .string)
        case .binary(let bytes): return bound(.blob(bytes), .binary)
        case .guid(let value): return bound(.text(value.description), .guid)
        case .date(let value): return bound(.text(value.description), .date)
        case .timeOfDay(let value): return bound(.text(value.description), .time)
        case .dateTimeOffset(let value):
            let offset = SQLText(argument: .integer(Int64(value.offsetMinutes)))
            return bound(.text(value.utcText), .instant(offset: offset))
        case .dateTime(let value): return bound(.text(value.description), .wall)
        case .duration(let value):
            let (sql, order) = dialect.duration(value)
            return SQLTerm(sql, .duration(order: order))
        case .geo: throw Self.notImplemented("geo literals")
        }
    }
}
