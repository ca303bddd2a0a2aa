import ODataModel

/// The value of a property that no type declares.
///
/// It is of the type that the service sent: a number without a fraction is an integer, and dates come as text unless the
/// service says what they are.
public struct DynamicValue: Sendable, Hashable {
    let stored: StoredValue

    init(_ stored: StoredValue) { self.stored = stored }

    /// A value to store.
    public init<Value: FieldValue>(_ value: Value) { stored = value.storedValue }

    /// The value as a type of Swift.
    ///
    /// - Throws: ``ODataError`` with `wrongType` for a value of another type.
    public func get<Value: FieldValue>(
        as type: Value.Type = Value.self
    ) throws(ODataError) -> Value { try Value.fieldValue(from: stored) }
}

extension DynamicValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self.init(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
    /// Yes or no.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

/// What an entity of an open type has beside its declared properties, by name (CSDL 4.01, section 6.3).
///
/// ```swift
/// item.dynamic["Color"] = "red"
/// let weight = try item.dynamic["Weight"]?.get(as: Double.self)
/// ```
public struct DynamicProperties: Sendable, Hashable {
    var values: [String: DynamicValue] = [:]

    /// None.
    public init() {}

    init(_ values: [String: ODataValue], _ model: RowModel) {
        self.values = values.compactMapValues { value in
            value.isNull ? nil : DynamicValue(StoredValue(value, nil, model))
        }
    }

    /// Their names, in order.
    public var names: [String] { values.keys.sorted() }

    /// A property; nil where there is none, or no value. Setting nil takes it away.
    public subscript(_ name: String) -> DynamicValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

/// An entity of an open type.
///
/// Its initialiser reads ``Row/dynamic``, and `write(to:)` hands it to ``Values/set(dynamic:)``.
public protocol OpenEntity: Entity {
    /// What it has beside its declared properties.
    var dynamic: DynamicProperties { get set }
}

extension OpenEntity {
    /// A property that the type does not declare; see ``DynamicProperties/subscript(_:)``.
    public subscript(dynamic name: String) -> DynamicValue? {
        get { dynamic[name] }
        set { dynamic[name] = newValue }
    }
}
