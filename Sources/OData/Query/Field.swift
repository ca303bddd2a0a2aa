import ODataModel
import ODataQuery

/// A property in a query, and the type of its values.
///
/// Comparisons have a field on the left and a plain value on the right, so that each has one meaning and queries
/// type-check fast: `$0.status == .open`, `$0.note == nil`, `$0.isUrgent == true`. Everything else is a method.
public struct Field<Value: FieldValue>: Sendable {
    let expression: ODataQuery.Expression

    init(_ expression: ODataQuery.Expression) { self.expression = expression }

    /// The property has this value; nil asks for none.
    public static func == (field: Field, value: Value) -> Condition {
        Condition(.eq, field.expression, value.storedValue)
    }

    /// The property has another value; where it has none, that is another one.
    public static func != (field: Field, value: Value) -> Condition {
        Condition(.ne, field.expression, value.storedValue)
    }

    /// The property has no value.
    public var isNull: Condition { Condition(.eq, expression, .null) }

    /// The property has one of these values.
    public func `in`(_ values: [Value]) -> Condition {
        Condition(
            .isIn(expression, values.map(\.storedValue.literal)),
            comparesWholes: values.contains(where: \.storedValue.isWhole))
    }

    /// The property has the same value as another one.
    public func equals(_ other: Field) -> Condition {
        Condition(.binary(.eq, expression, other.expression))
    }
}

extension Field where Value.Base: OrderedFieldValue {
    /// Less than a value.
    public static func < (field: Field, value: Value.Base) -> Condition {
        Condition(.lt, field.expression, value.storedValue)
    }

    /// At most a value.
    public static func <= (field: Field, value: Value.Base) -> Condition {
        Condition(.le, field.expression, value.storedValue)
    }

    /// More than a value.
    public static func > (field: Field, value: Value.Base) -> Condition {
        Condition(.gt, field.expression, value.storedValue)
    }

    /// At least a value.
    public static func >= (field: Field, value: Value.Base) -> Condition {
        Condition(.ge, field.expression, value.storedValue)
    }

    /// From the lower bound to the upper one, both included.
    public func between(_ lower: Value.Base, _ upper: Value.Base) -> Condition {
        self >= lower && self <= upper
    }
}

extension Field where Value.Base == String {
    /// Begins with a text; letters count as they are, capital or not.
    public func hasPrefix(_ text: String) -> Condition { call(.startsWith, text) }

    /// Ends with a text.
    public func hasSuffix(_ text: String) -> Condition { call(.endsWith, text) }

    /// Contains a text.
    public func contains(_ text: String) -> Condition { call(.contains, text) }

    /// The text in lower case, to compare without regard to case.
    public var lowercased: Field { Field(.call(.toLower, [expression])) }

    private func call(_ function: Function, _ text: String) -> Condition {
        Condition(.call(function, [expression, text.storedValue.literal]))
    }
}

/// Which way to order.
public enum Direction: Sendable, Hashable {
    /// The smallest first; no value is smaller than any.
    case ascending
    /// The largest first.
    case descending
}
