import Foundation
import ODataModel
import ODataText

/// Codable form of structures: control information under `@odata.` names, then properties in the form of a payload.
enum StructureCoding {
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    static let maximumDepth = 64
    private static let typeKey = Key("@odata.type")

    // MARK: Writing

    static func encode(
        _ value: StructureValue, _ model: MetadataModel, to encoder: any Encoder
    ) throws {
        var container = encoder.container(keyedBy: Key.self)
        try encode(value, model, into: &container)
    }

    private static func encode(
        _ value: StructureValue, _ model: MetadataModel,
        into container: inout KeyedEncodingContainer<Key>
    ) throws {
        let definition = model.graph[value.type]
        try container.encode(definition.qualifiedName, forKey: typeKey)
        for (name, path) in controls {
            try container.encodeIfPresent(value.control[keyPath: path], forKey: Key(name))
        }
        for (slot, member) in value.slots.enumerated() where slot < definition.properties.count {
            guard let member else { continue }
            let property = definition.properties[slot]
            try container.encode(
                Encoding(value: member, type: property.type, model: model),
                forKey: Key(property.name))
        }
        for (name, member) in value.dynamicValues {
            try container.encode(
                Encoding(value: member, type: TypeReference(.primitive(.untyped)), model: model),
                forKey: Key(name))
        }
    }

    private static var controls: [(String, WritableKeyPath<ControlInformation, String?>)] {
        [
            ("@odata.id", \.id), ("@odata.etag", \.etag), ("@odata.editLink", \.editLink),
            ("@odata.readLink", \.readLink), ("@odata.mediaReadLink", \.mediaReadLink),
            ("@odata.mediaEditLink", \.mediaEditLink),
            ("@odata.mediaContentType", \.mediaContentType), ("@odata.mediaEtag", \.mediaETag),
        ]
    }

    private struct Encoding: Encodable {
        let value: ODataValue
        let type: TypeReference
        let model: MetadataModel

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .structure(let structure):
                try StructureCoding.encode(structure, model, to: encoder)
            case .list(let items):
                var container = encoder.unkeyedContainer()
                for item in items {
                    try container.encode(Encoding(value: item, type: type, model: model))
                }
            case .scalar(let scalar):
                var container = encoder.singleValueContainer()
                switch scalar {
                case .null: try container.encodeNil()
                case .boolean(let value): try container.encode(value)
                case .integer(let value): try container.encode(value)
                case .double(let value) where value.isFinite: try container.encode(value)
                case .binary(let bytes):
                    // The alphabet that decoders of `Data` read.
                    try container.encode(Base64.text(bytes, urlSafe: false))
                case .decimal(let number):
                    if let value = Self.number(number, encoder) {
                        try container.encode(value)
                    } else {
                        try container.encode(number.description)
                    }
                default: try container.encode(Lexical.text(scalar, as: type.primitive))
                }
            }
        }

        /// The number where the encoder is to write numbers; nil for one with more digits than Foundation has, which text keeps.
        private static func number(_ number: DecimalNumber, _ encoder: any Encoder) -> Decimal? {
            guard encoder.userInfo[CSDLDocument.decimalsAsNumbersKey] as? Bool == true,
                let value = Decimal(string: number.description),
                DecimalNumber("\(value)") == number
            else { return nil }
            return value
        }
    }

    // MARK: Reading

    static func decode(_ decoder: any Decoder) throws -> (
        value: StructureValue, type: StructureType
    ) {
        let container = try decoder.container(keyedBy: Key.self)
        guard let document = decoder.userInfo[CSDLDocument.csdlInfoKey] as? CSDLDocument else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "Expected the metadata document in userInfo under CSDLDocument.csdlInfoKey."
                ))
        }
        let value = try decode(container, document.model, nil, depth: 0)
        return (value, document[value.type])
    }

    private static func decode(
        _ container: KeyedDecodingContainer<Key>, _ model: MetadataModel, _ expected: StructureID?,
        depth: Int
    ) throws -> StructureValue {
        let name = try container.decodeIfPresent(String.self, forKey: typeKey)
        guard let id = name.flatMap({ model.graph.structure(named: $0) }) ?? expected,
            depth <= maximumDepth
        else {
            throw DecodingError.dataCorruptedError(
                forKey: typeKey, in: container,
                debugDescription:
                    "Expected the name of a structured type, at most \(maximumDepth) levels deep.")
        }
        let definition = model.graph[id]
        var value = StructureValue(type: id, in: model.graph)
        for (name, path) in controls {
            value.control[keyPath: path] =
                try container.decodeIfPresent(String.self, forKey: Key(name))
        }
        for (slot, property) in definition.properties.enumerated() {
            let key = Key(property.name)
            guard container.contains(key) else { continue }
            let decoder = try container.superDecoder(forKey: key)
            value.setSlot(slot, try decode(decoder, property.type, model, depth: depth + 1))
        }
        guard definition.isOpen else { return value }
        for key in container.allKeys
        where definition.slot(named: key.stringValue) == nil && !key.stringValue.hasPrefix("@") {
            let decoder = try container.superDecoder(forKey: key)
            value.dynamicValues[key.stringValue] = try decode(
                decoder, TypeReference(.primitive(.untyped)), model, depth: depth + 1)
        }
        return value
    }

    private static func decode(
        _ decoder: any Decoder, _ type: TypeReference, _ model: MetadataModel, depth: Int
    ) throws -> ODataValue {
        if try decoder.singleValueContainer().decodeNil() { return .null }
        if type.isCollection {
            var itemType = type
            itemType.isCollection = false
            var container = try decoder.unkeyedContainer()
            var items: [ODataValue] = []
            while !container.isAtEnd {
                items.append(
                    try decode(container.superDecoder(), itemType, model, depth: depth + 1))
            }
            return .list(items)
        }
        if case .structure(let id) = type.kind {
            let container = try decoder.container(keyedBy: Key.self)
            return .structure(try decode(container, model, id, depth: depth))
        }
        return .scalar(try scalar(decoder, type))
    }

    private static func scalar(_ decoder: any Decoder, _ type: TypeReference) throws -> Scalar {
        let container = try decoder.singleValueContainer()
        let primitive = type.primitive ?? .int64
        if let text = try? container.decode(String.self) {
            if let scalar = Lexical.scalar(text, as: primitive) { return scalar }
        } else if let value = try? container.decode(Bool.self),
            primitive == .boolean || primitive == .untyped
        {
            return .boolean(value)
        } else if primitive == .decimal, let value = try? container.decode(Decimal.self),
            let number = DecimalNumber("\(value)")
        {
            return .decimal(number)
        } else if let value = try? container.decode(Int64.self) {
            if let scalar = Scalar.integer(value).converted(to: primitive) { return scalar }
        } else if let value = try? container.decode(Double.self) {
            if let scalar = Scalar.double(value).converted(to: primitive) { return scalar }
        }
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "Expected a value of Edm.\(primitive.name).")
    }
}

extension EntityValue {
    private static var setKey: StructureCoding.Key { .init("@entitySet") }
    private static var flagsKey: StructureCoding.Key { .init("@state") }

    final func encodeState(_ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: StructureCoding.Key.self)
        if entitySet !== EntitySet.undefined {
            try container.encode(entitySet.localName, forKey: Self.setKey)
        }
        try container.encode(flags.rawValue, forKey: Self.flagsKey)
    }

    final func decodeState(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: StructureCoding.Key.self)
        let flags = try container.decodeIfPresent(UInt16.self, forKey: Self.flagsKey)
        self.flags = EntityFlags(rawValue: flags ?? 0)
        if let name = try container.decodeIfPresent(String.self, forKey: Self.setKey),
            let set = typeObject.model.entitySets.first(where: { $0.localName == name })
        {
            entitySet = set
        }
        guard !isNew else { return }
        rememberOld()
    }
}
