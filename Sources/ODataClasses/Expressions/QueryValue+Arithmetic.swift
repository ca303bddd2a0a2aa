import ODataModel
import ODataQuery

/// Arithmetic on values that the service computes (URL Conventions 4.01, section 5.1.1.2).
extension QueryValue {
    private func computed(_ symbol: BinaryOperator, _ other: Expression) -> QueryValue {
        QueryExpression(.binary(symbol, queryExpression, other))
    }

    /// The value with the other sign (section 5.1.1.2.3).
    public final func negate() -> QueryValue { QueryExpression(.unary(.negate, queryExpression)) }

    /// The value with the other sign.
    public static prefix func - (value: QueryValue) -> QueryValue { value.negate() }

    /// The sum of the values (section 5.1.1.2.1).
    public final func add(_ other: DataValue) -> QueryValue {
        computed(.add, other.queryExpression)
    }

    /// The sum of the values.
    public final func add(_ other: Int) -> QueryValue {
        computed(.add, .literal(.integer(Int64(other)), nil))
    }

    /// The sum of the values.
    public final func add(_ other: Double) -> QueryValue {
        computed(.add, .literal(.double(other), .double))
    }

    /// The sum of the values.
    public final func add(_ other: BigDecimal) -> QueryValue {
        computed(.add, .literal(.decimal(other.number), nil))
    }

    /// The sum of the values.
    public static func + (left: QueryValue, right: DataValue) -> QueryValue { left.add(right) }

    /// The sum of the values.
    public static func + (left: QueryValue, right: Int) -> QueryValue { left.add(right) }

    /// The sum of the values.
    public static func + (left: QueryValue, right: Double) -> QueryValue { left.add(right) }

    /// The sum of the values.
    public static func + (left: QueryValue, right: BigDecimal) -> QueryValue { left.add(right) }

    /// The difference of the values (section 5.1.1.2.2).
    public final func subtract(_ other: DataValue) -> QueryValue {
        computed(.sub, other.queryExpression)
    }

    /// The difference of the values.
    public final func subtract(_ other: Int) -> QueryValue {
        computed(.sub, .literal(.integer(Int64(other)), nil))
    }

    /// The difference of the values.
    public final func subtract(_ other: Double) -> QueryValue {
        computed(.sub, .literal(.double(other), .double))
    }

    /// The difference of the values.
    public final func subtract(_ other: BigDecimal) -> QueryValue {
        computed(.sub, .literal(.decimal(other.number), nil))
    }

    /// The difference of the values.
    public static func - (left: QueryValue, right: DataValue) -> QueryValue { left.subtract(right) }

    /// The difference of the values.
    public static func - (left: QueryValue, right: Int) -> QueryValue { left.subtract(right) }

    /// The difference of the values.
    public static func - (left: QueryValue, right: Double) -> QueryValue { left.subtract(right) }

    /// The difference of the values.
    public static func - (left: QueryValue, right: BigDecimal) -> QueryValue {
        left.subtract(right)
    }

    /// The product of the values (section 5.1.1.2.4).
    public final func multiply(_ other: DataValue) -> QueryValue {
        computed(.mul, other.queryExpression)
    }

    /// The product of the values.
    public final func multiply(_ other: Int) -> QueryValue {
        computed(.mul, .literal(.integer(Int64(other)), nil))
    }

    /// The product of the values.
    public final func multiply(_ other: Double) -> QueryValue {
        computed(.mul, .literal(.double(other), .double))
    }

    /// The product of the values.
    public final func multiply(_ other: BigDecimal) -> QueryValue {
        computed(.mul, .literal(.decimal(other.number), nil))
    }

    /// The product of the values.
    public static func * (left: QueryValue, right: DataValue) -> QueryValue { left.multiply(right) }

    /// The product of the values.
    public static func * (left: QueryValue, right: Int) -> QueryValue { left.multiply(right) }

    /// The product of the values.
    public static func * (left: QueryValue, right: Double) -> QueryValue { left.multiply(right) }

    /// The product of the values.
    public static func * (left: QueryValue, right: BigDecimal) -> QueryValue {
        left.multiply(right)
    }

    /// The quotient of the values, an integer for integers (section 5.1.1.2.5).
    public final func divide(_ other: DataValue) -> QueryValue {
        computed(.div, other.queryExpression)
    }

    /// The quotient of the values, an integer for integers.
    public final func divide(_ other: Int) -> QueryValue {
        computed(.div, .literal(.integer(Int64(other)), nil))
    }

    /// The quotient of the values, an integer for integers.
    public final func divide(_ other: Double) -> QueryValue {
        computed(.div, .literal(.double(other), .double))
    }

    /// The quotient of the values, an integer for integers.
    public final func divide(_ other: BigDecimal) -> QueryValue {
        computed(.div, .literal(.decimal(other.number), nil))
    }

    /// The quotient of the values, an integer for integers.
    public static func / (left: QueryValue, right: DataValue) -> QueryValue { left.divide(right) }

    /// The quotient of the values, an integer for integers.
    public static func / (left: QueryValue, right: Int) -> QueryValue { left.divide(right) }

    /// The quotient of the values, an integer for integers.
    public static func / (left: QueryValue, right: Double) -> QueryValue { left.divide(right) }

    /// The quotient of the values, an integer for integers.
    public static func / (left: QueryValue, right: BigDecimal) -> QueryValue { left.divide(right) }

    /// What division leaves (section 5.1.1.2.6).
    public final func modulo(_ other: DataValue) -> QueryValue {
        computed(.mod, other.queryExpression)
    }

    /// What division leaves.
    public final func modulo(_ other: Int) -> QueryValue {
        computed(.mod, .literal(.integer(Int64(other)), nil))
    }

    /// What division leaves.
    public final func modulo(_ other: Double) -> QueryValue {
        computed(.mod, .literal(.double(other), .double))
    }

    /// What division leaves.
    public final func modulo(_ other: BigDecimal) -> QueryValue {
        computed(.mod, .literal(.decimal(other.number), nil))
    }

    /// What division leaves.
    public static func % (left: QueryValue, right: DataValue) -> QueryValue { left.modulo(right) }

    /// What division leaves.
    public static func % (left: QueryValue, right: Int) -> QueryValue { left.modulo(right) }

    /// What division leaves.
    public static func % (left: QueryValue, right: Double) -> QueryValue { left.modulo(right) }

    /// What division leaves.
    public static func % (left: QueryValue, right: BigDecimal) -> QueryValue { left.modulo(right) }
}
