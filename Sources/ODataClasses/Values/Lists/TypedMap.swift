import ODataModel

/// The one implementation of all maps from text: entries keep the order in which their keys were first set.
///
/// Maps are not shared between threads while they change.
open class TypedMap<Value>: ObjectBase, Sequence, @unchecked Sendable {
    // Confined: one thread at a time changes a map, as callers promise.
    private final var list: [Entry] = []
    /// Positions in ``list`` by key; empty while the list is short enough to be walked.
    private final var positions: [String: Int] = [:]

    /// Creates an empty map.
    public required override init() { super.init() }

    /// Creates a map of these entries.
    package convenience init(entries: [(String, Value)]) {
        self.init()
        for (key, value) in entries { set(key, value) }
    }

    /// How many entries the map has.
    open var size: Int { list.count }

    /// How many entries the map has.
    public final var count: Int { size }

    /// True when the map has no entries.
    open var isEmpty: Bool { list.isEmpty }

    /// A new map without entries.
    open class var empty: Self { self.init() }

    /// Removes all entries.
    open func clear() {
        list = []
        positions = [:]
    }

    private final func position(of key: String) -> Int? {
        guard positions.isEmpty else { return positions[key] }
        return list.firstIndex { $0.key == key }
    }

    private final func index() {
        guard list.count > 8 else {
            positions = [:]
            return
        }
        positions = Dictionary(
            zip(list.lazy.map(\.key), list.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The value of a key; nil when the map has none.
    open func get(_ key: String) -> Value? { position(of: key).map { list[$0].value } }

    /// The same as ``get(_:)``.
    public final func value(forKey key: String) -> Value? { get(key) }

    /// The value of a key. A key that the map does not have is a programming error and traps; see ``get(_:)``.
    open func getRequired(_ key: String) -> Value {
        guard let value = get(key) else {
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
    open func has(_ key: String) -> Bool { position(of: key) != nil }

    /// Removes an entry; false when there was none.
    @discardableResult
    open func delete(_ key: String) -> Bool {
        guard let position = position(of: key) else { return false }
        list.remove(at: position)
        index()
        return true
    }

    /// Sets the value of a key.
    open func set(_ key: String, _ value: Value) {
        if let position = position(of: key) {
            list[position] = Entry(key: key, value: value)
            return
        }
        list.append(Entry(key: key, value: value))
        if positions.isEmpty {
            index()
        } else {
            positions[key] = list.count - 1
        }
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

    /// Entries, as ``entries()`` gives them.
    public typealias EntryList = [Entry]

    /// All entries in order.
    open func entries() -> EntryList { list }

    /// The entry whose key was first set.
    package final var firstEntry: Entry? { list.first }

    /// All keys in order.
    open func keys() -> StringList { StringList.fromArray(list.map(\.key)) }

    /// All entries by ascending keys.
    open func sortedEntries() -> EntryList { entries().sorted { $0.key < $1.key } }

    /// All keys in ascending order.
    open func sortedKeys() -> StringList { StringList.fromArray(list.map(\.key).sorted()) }

    /// All values in the order of their entries.
    package final var orderedValues: [Value] { list.map(\.value) }

    /// All values in the order of ascending keys.
    package final var valuesByKey: [Value] { sortedEntries().map(\.value) }

    /// The entries in order, so that a loop may name key and value at once.
    public final func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var rest = list.makeIterator()
        return AnyIterator { rest.next().map { (key: $0.key, value: $0.value) } }
    }

    /// The entries as text.
    open override func toString() -> String {
        "{" + entries().map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// A map from text to text.
open class StringMap: TypedMap<String>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> StringList { StringList.fromArray(orderedValues) }

    /// All values in ascending order.
    open func sortedValues() -> StringList { StringList.fromArray(orderedValues.sorted()) }
}

/// A map from names to values.
open class DataValueMap: TypedMap<DataValue>, @unchecked Sendable {
    /// All values in the order of their entries.
    open func values() -> DataValueList { DataValueList.fromArray(orderedValues) }

    /// All values in ascending order.
    open func sortedValues() -> DataValueList { DataValueList.fromArray(orderedValues.sorted()) }
}
