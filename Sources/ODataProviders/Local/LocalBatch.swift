import ODataClasses
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld

/// Runs a batch against the store: queries one by one, each change set all or nothing.
struct LocalBatch {
    let provider: SQLDatabaseProvider
    let writes: EntityWrites

    func run(_ batch: RequestBatch, _ headers: HTTPHeaders) throws {
        for index in batch.members.indices {
            let member = batch.members[index]
            switch member.part {
            case .query(let query):
                do {
                    batch.members[index].result = try provider.executeQuery(
                        query, headers: member.headers, options: member.options)
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

    /// Makes every change of the set in one transaction; they are uploaded in one change set, too.
    private func run(_ changes: ChangeSet) throws {
        let (high, low) = provider.world.makeIdentifier()
        let name = "changes-" + String(high, radix: 16) + String(low, radix: 16)
        let streams = LocalStreams(writes: writes)
        let contents = changes.members.compactMap { member -> (EntityValue, StreamBase)? in
            guard case .createMedia(let entity, let content) = member.operation else { return nil }
            return (entity, content)
        }
        let touched = try streams.keeping(contents) { contents in
            try writes.store.performTogether { perform in
                var run = Run(
                    writes: writes, streams: streams, contents: contents,
                    updates: LocalUpdates(
                        writes, besides: changes.named, perform: perform))
                for member in changes.members {
                    var options = EntityWrites.options(member.headers, member.options)
                    options.changeSet = options.changeSet ?? name
                    try run.perform(member, options)
                }
                return run.touched + run.updates.touched
            }
        }
        for (entity, row) in touched where try writes.store.entity(row)?.values != nil {
            try writes.refresh(entity, from: row)
        }
        for (entity, content) in contents { streams.note(content, entity.mediaStream) }
    }
}

/// What the members of one change set have done so far.
private struct Run {
    let writes: EntityWrites
    let streams: LocalStreams
    let contents: [ObjectIdentifier: Int64]
    var updates: LocalUpdates
    private(set) var touched: [(entity: EntityValue, row: RowReference)] = []
    private var created: [Name: RowReference] = [:]

    init(
        writes: EntityWrites, streams: LocalStreams, contents: [ObjectIdentifier: Int64],
        updates: LocalUpdates
    ) {
        self.writes = writes
        self.streams = streams
        self.contents = contents
        self.updates = updates
    }

    mutating func perform(_ member: ChangeSet.Member, _ options: WriteOptions) throws {
        if let entity = Self.subject(of: member), entity.localID == nil {
            entity.localID = Name(entity).flatMap { created[$0] }?.id
        }
        switch member.operation {
        case .update(let entity):
            let row = try writes.row(of: entity)
            try updates.update(
                entity, row, try writes.update(entity, mode: member.options.updateMode), options)
        case .createMedia(let entity, _):
            guard let content = contents[ObjectIdentifier(entity)] else { return }
            note(entity, try streams.create(entity, of: content, options, updates.perform))
        default:
            let (entity, write) = try self.write(of: member)
            note(entity, try updates.perform(write, options))
        }
    }

    private mutating func note(_ entity: EntityValue, _ row: RowReference) {
        entity.localID = row.id
        if let name = Name(entity) { created[name] = row }
        touched.append((entity, row))
    }

    /// How another object names an entity that an earlier member of the same set creates, which no read sees yet.
    private struct Name: Hashable {
        let set: String
        let key: [Scalar]

        init?(_ entity: EntityValue) {
            set = entity.entitySet.localName
            key = entity.keyScalars.compactMap { $0 }
            guard !key.isEmpty, key.count == entity.keyScalars.count, !key.contains(.null) else {
                return nil
            }
        }
    }

    /// The entity that a member changes, unless it creates it.
    private static func subject(of member: ChangeSet.Member) -> EntityValue? {
        switch member.operation {
        case .update(let entity), .delete(let entity): entity
        case .createLink(let from, _, _), .updateLink(let from, _, _), .deleteLink(let from, _, _):
            from
        case .create, .createRelated, .createMedia, .action: nil
        }
    }

    private func write(
        of member: ChangeSet.Member
    ) throws -> (EntityValue, LocalWrite) {
        switch member.operation {
        case .create(let entity): return (entity, try writes.create(entity))
        case .createRelated(let entity, let parent, let property):
            return (entity, try writes.createRelated(entity, in: parent, property))
        case .delete(let entity): return (entity, .delete(try writes.row(of: entity)))
        case .createLink(let from, let property, let to):
            return (
                from,
                .createLink(
                    try writes.row(of: from), navigation: property.name,
                    target: try writes.row(of: to))
            )
        case .updateLink(let from, let property, let to):
            return (
                from,
                .updateLink(
                    try writes.row(of: from), navigation: property.name,
                    target: try writes.row(of: to))
            )
        case .deleteLink(let from, let property, let to):
            return (
                from,
                .deleteLink(
                    try writes.row(of: from), navigation: property.name,
                    target: try to.map(writes.row(of:)))
            )
        case .update, .createMedia, .action:
            throw ODataError(
                .notImplemented, "Actions are not run locally.", status: 501)
        }
    }
}
