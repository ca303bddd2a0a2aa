import ODataText

/// The base of every list of values. Lists are not shared between threads while they change.
open class ListBase: DataValue, @unchecked Sendable {
    // Confined: one thread at a time changes a list, as callers promise.

    /// Creates an empty list.
    public override init() { super.init() }

    /// How many items the list has.
    open var length: Int { 0 }

    /// How many items the list has.
    public final var count: Int { length }

    /// True when the list has no items.
    public final var isEmpty: Bool { length == 0 }

    /// The items as value objects, wrapped where the list holds plain values.
    package func dataValues() -> [DataValue?] { [] }

    /// Replaces the items by others of the list's own kind.
    package func assign(_ values: [DataValue?]) {}

    /// Removes all items.
    open func clear() {}

    /// The same items in a list that holds any value.
    open func toDynamic() -> ListBase? { DataValueListWithNulls.fromArray(dataValues()) }

    /// JSON text of the items.
    open override func toString() -> String {
        StructureText.array(dataValues()).text
    }

    /// Equal when the items are, in order.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? ListBase else { return false }
        return self === other || dataValues() == other.dataValues()
    }

    /// Hashes the items.
    open override func hash(into hasher: inout Hasher) { hasher.combine(dataValues()) }
}
