import ODataModel

/// The one implementation of all lists: a growing array of items of one kind.
///
/// Positions out of range and reads of an empty list are programming errors and trap, as for an array.
open class TypedList<Item>: ListBase, Sequence, ExpressibleByArrayLiteral, @unchecked Sendable {
    // Confined as its base class says.
    private final var storage: [Item]
    /// Makes the items when they are first looked at; nil once they are there.
    private final var source: (count: Int, make: () -> [Item])?

    /// Creates an empty list with room for `capacity` items.
    public required init(capacity: Int = 0) {
        storage = []
        super.init()
        if capacity > 0 { storage.reserveCapacity(Swift.min(capacity, 65_536)) }
    }

    /// Creates a list of these items.
    public required convenience init(arrayLiteral elements: Item...) {
        self.init(capacity: 0)
        storage = elements
    }

    /// A list whose items are made when one is first looked at; their number is known before.
    package convenience init(count: Int, making make: @escaping () -> [Item]) {
        self.init(capacity: 0)
        source = (count, make)
    }

    /// The items.
    package final var items: [Item] {
        get {
            if let source {
                storage = source.make()
                self.source = nil
            }
            return storage
        }
        set {
            source = nil
            storage = newValue
        }
        _modify {
            if let source {
                storage = source.make()
                self.source = nil
            }
            yield &storage
        }
    }

    /// How many items the list has.
    open override var length: Int { source?.count ?? storage.count }

    /// The items in order.
    public final func makeIterator() -> IndexingIterator<[Item]> { items.makeIterator() }

    /// The item at a position.
    open subscript(index: Int) -> Item {
        get {
            checkPosition(index)
            return items[index]
        }
        set {
            checkPosition(index)
            items[index] = newValue
        }
    }

    /// The item at a position.
    open func item(at index: Int) -> Item { self[index] }

    /// The first item. An empty list is a programming error and traps; `toArray().first` is nil for one.
    open func first() -> Item {
        precondition(length > 0, "Expected an item in \(Self.self), found an empty list.")
        return items[0]
    }

    /// The last item. An empty list is a programming error and traps; `toArray().last` is nil for one.
    open func last() -> Item {
        precondition(length > 0, "Expected an item in \(Self.self), found an empty list.")
        return items[length - 1]
    }

    private final func checkPosition(_ index: Int) {
        precondition(
            index >= 0 && index < length,
            "Expected a position below \(length) in \(Self.self), found \(index).")
    }

    /// The only item of a list of one. Another number of items is a programming error and traps.
    open func single() -> Item {
        precondition(length == 1, "Expected one item in \(Self.self), found \(length).")
        return items[0]
    }

    /// Adds an item at the end.
    @discardableResult
    open func append(_ item: Item) -> Self {
        items.append(item)
        return self
    }

    /// Adds an item at the end and returns the list.
    @discardableResult
    open func appendThis(_ item: Item) -> Self { append(item) }

    /// Adds the items of another list at the end.
    @discardableResult
    public final func append<Items: Sequence>(contentsOf other: Items) -> Self
    where Items.Element == Item {
        items.append(contentsOf: Array(other))
        return self
    }

    /// Adds the items of another list at the end.
    @discardableResult
    public final func appendAll<Items: Sequence>(_ other: Items) -> Self
    where Items.Element == Item {
        append(contentsOf: other)
    }

    /// Puts an item at a position.
    open func insert(_ item: Item, at index: Int) { insertAll([item], at: index) }

    /// Puts the items of another list at a position.
    public final func insertAll<Items: Sequence>(_ other: Items, at index: Int)
    where Items.Element == Item {
        precondition(
            index >= 0 && index <= length,
            "Expected a position up to \(length) in \(Self.self), found \(index).")
        items.insert(contentsOf: Array(other), at: index)
    }

    /// Removes all items.
    open override func clear() { items = [] }

    /// Removes the item at a position.
    open override func removeAt(_ index: Int) {
        checkPosition(index)
        items.remove(at: index)
    }

    /// Removes and returns the first item.
    @discardableResult
    open func removeFirst() -> Item {
        checkPosition(0)
        return items.removeFirst()
    }

    /// Removes and returns the last item.
    @discardableResult
    open func removeLast() -> Item {
        checkPosition(0)
        return items.removeLast()
    }

    /// Removes the items from one position up to, not including, another; as far as there are items between them.
    open override func removeRange(_ start: Int, _ end: Int) {
        let (low, high) = (Swift.max(0, start), Swift.min(length, end))
        if low < high { items.removeSubrange(low..<high) }
    }

    /// Turns the order around.
    open override func reverse() { items.reverse() }

    /// Puts the items in the ascending order of a comparer; equal ones stay in their order.
    open override func sortWith(_ comparer: Comparer) {
        let objects = objects()
        guard objects.count == length else { return }
        let order = objects.indices.sorted { left, right in
            let result = comparer.compare(objects[left], objects[right])
            return result == 0 ? left < right : result < 0
        }
        items = order.map { items[$0] }
    }

    /// An item as the object that ``comparer`` and `equality` are asked about.
    package func object(of item: Item) -> AnyObject? { item as? ObjectBase }

    /// True when the list has an item that `equality` says is equal.
    public final func includes(_ item: Item) -> Bool { indexOf(item) >= 0 }

    /// The first position of an equal item from `start` on; -1 when there is none.
    public final func indexOf(_ item: Item, start: Int = 0) -> Int {
        let (object, equality) = (object(of: item), equality)
        return items.indices.first { position in
            position >= start && equality.equal(self.object(of: items[position]), object)
        } ?? -1
    }

    /// The last position of an equal item up to `start`; -1 when there is none.
    public final func lastIndexOf(_ item: Item, start: Int = Int.max) -> Int {
        let (object, equality) = (object(of: item), equality)
        return items.indices.last { position in
            position <= start && equality.equal(self.object(of: items[position]), object)
        } ?? -1
    }

    /// The items in an array.
    open func toArray() -> [Item] { items }

    /// A list of these items.
    open class func fromArray(_ array: [Item]) -> Self {
        let list = self.init(capacity: 0)
        list.storage = array
        return list
    }

    /// A new list without items.
    open class var empty: Self { self.init(capacity: 0) }

    /// The items of another list in a list of this class; items of another kind are programming errors and trap.
    open class func share(_ list: ListBase) -> Self {
        let result = self.init(capacity: 0)
        if let same = list as? TypedList<Item> {
            result.storage = same.items
        } else {
            result.assign(list.dataValues())
        }
        return result
    }

    /// A new list of the same items.
    open func copy() -> Self { Self.fromArray(items) }

    /// The items from one position up to, not including, another; negative positions count from the end.
    open func slice(_ start: Int, _ end: Int = Int.max) -> Self {
        let count = length
        func position(_ index: Int) -> Int {
            Swift.min(count, Swift.max(0, index < 0 ? count + index : index))
        }
        let (low, high) = (position(start), position(end))
        return Self.fromArray(low < high ? Array(items[low..<high]) : [])
    }

    /// A list of copies that shares nothing mutable with this one.
    open override func copyMutable() -> DataValue {
        let result = Self.fromArray([])
        result.assign(dataValues().map { $0?.copyMutable() })
        return result
    }

    /// The value as this class; nil for nil. A value that is no such list is a programming error and traps.
    open class func castOptional(_ value: AnyObject?) -> Self? {
        value.map { castRequired($0) }
    }

    /// The value as this class. Nil and a value that is no such list are programming errors and trap.
    open class func castRequired(_ value: AnyObject?) -> Self {
        if let same = value as? Self { return same }
        guard let list = value as? ListBase else {
            preconditionFailure("Expected \(Self.self), found \(className(value)).")
        }
        return share(list)
    }
}
