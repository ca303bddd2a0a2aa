import ODataModel
import ODataText

extension EntityJSONWriter {
    /// A collection or delta of `set` as response; without a set, of entities of `type`.
    ///
    /// - Throws: `usage` when a removal or link names an entity by a key that is not set.
    package func page(
        _ page: EntityPage, of type: StructureID, in set: EntitySetID? = nil
    ) throws -> [UInt8] {
        var writer = JSONWriter(reservingBytes: 64 + page.items.count * 256)
        beginPage(context: page.context, count: page.count, to: &writer)
        for item in page.items { try write(item, declared: type, in: set, to: &writer) }
        endPage(nextLink: page.nextLink, deltaLink: page.deltaLink, to: &writer)
        return writer.bytes
    }

    /// What stands in front of the items, for a service that writes them one by one.
    package func beginPage(context: String?, count: Int64? = nil, to writer: inout JSONWriter) {
        beginPayload(&writer)
        writer.beginObject()
        writeContext(context, to: &writer)
        if let count {
            writer.name(dialect.wrapsPayload ? "__count" : control("count"))
            writeCount(count, to: &writer)
        }
        writer.name(dialect.wrapsPayload ? "results" : "value")
        writer.beginArray()
    }

    /// What stands behind the items.
    package func endPage(
        nextLink: String? = nil, deltaLink: String? = nil, to writer: inout JSONWriter
    ) {
        writer.endArray()
        if let nextLink {
            writer.name(dialect.wrapsPayload ? "__next" : control("nextLink"))
            writer.string(nextLink)
        }
        if let deltaLink {
            writer.name(dialect.wrapsPayload ? "__delta" : control("deltaLink"))
            writer.string(deltaLink)
        }
        writer.endObject()
        endPayload(&writer)
    }

    /// One item; entities of another set than the page's say so in a context of their own.
    package func write(
        _ item: EntityPageItem, declared: StructureID, in set: EntitySetID?,
        to writer: inout JSONWriter
    ) throws {
        writer.beginObject()
        switch item {
        case .entity(let value, let own):
            var declared = declared
            if let own, let set, own != set {
                declared = graph[own].type
                itemContext(own, .entity, isAlways: false, to: &writer)
            }
            writeMembers(of: value, declared: declared, to: &writer)
        case .removed(let removed):
            try write(removed, in: set, to: &writer)
        case .link(let link):
            itemContext(link.set ?? set, .link, isAlways: true, to: &writer)
            try writeLink(link, in: link.set ?? set, to: &writer)
        case .deletedLink(let link):
            itemContext(link.set ?? set, .deletedLink, isAlways: true, to: &writer)
            try writeLink(link, in: link.set ?? set, to: &writer)
        }
        writer.endObject()
    }

    /// 4.0: a `$deletedEntity` with `id` and `reason`; 4.01: `@removed` with `@id` or the key.
    private func write(
        _ removed: RemovedEntity, in set: EntitySetID?, to writer: inout JSONWriter
    ) throws {
        let own = removed.set ?? set
        guard dialect.usesShortControlNames else {
            itemContext(own, .deletedEntity, isAlways: true, to: &writer)
            writer.name("id")
            writer.string(try id(of: removed.reference, in: own))
            if !dialect.wrapsPayload {
                writer.name("reason")
                writer.string(removed.reason.rawValue)
            }
            return
        }
        if own != set { itemContext(own, .deletedEntity, isAlways: true, to: &writer) }
        writer.name(control("removed"))
        writer.beginObject()
        writer.name("reason")
        writer.string(removed.reason.rawValue)
        writer.endObject()
        switch removed.reference {
        case .id(let id):
            writer.name(control("id"))
            writer.string(id)
        case .key(let value):
            let definition = graph[value.type]
            for key in definition.key {
                guard let slot = definition.slot(named: key.path), let content = value.slots[slot]
                else {
                    throw ODataError(
                        .usage, "Expected the key property to be set.", at: .path(key.path))
                }
                writer.name(key.path)
                write(content, as: definition.properties[slot].type, to: &writer)
            }
        }
    }

    private func writeLink(
        _ link: LinkChange, in set: EntitySetID?, to writer: inout JSONWriter
    ) throws {
        writer.name("source")
        writer.string(try id(of: link.source, in: set))
        writer.name("relationship")
        writer.string(link.relationship)
        writer.name("target")
        var targetSet: EntitySetID?
        if let set, let slot = graph[graph[set].type].slot(named: link.relationship) {
            targetSet = graph.targetSet(of: slot, in: set)
        }
        writer.string(try id(of: link.target, in: targetSet))
    }

    private func id(of reference: EntityReference, in set: EntitySetID?) throws -> String {
        switch reference {
        case .id(let id): return id
        case .key(let value):
            guard let set else {
                throw ODataError(.usage, "Expected an entity set for an entity named by its key.")
            }
            return try EntityID.text(of: value, in: set, of: graph, dialect: dialect)
        }
    }

    /// `$metadata#Tools/$deletedEntity`; V2 services write it with the prefix, too.
    private func itemContext(
        _ set: EntitySetID?, _ kind: ContextURL.Kind, isAlways: Bool, to writer: inout JSONWriter
    ) {
        guard isAlways || (metadata != .none && !dialect.wrapsPayload) else { return }
        let path = set.map { graph[$0].name } ?? ""
        writer.name(control("context"))
        writer.string(ContextURL(path: path, kind: kind).text)
    }
}
