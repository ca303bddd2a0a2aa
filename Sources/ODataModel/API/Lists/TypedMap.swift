/// The one implementation of all maps from text: entries keep the order in which their keys were first set.
///
/// Maps are not shared between threads while they change.
open class TypedMap<Value>: ObjectBase, Sequence, @unchecked Sendable {
    // Confined: one thread at a time changes a map, as callers promise.
    private final var keyOrder: [String] = []
    private final var values_: [String: Value] = [:]

    /// Creates an empty map.
    public required override init() { super.init() }

    /// Creates a map of these entries.
    package convenience init(entries: [(String, Value)]) {
        self.init()
        for (key, value) in entries { set(key, value) }
    }

    /// How many entries the map has.
    open var size: Int { keyOrder.count }

    /// How many entries the map has.
    public final var count: Int { size }

    /// True when the map has no entries.
    open var isEmpty: Bool { keyOrder.isEmpty }

    /// A new map without entries.
    open class var empty: Self { self.init() }

    /// Removes all entries.
    open func clear() {
        keyOrder = []
        values_ = [:]
    }

    /// The value of a key; nil when the map has none.
    open func get(_ key: String) -> Value? { values_[key] }

    /// The value of a key. A key that the map does not have is a programming error and traps.
    open func getRequired(_ key: String) -> Value {
        guard let value = values_[key] else {
            preconditionFailure("Expected an entry with the key \(key).")
        }
        return value
    }

    /// The value of a key; setting nil removes the entry.
    open subscript(key: String) -> Value? {
        get { get(key) }
        set {
            if let newValue { set(key, newValue) } else { delete(key) }
        }
    }

    /// True when the map has an entry with this key.
    open func has(_ key: String) -> Bool { values_[key] != nil }

    /// Removes an entry; false when there was none.
    @discardableResult
    open func delete(_ key: String) -> Bool {
        guard values_.removeValue(forKey: key) != nil else { return false }
        keyOrder.removeAll { $0 == key }
        return true
    }

    /// Sets the value of a key.
    open func set(_ key: String, _ value: Value) {
        if values_.updateValue(value, forKey: key) == nil { keyOrder.append(key) }
    }

    /// Sets the value of a key and returns the map.
    @discardableResult
    open func setThis(_ key: String, _ value: Value) -> Self {
        set(key, value)
        return self
    }

    /// One key with its value.
    public struct Entry {
        /// The key.
        public let key: String
        /// The value.
        public let value: Value
    }

    /// All entries in order.
    open func entries() -> [Entry] {
        keyOrder.compactMap { key in values_[key].map { Entry(key: key, value: $0) } }
    }

    /// All keys in order.
    open func keys() -> StringList { StringList.fromArray(keyOrder) }

    /// All entries by ascending keys.
    open func sortedEntries() -> [Entry] { entries().sorted { $0.key < $1.key } }

    /// All keys in ascending order.
    open func sortedKeys() -> StringList { StringList.fromArray(keyOrder.sorted()) }

    /// All values in the order of their entries.
    package final var orderedValues: [Value] { keyOrder.compactMap { values_[$0] } }

    /// The entries in order.
    public final func makeIterator() -> IndexingIterator<[Entry]> { entries().makeIterator() }

    /// The entries as text.
    open override func toString() -> String {
        "{" + entries().map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// A map from text to text.
open class StringMap: TypedMap<String>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> StringList { StringList.fromArray(orderedValues) }
}

/// A map from names to values.
open class DataValueMap: TypedMap<DataValue>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> DataValueList { DataValueList.fromArray(orderedValues) }
}
