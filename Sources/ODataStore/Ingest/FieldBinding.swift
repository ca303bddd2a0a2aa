import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// Binds a field of an incoming row to the parameters of its column, straight from the bytes where the common forms
/// allow it and through ``Lexical`` and ``ColumnEncoding`` where not: both give the same column values.
struct FieldBinding {
    let encoding: ColumnEncoding
    let type: TypeReference
    let path: String
    /// Members of the enumeration type, where it is one.
    let members: EnumerationDefinition?

    init(column: ColumnMapping, graph: MetadataGraph) {
        encoding = column.encoding
        type = column.type
        path = column.path
        members = column.type.enumeration.map { graph[$0] }
    }

    /// How many parameters the column and its companions take.
    var parameterCount: Int32 {
        encoding.hasOrderCompanion || encoding.hasOffsetCompanion ? 2 : 1
    }

    /// Binds the field to the parameters from `index` on; `scratch` must have room for the row's bytes.
    @inline(__always)
    func bind(
        _ field: RowField, of row: IncomingRow, to statement: BoundStatement, _ index: Int32,
        _ scratch: inout ScratchBytes
    ) throws {
        switch (encoding, field.kind) {
        case (_, .null), (_, .missing):
            statement.bindNull(index)
            if parameterCount == 2 { statement.bindNull(index + 1) }
        case (.string, .string):
            statement.bind(text: scratch.text(field.span, of: row), index)
        case (.boolean, .true): statement.bind(1, index)
        case (.boolean, .false): statement.bind(0, index)
        case (.presence, .object): statement.bind(1, index)
        default:
            if field.span.isEscaped || !bindCommon(field, of: row, to: statement, index, &scratch) {
                try bindGeneral(field, of: row, to: statement, index)
            }
        }
    }

    /// False when the bytes are not of the common form.
    private func bindCommon(
        _ field: RowField, of row: IncomingRow, to statement: BoundStatement, _ index: Int32,
        _ scratch: inout ScratchBytes
    ) -> Bool {
        let bytes = row.bytes(field.span)
        switch (encoding, field.kind) {
        case (.integer, .number), (.integer, .string), (.enumeration, .number):
            guard let value = ByteLexical.int64(bytes), fits(value) else { return false }
            statement.bind(value, index)
        case (.scaledDecimal(let scale), .number), (.scaledDecimal(let scale), .string):
            guard let value = ByteLexical.scaled(bytes, scale: scale) else { return false }
            statement.bind(value, index)
        case (.real, .number):
            guard type.primitive == .double, let value = ByteLexical.double(bytes) else {
                return false
            }
            statement.bind(real: value, index)
        case (.date, .string):
            guard bytes.count == 10, ByteLexical.isDate(bytes) else { return false }
            statement.bind(text: bytes, index)
        case (.utcDateTime, .string):
            guard let count = ByteLexical.utcLength(bytes) else { return false }
            statement.bind(text: UnsafeRawBufferPointer(rebasing: bytes[..<count]), index)
            statement.bindNull(index + 1)
        case (.timeOfDay, .string):
            guard let count = ByteLexical.timeLength(bytes, from: 0, to: bytes.count) else {
                return false
            }
            statement.bind(text: UnsafeRawBufferPointer(rebasing: bytes[..<count]), index)
        case (.guid, .string):
            let target = scratch.next
            guard ByteLexical.lowerGuid(bytes, into: target) else { return false }
            statement.bind(text: scratch.take(bytes.count), index)
        default: return false
        }
        return true
    }

    /// Int64 values of the type's range; others are left to the general reader, which refuses them.
    private func fits(_ value: Int64) -> Bool {
        switch type.primitive {
        case .int64, nil: true
        case .int32: Int32(exactly: value) != nil
        case .int16: Int16(exactly: value) != nil
        case .byte: UInt8(exactly: value) != nil
        case .sbyte: Int8(exactly: value) != nil
        default: false
        }
    }

    private func bindGeneral(
        _ field: RowField, of row: IncomingRow, to statement: BoundStatement, _ index: Int32
    ) throws {
        for (offset, argument) in try arguments(field, of: row).enumerated() {
            statement.bind(copy: argument, index + Int32(offset))
        }
    }

    /// The column's values by the general rules.
    func arguments(_ field: RowField, of row: IncomingRow) throws -> [SQLArgument] {
        do {
            if case .json = encoding { return [.text(json(field, of: row))] }
            guard let text = row.text(field), field.kind != .object, field.kind != .array else {
                throw mismatch()
            }
            if let members {
                guard let value = members.value(ofMembers: text) else { throw mismatch() }
                return [.integer(value)]
            }
            guard let primitive = type.primitive, accepts(field.kind, primitive) else {
                throw mismatch()
            }
            return try encoding.arguments(for: Lexical.parse(text, as: primitive))
        } catch var error as ODataError {
            error.location = .path(path)
            throw error
        }
    }

    /// A string column takes no numbers, a Boolean no texts; numbers may come as texts (IEEE754Compatible).
    private func accepts(_ kind: RowField.Kind, _ type: PrimitiveType) -> Bool {
        switch kind {
        case .true, .false: type == .boolean
        case .number: type.isNumeric
        default: type != .boolean
        }
    }

    private func json(_ field: RowField, of row: IncomingRow) -> String {
        guard field.kind == .string else { return row.text(field) ?? "null" }
        var writer = JSONWriter()
        writer.string(row.text(field.span))
        return writer.text
    }

    private func mismatch() -> ODataError {
        ODataError(.invalidValue, "Expected a value of the property's type, found another form.")
    }
}

/// Room for the bytes of one row that cannot be bound where they are: unescaped texts and lower-cased Guids.
struct ScratchBytes: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var used = 0

    init(capacity: Int = 16 << 10) {
        self.capacity = capacity
        base = .allocate(capacity: capacity)
    }

    deinit { base.deallocate() }

    /// Forgets what was written and makes room for `count` bytes.
    mutating func reset(_ count: Int) {
        used = 0
        guard count > capacity else { return }
        base.deallocate()
        capacity = count * 2
        base = .allocate(capacity: capacity)
    }

    var next: UnsafeMutablePointer<UInt8> { base + used }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { used += count }
        return UnsafeRawBufferPointer(start: base + used, count: count)
    }

    /// A string's bytes, unescaped here if they hold escapes.
    @inline(__always)
    mutating func text(_ span: JSONSpan, of row: IncomingRow) -> UnsafeRawBufferPointer {
        let bytes = row.bytes(span)
        guard span.isEscaped else { return bytes }
        return take(JSONText.unescape(bytes, into: next))
    }
}
