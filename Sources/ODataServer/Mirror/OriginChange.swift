import ODataModel
import ODataQuery
import ODataWire

/// Which entity of the service that is mirrored a change concerns.
package enum OriginPlace: Sendable, Hashable {
    /// The key in key order; empty for a singleton.
    case entity(EntitySetID, key: [Scalar])
    /// What an earlier member of the same change set makes, by its position there.
    case member(Int)
}

/// One change of the service that is mirrored, in that one's own model and types.
package struct OriginChange: Sendable {
    package enum Action: Sendable {
        /// In a set, or among what a navigation property of an entity leads to.
        case create(StructureValue, EntitySetID, beneath: OriginLink?)
        case update(OriginPlace, StructureValue, replaces: Bool)
        case delete(OriginPlace)
        case putLink(OriginLink, to: OriginPlace)
        /// Nil for the one link of a property that has one.
        case deleteLink(OriginLink, to: OriginPlace?)
    }

    package var action: Action
    /// The model of the service that is mirrored, as the rows here were made by it.
    package var graph: MetadataGraph
    /// What the other service knows the state by that the change was made for; `*` for any.
    package var entityTag: String?

    /// The entity that is there before the change; nil for one that it makes.
    package var place: OriginPlace? {
        switch action {
        case .create: nil
        case .update(let place, _, _), .delete(let place): place
        case .putLink(let link, _), .deleteLink(let link, _): link.source
        }
    }
}

/// A navigation property of an entity.
package struct OriginLink: Sendable {
    package var source: OriginPlace
    package var property: PropertyDefinition
}

/// What the service that is mirrored has told of an entity that it made or changed.
package struct OriginResult: Sendable {
    /// Its state, in that service's types.
    package var value: StructureValue?
    /// Its key in key order, where the answer tells it.
    package var key: [Scalar]?

    package init(value: StructureValue? = nil, key: [Scalar]? = nil) {
        self.value = value
        self.key = key
    }
}

/// What became of changes that were sent.
package enum OriginOutcome: Sendable {
    /// One result for each.
    case done([OriginResult])
    /// Nothing was done, and the client is answered this.
    ///
    /// - Parameter member: the position of the change that was refused, where that is known.
    case refused(ResponseMessage, member: Int?)
    /// Whether anything was done is not known; the client is answered this.
    case unanswered(ResponseMessage)
}

/// The service that is mirrored, as what takes changes. Blocking calls.
package protocol MirrorOrigin: Sendable {
    /// Whether it says that it knows repeated requests again.
    func isRepeatable(_ graph: MetadataGraph) -> Bool
    /// False where it is known to take no batches, so that nothing makes several changes one.
    func takesChangeSets(_ graph: MetadataGraph) -> Bool
    /// How bodies of requests name an entity.
    func address(of place: OriginPlace, in graph: MetadataGraph) throws -> String
    /// The requests that make the changes, as they are sent, and sent again.
    ///
    /// - Throws: `notImplemented` for a change that it takes no request for.
    func requests(
        for changes: [OriginChange], identity: RepeatabilityHeaders?
    ) throws -> [RequestMessage]
    /// Sends what ``requests(for:identity:)`` made: one by itself, several as one change set.
    func send(_ requests: [RequestMessage], of changes: [OriginChange]) -> OriginOutcome
    /// An entity as it is now, with others that belong to it; nil where there is none.
    ///
    /// - Throws: an error with the status of an answer to the client, where it cannot be read.
    func read(
        _ place: OriginPlace, in graph: MetadataGraph, expanding: [ExpandTerm]
    ) throws -> StructureValue?
    /// Asks for a reading of everything soon, for what could not be told of one change.
    func readSoon()
}
