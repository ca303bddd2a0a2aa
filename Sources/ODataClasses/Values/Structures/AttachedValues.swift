import ODataModel

/// The structures and lists that stand in properties of a value, by slot.
///
/// The first needs no memory of its own: most entities that were expanded have just one, and a dictionary for each costs
/// more than reading the entity does.
struct AttachedValues {
    private var slot = -1
    private var value: DataValue?
    private var others: [Int: DataValue]?

    var isEmpty: Bool { slot < 0 && others == nil }

    subscript(slot: Int) -> DataValue? {
        get {
            if slot == self.slot { return value }
            return others?[slot]
        }
        set {
            if slot == self.slot || self.slot < 0 && others?[slot] == nil {
                value = newValue
                self.slot = newValue == nil ? -1 : slot
            } else {
                others = changed(slot, newValue)
            }
        }
    }

    private mutating func changed(_ slot: Int, _ value: DataValue?) -> [Int: DataValue]? {
        var changed = others ?? [:]
        others = nil
        changed[slot] = value
        return changed.isEmpty ? nil : changed
    }

    /// All of them, in no order.
    var all: [(slot: Int, value: DataValue)] {
        var all = others?.map { (slot: $0.key, value: $0.value) } ?? []
        if let value { all.append((slot, value)) }
        return all
    }
}
