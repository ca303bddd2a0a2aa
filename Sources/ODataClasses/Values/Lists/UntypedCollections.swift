import ODataModel

/// A list of objects of any class: values, entities, metadata elements.
open class UntypedList: TypedList<AnyObject>, @unchecked Sendable {
    // Confined as its base class says.
    override package func dataValues() -> [DataValue?] { items.map { $0 as? DataValue } }
    override package func objects() -> [AnyObject?] { items }
    override package func object(of item: AnyObject) -> AnyObject? { item }
    override package func assign(_ values: [DataValue?]) { items = values.compactMap { $0 } }

    /// Equal when the objects are, in order: values by what they are, others when they are the same.
    open override func equals(_ other: AnyObject?) -> Bool {
        guard let other = other as? UntypedList else { return super.equals(other) }
        return items.elementsEqual(other.items) { equality.equal($0, $1) }
    }

    /// The objects as text.
    open override func toString() -> String {
        "[" + items.map { ($0 as? ObjectBase)?.toString() ?? "\($0)" }.joined(separator: ", ") + "]"
    }
}

/// A map from text to objects of any class.
open class UntypedMap: TypedMap<AnyObject>, @unchecked Sendable {
    /// All objects in the order of their entries.
    open func values() -> UntypedList { UntypedList.fromArray(orderedValues) }

    /// All objects in the order of ascending keys.
    open func sortedValues() -> UntypedList { UntypedList.fromArray(valuesByKey) }
}
