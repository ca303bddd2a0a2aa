import ODataClasses
import ODataModel
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport

/// Changes of the app as the engine takes them.
extension EntityInput {
    /// A member of a change set; the content of a media entity is read, and closed.
    mutating func change(
        _ operation: ChangeSet.Member.Operation, in model: MetadataModel
    ) throws -> EntityChange {
        switch operation {
        case .create(let entity): return .create(try creation(entity))
        case .createRelated(let entity, let parent, let property):
            (entity.parentEntity, entity.parentProperty) = (parent, property)
            return .create(try creation(entity))
        case .createMedia(let entity, let content):
            var body = RequestWriter.StreamBody(content)
            body.bytes = try StreamContent(content).readAll(limit: ServiceCall.answerLimit)
            try? content.close()
            return .createMedia(try update(entity), body)
        case .update(let entity): return .update(try update(entity))
        case .delete(let entity): return delete(entity)
        case .createLink(let source, let property, let target),
            .updateLink(let source, let property, let target):
            return putLink(source, property, target)
        case .deleteLink(let source, let property, let target):
            return deleteLink(source, property, target)
        case .action(let query):
            guard let call = query.methodCall else {
                throw ODataError(.usage, "Expected a call of an action in a change set.")
            }
            return .action(OperationCall(query, call))
        }
    }

    mutating func delete(_ entity: EntityValue) -> EntityChange {
        .delete(place(entity), entityTag: entity.entityTag)
    }

    mutating func putLink(
        _ source: EntityValue, _ property: Property, _ target: EntityValue
    ) -> EntityChange {
        .putLink(place(source), property.definition, to: place(target))
    }

    mutating func deleteLink(
        _ source: EntityValue, _ property: Property, _ target: EntityValue?
    ) -> EntityChange {
        .deleteLink(place(source), property.definition, to: target.map { place($0) })
    }
}

extension RequestWriter.StreamBody {
    /// What is said about the content of a stream of the app.
    init(_ content: StreamBase) {
        self.init(
            mediaType: content.mediaType
                ?? (content is CharStream ? "text/plain;charset=utf-8" : nil),
            fileName: content.fileName, bytes: nil)
    }
}

extension OperationCall {
    /// The call of an operation that a query stands for.
    init(_ query: DataQuery, _ call: DataMethodCall) {
        self.init(
            graph: call.method.model.graph, operation: call.method.operation,
            name: call.method.name,
            arguments: call.parameters.map { parameter in
                Argument(
                    name: parameter.name, value: parameter.value?.odataValue() ?? .null,
                    expression: DataValue.queryExpression(parameter.value))
            }, query: query.query, url: query.url)
    }
}
