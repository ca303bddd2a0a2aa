import ODataModel
import ODataText

extension EntityJSONReader {
    func page(
        _ reader: inout JSONReader, of type: StructureID, in set: EntitySetID?
    ) throws -> EntityPage {
        var items: [EntityPageItem] = []
        var page = try page(&reader, of: type, in: set) { items.append($0) }
        page.items = items
        return page
    }

    func page(
        _ reader: inout JSONReader, of type: StructureID, in set: EntitySetID?,
        each body: (EntityPageItem) throws -> Void
    ) throws -> EntityPage {
        var page = EntityPage()
        let hasItems: Bool
        if dialect.wrapsPayload, try reader.peek() == .array {
            try readItems(&reader, "d", type, set, body)
            hasItems = true
        } else {
            hasItems = try readObject(&reader, type, set, &page, body)
        }
        try reader.finish()
        guard hasItems else {
            throw ODataError(
                .invalidPayload, "Expected a collection, found no array of items.",
                at: .path(dialect.wrapsPayload ? "results" : "value"))
        }
        return page
    }

    private func readObject(
        _ reader: inout JSONReader, _ type: StructureID, _ set: EntitySetID?,
        _ page: inout EntityPage, depth: Int = 0, _ body: (EntityPageItem) throws -> Void
    ) throws -> Bool {
        var hasItems = false
        guard try reader.peek() == .object else {
            throw ODataError(
                .invalidPayload, "Expected a collection in an object.", at: .offset(0))
        }
        try reader.beginObject()
        while let name = try reader.nextName() {
            switch name {
            case "d" where dialect.wrapsPayload:
                if try reader.peek() == .array {
                    try readItems(&reader, "d", type, set, body)
                    hasItems = true
                } else {
                    hasItems =
                        try readObject(&reader, type, set, &page, depth: depth + 1, body)
                        || hasItems
                }
            case _ where depth == 1 && !hasItems && isResult(name):
                hasItems = try readResult(&reader, name, type, set, &page, body)
            case "value" where !dialect.wrapsPayload, "results" where dialect.wrapsPayload:
                try readItems(&reader, name, type, set, body)
                hasItems = true
            case "error" where !hasItems:
                let error = try reader.readValue(duplicates: .keepLast)
                let document = JSONValue.object(
                    JSONObject([JSONObject.Member(name: "error", value: error)]))
                throw try ErrorPayload(json: document.bytes).error(status: 200)
            default:
                try readControl(name, reader.readValue(duplicates: .keepLast), into: &page)
            }
        }
        return hasItems
    }

    /// True for what may be the name of an operation of V2, under which its result stands in `d`.
    private func isResult(_ name: String) -> Bool {
        dialect.wrapsPayload && name != "results" && !name.hasPrefix("__") && !name.contains("@")
    }

    /// The collection that an operation returned; false where it is none.
    private func readResult(
        _ reader: inout JSONReader, _ name: String, _ type: StructureID, _ set: EntitySetID?,
        _ page: inout EntityPage, _ body: (EntityPageItem) throws -> Void
    ) throws -> Bool {
        switch try reader.peek() {
        case .array:
            try readItems(&reader, name, type, set, body)
            return true
        case .object: return try readObject(&reader, type, set, &page, depth: 2, body)
        default:
            _ = try reader.readValue(duplicates: .keepLast)
            return false
        }
    }

    private func readControl(
        _ name: String, _ json: JSONValue, into page: inout EntityPage
    ) {
        switch MemberName(name) {
        case .control("context"): page.context = json.string
        case .control("count"): page.count = Self.count(json)
        case .control("nextLink"): page.nextLink = Self.link(json)
        case .control("deltaLink"): page.deltaLink = Self.link(json)
        case .control("metadataEtag"): page.metadataETag = json.string
        case .property("__count") where dialect.wrapsPayload: page.count = Self.count(json)
        case .property("__next") where dialect.wrapsPayload: page.nextLink = Self.link(json)
        case .property("__delta") where dialect.wrapsPayload: page.deltaLink = Self.link(json)
        default: break
        }
    }

    private func readItems(
        _ reader: inout JSONReader, _ name: String, _ type: StructureID, _ set: EntitySetID?,
        _ body: (EntityPageItem) throws -> Void
    ) throws {
        guard try reader.peek() == .array else {
            throw ODataError(.invalidPayload, "Expected an array of items.", at: .path(name))
        }
        try reader.beginArray()
        var index = 0
        while try reader.nextElement() {
            let json = try reader.readValue(duplicates: duplicates)
            let items = try located("\(name)[\(index)]") { try self.items(json, type, set) }
            for item in items { try body(item) }
            index += 1
        }
    }

    /// One element of a collection or delta; nested changes follow the entity they were found in.
    private func items(
        _ json: JSONValue, _ type: StructureID, _ set: EntitySetID?
    ) throws -> [EntityPageItem] {
        let context = (json["@odata.context"] ?? json["@context"])?.string.map(
            ContextURL.init(parsing:))
        var type = type
        var set = set
        if let root = context?.root, let named = graph.entitySet(named: root) {
            set = named
            if !graph.isA(type, graph[named].type) { type = graph[named].type }
        }
        switch context?.kind {
        case .link: return [.link(try link(json, set))]
        case .deletedLink: return [.deletedLink(try link(json, set))]
        default: break
        }
        let removed = json["@odata.removed"] ?? json["@removed"]
        if removed != nil || context?.kind == .deletedEntity {
            return [.removed(try removedEntity(json, removed, type, set))]
        }
        var changes: [NestedChanges] = []
        let entity = try structure(json, declared: type, set: set, changes: &changes)
        var items = [EntityPageItem.entity(entity, set)]
        for change in changes {
            let name = graph[entity.type].properties[change.slot].name
            items += try located("\(name)@delta") { try nested(change, of: entity, set) }
        }
        return items
    }

    /// The items of `X@delta`: each changed entity with its link, each removal as a deleted link or entity.
    private func nested(
        _ change: NestedChanges, of source: StructureValue, _ set: EntitySetID?
    ) throws -> [EntityPageItem] {
        let property = graph[source.type].properties[change.slot]
        guard let navigation = property.navigation, let target = property.type.structure else {
            throw ODataError(.invalidPayload, "Expected a navigation property.")
        }
        guard let elements = change.items.array else { throw expected("an array", change.items) }
        let targetSet = set.flatMap { owner in
            graph.isA(source.type, graph[owner].type)
                ? graph.targetSet(of: change.slot, in: owner) : nil
        }
        let link = { (target: EntityReference) in
            LinkChange(
                source: reference(to: source), relationship: property.name, target: target,
                set: set)
        }
        var result: [EntityPageItem] = []
        for (index, element) in elements.enumerated() {
            let found = try located("[\(index)]") { try items(element, target, targetSet) }
            switch found.first {
            case .entity(let value, _):
                result += [found[0], .link(link(reference(to: value)))]
            case .removed(let removed)
            where removed.reason == .changed && !navigation.containsTarget:
                result.append(.deletedLink(link(removed.reference)))
            default: result += found.prefix(1)
            }
            result += found.dropFirst()
        }
        return result
    }

    private func reference(to entity: StructureValue) -> EntityReference {
        if let id = entity.control.id { return .id(id) }
        return .key(entity)
    }

    private func removedEntity(
        _ json: JSONValue, _ removed: JSONValue?, _ type: StructureID, _ set: EntitySetID?
    ) throws -> RemovedEntity {
        let text = (removed?["reason"] ?? json["reason"])?.string
        let reason = text.flatMap(RemovedEntity.Reason.init(rawValue:)) ?? .deleted
        let id = json["@odata.id"] ?? json["@id"] ?? (removed == nil ? json["id"] : nil)
        if let id = id?.string {
            return RemovedEntity(.id(id), reason: reason, set: set)
        }
        let value = try structure(json, declared: type, set: set)
        let definition = graph[value.type]
        let hasKey = definition.key.allSatisfy { key in
            definition.slot(named: key.path).map { value.slots[$0] != nil } ?? true
        }
        guard hasKey, !definition.key.isEmpty else {
            throw ODataError(.invalidPayload, "Expected an id or all key properties of a removal.")
        }
        return RemovedEntity(.key(value), reason: reason, set: set)
    }

    private func link(_ json: JSONValue, _ set: EntitySetID?) throws -> LinkChange {
        guard let source = json["source"]?.string,
            let relationship = json["relationship"]?.string, let target = json["target"]?.string
        else {
            throw ODataError(.invalidPayload, "Expected source, relationship and target of a link.")
        }
        return LinkChange(
            source: .id(source), relationship: relationship, target: .id(target), set: set)
    }
}
