import ODataModel

/// The root of the class-style types: a reference with identity and a readable form.
///
/// Instances that hold mutable state are not shared between threads unless their class says which lock guards them.
open class ObjectBase: CustomStringConvertible, @unchecked Sendable {
    /// Creates an object without state of its own (usable as a lock token).
    public init() {}

    /// The readable form; ``description`` is the same text.
    open func toString() -> String {
        String(describing: type(of: self))
    }

    /// The text of ``toString()``.
    public var description: String { toString() }
}
