import ODataModel
import ODataText

extension EntityJSONWriter {
    /// A value of any type.
    package func write(
        _ value: ODataValue, as type: TypeReference?, to writer: inout JSONWriter
    ) {
        switch value {
        case .list(let values):
            var single = type
            single?.isCollection = false
            writer.beginArray()
            for value in values { write(value, as: single, to: &writer) }
            writer.endArray()
        case .structure(let structure):
            writer.beginObject()
            writeMembers(of: structure, declared: type?.structure, to: &writer)
            writer.endObject()
        case .scalar(let scalar): write(scalar, as: type, to: &writer)
        }
    }

    private func write(_ scalar: Scalar, as type: TypeReference?, to writer: inout JSONWriter) {
        if let id = type?.enumeration, case .integer(let value) = scalar {
            writer.string(graph[id].text(of: value))
            return
        }
        let primitive = type?.primitive ?? Self.ownType(of: scalar)
        ScalarJSON.write(
            scalar, as: primitive, quotesLongNumbers: quotesLongNumbers, dialect: dialect,
            to: &writer)
    }

    /// The members of a structure in a response: control information, properties, expanded relations.
    package func writeMembers(
        of value: StructureValue, declared: StructureID?, to writer: inout JSONWriter
    ) {
        if dialect.wrapsPayload {
            writeV2Metadata(of: value, declared: declared, to: &writer)
        } else if metadata != .none {
            writeControl(of: value, declared: declared, to: &writer)
        }
        let properties = graph[value.type].properties
        for (slot, content) in value.slots.enumerated() where slot < properties.count {
            let property = properties[slot]
            if property.isNavigation {
                writeRelated(property, content, value.control, to: &writer)
            } else if let content, property.type.primitive != .stream {
                writeType(of: property, to: &writer)
                writer.name(property.name)
                write(content, as: property.type, to: &writer)
            } else if property.type.primitive == .stream {
                writeStreamLinks(of: property.name, value.control, to: &writer)
            }
        }
        for (name, content) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            writeDynamic(name, content, to: &writer)
        }
    }

    /// A dynamic property, with its type where JSON does not tell it.
    package func writeDynamic(_ name: String, _ value: ODataValue, to writer: inout JSONWriter) {
        if !dialect.wrapsPayload, metadata != .none, let type = Self.stated(typeOf: value) {
            writer.name(name + control("type"))
            writer.string("#\(type.name)")
        }
        writer.name(name)
        if case .structure(let structure) = value {
            writer.beginObject()
            writeMembers(of: structure, declared: nil, to: &writer)
            writer.endObject()
        } else {
            write(value, as: nil, to: &writer)
        }
    }

    private func writeControl(
        of value: StructureValue, declared: StructureID?, to writer: inout JSONWriter
    ) {
        let information = value.control
        if value.type != declared || metadata == .full {
            member("type", "#\(graph[value.type].qualifiedName)", &writer)
        }
        member("id", information.id, &writer)
        member("etag", information.etag, &writer)
        member("editLink", information.editLink, &writer)
        member("readLink", information.readLink, &writer)
        member("mediaReadLink", information.mediaReadLink, &writer)
        member("mediaEditLink", information.mediaEditLink, &writer)
        member("mediaContentType", information.mediaContentType, &writer)
        member("mediaEtag", information.mediaETag, &writer)
    }

    private func member(_ name: String, _ text: String?, _ writer: inout JSONWriter) {
        guard let text else { return }
        writer.name(control(name))
        writer.string(text)
    }

    private func writeStreamLinks(
        of property: String, _ information: ControlInformation, to writer: inout JSONWriter
    ) {
        guard metadata != .none, !dialect.wrapsPayload else { return }
        for name in ["mediaReadLink", "mediaEditLink", "mediaContentType", "mediaEtag"] {
            guard
                case .scalar(.string(let text)) =
                    information.annotations["\(property)@odata.\(name)"]
            else { continue }
            writer.name(property + control(name))
            writer.string(text)
        }
    }

    private func writeRelated(
        _ property: PropertyDefinition, _ content: ODataValue?, _ information: ControlInformation,
        to writer: inout JSONWriter
    ) {
        let count = information.counts[property.name]
        let next = information.nextLinks[property.name]
        if dialect.wrapsPayload {
            writeV2Related(property, content, count, next, information, to: &writer)
            return
        }
        if let count {
            writer.name(property.name + control("count"))
            writeCount(count, to: &writer)
        }
        writeLinks(of: property, information, to: &writer)
        if let content {
            writer.name(property.name)
            write(content, as: property.type, to: &writer)
        }
        if let next {
            writer.name(property.name + control("nextLink"))
            writer.string(next)
        }
    }

    /// The type of a property whose JSON value does not tell it, for full metadata.
    private func writeType(of property: PropertyDefinition, to writer: inout JSONWriter) {
        guard metadata == .full, !dialect.wrapsPayload,
            let primitive = property.type.primitive, ![.string, .boolean].contains(primitive)
        else { return }
        let name = property.type.isCollection ? "Collection(\(primitive.name))" : primitive.name
        writer.name(property.name + control("type"))
        writer.string("#\(name)")
    }

    /// Where the relation is found and changed, for full metadata of entities with a link of their own.
    private func writeLinks(
        of property: PropertyDefinition, _ information: ControlInformation,
        to writer: inout JSONWriter
    ) {
        guard metadata == .full, let own = information.editLink ?? information.readLink else {
            return
        }
        writer.name(property.name + control("associationLink"))
        writer.string("\(own)/\(property.name)/$ref")
        writer.name(property.name + control("navigationLink"))
        writer.string("\(own)/\(property.name)")
    }

    func writeCount(_ count: Int64, to writer: inout JSONWriter) {
        if quotesLongNumbers {
            writer.string(String(count))
        } else {
            writer.integer(count)
        }
    }

    /// The type of a dynamic value that a reader would not find in the JSON value alone.
    private static func stated(typeOf value: ODataValue) -> PrimitiveType? {
        guard case .scalar(let scalar) = value else { return nil }
        switch scalar {
        case .null, .boolean, .string, .integer: return nil
        default: return ownType(of: scalar)
        }
    }

    private static func ownType(of scalar: Scalar) -> PrimitiveType {
        switch scalar {
        case .null: .untyped
        case .boolean: .boolean
        case .integer: .int64
        case .double: .double
        case .decimal: .decimal
        case .string: .string
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .dateTime: .dateTime
        case .duration: .duration
        case .geo: .geography
        }
    }
}
