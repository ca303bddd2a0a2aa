/// A value class over one ``Scalar``.
package protocol ScalarConvertible: DataValue {
    var scalar: Scalar { get }
}

extension DataValue {
    /// The scalar behind a scalar wrapper; nil for structures, lists and query parts.
    package final func scalarValue() -> Scalar? {
        (self as? any ScalarConvertible)?.scalar
    }

    static func areEqual(_ left: DataValue, _ right: DataValue) -> Bool {
        guard let first = left.scalarValue(), let second = right.scalarValue() else { return false }
        return ComparableScalar(first) == ComparableScalar(second)
    }

    static func isOrdered(_ left: DataValue, _ right: DataValue) -> Bool {
        guard let first = left.scalarValue(), let second = right.scalarValue() else {
            return left.toString() < right.toString()
        }
        return ComparableScalar(first) < ComparableScalar(second)
    }
}
