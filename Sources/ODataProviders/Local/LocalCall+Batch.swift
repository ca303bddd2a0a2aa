import ODataClasses
import ODataStore
import ODataSync
import ODataSyncPlan

/// A batch of the app: queries one by one, each change set all or nothing.
extension LocalCall {
    /// - Parameter answer: Answers the queries.
    func run(
        _ batch: RequestBatch,
        _ answer: (DataQuery, HTTPHeaders, RequestOptions) throws -> QueryResult
    ) {
        for index in batch.members.indices {
            let member = batch.members[index]
            switch member.part {
            case .query(let query):
                do {
                    batch.members[index].result = try answer(query, member.headers, member.options)
                } catch {
                    batch.members[index].error = error
                }
            case .changes(let changes):
                do {
                    try run(changes)
                    changes.status = 204
                } catch {
                    let error = ErrorBase.from(any: error)
                    changes.error =
                        error as? DataServiceError
                        ?? DataServiceError.withCause(error)
                    changes.status = changes.error?.status ?? 0
                    batch.members[index].error = changes.error
                }
            case .function:
                batch.members[index].error = DataServiceError.notImplemented(
                    method: "invokeFunction")
            }
        }
        batch.status = 200
    }

    private func run(_ changes: ChangeSet) throws {
        let contents = changes.members.compactMap { member -> (EntityValue, StreamBase)? in
            guard case .createMedia(let entity, let content) = member.operation else { return nil }
            return (entity, content)
        }
        defer { for (_, content) in contents { try? content.close() } }
        var call = self
        call.planned = changes.named
        var set = LocalChangeSet()
        for member in changes.members {
            set.members.append(
                (try call.change(of: member), WriteOptions(member.headers, member.options)))
        }
        for outcome in try set.run(writes, in: document.graph) {
            if let entity = call.objects[outcome.object] { try refresh(entity, outcome) }
        }
        for (entity, content) in contents { entity.mediaStream.note(content) }
    }

    /// What the engine reads of a member; the entity it changes is noted.
    private mutating func change(of member: ChangeSet.Member) throws -> LocalChangeSet.Change {
        func note(_ entity: EntityValue) { objects[ObjectIdentifier(entity)] = entity }
        switch member.operation {
        case .create(let entity):
            note(entity)
            return .create(creation(of: entity, isNamed: true))
        case .createRelated(let entity, let parent, let property):
            note(entity)
            var created = creation(of: entity, isNamed: true)
            created.parent = (name(of: parent), property.name)
            return .create(created)
        case .createMedia(let entity, let content):
            note(entity)
            return .createMedia(
                creation(of: entity, isNamed: true), stream(of: entity, nil),
                try LocalContent(content))
        case .update(let entity):
            note(entity)
            let mode = member.options.updateMode
            return .update(update(of: entity, mode), mode == .merge ? .merge : .replace)
        case .delete(let entity):
            note(entity)
            return .delete(name(of: entity))
        case .createLink(let from, let property, let to):
            note(from)
            return .link(
                .create(name(of: from), navigation: property.name, target: name(of: to)))
        case .updateLink(let from, let property, let to):
            note(from)
            return .link(
                .update(name(of: from), navigation: property.name, target: name(of: to)))
        case .deleteLink(let from, let property, let to):
            note(from)
            return .link(
                .delete(
                    name(of: from), navigation: property.name, target: to.map(name(of:))))
        case .action: return .action
        }
    }
}
