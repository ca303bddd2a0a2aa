import ODataModel
import ODataSQL

/// The value of a property where SQLite put it, for who writes it on at once: no text is made of it.
package enum PlainCell {
    /// The query does not read the property, or it is null where it may not be: it has no value.
    case absent
    case null
    /// Of a string, or of a date as it is written everywhere. The bytes stand as long as the chunk does, and are UTF-8 only
    /// if whoever wrote the database saw to that.
    case text(UnsafeBufferPointer<UInt8>)
    case integer(Int64)
    case boolean(Bool)
    case real(Double)
    /// To be decoded, as everything can be.
    case other
}

extension SQLiteRowChunk {
    /// True when rows are columns of one type and nothing else: no related rows, no values that are computed or not declared,
    /// no control information but an entity tag.
    package var isPlain: Bool {
        let shape = layout.shape
        return expanded.isEmpty && shape.type == nil && shape.dynamic == nil
            && shape.computed.isEmpty && shape.control == nil
    }

    /// The type that rows without a type of their own have.
    package var declaredType: StructureID { layout.types[0] }

    // Hot: ServerFigures
    /// The value of a property of the type that the rows are declared to have.
    ///
    /// - Precondition: ``isPlain``.
    package func plainCell(row: Int, slot: Int) -> PlainCell {
        guard slot < layout.codes[0].count else { return .absent }
        let code = layout.codes[0][slot]
        switch code.form {
        case .absent: return .absent
        case .general: return .other
        default: break
        }
        let cell = rows.cell(row, Int(code.column))
        switch (code.form, cell.kind) {
        case (_, .null): return code.isNullable ? .null : .absent
        case (.string, .text): return .text(rows.bytes(cell))
        case (.integer, .integer): return .integer(cell.bits)
        case (.boolean, .integer): return .boolean(cell.bits != 0)
        case (.real, .real): return .real(rows.real(cell))
        case (.date, .text):
            let bytes = rows.bytes(cell)
            return bytes.count == 10 && TimeBytes.date(bytes) != nil ? .text(bytes) : .other
        default: return .other
        }
    }
}
