import ODataModel

/// The root of the class-style types: a reference with identity and a readable form.
///
/// Instances that hold mutable state are not shared between threads unless their class says which lock guards them.
open class ObjectBase: Readable, @unchecked Sendable {
    /// Creates an object without state of its own (usable as a lock token).
    public init() {}

    /// The readable form; ``Readable/description`` is the same text.
    open func toString() -> String {
        String(describing: type(of: self))
    }
}

/// What has a readable form, which string interpolation shows.
///
/// `description` and `debugDescription` come from here and not from ``ObjectBase``, so that classes made for a service may
/// have properties of these names and of any type, which come before these: interpolation still shows ``toString()``.
public protocol Readable: CustomStringConvertible, CustomDebugStringConvertible {
    /// The readable form.
    func toString() -> String
}

extension Readable {
    /// The text of ``toString()``.
    @_disfavoredOverload
    public var description: String { toString() }

    /// The text of ``toString()``.
    @_disfavoredOverload
    public var debugDescription: String { toString() }
}
