import ODataModel
import ODataText

/// JSON text of structures and lists for people and for Codable; payloads have their own writers.
enum StructureText {
    static func object(_ value: StructureValue, _ model: MetadataModel) -> JSONValue {
        let definition = model.graph[value.type]
        var object = JSONObject()
        for (slot, member) in value.slots.enumerated() where slot < definition.properties.count {
            guard let member else { continue }
            let property = definition.properties[slot]
            object[property.name] = json(member, property.type, model)
        }
        for (name, member) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            object[name] = json(member, TypeReference(.primitive(.untyped)), model)
        }
        return .object(object)
    }

    static func array(_ values: [DataValue?]) -> JSONValue {
        .array(
            values.map { value in
                guard let value else { return .null }
                if let structure = value as? StructureBase {
                    return object(structure.structureValue, structure.typeObject.model)
                }
                if let list = value as? ListBase { return array(list.dataValues()) }
                if let enumeration = value as? EnumValue { return .string(enumeration.name) }
                return value.scalarValue().map { json($0, .untyped) } ?? .string(value.toString())
            })
    }

    static func json(
        _ value: ODataValue, _ type: TypeReference, _ model: MetadataModel
    ) -> JSONValue {
        switch value {
        case .structure(let structure): return object(structure, model)
        case .list(let items): return .array(items.map { json($0, type, model) })
        case .scalar(let scalar):
            if let id = type.enumeration, case .integer(let number) = scalar {
                return .string(model.graph[id].text(of: number))
            }
            return json(scalar, type.primitive ?? .untyped)
        }
    }

    static func json(_ scalar: Scalar, _ type: PrimitiveType) -> JSONValue {
        switch scalar {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .number(String(value))
        case .decimal(let value): .number(value.description)
        case .double(let value):
            value.isFinite
                ? .number(Lexical.text(scalar, as: type)) : .string(Lexical.text(scalar, as: type))
        case .geo(let value): value.json
        default: .string(Lexical.text(scalar, as: type))
        }
    }
}
