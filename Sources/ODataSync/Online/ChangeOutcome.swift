import ODataQuery
import ODataSyncPlan
import ODataModel

/// What became of one request of a change: what the caller's entity is now.
package enum ChangeOutcome: Sendable {
    case created(EntityPlace.ID?, EntityAnswer)
    /// The service has the content, and knows nothing yet of what else the entity was given.
    case createdMedia(EntityPlace.ID?, EntityAnswer)
    /// Also brings the entities that went inside.
    case updated(EntityPlace.ID?, EntityAnswer, inside: [EntityPlace.ID])
    /// The service has what else a media entity was given.
    case completed(EntityPlace.ID?, EntityAnswer, inside: [EntityPlace.ID])
    case deleted(EntityPlace.ID?)
    case linked
    /// What an action returned.
    case returned(AnswerContent)
    /// All that the update of the entity brought is done.
    case finished(EntityPlace.ID)
}

extension ServiceCall {
    /// What the answer to a step says.
    func outcome(
        of step: ChangeStep, _ answer: ResponseMessage
    ) throws -> ChangeOutcome {
        switch step.request {
        case .create(let entity):
            .created(entity.place.id, try read(answer, entity, isCreated: true))
        case .createMedia(let entity, _):
            .createdMedia(entity.place.id, try read(answer, entity, isCreated: true))
        case .update(let entity, _):
            .updated(
                entity.place.id, try read(answer, entity, isCreated: false),
                inside: inside(entity))
        case .complete(let entity, _):
            .completed(
                entity.place.id, try read(answer, entity, isCreated: false),
                inside: inside(entity))
        case .delete(let place, _): .deleted(place.id)
        case .putLink, .deleteLink: .linked
        case .action(let call):
            .returned(
                try queryAnswer(answer, to: ReadPlan(resultOf: call, writer(call.graph))).content)
        case .finish(let id): .finished(id)
        }
    }

    private func inside(_ entity: RequestEntity) -> [EntityPlace.ID] {
        entity.relatives.flatMap(\.entities).compactMap(\.place.id)
    }

    private func read(
        _ answer: ResponseMessage, _ entity: RequestEntity, isCreated: Bool
    ) throws -> EntityAnswer {
        let (place, graph) = (entity.place, entity.place.graph)
        let url = place.set.map { graph[$0].name } ?? ""
        return try reading(answer, of: url, set: place.set, in: graph) {
            try reader(graph).entityAnswer(
                answer, of: place.type, in: place.set, isCreated: isCreated)
        }
    }
}
