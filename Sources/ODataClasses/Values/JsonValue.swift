import ODataModel
import ODataQuery
import ODataText
import ODataWire

/// JSON text of values, as a service of the context's version writes it (JSON Format 4.01; V2 JSON).
open class JsonValue: ObjectBase, @unchecked Sendable {
    // Immutable.
    package final let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        super.init()
    }

    /// The JSON of an entity; `null` for nil.
    public static func fromEntityValue(_ value: EntityValue?, context: DataContext) -> JsonValue {
        guard let value else { return JsonValue(Array("null".utf8)) }
        let writer = writer(context)
        return JsonValue(
            writer.entity(value.structureValue, declared: value.structureValue.type))
    }

    /// The JSON array of the entities of a list.
    public static func fromEntityList(_ list: EntityValueList, context: DataContext) -> JsonValue {
        let writer = writer(context)
        let declared = TypeReference(.structure(list.entityType.structureID))
        var json = JSONWriter()
        json.beginArray()
        for entity in list {
            writer.write(.structure(entity.structureValue), as: declared, to: &json)
        }
        json.endArray()
        return JsonValue(json.bytes)
    }

    /// The JSON array of the values of a list.
    public static func fromBasicList(_ list: ListBase, context: DataContext) -> JsonValue {
        let writer = writer(context)
        let values = list.dataValues()
        let item = values.lazy.compactMap { $0?.dataType }.first ?? DataType.unknown
        let type = PrimitiveType.allCases.first { BasicType.of($0).code == item.code }
        var json = JSONWriter()
        writer.write(
            .list(values.map { $0?.odataValue() ?? .null }),
            as: TypeReference(.primitive(type ?? .untyped), isCollection: true), to: &json)
        return JsonValue(json.bytes)
    }

    private static func writer(_ context: DataContext) -> EntityJSONWriter {
        EntityJSONWriter(
            context.csdl.model.graph, dialect: context.dialect,
            metadata: context.bindOptions & DataContext.noMetadata == 0 ? .minimal : .none)
    }

    /// The text.
    open override func toString() -> String { String(decoding: bytes, as: UTF8.self) }
}
