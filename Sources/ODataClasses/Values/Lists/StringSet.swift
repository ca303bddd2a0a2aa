import ODataModel

/// A set of texts that keeps the order in which they were added.
///
/// Sets are not shared between threads while they change.
open class StringSet: ObjectBase, Sequence, ExpressibleByArrayLiteral, @unchecked Sendable {
    // Confined: one thread at a time changes a set, as callers promise.
    private final var list: [String] = []
    private final var members: Set<String> = []

    /// Creates an empty set with room for `capacity` texts.
    public required init(capacity: Int = 0) {
        super.init()
        if capacity > 0 { members.reserveCapacity(Swift.min(capacity, 65_536)) }
    }

    /// Creates a set of these texts.
    public required convenience init(arrayLiteral elements: String...) {
        self.init(capacity: elements.count)
        for element in elements { add(element) }
    }

    /// A new set without texts.
    open class var empty: StringSet { StringSet() }

    /// How many texts the set has.
    open var size: Int { list.count }

    /// True when the set has no texts.
    open var isEmpty: Bool { list.isEmpty }

    /// True when the set has this text.
    open func has(_ value: String) -> Bool { members.contains(value) }

    /// Adds a text; one that the set has already is not added again.
    open func add(_ value: String) {
        if members.insert(value).inserted { list.append(value) }
    }

    /// Adds a text and returns the set.
    @discardableResult
    open func addThis(_ value: String) -> Self {
        add(value)
        return self
    }

    /// Adds the texts of a list.
    open func addAll(_ values: StringList) {
        for value in values { add(value) }
    }

    /// Removes a text; false when the set did not have it.
    @discardableResult
    open func delete(_ value: String) -> Bool {
        guard members.remove(value) != nil else { return false }
        list.removeAll { $0 == value }
        return true
    }

    /// Removes all texts.
    open func clear() {
        list = []
        members = []
    }

    /// A new set of the same texts.
    open func copy() -> StringSet {
        let copy = StringSet(capacity: size)
        for value in list { copy.add(value) }
        return copy
    }

    /// The texts in the order in which they were added.
    open func values() -> StringList { StringList.fromArray(list) }

    /// The texts in ascending order.
    open func sortedValues() -> StringList { StringList.fromArray(list.sorted()) }

    /// The texts in the order in which they were added.
    public final func makeIterator() -> IndexingIterator<[String]> { list.makeIterator() }

    /// The texts as a list.
    open override func toString() -> String { values().toString() }
}
