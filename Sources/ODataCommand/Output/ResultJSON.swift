import ODataClasses
import ODataModel
import ODataText
import ODataWire

/// Results of queries as JSON values: the payload form of OData V4 without control information.
struct ResultJSON {
    let graph: MetadataGraph

    /// Whatever a query returned: a list, an entity, a complex value, a scalar or nothing.
    func value(_ value: DataValue?) -> JSONValue {
        switch value {
        case nil: .null
        case let list as EntityValueList:
            .array(list.toArray().map { structure($0.structureValue) })
        case let value?: content(value.odataValue())
        }
    }

    /// One structure with its set properties, expanded ones included.
    func structure(_ value: StructureValue) -> JSONValue {
        let writer = EntityJSONWriter(graph, dialect: .v4, metadata: .none)
        let bytes = writer.entity(value, declared: value.type)
        return (try? JSONValue(parsing: bytes)) ?? .null
    }

    private func content(_ value: ODataValue) -> JSONValue {
        switch value {
        case .structure(let value): structure(value)
        case .list(let items): .array(items.map(content))
        case .scalar(let scalar): Self.scalar(scalar)
        }
    }

    /// A scalar whose type nobody says.
    static func scalar(_ scalar: Scalar) -> JSONValue {
        switch scalar {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .number(String(value))
        case .double(let value) where value.isFinite: .number(Lexical.text(scalar))
        case .decimal: .number(Lexical.text(scalar))
        default: .string(Lexical.text(scalar))
        }
    }

    /// What a table shows of a JSON value.
    static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil: ""
        case .null?: "null"
        case .string(let text)?: text
        case .array(let items)?: "[\(items.count)]"
        case let value?: value.text
        }
    }
}
