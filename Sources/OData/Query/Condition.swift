import ODataModel
import ODataQuery

/// What is true or false of an entity: what comparisons of fields give, joined by `&&`, `||` and `!`.
public struct Condition: Sendable, Hashable {
    let expression: ODataQuery.Expression

    init(_ expression: ODataQuery.Expression) { self.expression = expression }

    init(_ operation: BinaryOperator, _ left: ODataQuery.Expression, _ right: StoredValue) {
        self.init(.binary(operation, left, right.literal))
    }

    /// Both.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(.binary(.and, left.expression, right.expression))
    }

    /// One of them, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.binary(.or, left.expression, right.expression))
    }

    /// The opposite.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(.unary(.not, condition.expression))
    }
}

extension StoredValue {
    /// The value in an expression; its type is that of what it meets.
    var literal: ODataQuery.Expression {
        guard case .value(.scalar(let scalar)) = content else { return .literal(.null, nil) }
        if case .string = scalar { return .literal(scalar, .string) }
        return .literal(scalar, nil)
    }
}
