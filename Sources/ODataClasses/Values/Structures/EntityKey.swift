import ODataModel

/// Key values by name (CSDL 4.01, section 6.5).
open class EntityKey: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes a key, as callers promise.

    /// The only value, as long as nobody asked for the map.
    private final var only: (name: String, value: DataValue)?
    private final var mapIfAny: DataValueMap?

    /// The values by name, in key order.
    public final var map: DataValueMap {
        if let mapIfAny { return mapIfAny }
        let map = DataValueMap()
        if let only { map.set(only.name, only.value) }
        (mapIfAny, only) = (map, nil)
        return map
    }

    /// The value of a key that has one; nil for any other key.
    package final var onlyValue: (name: String, value: DataValue)? {
        guard let mapIfAny else { return only }
        guard mapIfAny.size == 1 else { return nil }
        return mapIfAny.firstEntry.map { ($0.key, $0.value) }
    }

    /// Creates a key without values.
    public override init() { super.init() }

    /// Adds a value and returns the key; nil adds nothing.
    @discardableResult
    open func with(name: String, value: DataValue?) -> EntityKey {
        if let value, mapIfAny == nil, only == nil {
            only = (name, value)
        } else if let value {
            map.set(name, value)
        } else {
            map.delete(name)
        }
        return self
    }

    /// Adds the value of a key property and returns the key; nil adds nothing.
    @discardableResult
    open func withProperty(_ property: Property, value: DataValue?) -> EntityKey {
        with(name: property.name, value: value)
    }

    /// The values as scalars in order.
    package final var scalars: [(name: String, value: Scalar)] {
        map.entries().compactMap { entry in
            entry.value.scalarValue().map { (entry.key, $0) }
        }
    }

    /// Names and values as text.
    open override func toString() -> String {
        map.entries().map { "\($0.key)=\($0.value.toString())" }.joined(separator: ",")
    }
}
