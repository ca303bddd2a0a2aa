import ODataModel

/// One change that a caller wants made at a service.
package enum EntityChange: Sendable {
    case create(RequestEntity)
    /// The content goes first, then what else the entity was given.
    case createMedia(RequestEntity, RequestWriter.StreamBody)
    case update(RequestEntity)
    case delete(EntityPlace, entityTag: String?)
    case putLink(EntityPlace, PropertyDefinition, to: EntityPlace)
    case deleteLink(EntityPlace, PropertyDefinition, to: EntityPlace?)
    case action(OperationCall)
}

/// How a change is to be sent.
package struct ChangeOptions: Sendable {
    package var updateMode = QueuedRequest.UpdateMode.merge
    /// Asks for an answer without the entity.
    package var prefersNoContent = false
    /// An update is sent even where it says nothing.
    package var sendsEmptyUpdate = false
    /// The identity of the change's first request, milliseconds included; nil where it needs none.
    package var identity: RepeatabilityIdentity?

    package init() {}
}

/// One request that a change leads to, or that it is done.
package struct ChangeStep: Sendable {
    /// What the service is asked to do.
    package enum Request: Sendable {
        case create(RequestEntity)
        case createMedia(RequestEntity, RequestWriter.StreamBody)
        case update(RequestEntity, unbinds: [RequestEntity.Binding])
        /// The properties of a media entity beside its content.
        case complete(RequestEntity, unbinds: [RequestEntity.Binding])
        case delete(EntityPlace, entityTag: String?)
        case putLink(EntityPlace, PropertyDefinition, to: EntityPlace)
        case deleteLink(EntityPlace, PropertyDefinition, to: EntityPlace?)
        case action(OperationCall)
        /// Nothing is sent: all that the update of the entity brought is done.
        case finish(EntityPlace.ID)
    }

    /// Under which name the service knows the request again.
    package enum Identity: Sendable, Hashable {
        case none
        /// That of the options.
        case given
        /// One of its own, since it goes along with another.
        case own
    }

    package var request: Request
    package var identity: Identity

    package init(_ request: Request, _ identity: Identity) {
        self.request = request
        self.identity = identity
    }

    /// The model that the request is written by.
    package var graph: MetadataGraph? {
        switch request {
        case .create(let entity), .createMedia(let entity, _), .update(let entity, _),
            .complete(let entity, _):
            entity.place.graph
        case .delete(let place, _), .putLink(let place, _, _), .deleteLink(let place, _, _):
            place.graph
        case .action(let call): call.graph
        case .finish: nil
        }
    }
}
