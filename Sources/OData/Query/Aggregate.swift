import ODataQuery

/// A type whose values have an average.
public protocol AveragedFieldValue: OrderedFieldValue {
    /// What the average of such values is: a number with a fraction for integers, otherwise the type itself.
    associatedtype Average: FieldValue = Self
}

extension AveragedFieldValue where Self: FixedWidthInteger {
    /// A number with a fraction.
    public typealias Average = Double
}

extension Int: AveragedFieldValue {}
extension Int64: AveragedFieldValue {}
extension Int32: AveragedFieldValue {}
extension Int16: AveragedFieldValue {}
extension Int8: AveragedFieldValue {}
extension UInt8: AveragedFieldValue {}
extension Double: AveragedFieldValue {}
extension ExactDecimal: AveragedFieldValue {}
extension Duration: AveragedFieldValue {}

/// What is calculated of the entities of a group: see `OfflineStore.groups(of:by:with:)`.
public struct Aggregate<E: Entity, Value: FieldValue>: Sendable {
    let value: AggregateTerm.Value

    private init(_ value: AggregateTerm.Value) { self.value = value }

    private init<Field: FieldValue>(
        _ method: AggregationMethod, _ field: KeyPath<E.Fields, OData.Field<Field>>
    ) {
        self.init(.expression(E.Fields(.entity)[keyPath: field].expression, method))
    }

    /// The sum of a field; nil where no entity has a value.
    public static func sum<Summed: FieldValue>(
        _ field: KeyPath<E.Fields, Field<Summed>>
    ) -> Self where Value == Summed.Base? { Self(.sum, field) }

    /// The average of a field over the entities that have a value; nil where none has.
    public static func average<Averaged: FieldValue>(
        _ field: KeyPath<E.Fields, Field<Averaged>>
    ) -> Self where Averaged.Base: AveragedFieldValue, Value == Averaged.Base.Average? {
        Self(.average, field)
    }

    /// The smallest value of a field; nil where no entity has one.
    public static func minimum<Ordered: FieldValue>(
        _ field: KeyPath<E.Fields, Field<Ordered>>
    ) -> Self where Value == Ordered.Base? { Self(.min, field) }

    /// The largest value of a field; nil where no entity has one.
    public static func maximum<Ordered: FieldValue>(
        _ field: KeyPath<E.Fields, Field<Ordered>>
    ) -> Self where Value == Ordered.Base? { Self(.max, field) }

    /// How many different values a field has.
    public static func countDistinct<Counted: FieldValue>(
        _ field: KeyPath<E.Fields, Field<Counted>>
    ) -> Self where Value == Int { Self(.countDistinct, field) }
}

extension Aggregate where Value == Int {
    /// How many entities there are.
    public static var count: Self { Self(.count(ExpressionPath([]))) }
}
