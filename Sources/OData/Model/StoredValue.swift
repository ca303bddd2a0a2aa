import ODataModel

/// A value on its way between the store and a property, in no type of Swift yet.
///
/// What conforms to ``FieldValue`` is usually made of other such types, so that its insides are nobody's business.
public struct StoredValue: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case value(ODataValue)
        /// A complex value that is to be stored.
        case fields(Values)
        case list([StoredValue])
    }

    let content: Content
    /// Of a property whose type is an enumeration: what its numbers are called.
    let enumeration: EnumerationDefinition?
    /// What complex values that were stored are read by; it says nothing about the value.
    private let model: RowModel?

    init(_ value: ODataValue, _ enumeration: EnumerationDefinition? = nil, _ model: RowModel? = nil)
    {
        content = .value(value)
        self.enumeration = enumeration
        self.model = model
    }

    init(_ scalar: Scalar) { self.init(.scalar(scalar)) }

    init(_ content: Content) {
        self.content = content
        enumeration = nil
        model = nil
    }

    /// No value.
    public static let null = StoredValue(ODataValue.null)

    /// Whether there is no value.
    public var isNull: Bool { content == .value(.null) }

    /// Whether two values are the same.
    public static func == (left: StoredValue, right: StoredValue) -> Bool {
        left.content == right.content
    }

    /// As equality has it.
    public func hash(into hasher: inout Hasher) { hasher.combine(content) }

    /// The plain value.
    ///
    /// - Throws: `unexpectedNull` for null.
    func scalar() throws(ODataError) -> Scalar {
        guard !isNull else {
            throw ODataError(.unexpectedNull, "Expected a value, found null.")
        }
        guard case .value(.scalar(let scalar)) = content else {
            throw Self.mismatch("a primitive value")
        }
        return scalar
    }

    /// The values of a collection.
    func list() throws(ODataError) -> [StoredValue] {
        switch content {
        case .list(let items): return items
        case .value(.list(let items)):
            return items.map { StoredValue($0, enumeration, model) }
        case .value, .fields: throw Self.mismatch("a collection")
        }
    }

    /// The value as it is, where no metadata says what it should be; nil for complex values.
    var undeclared: ODataValue? {
        switch content {
        case .value(let value): return value
        case .fields: return nil
        case .list(let items):
            let values = items.compactMap(\.undeclared)
            return values.count == items.count ? .list(values) : nil
        }
    }

    /// A complex value as a row.
    ///
    /// - Throws: `unexpectedNull` for null.
    func row() throws(ODataError) -> Row {
        guard !isNull else {
            throw ODataError(.unexpectedNull, "Expected a value, found null.")
        }
        guard case .value(.structure(let structure)) = content, let model else {
            throw Self.mismatch("a complex value")
        }
        return Row(structure, id: 0, [], model)
    }

    static func mismatch(_ expected: String) -> ODataError {
        ODataError(.wrongType, "Expected \(expected), found a value of another type.")
    }
}

/// A type that a property may have.
///
/// Conform enumerations through ``OpenEnum``, complex types through ``ComplexValue``. Optionals and arrays of such types are such types.
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
        var result: [Element] = []
        for item in try stored.list() { result.append(try Element.fieldValue(from: item)) }
        return result
    }

    /// The values in order.
    public var storedValue: StoredValue { StoredValue(.list(map(\.storedValue))) }
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

/// A complex type as a struct: several values that are one property.
///
/// Written as an ``Entity``, without a set and a ref. An update of one of its values sends the whole of it.
public protocol ComplexValue: FieldValue {
    /// Reads the value.
    ///
    /// - Throws: As ``Row/value(_:as:)``.
    init(_ row: Row) throws(ODataError)

    /// Says what the value has in its properties.
    func write(to values: inout Values)
}

extension ComplexValue {
    /// The value of a property.
    ///
    /// - Throws: As the initialiser, `wrongType` for a property of another type, `unexpectedNull` for none.
    public static func fieldValue(from stored: StoredValue) throws(ODataError) -> Self {
        try Self(try stored.row())
    }

    /// The value as the store takes it.
    public var storedValue: StoredValue {
        var values = Values()
        write(to: &values)
        return StoredValue(.fields(values))
    }
}
