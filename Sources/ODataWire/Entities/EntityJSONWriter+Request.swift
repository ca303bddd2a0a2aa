import ODataModel
import ODataText

extension EntityJSONWriter {
    /// The body of a create, update or replace request: the set slots, links to bind, and nested entities.
    ///
    /// - Parameters:
    ///   - declared: the type that the URL addresses; a derived type is named in the body.
    ///   - slots: writes only these of the set slots; nil writes all.
    ///   - includesRelated: writes nested entities (deep insert; deep update in 4.01).
    ///   - deltas: collections of nested entities that are added or changed, the others staying (`@delta`, 4.01).
    ///   - removals: entity-ids whose links leave a collection, by its name (`@removed`, JSON Format 4.01, section 15.3).
    package func requestBody(
        _ value: StructureValue, declared: StructureID, slots: Set<Int>? = nil,
        includesRelated: Bool = true, deltas: Set<String> = [], removals: [String: [String]] = [:]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writeRequest(
            value, declared: declared, slots: slots, includesRelated: includesRelated,
            deltas: deltas, removals: removals, to: &writer)
        return writer.bytes
    }

    /// The body of an action: its parameters by name, the binding parameter apart.
    ///
    /// - Throws: `usage` for a name that is no parameter.
    package func argumentsBody(
        _ arguments: [String: ODataValue], of operation: OperationDefinition
    ) throws -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        let parameters = operation.ownParameters
        if let name = arguments.keys.first(where: { name in
            !parameters.contains { $0.name == name }
        }) {
            throw ODataError(.usage, "Expected a parameter of the action.", at: .path(name))
        }
        for parameter in parameters {
            guard let value = arguments[parameter.name] else { continue }
            writer.name(parameter.name)
            writeRequestValue(value, as: parameter.type, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    private func writeRequest(
        _ value: StructureValue, declared: StructureID?, slots: Set<Int>?, includesRelated: Bool,
        deltas: Set<String> = [], removals: [String: [String]] = [:],
        to writer: inout JSONWriter
    ) {
        writer.beginObject()
        if value.type != declared { writeRequestType(value.type, to: &writer) }
        let properties = graph[value.type].properties
        for (slot, property) in properties.enumerated() {
            let content = slot < value.slots.count ? value.slots[slot] : nil
            let isWanted = slots?.contains(slot) ?? true
            if property.isNavigation {
                writeRelation(
                    property, isWanted && includesRelated ? content : nil,
                    value.control.bindings[property.name],
                    isDelta: deltas.contains(property.name),
                    removed: removals[property.name] ?? [], to: &writer)
            } else if isWanted, let content, property.type.primitive != .stream {
                writer.name(property.name)
                writeRequestValue(content, as: property.type, to: &writer)
            }
        }
        for (name, content) in value.dynamicValues.sorted(by: { $0.key < $1.key }) {
            writeDynamic(name, content, to: &writer)
        }
        writer.endObject()
    }

    private func writeRequestType(_ type: StructureID, to writer: inout JSONWriter) {
        let name = graph[type].qualifiedName
        if dialect.wrapsPayload {
            writer.name("__metadata")
            writer.beginObject()
            writer.name("type")
            writer.string(name)
            writer.endObject()
        } else {
            writer.name(control("type"))
            writer.string("#\(name)")
        }
    }

    private func writeRequestValue(
        _ value: ODataValue, as type: TypeReference, to writer: inout JSONWriter
    ) {
        switch value {
        case .structure(let structure):
            writeRequest(
                structure, declared: type.structure, slots: nil, includesRelated: true,
                to: &writer)
        case .list(let values):
            var single = type
            single.isCollection = false
            writer.beginArray()
            for value in values { writeRequestValue(value, as: single, to: &writer) }
            writer.endArray()
        case .scalar: write(value, as: type, to: &writer)
        }
    }

    /// Nested entities and links; V2 has only one member for both.
    private func writeRelation(
        _ property: PropertyDefinition, _ content: ODataValue?, _ links: [String]?,
        isDelta: Bool, removed: [String], to writer: inout JSONWriter
    ) {
        guard dialect.wrapsPayload else {
            if let links, property.type.isCollection || !links.isEmpty {
                writer.name(property.name + "@odata.bind")
                writeLinks(links, isCollection: property.type.isCollection, to: &writer)
            }
            if isDelta || !removed.isEmpty {
                writeDelta(property, content?.list ?? [], removed, to: &writer)
            } else if let content {
                writer.name(property.name)
                writeRequestValue(content, as: property.type, to: &writer)
            }
            return
        }
        guard content != nil || links?.isEmpty == false else { return }
        writer.name(property.name)
        guard property.type.isCollection else {
            if let link = links?.first {
                writeV2Link(link, to: &writer)
            } else if let content {
                writeRequestValue(content, as: property.type, to: &writer)
            }
            return
        }
        writer.beginArray()
        for link in links ?? [] { writeV2Link(link, to: &writer) }
        var single = property.type
        single.isCollection = false
        for element in content?.list ?? [] { writeRequestValue(element, as: single, to: &writer) }
        writer.endArray()
    }

    /// Entities of a collection that are added or changed, and those that leave it.
    private func writeDelta(
        _ property: PropertyDefinition, _ entities: [ODataValue], _ removed: [String],
        to writer: inout JSONWriter
    ) {
        var single = property.type
        single.isCollection = false
        writer.name(property.name + "@delta")
        writer.beginArray()
        for entity in entities { writeRequestValue(entity, as: single, to: &writer) }
        for id in removed {
            writer.beginObject()
            writer.name("@removed")
            writer.beginObject()
            writer.name("reason")
            writer.string("changed")
            writer.endObject()
            writer.name("@id")
            writer.string(id)
            writer.endObject()
        }
        writer.endArray()
    }

    /// `@odata.bind` keeps its prefix in 4.01, where it is allowed to go, since 4.0 services read only that.
    private func writeLinks(_ links: [String], isCollection: Bool, to writer: inout JSONWriter) {
        guard isCollection else {
            writer.string(links.first ?? "")
            return
        }
        writer.beginArray()
        for link in links { writer.string(link) }
        writer.endArray()
    }

    private func writeV2Link(_ link: String, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("__metadata")
        writer.beginObject()
        writer.name("uri")
        writer.string(link)
        writer.endObject()
        writer.endObject()
    }
}
