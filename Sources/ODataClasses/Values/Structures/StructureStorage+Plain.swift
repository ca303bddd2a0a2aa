import ODataModel

extension StructureStorage {
    @inline(__always)
    func integer(slot: Int) -> PlainReading<Int64> {
        if case .chunk(let chunk, let row) = self { return chunk.integer(row: row, slot: slot) }
        return own(slot) { if case .integer(let value) = $0 { value } else { nil } }
    }

    @inline(__always)
    func boolean(slot: Int) -> PlainReading<Bool> {
        if case .chunk(let chunk, let row) = self { return chunk.boolean(row: row, slot: slot) }
        return own(slot) { if case .boolean(let value) = $0 { value } else { nil } }
    }

    @inline(__always)
    func real(slot: Int) -> PlainReading<Double> {
        if case .chunk(let chunk, let row) = self { return chunk.real(row: row, slot: slot) }
        return own(slot) { if case .double(let value) = $0 { value } else { nil } }
    }

    @inline(__always)
    func decimal(slot: Int) -> PlainReading<DecimalNumber> {
        if case .chunk(let chunk, let row) = self { return chunk.decimal(row: row, slot: slot) }
        return own(slot) { if case .decimal(let value) = $0 { value } else { nil } }
    }

    @inline(__always)
    func text(slot: Int) -> PlainReading<String> {
        if case .chunk(let chunk, let row) = self { return chunk.text(row: row, slot: slot) }
        return own(slot) { if case .string(let value) = $0 { value } else { nil } }
    }

    /// The slot of a value that is no row.
    @inline(__always)
    private func own<Value>(_ slot: Int, _ plain: (Scalar) -> Value?) -> PlainReading<Value> {
        guard case .value(let value) = self, slot < value.slots.count,
            case .scalar(let scalar)? = value.slots[slot]
        else { return .general }
        if let plain = plain(scalar) { return .value(plain) }
        if case .null = scalar { return .null }
        return .general
    }
}
