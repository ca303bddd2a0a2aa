import ODataModel

/// A value of an enumeration type (CSDL 4.01, section 10): a member, a combination of flags, or a number that no
/// member names.
open class EnumValue: DataValue, @unchecked Sendable {
    // Immutable.
    private final let type: EnumType
    package final let rawValue: Int64

    package init(_ type: EnumType, _ rawValue: Int64) {
        self.type = type
        self.rawValue = rawValue
        super.init()
    }

    package final var scalar: Scalar { .integer(rawValue) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The enumeration type.
    open var enumType: EnumType { type }

    /// The enumeration type.
    open override var dataType: DataType { type }

    /// The member's name; for flags the names joined by commas; the number where no member fits.
    open var name: String { type.definition.text(of: rawValue) }

    /// The number in the wrapper of the underlying type.
    open var value: DataValue {
        DataValue.of(.integer(rawValue), type.definition.underlyingType) ?? LongValue(rawValue)
    }

    /// The number.
    open func intValue() -> Int { Int(rawValue) }

    /// The number.
    open func longValue() -> Int64 { rawValue }

    /// The number; the nearest value of the type when it does not fit.
    open func shortValue() -> Int { Int(Int16(clamping: rawValue)) }

    /// The number; the nearest value of the type when it does not fit.
    open func byteValue() -> Int { Int(Int8(clamping: rawValue)) }

    /// True when a refresh of metadata found the member gone.
    open var isRemoved: Bool {
        type.model.isRemoved("member \(type.qualifiedName)/\(name)")
    }

    /// Whether a refresh of metadata may remove the member; the same for all values of one number.
    open var canBeRemoved: Bool {
        get { type.canBeRemoved(rawValue) }
        set { type.setCanBeRemoved(rawValue, to: newValue) }
    }

    /// True for members added by an app beside the service's own.
    open var isExtension: Bool { false }

    /// The name, as ``name``.
    open override func toString() -> String { name }

    /// Equal when the type and the number are the same.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? EnumValue else { return false }
        return rawValue == other.rawValue && type.qualifiedName == other.type.qualifiedName
    }

    /// True when both are nil or both are equal.
    open class func equal(_ left: EnumValue?, _ right: EnumValue?) -> Bool { left == right }

    /// -1, 0 or 1 by the numbers.
    open class func compare(_ left: EnumValue, _ right: EnumValue) -> Int {
        left.rawValue < right.rawValue ? -1 : left.rawValue == right.rawValue ? 0 : 1
    }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> EnumValue? {
        cast(optional: value, to: EnumValue.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> EnumValue {
        cast(required: value, to: EnumValue.self)
    }
}
