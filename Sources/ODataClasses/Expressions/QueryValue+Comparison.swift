import ODataModel
import ODataQuery

/// Comparison of a value that the service computes with another value (URL Conventions 4.01, sections 5.1.1.1.1 to
/// 5.1.1.1.6).
extension QueryValue {
    package final func compared(_ symbol: BinaryOperator, _ other: Expression) -> QueryFilter {
        QueryFilter(.binary(symbol, queryExpression, other))
    }

    /// Holds where the value is null.
    public final func isNull() -> QueryFilter { compared(.eq, .literal(.null, nil)) }

    /// Holds where the value is not null.
    public final func notNull() -> QueryFilter { compared(.ne, .literal(.null, nil)) }

    /// Holds where the value is equal to `value`, which may be nil for null (section 5.1.1.1.1).
    public final func equal(_ value: DataValue?) -> QueryFilter {
        compared(.eq, DataValue.queryExpression(value))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: Bool) -> QueryFilter {
        compared(.eq, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: Int) -> QueryFilter {
        compared(.eq, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: Int64) -> QueryFilter {
        compared(.eq, .literal(.integer(value), nil))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: Double) -> QueryFilter {
        compared(.eq, .literal(.double(value), .double))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: Float) -> QueryFilter {
        compared(.eq, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: String) -> QueryFilter {
        compared(.eq, .literal(.string(value), .string))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: BigInteger) -> QueryFilter {
        compared(.eq, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is equal to `value`.
    public final func equal(_ value: BigDecimal) -> QueryFilter {
        compared(.eq, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is different from `value`, which may be nil for null (section 5.1.1.1.2).
    public final func notEqual(_ value: DataValue?) -> QueryFilter {
        compared(.ne, DataValue.queryExpression(value))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: Bool) -> QueryFilter {
        compared(.ne, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: Int) -> QueryFilter {
        compared(.ne, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: Int64) -> QueryFilter {
        compared(.ne, .literal(.integer(value), nil))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: Double) -> QueryFilter {
        compared(.ne, .literal(.double(value), .double))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: Float) -> QueryFilter {
        compared(.ne, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: String) -> QueryFilter {
        compared(.ne, .literal(.string(value), .string))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: BigInteger) -> QueryFilter {
        compared(.ne, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is different from `value`.
    public final func notEqual(_ value: BigDecimal) -> QueryFilter {
        compared(.ne, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is greater than `value`, which may be nil for null (section 5.1.1.1.3).
    public final func greaterThan(_ value: DataValue?) -> QueryFilter {
        compared(.gt, DataValue.queryExpression(value))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: Bool) -> QueryFilter {
        compared(.gt, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: Int) -> QueryFilter {
        compared(.gt, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: Int64) -> QueryFilter {
        compared(.gt, .literal(.integer(value), nil))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: Double) -> QueryFilter {
        compared(.gt, .literal(.double(value), .double))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: Float) -> QueryFilter {
        compared(.gt, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: String) -> QueryFilter {
        compared(.gt, .literal(.string(value), .string))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: BigInteger) -> QueryFilter {
        compared(.gt, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is greater than `value`.
    public final func greaterThan(_ value: BigDecimal) -> QueryFilter {
        compared(.gt, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is greater than or equal to `value`, which may be nil for null (section 5.1.1.1.4).
    public final func greaterEqual(_ value: DataValue?) -> QueryFilter {
        compared(.ge, DataValue.queryExpression(value))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: Bool) -> QueryFilter {
        compared(.ge, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: Int) -> QueryFilter {
        compared(.ge, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: Int64) -> QueryFilter {
        compared(.ge, .literal(.integer(value), nil))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: Double) -> QueryFilter {
        compared(.ge, .literal(.double(value), .double))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: Float) -> QueryFilter {
        compared(.ge, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: String) -> QueryFilter {
        compared(.ge, .literal(.string(value), .string))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: BigInteger) -> QueryFilter {
        compared(.ge, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is greater than or equal to `value`.
    public final func greaterEqual(_ value: BigDecimal) -> QueryFilter {
        compared(.ge, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is less than `value`, which may be nil for null (section 5.1.1.1.5).
    public final func lessThan(_ value: DataValue?) -> QueryFilter {
        compared(.lt, DataValue.queryExpression(value))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: Bool) -> QueryFilter {
        compared(.lt, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: Int) -> QueryFilter {
        compared(.lt, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: Int64) -> QueryFilter {
        compared(.lt, .literal(.integer(value), nil))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: Double) -> QueryFilter {
        compared(.lt, .literal(.double(value), .double))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: Float) -> QueryFilter {
        compared(.lt, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: String) -> QueryFilter {
        compared(.lt, .literal(.string(value), .string))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: BigInteger) -> QueryFilter {
        compared(.lt, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is less than `value`.
    public final func lessThan(_ value: BigDecimal) -> QueryFilter {
        compared(.lt, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is less than or equal to `value`, which may be nil for null (section 5.1.1.1.6).
    public final func lessEqual(_ value: DataValue?) -> QueryFilter {
        compared(.le, DataValue.queryExpression(value))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: Bool) -> QueryFilter {
        compared(.le, .literal(.boolean(value), .boolean))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: Int) -> QueryFilter {
        compared(.le, .literal(.integer(Int64(value)), nil))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: Int64) -> QueryFilter {
        compared(.le, .literal(.integer(value), nil))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: Double) -> QueryFilter {
        compared(.le, .literal(.double(value), .double))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: Float) -> QueryFilter {
        compared(.le, .literal(.double(Double(value)), .single))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: String) -> QueryFilter {
        compared(.le, .literal(.string(value), .string))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: BigInteger) -> QueryFilter {
        compared(.le, .literal(.decimal(value.number), nil))
    }

    /// Holds where the value is less than or equal to `value`.
    public final func lessEqual(_ value: BigDecimal) -> QueryFilter {
        compared(.le, .literal(.decimal(value.number), nil))
    }
}
