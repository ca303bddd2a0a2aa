import ODataModel

/// A value on its way between the store and a property, in no type of Swift yet.
///
/// What conforms to ``FieldValue`` is usually made of other such types, so that its insides are nobody's business.
public struct StoredValue: Sendable, Hashable {
    let value: ODataValue
    /// Of a property whose type is an enumeration: what its numbers are called.
    var enumeration: EnumerationDefinition?

    init(_ value: ODataValue, _ enumeration: EnumerationDefinition? = nil) {
        self.value = value
        self.enumeration = enumeration
    }

    init(_ scalar: Scalar) { self.init(.scalar(scalar)) }

    /// No value.
    public static let null = StoredValue(.null)

    /// Whether there is no value.
    public var isNull: Bool { value.isNull }

    /// The plain value.
    ///
    /// - Throws: `unexpectedNull` for null.
    func scalar() throws(ODataError) -> Scalar {
        guard !isNull else {
            throw ODataError(.unexpectedNull, "Expected a value, found null.")
        }
        guard let scalar = value.scalar else { throw Self.mismatch("a primitive value") }
        return scalar
    }

    static func mismatch(_ expected: String) -> ODataError {
        ODataError(.wrongType, "Expected \(expected), found a value of another type.")
    }
}

/// A type that a property may have.
///
/// Conform enumerations through ``OpenEnum``. Optionals and arrays of such types are such types.
public protocol FieldValue: Sendable, Hashable {
    /// The type without "or nothing".
    associatedtype Base: FieldValue = Self

    /// The value of a property.
    ///
    /// - Throws: ``ODataError`` with `wrongType` for a value of another type, `unexpectedNull` for none where there must be
    ///   one.
    static func fieldValue(from stored: StoredValue) throws(ODataError) -> Self

    /// The value as the store takes it.
    var storedValue: StoredValue { get }
}

/// A type whose values have an order, for `<` and its like.
public protocol OrderedFieldValue: FieldValue {}

extension Optional: FieldValue where Wrapped: FieldValue {
    /// The type without "or nothing".
    public typealias Base = Wrapped.Base

    /// Nil for null.
    ///
    /// - Throws: As the type beneath.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Wrapped? {
        stored.isNull ? nil : try Wrapped.fieldValue(from: stored)
    }

    /// Null for nil.
    public var storedValue: StoredValue { map(\.storedValue) ?? .null }
}

extension Array: FieldValue where Element: FieldValue {
    /// A collection of values.
    ///
    /// - Throws: `wrongType` for a single value, and as the type of the elements.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> [Element] {
        guard let list = stored.value.list else { throw StoredValue.mismatch("a collection") }
        var result: [Element] = []
        for item in list {
            result.append(try Element.fieldValue(from: StoredValue(item, stored.enumeration)))
        }
        return result
    }

    /// The values in order.
    public var storedValue: StoredValue { StoredValue(.list(map(\.storedValue.value))) }
}

/// An enumeration of the service as Swift sees it: a struct with a static member for each known value.
///
/// Services add members. A closed `enum` would have to throw on them; here a value that nobody knew when the app was built
/// is read, compared and sent back unchanged.
///
/// ```swift
/// struct Status: OpenEnum {
///     let rawValue: String
///     static let open = Status(rawValue: "Open")
/// }
/// ```
///
/// With text as raw value it fits properties of text, and enumerations by the names of their members (joined by commas for
/// flags); with a number, integers and enumerations by value.
public protocol OpenEnum: RawRepresentable, FieldValue where RawValue: FieldValue {
    /// The member with this raw value, known or not.
    init(rawValue: RawValue)
}

extension OpenEnum {
    /// The member that a property has.
    ///
    /// - Throws: As the raw value's type.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Self {
        Self(rawValue: try RawValue.fieldValue(from: stored))
    }

    /// The raw value.
    public var storedValue: StoredValue { rawValue.storedValue }
}
