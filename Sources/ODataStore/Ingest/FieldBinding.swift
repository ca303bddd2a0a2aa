import ODataModel
import ODataSQL
import ODataText
import ODataWire

/// The general way from a field of an incoming row to the values of its column, through ``Lexical`` and
/// ``ColumnEncoding``; ``BindingStep`` is the short one.
struct FieldBinding {
    let encoding: ColumnEncoding
    let type: TypeReference
    let path: String
    /// The column as ``LocalStore/widenColumn(_:)`` takes it.
    let columnPath: String
    /// Members of the enumeration type, where it is one.
    let members: EnumerationDefinition?

    init(column: ColumnMapping, of table: TableMapping, graph: MetadataGraph) {
        encoding = column.encoding
        type = column.type
        path = column.path
        columnPath = "\(table.path)/\(column.path)"
        members = column.type.enumeration.map { graph[$0] }
    }

    /// How many parameters the column and its companions take.
    var parameterCount: Int32 {
        encoding.hasOrderCompanion || encoding.hasOffsetCompanion ? 2 : 1
    }

    /// Binds a value by the general rules to the parameters from `index` on.
    func bindGeneral(
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
                guard let value = members.value(of: text) else { throw mismatch() }
                return [.integer(value)]
            }
            guard let primitive = type.primitive, accepts(field.kind, primitive) else {
                throw mismatch()
            }
            if field.kind == .string, text.hasPrefix("/Date(") {
                let scalar = try ScalarJSON.read(.string(text), as: primitive, dialect: .v2)
                return try encoding.arguments(for: scalar)
            }
            return try encoding.arguments(for: Lexical.parse(text, as: primitive))
        } catch var error as ODataError {
            error.location = .path(error.code == .valueBeyondColumn ? columnPath : path)
            throw error
        }
    }

    /// What a value brings to the column; nil where it says nothing.
    func arguments(
        _ column: ColumnMapping, of value: StructureValue, _ encoder: RowEncoder
    ) throws -> [SQLArgument]? {
        do {
            return try encoder.arguments(for: column, in: value)
        } catch var error as ODataError {
            error.location = .path(error.code == .valueBeyondColumn ? columnPath : path)
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
