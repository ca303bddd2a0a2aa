import Foundation
import ODataModel

/// A globally unique identifier (`Edm.Guid`; CSDL 4.01, section 3.3).
open class GuidValue: DataValue, @unchecked Sendable {
    // Immutable.
    package final let guid: Guid

    package init(guid: Guid) {
        self.guid = guid
        super.init()
    }

    package final var scalar: Scalar { .guid(guid) }
    package override final func scalarValue() -> Scalar? { scalar }

    /// The type of this value.
    open override var dataType: DataType { BasicType.guidValue }

    /// The identifier as a Foundation value.
    public final var value: UUID { uuid(guid) }

    private func uuid(_ guid: Guid) -> UUID {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: guid.bytes) }
        return UUID(uuid: bytes)
    }

    /// The identifier of a Foundation value.
    open class func of(_ value: UUID) -> GuidValue {
        let bytes = withUnsafeBytes(of: value.uuid) { Array($0) }
        // Sixteen bytes always are an identifier.
        return GuidValue(guid: Guid(bytes: bytes) ?? Guid(high: 0, low: 0))
    }

    /// The identifier of a Foundation value; nil for nil.
    open class func ofOptional(_ value: UUID?) -> GuidValue? { value.map { of($0) } }

    /// The identifier of a Foundation value; nil for nil. As ``ofOptional(_:)``, in the spelling of the other value classes.
    public static func of(optional value: UUID?) -> GuidValue? { ofOptional(value) }

    /// A new random identifier.
    open class func random() -> GuidValue { of(UUID()) }

    /// Reads 36 characters with hyphens or 32 without; nil for other text.
    open class func parse(_ text: String) -> GuidValue? {
        Guid(text).map { GuidValue(guid: $0) }
    }

    /// Reads trusted text. Text that is no identifier is a programming error and traps; see ``parse(_:)``.
    open class func literal(_ text: String) -> GuidValue {
        guard let value = parse(text) else {
            preconditionFailure("Expected the 36 characters of an identifier.")
        }
        return value
    }

    /// 36 characters in lower case.
    open override func toString() -> String { guid.description }

    /// 36 characters in lower case.
    open func toString36() -> String { guid.description }

    /// 32 characters in lower case, without hyphens.
    open func toString32() -> String { guid.compactText }

    /// The 16 bytes in network order.
    open func toBinary() -> Data { Data(guid.bytes) }

    /// The value as this class; nil for nil. Another class is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> GuidValue? {
        cast(optional: value, to: GuidValue.self)
    }

    /// The value as this class. Nil and another class are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> GuidValue {
        cast(required: value, to: GuidValue.self)
    }

    /// True when both are nil or both are equal.
    open class func equal(x: GuidValue?, y: GuidValue?) -> Bool { x?.guid == y?.guid }

    /// -1, 0 or 1 as `x` is below, equal to or above `y`.
    open class func compare(x: GuidValue, y: GuidValue) -> Int {
        x.guid < y.guid ? -1 : x.guid == y.guid ? 0 : 1
    }
}
