import ODataModel
import ODataText

/// Types of arithmetic (URL Conventions 4.01, section 5.1.1.2) and of the canonical functions (section 5.1.1.4 and
/// following).
extension ExpressionChecker {
    func arithmetic(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> Typed {
        let (first, second) = (try check(left), try check(right))
        let result = Expression.binary(symbol, first.expression, second.expression)
        guard let a = first.type, let b = second.type else { return (result, nil) }
        if a.isNumeric, b.isNumeric { return (result, promoted(a, b, symbol)) }
        if let type = temporal(symbol, a, b) { return (result, TypeReference(.primitive(type))) }
        let isLeftWrong = !a.isNumeric && a.primitive.map(Self.isTemporal) != true
        throw mismatch(
            "numbers for \(symbol.rawValue)", isLeftWrong ? a : b,
            place(isLeftWrong ? left : right, symbol.rawValue))
    }

    private func promoted(
        _ a: TypeReference, _ b: TypeReference, _ symbol: BinaryOperator
    ) -> TypeReference {
        let types = [a.primitive, b.primitive]
        let type: PrimitiveType
        if types.contains(.double) || types.contains(.single) {
            type = .double
        } else if types.contains(.decimal) || symbol == .divby {
            type = .decimal
        } else {
            type = .int64
        }
        return TypeReference(.primitive(type))
    }

    private static func isTemporal(_ type: PrimitiveType) -> Bool {
        [.date, .dateTimeOffset, .dateTime, .duration].contains(type)
    }

    private func temporal(
        _ symbol: BinaryOperator, _ a: TypeReference, _ b: TypeReference
    ) -> PrimitiveType? {
        switch (symbol, a.primitive, b.primitive) {
        case (.add, .dateTimeOffset, .duration), (.sub, .dateTimeOffset, .duration):
            return .dateTimeOffset
        case (.add, .date, .duration), (.sub, .date, .duration): return .date
        case (.add, .duration, .duration), (.sub, .duration, .duration),
            (.sub, .date, .date), (.sub, .dateTimeOffset, .dateTimeOffset):
            return .duration
        case (.mul, .duration, _), (.div, .duration, _), (.divby, .duration, _):
            return b.isNumeric ? .duration : nil
        case (.mul, _, .duration): return a.isNumeric ? .duration : nil
        default: return nil
        }
    }

    func check(_ function: Function, _ arguments: [Expression]) throws -> Typed {
        guard function.arity.contains(arguments.count) else {
            throw ODataError(
                .invalidQuery, "Expected another number of arguments.",
                at: .path(function.rawValue))
        }
        if function == .case { return try check(cases: arguments) }
        // What is not defined is what the question is about: its path need not resolve.
        if function == .isDefined { return (.call(function, arguments), .boolean) }
        let checked = try arguments.map { try check($0) }
        for (index, argument) in checked.enumerated() {
            let kind = function.operand(index)
            guard let type = argument.type, !kind.accepts(type) else { continue }
            throw mismatch(
                "\(kind.rawValue) for \(function.rawValue)", type,
                place(arguments[index], function.rawValue))
        }
        return (
            .call(function, checked.map(\.expression)), resultType(function, checked.first?.type)
        )
    }

    private func check(cases arguments: [Expression]) throws -> Typed {
        var result: [Expression] = []
        var type: TypeReference?
        var isKnown = true
        for index in stride(from: 0, to: arguments.count - 1, by: 2) {
            result.append(try condition(arguments[index], "case"))
            let value = try check(arguments[index + 1])
            result.append(value.expression)
            type = type ?? value.type
            if value.type == nil, !value.expression.isNull { isKnown = false }
        }
        return (.call(.case, result), isKnown ? type : nil)
    }

    private func resultType(_ function: Function, _ first: TypeReference??) -> TypeReference? {
        let operand = first ?? nil
        let primitive: PrimitiveType
        switch function {
        case .contains, .endsWith, .startsWith, .matchesPattern, .hasSubset, .hasSubsequence,
            .geoIntersects, .isDefined:
            primitive = .boolean
        case .concat, .substring:
            return operand?.isCollection == true ? operand : .string
        case .toLower, .toUpper, .trim, .replace: primitive = .string
        case .length, .indexOf, .year, .month, .day, .hour, .minute, .second,
            .totalOffsetMinutes:
            primitive = .int32
        case .fractionalSeconds, .totalSeconds: primitive = .decimal
        case .date: primitive = .date
        case .time: primitive = .timeOfDay
        case .now, .minDateTime, .maxDateTime: primitive = .dateTimeOffset
        case .ceiling, .floor, .round:
            guard let type = operand?.primitive else { return nil }
            primitive = type == .double || type == .single ? .double : .decimal
        case .geoDistance, .geoLength: primitive = .double
        case .case: return operand
        }
        return TypeReference(.primitive(primitive))
    }
}

/// What an argument of a canonical function must be.
enum FunctionOperand: String {
    case text = "a string"
    case textOrCollection = "a string or a collection"
    case number = "a number"
    case day = "a date"
    case clock = "a time of day"
    case moment = "a date and time"
    case duration = "a duration"
    case shape = "a geospatial value"

    func accepts(_ type: TypeReference) -> Bool {
        if self == .textOrCollection, type.isCollection { return true }
        guard !type.isCollection, let primitive = type.primitive else { return false }
        if primitive == .untyped { return true }
        switch self {
        case .text, .textOrCollection: return primitive == .string
        case .number: return primitive.isNumeric
        case .day: return [.date, .dateTimeOffset, .dateTime].contains(primitive)
        case .clock:
            return [.timeOfDay, .time, .dateTimeOffset, .dateTime].contains(primitive)
        case .moment: return [.dateTimeOffset, .dateTime].contains(primitive)
        case .duration: return primitive == .duration
        case .shape: return primitive.isGeospatial
        }
    }
}

extension Function {
    /// What the argument at `index` must be.
    func operand(_ index: Int) -> FunctionOperand {
        switch self {
        case .concat, .indexOf, .length, .contains, .startsWith, .endsWith, .hasSubset,
            .hasSubsequence:
            .textOrCollection
        case .substring: index == 0 ? .textOrCollection : .number
        case .matchesPattern, .toLower, .toUpper, .trim, .replace: .text
        case .year, .month, .day: .day
        case .hour, .minute, .second, .fractionalSeconds: .clock
        case .date, .time, .totalOffsetMinutes: .moment
        case .totalSeconds: .duration
        case .ceiling, .floor, .round: .number
        case .geoDistance, .geoIntersects, .geoLength: .shape
        case .now, .minDateTime, .maxDateTime, .case, .isDefined: .text
        }
    }
}
