import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// How one slot is bound, as plain numbers: what the innermost loop of ingest reads.
///
/// The common lexical forms go straight from bytes to parameters; anything else is left to ``FieldBinding``, which
/// gives the same column values.
struct BindingStep {
    enum Form {
        case string, integer, boolean, decimal, double, date, utcDateTime, timeOfDay, guid
        case presence, general
    }

    let slot: Int
    /// Number of the first parameter.
    let parameter: Int32
    let form: Form
    let hasCompanion: Bool
    let scale: Int
    let lowest: Int64
    let highest: Int64

    init(slot: Int, parameter: Int32, binding: FieldBinding) {
        self.slot = slot
        self.parameter = parameter
        hasCompanion = binding.parameterCount == 2
        var scale = 0
        var range = Int64.min...Int64.max
        switch binding.encoding {
        case .string: form = .string
        case .integer:
            form = .integer
            range = Self.range(binding.type.primitive)
        case .enumeration: form = .integer
        case .boolean: form = .boolean
        case .scaledDecimal(let places):
            form = .decimal
            scale = places
        case .real: form = binding.type.primitive == .double ? .double : .general
        case .date: form = .date
        case .utcDateTime: form = .utcDateTime
        case .timeOfDay: form = .timeOfDay
        case .guid: form = .guid
        case .presence: form = .presence
        default: form = .general
        }
        self.scale = scale
        lowest = range.lowerBound
        highest = range.upperBound
    }

    private static func range(_ type: PrimitiveType?) -> ClosedRange<Int64> {
        switch type {
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .byte: 0...255
        case .sbyte: -128...127
        default: Int64.min...Int64.max
        }
    }

    /// Binds the field; false when its form is not one of the common ones, and nothing was bound.
    @inline(__always)
    func bind(
        _ field: RowField, of row: borrowing IncomingRow, to statement: BoundStatement,
        _ scratch: inout ScratchBytes
    ) -> Bool {
        switch field.kind {
        case .null, .missing:
            statement.bindNull(parameter)
            if hasCompanion { statement.bindNull(parameter + 1) }
            return true
        case .true, .false:
            guard case .boolean = form else { return false }
            if case .true = field.kind {
                statement.bind(1, parameter)
            } else {
                statement.bind(0, parameter)
            }
            return true
        case .string:
            if case .string = form {
                statement.bind(text: scratch.text(field.span, of: row), parameter)
                return true
            }
            return !field.span.isEscaped
                && bindText(row.bytes(field.span), to: statement, &scratch)
        case .number: return bindNumber(row.bytes(field.span), to: statement)
        case .object:
            guard case .presence = form else { return false }
            statement.bind(1, parameter)
            return true
        case .array: return false
        }
    }

    @inline(__always)
    private func bindNumber(
        _ bytes: UnsafeRawBufferPointer, to statement: BoundStatement
    ) -> Bool {
        switch form {
        case .integer:
            guard let value = ByteLexical.int64(bytes), value >= lowest, value <= highest else {
                return false
            }
            statement.bind(value, parameter)
        case .decimal:
            guard let value = ByteLexical.scaled(bytes, scale: scale) else { return false }
            statement.bind(value, parameter)
        case .double:
            guard let value = ByteLexical.double(bytes) else { return false }
            statement.bind(real: value, parameter)
        default: return false
        }
        return true
    }

    /// Texts of other types than Edm.String; numbers may come as texts too (IEEE754Compatible).
    private func bindText(
        _ bytes: UnsafeRawBufferPointer, to statement: BoundStatement,
        _ scratch: inout ScratchBytes
    ) -> Bool {
        switch form {
        case .integer, .decimal: return bindNumber(bytes, to: statement)
        case .date:
            guard bytes.count == 10, ByteLexical.isDate(bytes) else { return false }
            statement.bind(text: bytes, parameter)
        case .utcDateTime:
            guard let count = ByteLexical.utcLength(bytes) else { return false }
            statement.bind(text: UnsafeRawBufferPointer(rebasing: bytes[..<count]), parameter)
            statement.bindNull(parameter + 1)
        case .timeOfDay:
            guard let count = ByteLexical.timeLength(bytes, from: 0, to: bytes.count) else {
                return false
            }
            statement.bind(text: UnsafeRawBufferPointer(rebasing: bytes[..<count]), parameter)
        case .guid:
            guard ByteLexical.lowerGuid(bytes, into: scratch.room(bytes.count)) else {
                return false
            }
            statement.bind(text: scratch.take(bytes.count), parameter)
        default: return false
        }
        return true
    }
}
