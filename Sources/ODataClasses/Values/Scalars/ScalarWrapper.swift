import ODataModel

/// What the value classes over one plain Swift value have in common.
///
/// Instances are immutable. Conforming classes only say how a plain value becomes a scalar and back.
public protocol ScalarWrapper: DataValue {
    /// The Swift type that the class wraps.
    associatedtype Plain: Equatable

    /// The wrapped value.
    var value: Plain { get }

    /// Wraps a value.
    init(_ value: Plain)

    /// The plain form of a value of this class, or of another class that stands for the same kind of value; nil when
    /// there is none.
    static func plain(from value: DataValue) -> Plain?
}

extension ScalarWrapper {
    /// Wraps a value.
    public static func of(_ value: Plain) -> Self { Self(value) }

    /// Wraps a value; nil for nil.
    public static func of(optional value: Plain?) -> Self? { value.map { Self($0) } }

    /// The plain value; nil for nil. A value of a class that does not fit is a programming error and traps.
    public static func optional(_ value: AnyObject?) -> Plain? {
        guard let value else { return nil }
        return unwrap(value)
    }

    /// The plain value. Nil and a value of a class that does not fit are programming errors and trap.
    public static func unwrap(_ value: AnyObject?) -> Plain {
        guard let value = value as? DataValue, let plain = plain(from: value) else {
            preconditionFailure(
                "Expected a value that fits \(Self.self), found \(DataValue.className(value)).")
        }
        return plain
    }

    /// The value as this class; nil for nil. A value that does not fit is a programming error and traps.
    public static func castOptional(_ value: AnyObject?) -> Self? {
        guard let value else { return nil }
        return castRequired(value)
    }

    /// The value as this class. Nil and a value that does not fit are programming errors and trap.
    public static func castRequired(_ value: AnyObject?) -> Self {
        (value as? Self) ?? Self(unwrap(value))
    }

    /// True when both are nil or both are equal.
    public static func equal(left: Self?, right: Self?) -> Bool { left == right }

    /// -1, 0 or 1 as `left` is below, equal to or above `right`.
    public static func compare(left: Self, right: Self) -> Int {
        left < right ? -1 : right < left ? 1 : 0
    }
}

extension DataValue {
    /// For messages: the class of a value, never its content.
    static func className(_ value: AnyObject?) -> String {
        value.map { "\(type(of: $0))" } ?? "nil"
    }

    /// The value as `Target`; nil for nil, a trap for another class.
    static func cast<Target: AnyObject>(optional value: AnyObject?, to target: Target.Type)
        -> Target?
    {
        guard let value else { return nil }
        return cast(required: value, to: target)
    }

    /// The value as `Target`; a trap for nil and for another class.
    static func cast<Target: AnyObject>(required value: AnyObject?, to target: Target.Type)
        -> Target
    {
        guard let result = value as? Target else {
            preconditionFailure("Expected \(target), found \(className(value)).")
        }
        return result
    }
}
