import ODataModel
import ODataQuery
import ODataText

/// Where the entities of a call are, as far as its answers have told (URL Conventions 4.01, sections 4.3 to 4.11).
package struct EntityAddress: Sendable {
    package let settings: RequestSettings
    /// The absolute service root, ending in `/`.
    package let root: String
    /// Entities that another member of the same change set creates, by their Content-ID.
    package var created: [EntityPlace.ID: String] = [:]
    /// Entities of which an earlier answer has told where they are.
    package var known: [EntityPlace.ID: EntityPlace] = [:]

    package init(settings: RequestSettings, root: String) {
        self.settings = settings
        self.root = root
    }

    /// The URL of an entity relative to the root: by set and key, else by its link, else beneath its parent.
    ///
    /// - Throws: `usage` when nothing tells where the entity is, and for one of another service.
    package func text(_ entity: EntityPlace) throws -> String {
        if let id = entity.id, let contentID = created[id] { return "$" + contentID }
        let place = entity.id.flatMap { known[$0] } ?? entity
        let urls = EntityURL(
            graph: place.graph, dialect: settings.dialect(of: place.graph), keys: settings.keyStyle)
        if let set = place.set.map({ place.graph[$0] }), set.isSingleton || place.hasKey {
            return try urls.text(set: set.name, key: set.isSingleton ? [] : place.key)
        }
        if let link = place.link {
            guard let own = ServiceLink.followable(link, root: root) else {
                throw ODataError(
                    .usage,
                    "Expected an entity of the service, found one that is at"
                        + " \(ServiceLink.host(of: link) ?? link).",
                    at: .path(place.graph[place.type].qualifiedName))
            }
            return ServiceURL.relative(own, root: root)
        }
        if case .entity(let parent, let property) = place.parent,
            place.hasKey || !property.type.isCollection
        {
            return try urls.text(
                parent: try text(parent), navigation: property, key: place.key)
        }
        throw ODataError(
            .usage, "Expected an entity with a set and a whole key, or with a link.",
            at: .path(place.graph[place.type].qualifiedName))
    }

    /// The URL of what a property of an entity holds or leads to.
    package func text(_ entity: EntityPlace, _ property: PropertyDefinition) throws -> String {
        try text(entity) + "/" + PercentCoding.encode(property.name, for: .path)
    }

    /// Where an entity is created: beneath its parent, else in its set; and the type that is declared there.
    ///
    /// - Throws: `usage` when it has neither.
    package func collection(_ entity: EntityPlace) throws -> (url: String, declared: StructureID) {
        if case .entity(let parent, let property) = entity.parent {
            return (try text(parent, property), property.type.structure ?? entity.type)
        }
        guard let set = entity.set.map({ entity.graph[$0] }) else {
            throw ODataError(
                .usage,
                "Expected an entity set for the entity, found none or more than one of its type.",
                at: .path(entity.graph[entity.type].qualifiedName))
        }
        return (PercentCoding.encode(entity.graph.address(of: set), for: .path), set.type)
    }

    /// Takes over what an answer has told of an entity.
    package mutating func learn(_ answer: EntityAnswer, of entity: EntityPlace) {
        guard let id = entity.id else { return }
        var place = known[id] ?? entity
        if let values = answer.values {
            let found = EntityPlace(of: values, in: place.set, graph: place.graph)
            (place.type, place.link) = (found.type, found.link)
            if found.hasKey { place.key = found.key }
        } else {
            place.key = answer.key ?? place.key
            place.link = answer.readLink ?? place.link
        }
        known[id] = place
    }
}
