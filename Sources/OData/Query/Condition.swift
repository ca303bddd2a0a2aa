import ODataModel
import ODataQuery

/// What is true or false of an entity: what comparisons of fields give, joined by `&&`, `||` and `!`.
public struct Condition: Sendable, Hashable {
    let expression: ODataQuery.Expression
    /// Whether it compares with a list or a complex value, which no query can yet.
    let comparesWholes: Bool

    init(_ expression: ODataQuery.Expression, comparesWholes: Bool = false) {
        self.expression = expression
        self.comparesWholes = comparesWholes
    }

    init(_ operation: BinaryOperator, _ left: ODataQuery.Expression, _ right: StoredValue) {
        self.init(.binary(operation, left, right.literal), comparesWholes: right.isWhole)
    }

    private init(_ operation: BinaryOperator, _ left: Condition, _ right: Condition) {
        self.init(
            .binary(operation, left.expression, right.expression),
            comparesWholes: left.comparesWholes || right.comparesWholes)
    }

    /// Both.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(.and, left, right)
    }

    /// One of them, or both.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(.or, left, right)
    }

    /// The opposite.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(
            .unary(.not, condition.expression), comparesWholes: condition.comparesWholes)
    }
}

extension StoredValue {
    /// Whether it has parts.
    var isWhole: Bool {
        if case .value(.scalar) = content { false } else { true }
    }

    /// The value in an expression; its type is that of what it meets.
    var literal: ODataQuery.Expression {
        guard case .value(.scalar(let scalar)) = content else { return .literal(.null, nil) }
        if case .string = scalar { return .literal(scalar, .string) }
        return .literal(scalar, nil)
    }
}
