import ODataModel

/// The row that a structure reads from, lent instead of copied.
///
/// Not copyable, and asked through methods of its own: so a read of a value counts no references.
struct HeldRow: ~Copyable {
    private let chunk: any RowChunk
    private let number: Int

    /// No row.
    static var none: HeldRow { HeldRow(chunk: EmptyChunk.shared, number: -1) }

    private init(chunk: any RowChunk, number: Int) {
        self.chunk = chunk
        self.number = number
    }

    /// ``none`` for values that are no row.
    init(_ storage: StructureStorage) {
        switch storage {
        case .chunk(let chunk, let row): (self.chunk, number) = (chunk, row)
        case .value: (chunk, number) = (EmptyChunk.shared, -1)
        }
    }

    @inline(__always)
    var isRow: Bool { number >= 0 }

    var storage: StructureStorage { .chunk(chunk, row: number) }

    @inline(__always)
    borrowing func value(_ slot: Int) -> ODataValue? { chunk.value(row: number, slot: slot) }

    @inline(__always)
    borrowing func related(_ slot: Int) -> RelatedRows? { chunk.related(row: number, slot: slot) }

    @inline(__always)
    borrowing func integer(_ slot: Int) -> PlainReading<Int64> {
        chunk.integer(row: number, slot: slot)
    }

    @inline(__always)
    borrowing func boolean(_ slot: Int) -> PlainReading<Bool> {
        chunk.boolean(row: number, slot: slot)
    }

    @inline(__always)
    borrowing func real(_ slot: Int) -> PlainReading<Double> {
        chunk.real(row: number, slot: slot)
    }

    @inline(__always)
    borrowing func decimal(_ slot: Int) -> PlainReading<DecimalNumber> {
        chunk.decimal(row: number, slot: slot)
    }

    @inline(__always)
    borrowing func text(_ slot: Int) -> PlainReading<String> {
        chunk.text(row: number, slot: slot)
    }

    @inline(__always)
    borrowing func scalar(_ slot: Int) -> PlainReading<Scalar> {
        chunk.scalar(row: number, slot: slot)
    }
}
