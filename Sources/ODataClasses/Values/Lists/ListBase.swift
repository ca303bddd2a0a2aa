import ODataModel
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

    /// The items as the objects that ``comparer`` and `equality` are asked about.
    package func objects() -> [AnyObject?] { dataValues() }

    /// Removes all items.
    open func clear() {}

    /// Removes the item at a position.
    open func removeAt(_ index: Int) {}

    /// Removes the items from one position up to, not including, another.
    open func removeRange(_ start: Int, _ end: Int) {}

    /// Turns the order around.
    open func reverse() {}

    /// The order that ``sort()`` brings; that of the value space unless a subclass says otherwise.
    open var comparer: Comparer { DataComparer.singleton }

    /// What searches take for equal; the value space unless a subclass says otherwise.
    open var equality: Equality { DataEquality.singleton }

    /// Puts the items in the ascending order of ``comparer``; equal ones stay in their order.
    open func sort() { sortWith(comparer) }

    /// Puts the items in the ascending order of a comparer; equal ones stay in their order.
    open func sortWith(_ comparer: Comparer) {}

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
