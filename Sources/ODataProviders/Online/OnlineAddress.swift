import ODataClasses
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport

/// Where entities, their properties and their links are (URL Conventions 4.01, sections 4.3 to 4.11).
struct OnlineAddress {
    let dialect: Dialect
    /// The absolute service root, ending in `/`.
    let root: String
    /// Entities that another member of the same change set creates, by their Content-ID.
    var created: [ObjectIdentifier: String] = [:]

    private static let maximumDepth = 16

    /// The URL of an entity relative to the root: by set and key, else by its links, else beneath its parent.
    ///
    /// - Throws: `usage` when nothing tells where the entity is.
    func text(_ entity: EntityValue) throws -> String { try text(entity, depth: 0) }

    private func text(_ entity: EntityValue, depth: Int) throws -> String {
        if let id = created[ObjectIdentifier(entity)] { return "$" + id }
        let set = entity.entitySet
        let graph = entity.entityType.model.graph
        let urls = EntityURL(graph: graph, dialect: dialect)
        let key = entity.keyScalars.compactMap { $0 }
        let isWhole = !key.isEmpty && key.count == entity.entityType.definition.key.count
        if set !== EntitySet.undefined, set.isSingleton || isWhole {
            return try urls.text(set: set.localName, key: set.isSingleton ? [] : key)
        }
        if let link = entity.editLink ?? entity.readLink {
            return ServiceURL.relative(link, root: root)
        }
        if let parent = entity.parentEntity, let property = entity.parentProperty,
            isWhole || !property.definition.type.isCollection, depth < Self.maximumDepth
        {
            return try urls.text(
                parent: try text(parent, depth: depth + 1), navigation: property.definition,
                key: key)
        }
        throw ODataError(
            .usage, "Expected an entity with a set and a whole key, or with a link.",
            at: .path(entity.entityType.qualifiedName))
    }

    /// The URL of what a property of an entity holds or leads to.
    func text(_ entity: EntityValue, _ property: Property) throws -> String {
        try text(entity) + "/" + PercentCoding.encode(property.name, for: .path)
    }

    /// The URL of the links of a navigation property: `/Nav/$ref`, V2 `/$links/Nav`.
    func links(_ entity: EntityValue, _ property: Property) throws -> String {
        let name = PercentCoding.encode(property.name, for: .path)
        let base = try text(entity)
        return dialect.wrapsPayload ? "\(base)/$links/\(name)" : "\(base)/\(name)/$ref"
    }

    /// The URL of one link among the links of a collection, or of the link of a single-valued property.
    func link(_ entity: EntityValue, _ property: Property, to target: EntityValue) throws -> String
    {
        let base = try links(entity, property)
        guard property.definition.type.isCollection else { return base }
        guard dialect.wrapsPayload else {
            return base + "?$id=" + PercentCoding.encode(try reference(target), for: .query)
        }
        let url = try text(target)
        guard let parenthesis = url.lastIndex(of: "(") else { return base }
        return base + url[parenthesis...]
    }

    /// The entity-id of an entity, in full unless it is a Content-ID.
    func reference(_ entity: EntityValue) throws -> String {
        let url = try text(entity)
        return url.hasPrefix("$") ? url : ServiceURL.absolute(url, root: root)
    }
}
