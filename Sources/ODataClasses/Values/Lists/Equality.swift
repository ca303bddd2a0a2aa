import ODataModel

/// Says whether two objects are equal; what lists search with. Here: whether they are the same object.
open class Equality: ObjectBase, @unchecked Sendable {
    // Subclasses are constant after they are made, as callers promise.

    /// The equality that lists of metadata elements use.
    public static let identity = Equality()

    /// Creates an equality.
    public override init() { super.init() }

    /// True when both are the same object, or both are nothing.
    open func equal(_ left: AnyObject?, _ right: AnyObject?) -> Bool { left === right }
}

/// Equality in the value space: 1 and 1.0 are equal numbers, two instants are equal whatever their offset.
open class DataEquality: Equality, @unchecked Sendable {
    /// The equality that lists of values use.
    public static let singleton = DataEquality()

    /// True when both are nothing, or values that are equal.
    open override func equal(_ left: AnyObject?, _ right: AnyObject?) -> Bool {
        guard let left = left as? DataValue, let right = right as? DataValue else {
            return super.equal(left, right)
        }
        return left == right
    }
}
