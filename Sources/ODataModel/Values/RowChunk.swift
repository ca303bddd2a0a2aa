/// Rows that a reader keeps in its own compact form and decodes when they are looked at.
///
/// One chunk holds the rows of one page; entity values share it until their first write. Implementations are immutable
/// after construction or guard their caches themselves.
package protocol RowChunk: AnyObject, Sendable {
    /// The type of a row; rows of one chunk may be of different derived types.
    func type(row: Int) -> StructureID
    /// The value in a property slot; nil where the row does not hold the property.
    func value(row: Int, slot: Int) -> ODataValue?
    /// True when the row holds the property, an explicit null included.
    func isSet(row: Int, slot: Int) -> Bool
    /// Links, ETag and the like of a row.
    func control(row: Int) -> ControlInformation
    /// The whole row decoded.
    func structureValue(row: Int) -> StructureValue
    /// The store's row identifier; nil for rows that are not from a store.
    func localID(row: Int) -> Int64?
    /// The rows of an expanded navigation property, undecoded; nil where there are none of that kind.
    func related(row: Int, slot: Int) -> RelatedRows?

    // Plain values, for readers that want no value object. An implementation may leave every slot to `value`.

    /// A value of an integer or enumeration type.
    func integer(row: Int, slot: Int) -> PlainReading<Int64>
    func boolean(row: Int, slot: Int) -> PlainReading<Bool>
    func real(row: Int, slot: Int) -> PlainReading<Double>
    func decimal(row: Int, slot: Int) -> PlainReading<DecimalNumber>
    func text(row: Int, slot: Int) -> PlainReading<String>
    /// A value of any primitive or enumeration type.
    func scalar(row: Int, slot: Int) -> PlainReading<Scalar>
}

extension RowChunk {
    package func related(row: Int, slot: Int) -> RelatedRows? { nil }
    package func integer(row: Int, slot: Int) -> PlainReading<Int64> { .general }
    package func boolean(row: Int, slot: Int) -> PlainReading<Bool> { .general }
    package func real(row: Int, slot: Int) -> PlainReading<Double> { .general }
    package func decimal(row: Int, slot: Int) -> PlainReading<DecimalNumber> { .general }
    package func text(row: Int, slot: Int) -> PlainReading<String> { .general }
    package func scalar(row: Int, slot: Int) -> PlainReading<Scalar> { .general }
}

/// Expanded rows below a row, in a chunk of their own.
package struct RelatedRows: Sendable {
    package let chunk: any RowChunk
    package let rows: Range<Int>
    /// How many there are before skip and top, where it was asked for.
    package let count: Int64?

    package init(chunk: any RowChunk, rows: Range<Int>, count: Int64? = nil) {
        self.chunk = chunk
        self.rows = rows
        self.count = count
    }
}

/// Where an entity value keeps its properties: a row of a shared chunk until the first write, then its own value.
package enum StructureStorage: Sendable {
    case chunk(any RowChunk, row: Int)
    // Apart, so that the many entities that stay rows are small.
    indirect case value(StructureValue)

    package var type: StructureID {
        switch self {
        case .chunk(let chunk, let row): chunk.type(row: row)
        case .value(let value): value.type
        }
    }

    package var structureValue: StructureValue {
        switch self {
        case .chunk(let chunk, let row): chunk.structureValue(row: row)
        case .value(let value): value
        }
    }

    package var control: ControlInformation {
        switch self {
        case .chunk(let chunk, let row): chunk.control(row: row)
        case .value(let value): value.control
        }
    }

    package func value(slot: Int) -> ODataValue? {
        switch self {
        case .chunk(let chunk, let row): chunk.value(row: row, slot: slot)
        case .value(let value): value.slots.indices.contains(slot) ? value.slots[slot] : nil
        }
    }

    package func isSet(slot: Int) -> Bool {
        switch self {
        case .chunk(let chunk, let row): chunk.isSet(row: row, slot: slot)
        case .value(let value): value.slots.indices.contains(slot) && value.slots[slot] != nil
        }
    }

    /// Expanded rows that need not be decoded; nil for everything else.
    package func related(slot: Int) -> RelatedRows? {
        if case .chunk(let chunk, let row) = self {
            chunk.related(row: row, slot: slot)
        } else {
            nil
        }
    }

    package var localID: Int64? {
        if case .chunk(let chunk, let row) = self { chunk.localID(row: row) } else { nil }
    }

    /// Detaches from the chunk and applies a change to the own value.
    package mutating func update<Result>(_ change: (inout StructureValue) -> Result) -> Result {
        var value = structureValue
        self = .value(value)
        // Two copies alive at once would copy the slots on each write.
        if case .value = self { self = .chunk(EmptyChunk.shared, row: 0) }
        defer { self = .value(value) }
        return change(&value)
    }
}

/// Stands in while a value is being changed in place.
package final class EmptyChunk: RowChunk {
    package static let shared = EmptyChunk()
    package func type(row: Int) -> StructureID { StructureID(0) }
    package func value(row: Int, slot: Int) -> ODataValue? { nil }
    package func isSet(row: Int, slot: Int) -> Bool { false }
    package func control(row: Int) -> ControlInformation { ControlInformation() }
    package func structureValue(row: Int) -> StructureValue {
        StructureValue(type: StructureID(0), slots: [])
    }
    package func localID(row: Int) -> Int64? { nil }
}
