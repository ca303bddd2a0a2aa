// Plain values of properties, read without making value objects. They give what the objects of `optionalValue(for:)`
// would hold, or `general` where only those can tell.
import ODataModel

extension StructureBase {
    @inline(__always)
    final func plainInteger(_ property: Property) -> PlainReading<Int64> {
        guard let slot = plainSlot(of: property) else { return .general }
        if row.isRow { return row.integer(slot) }
        return storage.integer(slot: slot)
    }

    @inline(__always)
    final func plainBoolean(_ property: Property) -> PlainReading<Bool> {
        guard let slot = plainSlot(of: property) else { return .general }
        if row.isRow { return row.boolean(slot) }
        return storage.boolean(slot: slot)
    }

    @inline(__always)
    final func plainReal(_ property: Property) -> PlainReading<Double> {
        guard let slot = plainSlot(of: property) else { return .general }
        if row.isRow { return row.real(slot) }
        return storage.real(slot: slot)
    }

    @inline(__always)
    final func plainDecimal(_ property: Property) -> PlainReading<DecimalNumber> {
        guard let slot = plainSlot(of: property) else { return .general }
        if row.isRow { return row.decimal(slot) }
        return storage.decimal(slot: slot)
    }

    @inline(__always)
    final func plainText(_ property: Property) -> PlainReading<String> {
        guard let slot = plainSlot(of: property) else { return .general }
        if row.isRow { return row.text(slot) }
        return storage.text(slot: slot)
    }

    /// The slot of a property of the very type of this value; nil when an object stands in the slot.
    @inline(__always)
    private func plainSlot(of property: Property) -> Int? {
        guard
            let slot = property.owner === typeObject ? property.slot : knownSlot(of: property)
        else { return nil }
        return children.isEmpty || children[slot] == nil ? slot : nil
    }
}

extension PlainReading {
    /// The value where it is there; null and everything else through the value object.
    @inline(__always)
    func required<Result>(_ convert: (Value) -> Result?, else general: () -> Result) -> Result {
        if case .value(let value) = self, let result = convert(value) { return result }
        return general()
    }

    /// The value, nil for null; everything else through the value object.
    @inline(__always)
    func optional<Result>(_ convert: (Value) -> Result?, else general: () -> Result?) -> Result? {
        switch self {
        case .value(let value):
            if let result = convert(value) { return result }
            return general()
        case .null: return nil
        case .general: return general()
        }
    }
}
