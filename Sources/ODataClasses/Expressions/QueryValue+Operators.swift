import ODataModel
import ODataQuery

/// Comparison operators that build filters. Two query values compare as filters only where a filter is asked for;
/// elsewhere `==` keeps its meaning for values.
extension QueryValue {
    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: Bool) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: Int) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: Int64) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: Double) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: Float) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: String) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: BigInteger) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    public static func == (left: QueryValue, right: BigDecimal) -> QueryFilter { left.equal(right) }

    /// Holds where the left value is equal to the right one.
    @_disfavoredOverload
    public static func == (left: QueryValue, right: DataValue) -> QueryFilter {
        left.equal(right)
    }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: Bool) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: Int) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: Int64) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: Double) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: Float) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: String) -> QueryFilter { left.notEqual(right) }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: BigInteger) -> QueryFilter {
        left.notEqual(right)
    }

    /// Holds where the left value is different from the right one.
    public static func != (left: QueryValue, right: BigDecimal) -> QueryFilter {
        left.notEqual(right)
    }

    /// Holds where the left value is different from the right one.
    @_disfavoredOverload
    public static func != (left: QueryValue, right: DataValue) -> QueryFilter {
        left.notEqual(right)
    }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: Bool) -> QueryFilter { left.greaterThan(right) }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: Int) -> QueryFilter { left.greaterThan(right) }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: Int64) -> QueryFilter { left.greaterThan(right) }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: Double) -> QueryFilter {
        left.greaterThan(right)
    }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: Float) -> QueryFilter { left.greaterThan(right) }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: String) -> QueryFilter {
        left.greaterThan(right)
    }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: BigInteger) -> QueryFilter {
        left.greaterThan(right)
    }

    /// Holds where the left value is greater than the right one.
    public static func > (left: QueryValue, right: BigDecimal) -> QueryFilter {
        left.greaterThan(right)
    }

    /// Holds where the left value is greater than the right one.
    @_disfavoredOverload
    public static func > (left: QueryValue, right: DataValue) -> QueryFilter {
        left.greaterThan(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: Bool) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: Int) -> QueryFilter { left.greaterEqual(right) }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: Int64) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: Double) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: Float) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: String) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: BigInteger) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    public static func >= (left: QueryValue, right: BigDecimal) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is greater than or equal to the right one.
    @_disfavoredOverload
    public static func >= (left: QueryValue, right: DataValue) -> QueryFilter {
        left.greaterEqual(right)
    }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: Bool) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: Int) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: Int64) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: Double) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: Float) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: String) -> QueryFilter { left.lessThan(right) }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: BigInteger) -> QueryFilter {
        left.lessThan(right)
    }

    /// Holds where the left value is less than the right one.
    public static func < (left: QueryValue, right: BigDecimal) -> QueryFilter {
        left.lessThan(right)
    }

    /// Holds where the left value is less than the right one.
    @_disfavoredOverload
    public static func < (left: QueryValue, right: DataValue) -> QueryFilter {
        left.lessThan(right)
    }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: Bool) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: Int) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: Int64) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: Double) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: Float) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: String) -> QueryFilter { left.lessEqual(right) }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: BigInteger) -> QueryFilter {
        left.lessEqual(right)
    }

    /// Holds where the left value is less than or equal to the right one.
    public static func <= (left: QueryValue, right: BigDecimal) -> QueryFilter {
        left.lessEqual(right)
    }

    /// Holds where the left value is less than or equal to the right one.
    @_disfavoredOverload
    public static func <= (left: QueryValue, right: DataValue) -> QueryFilter {
        left.lessEqual(right)
    }
}
