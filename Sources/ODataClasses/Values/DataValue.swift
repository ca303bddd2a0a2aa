import ODataModel

/// The root of everything that can be the value of a property, a parameter or a query operand.
///
/// Equality and order follow the OData value space where both sides belong to it; across different kinds of values the
/// order is only deterministic.
open class DataValue: ObjectBase, Comparable, Hashable, @unchecked Sendable {
    /// Creates a value without content; subclasses give it meaning.
    public override init() {
        super.init()
    }

    /// A value that is distinct from absence and whose type is unknown.
    public static let undefined = DataValue()

    /// The type of this value.
    open var dataType: DataType { DataType.unknown }

    /// The code of ``dataType``.
    open var typeCode: Int { dataType.code }

    /// True when `other` is a value that is equal in the value space.
    open func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? DataValue else { return false }
        return self === other || DataValue.areEqual(self, other)
    }

    /// A mutable clone of the value; nil for nil.
    open class func cloneMutable(_ value: DataValue?) -> DataValue? {
        value?.copyMutable()
    }

    /// The value itself when it cannot change, otherwise a clone that shares nothing mutable with it.
    open func copyMutable() -> DataValue { self }

    /// The scalar behind a scalar wrapper; nil for structures, lists and query parts.
    package func scalarValue() -> Scalar? { nil }

    /// Feeds the parts that decide equality into `hasher`; overridden together with ``equals(_:)``.
    open func hash(into hasher: inout Hasher) {
        guard let scalar = scalarValue() else {
            hasher.combine(ObjectIdentifier(self))
            return
        }
        hasher.combine(ComparableScalar(scalar))
    }

    /// Equality in the value space.
    public static func == (left: DataValue, right: DataValue) -> Bool {
        left.equals(right)
    }

    /// Order in the value space; deterministic between different kinds.
    public static func < (left: DataValue, right: DataValue) -> Bool {
        DataValue.isOrdered(left, right)
    }
}
