/// Key values by name (CSDL 4.01, section 6.5).
open class EntityKey: ObjectBase, @unchecked Sendable {
    // Confined: one thread at a time changes a key, as callers promise.

    /// The values by name, in key order.
    public final let map: DataValueMap

    /// Creates a key without values.
    public override init() {
        map = DataValueMap()
        super.init()
    }

    /// Adds a value and returns the key; nil adds nothing.
    @discardableResult
    open func with(name: String, value: DataValue?) -> EntityKey {
        if let value { map.set(name, value) } else { map.delete(name) }
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
