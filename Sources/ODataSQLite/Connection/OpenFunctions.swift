import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Functions on dynamic properties, whose values stand as ``OpenValue`` writes them. Operations mean what they mean in
/// memory, because they are done there; what does not fit gives null.
enum OpenFunctions {
    static let all = [member, call, value, order]

    /// `_odata_open(object, name, …)`: the value at a path of names in JSON text.
    private static let member = SQLFunction("_odata_open", argumentCount: -1) { values in
        guard let text = values.first.flatMap({ String.fromDatabaseValue($0) }) else { return nil }
        let names = values.dropFirst().compactMap { String.fromDatabaseValue($0) }
        return OpenValue.find(names, in: text)?.text
    }

    /// `_odata_open_call(operation, operand, …)`: the result as a dynamic value.
    private static let call = SQLFunction("_odata_open_call", argumentCount: -1) { values in
        result(values).flatMap { OpenValue.scalar($0).text }
    }

    /// `_odata_open_value(operation, operand, …)`: the result as columns store it.
    private static let value = SQLFunction("_odata_open_value", argumentCount: -1) { values in
        result(values).flatMap(stored)
    }

    /// `_odata_open_order(value)`: bytes that order values of all kinds.
    private static let order = SQLFunction("_odata_open_order", argumentCount: 1) { values in
        operand(values[0])?.orderKey.map { Data($0) }
    }

    private static func operand(_ value: DatabaseValue) -> OpenValue? {
        String.fromDatabaseValue(value).flatMap { OpenValue($0) }
    }

    private static func stored(_ scalar: Scalar) -> (any DatabaseValueConvertible)? {
        switch scalar {
        case .null, .geo: nil
        case .boolean(let value): value
        case .integer(let value): value
        case .double(let value): NumberFunctions.stored(value)
        case .binary(let bytes): Data(bytes)
        case .dateTimeOffset(let value): value.utcText
        default: Lexical.text(scalar)
        }
    }

    // MARK: Operations

    private static func result(_ values: [DatabaseValue]) -> Scalar? {
        guard let name = values.first.flatMap({ String.fromDatabaseValue($0) }) else { return nil }
        let operands = values.dropFirst().compactMap(operand)
        guard operands.count == values.count - 1, let first = operands.first else { return nil }
        if name == "truth" {
            guard case .scalar(.boolean(let value)) = first else { return nil }
            return .boolean(value)
        }
        if name == "type" { return typeName(first).map { .string($0) } }
        if let symbol = BinaryOperator(rawValue: name), operands.count == 2 {
            if let isEqual = areSame(first, operands[1]) {
                return symbol == .eq
                    ? .boolean(isEqual) : symbol == .ne ? .boolean(!isEqual) : nil
            }
            return evaluated(.binary(symbol, literal(first), literal(operands[1])))
        }
        if case .members = first { return nil }
        if let type = name.dropping("cast ") {
            return evaluated(.cast(literal(first), type: type))
        }
        if let type = name.dropping("isof ") {
            return evaluated(.isOf(literal(first), type: type))
        }
        if name == UnaryOperator.negate.rawValue {
            return evaluated(.unary(.negate, literal(first)))
        }
        return Function(rawValue: name).flatMap { evaluated(.call($0, operands.map(literal))) }
    }

    private static func literal(_ value: OpenValue) -> ODataQuery.Expression {
        switch value {
        case .scalar(let scalar): .literal(scalar, nil)
        case .members(_, let names): .literal(.string(names), nil)
        case .json(let text): .json(text)
        }
    }

    private static func evaluated(_ expression: ODataQuery.Expression) -> Scalar? {
        (try? ExpressionEvaluator(graph: noModel).evaluate(expression, for: .null))?.scalar
    }

    private static let noModel = MetadataGraph(version: .v4)

    /// Whether enumeration members or JSON are the same; nil for two scalars.
    private static func areSame(_ a: OpenValue, _ b: OpenValue) -> Bool? {
        switch (a, b) {
        case (.scalar, .scalar): return nil
        case (.members(let type, let names), .members(let other, let others)):
            let parts = { (text: String) in
                Set(text.split(separator: ",").map { $0.filter { $0 != " " } })
            }
            return type == other && parts(names) == parts(others)
        default: return a == b
        }
    }

    private static func typeName(_ value: OpenValue) -> String? {
        switch value {
        case .scalar: return nil
        case .members(let type, _): return type
        case .json(let text):
            let object = try? JSONValue(parsing: text, duplicates: .keepLast)
            let name = (object?["@odata.type"] ?? object?["@type"])?.string
            return name.map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
        }
    }
}

extension String {
    /// What is behind the prefix; nil without it.
    fileprivate func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
