import ODataModel
import ODataText

// Entries: categories, links, media, properties, and properties that feed customising put elsewhere.

extension AtomReader {
    func entity(
        _ entry: XMLElement, declared: StructureID, set: EntitySetID?, base: AtomBase
    ) throws -> StructureValue {
        let base = base.within(entry.base)
        let type = try actualType(of: entry, declared: declared)
        var result = StructureValue(type: type, in: graph)
        result.control.etag = entry.metadata("etag")
        for child in entry.children {
            switch child.name.localName {
            case "id" where !child.text.trimmed.isEmpty: result.control.id = child.text.trimmed
            case "link": try readLink(child, set, base, into: &result)
            case "content": try readContent(child, base, into: &result)
            case "properties": try readProperties(child, into: &result)
            default: continue
            }
        }
        try readCustomised(entry, into: &result)
        return result
    }

    private func actualType(
        of entry: XMLElement, declared: StructureID
    ) throws -> StructureID {
        let category = entry.children("category").first {
            $0.attribute("scheme")?.hasSuffix("/scheme") ?? true
        }
        guard let term = category?.attribute("term") else { return declared }
        let name = EntityJSONReader.typeName(term)
        guard let type = graph.structure(named: name) else { return declared }
        guard graph.isA(type, declared) else {
            throw ODataError(
                .invalidPayload,
                "Expected \(graph[declared].qualifiedName) or a type derived from it, "
                    + "found \(graph[type].qualifiedName).",
                at: .offset((category ?? entry).offset))
        }
        return type
    }

    private func readContent(
        _ element: XMLElement, _ base: AtomBase, into result: inout StructureValue
    ) throws {
        if let source = element.attribute("src") {
            result.control.mediaReadLink = base.within(element.base).resolve(source)
            result.control.mediaContentType = element.attribute("type")
            return
        }
        if let properties = element.child("properties") {
            try readProperties(properties, into: &result)
        }
    }

    // MARK: - Links

    private func readLink(
        _ link: XMLElement, _ set: EntitySetID?, _ base: AtomBase,
        into result: inout StructureValue
    ) throws {
        let base = base.within(link.base)
        guard let relation = link.attribute("rel") else { return }
        let href = link.attribute("href").map(base.resolve)
        switch relation {
        case "edit": result.control.editLink = href
        case "self": result.control.readLink = href
        case "edit-media":
            result.control.mediaEditLink = href
            result.control.mediaETag = link.metadata("etag")
        default:
            if let name = Self.suffix(of: relation, behind: "/related/") {
                try readRelated(link, name, href, set, base, into: &result)
            } else if let name = Self.suffix(of: relation, behind: "/mediaresource/") {
                result.control.note("mediaReadLink", of: name, href)
                result.control.note("mediaContentType", of: name, link.attribute("type"))
            } else if let name = Self.suffix(of: relation, behind: "/edit-media/") {
                result.control.note("mediaEditLink", of: name, href)
                result.control.note("mediaContentType", of: name, link.attribute("type"))
                result.control.note("mediaEtag", of: name, link.metadata("etag"))
            }
        }
    }

    /// The name in `http://…/related/Name`.
    private static func suffix(of relation: String, behind part: String) -> String? {
        guard relation.hasPrefix("http"), let range = relation.firstRange(of: part) else {
            return nil
        }
        return String(relation[range.upperBound...])
    }

    private func readRelated(
        _ link: XMLElement, _ name: String, _ href: String?, _ set: EntitySetID?,
        _ base: AtomBase, into result: inout StructureValue
    ) throws {
        let definition = graph[result.type]
        guard let slot = definition.slot(named: name), definition.properties[slot].isNavigation,
            let target = definition.properties[slot].type.structure
        else { return }
        guard let inline = link.child("inline") else {
            if isRequest, let href {
                result.control.bindings[name, default: []].append(href)
            } else {
                result.control.note("navigationLink", of: name, href)
            }
            return
        }
        let targetSet = set.flatMap { owner in
            graph.isA(result.type, graph[owner].type) ? graph.targetSet(of: slot, in: owner) : nil
        }
        let inner = base.within(inline.base)
        guard definition.properties[slot].type.isCollection else {
            let entry = inline.child("entry")
            result.slots[slot] =
                try entry.map {
                    .structure(
                        try entity($0, declared: target, set: targetSet, base: inner))
                } ?? .null
            return
        }
        var entities: [ODataValue] = []
        if let feed = inline.child("feed") {
            let feedBase = inner.within(feed.base)
            for child in feed.children {
                switch child.name.localName {
                case "entry":
                    entities.append(
                        .structure(
                            try entity(child, declared: target, set: targetSet, base: feedBase)))
                case "count" where child.name.namespace != Self.atomNamespace:
                    result.control.counts[name] = Int64(child.text.trimmed)
                case "link" where child.attribute("rel") == "next":
                    result.control.nextLinks[name] = child.attribute("href").map(feedBase.resolve)
                default: continue
                }
            }
        }
        result.slots[slot] = .list(entities)
    }

    // MARK: - Properties

    func readProperties(_ element: XMLElement, into result: inout StructureValue) throws {
        let definition = graph[result.type]
        for child in element.children {
            let name = child.name.localName
            guard let slot = definition.slot(named: name) else {
                if definition.isOpen { result.dynamicValues[name] = try dynamic(child) }
                continue
            }
            let type = definition.properties[slot].type
            guard type.primitive != .stream else { continue }
            do {
                result.slots[slot] =
                    type.isCollection
                    ? .list(try items(of: child, as: type)) : try value(child, as: type)
            } catch var error as ODataError {
                if error.location == nil { error.location = .path(name) }
                throw error
            }
        }
    }

    /// Properties that the model puts into elements of the entry itself (`m:FC_TargetPath`).
    private func readCustomised(_ entry: XMLElement, into result: inout StructureValue) throws {
        for (slot, property) in graph[result.type].properties.enumerated()
        where result.slots[slot] == nil && !property.annotations.isEmpty {
            guard
                case .string(let path)? = property.annotations.first(term: "m:FC_TargetPath")?.value,
                let text = Self.syndicated(path, in: entry)
            else { continue }
            result.slots[slot] = .scalar(try scalar(text, as: property.type))
        }
    }

    private static func syndicated(_ path: String, in entry: XMLElement) -> String? {
        let known = [
            "SyndicationTitle": ["title"], "SyndicationSummary": ["summary"],
            "SyndicationRights": ["rights"], "SyndicationUpdated": ["updated"],
            "SyndicationPublished": ["published"], "SyndicationAuthorName": ["author", "name"],
            "SyndicationAuthorEmail": ["author", "email"],
            "SyndicationAuthorUri": ["author", "uri"],
            "SyndicationContributorName": ["contributor", "name"],
            "SyndicationContributorEmail": ["contributor", "email"],
            "SyndicationContributorUri": ["contributor", "uri"],
        ]
        var current = entry
        for name in known[path] ?? path.split(separator: "/").map(String.init) {
            if name.hasPrefix("@") { return current.attribute(String(name.dropFirst())) }
            guard let child = current.child(name) else { return nil }
            current = child
        }
        return current.text
    }
}

extension ControlInformation {
    /// Keeps control information of a property under its JSON name.
    fileprivate mutating func note(_ name: String, of property: String, _ text: String?) {
        guard let text else { return }
        annotations["\(property)@odata.\(name)"] = .scalar(.string(text))
    }
}
