import ODataModel
import ODataText

/// Reads entities, feeds, changes, links and values from Atom and plain XML against a model (V2 Atom format; V4 Atom
/// Format). Names are compared by their local part, so the namespaces of V2, V3 and V4 all read.
///
/// Some services give tombstones only here. Elements that are not known are passed over.
package struct AtomReader: Sendable {
    package let graph: MetadataGraph
    /// Reads for a service: a link without content becomes a binding.
    package var isRequest: Bool
    package var limits: XMLLimits

    package init(_ graph: MetadataGraph, isRequest: Bool = false, limits: XMLLimits = XMLLimits()) {
        self.graph = graph
        self.isRequest = isRequest
        self.limits = limits
    }

    static let atomNamespace = "http://www.w3.org/2005/Atom"

    /// A feed of entities, or of changes, with the type and set that the request asked for.
    ///
    /// - Throws: `malformedText`, `invalidPayload`, `invalidValue`; `service` when the body is an error after all.
    package func page(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> EntityPage {
        var items: [EntityPageItem] = []
        var page = try page(bytes, of: type, in: set) { items.append($0) }
        page.items = items
        return page
    }

    /// As ``page(_:of:in:)``, each item handed over as it is read; the page returned has none.
    package func page(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil,
        each body: (EntityPageItem) throws -> Void
    ) throws -> EntityPage {
        var reader = try XMLReader(bytes, limits: limits)
        guard case .startElement = try reader.nextElementEvent() else {
            throw ODataError(.invalidPayload, "Expected a feed.")
        }
        if reader.name.localName == "error" {
            throw try ErrorPayload(xml: bytes).error(status: 200)
        }
        guard reader.name.localName == "feed" else {
            throw ODataError(
                .invalidPayload, "Expected a feed, found \(reader.name.qualifiedName).")
        }
        var page = EntityPage()
        let root = XMLElement(reader.name, attributes: reader.attributes)
        page.context = root.metadata("context")
        page.metadataETag = root.metadata("metadata-etag")
        let base = AtomBase(root.base)
        while case .startElement = try reader.nextElementEvent() {
            let element = try reader.subtree()
            switch element.name.localName {
            case "entry":
                try body(
                    .entity(try entity(element, declared: type, set: set, base: base), set))
            case "deleted-entry": try body(.removed(removal(element, set)))
            case "link" where element.isMetadata: try body(.link(try change(element, set)))
            case "deleted-link": try body(.deletedLink(try change(element, set)))
            case "count": page.count = Int64(element.text.trimmed)
            case "link": readPageLink(element, base, into: &page)
            default: continue
            }
        }
        return page
    }

    /// A single entity.
    package func entity(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> StructureValue {
        let root = try XMLDocument(bytes, limits: limits).root
        guard root.name.localName == "entry" else {
            if root.name.localName == "error" {
                throw try ErrorPayload(xml: bytes).error(status: 200)
            }
            throw ODataError(
                .invalidPayload, "Expected an entry, found \(root.name.qualifiedName).")
        }
        return try entity(root, declared: type, set: set, base: AtomBase(nil))
    }

    /// A single entity, nil for an element that says `m:null="true"`.
    package func optionalEntity(
        _ bytes: [UInt8], of type: StructureID, in set: EntitySetID? = nil
    ) throws -> StructureValue? {
        let root = try XMLDocument(bytes, limits: limits).root
        guard root.name.localName == "entry" || root.metadata("null") != "true" else { return nil }
        return try entity(bytes, of: type, in: set)
    }

    /// The value of a property, or the result of an operation that is no entity or feed.
    package func property(_ bytes: [UInt8], as type: TypeReference) throws -> ODataValue {
        let root = try XMLDocument(bytes, limits: limits).root
        guard type.isCollection else { return try value(root, as: type) }
        return .list(try items(of: root, as: type))
    }

    /// The entity-id of a reference: `<uri>…</uri>`, V4 `<m:ref id="…"/>`.
    package func reference(_ bytes: [UInt8]) throws -> String {
        let root = try XMLDocument(bytes, limits: limits).root
        guard let id = Self.referenceID(root) else {
            throw ODataError(.invalidPayload, "Expected an entity reference.")
        }
        return id
    }

    /// The entity-ids of a collection of references, and its next link.
    package func references(_ bytes: [UInt8]) throws -> (ids: [String], nextLink: String?) {
        let root = try XMLDocument(bytes, limits: limits).root
        guard root.name.localName == "links" || root.name.localName == "feed" else {
            throw ODataError(.invalidPayload, "Expected a collection of entity references.")
        }
        let next = root.children.first {
            $0.name.localName == "next"
                || $0.name.localName == "link" && $0.attribute("rel") == "next"
        }
        return (
            root.children.compactMap(Self.referenceID),
            next.map { $0.attribute("href") ?? $0.text.trimmed }
        )
    }

    private static func referenceID(_ element: XMLElement) -> String? {
        switch element.name.localName {
        case "uri": element.text.trimmed
        case "ref": element.attribute("id")
        default: nil
        }
    }

    // MARK: - Feed

    private func readPageLink(_ element: XMLElement, _ base: AtomBase, into page: inout EntityPage)
    {
        let href = element.attribute("href").map { base.within(element.base).resolve($0) }
        switch element.attribute("rel") {
        case "next": page.nextLink = href
        case "delta", "http://docs.oasis-open.org/odata/ns/delta": page.deltaLink = href
        default: break
        }
    }

    private func removal(_ element: XMLElement, _ set: EntitySetID?) -> RemovedEntity {
        let reason = element.metadata("reason") ?? element.attribute("reason") ?? ""
        return RemovedEntity(
            .id(element.attribute("ref") ?? ""),
            reason: RemovedEntity.Reason(rawValue: reason) ?? .deleted, set: set)
    }

    private func change(_ element: XMLElement, _ set: EntitySetID?) throws -> LinkChange {
        guard let source = element.attribute("source"),
            let relationship = element.attribute("relationship"),
            let target = element.attribute("target")
        else {
            throw ODataError(.invalidPayload, "Expected source, relationship and target of a link.")
        }
        return LinkChange(
            source: .id(source), relationship: relationship, target: .id(target), set: set)
    }
}
