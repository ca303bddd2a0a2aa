import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld

/// Changes that are made in one transaction, all or none, and uploaded in one change set, too (Protocol 4.01, section
/// 11.7.7.2).
package struct LocalChangeSet {
    /// What is done to one entity, link or content.
    package enum Change {
        case create(LocalEntity)
        case createMedia(LocalEntity, StreamName, LocalContent)
        case update(LocalEntity, QueuedRequest.UpdateMode)
        case delete(EntityName)
        case link(LocalLinkChange)
        /// Refused: the store runs none.
        case action
    }

    package var members: [(change: Change, options: WriteOptions)] = []

    package init() {}

    /// Makes the changes, each seeing what those before it have made.
    ///
    /// - Returns: What became of the entities that are still in view; one that several members change may come twice.
    /// - Throws: What the first change that cannot be made throws; nothing is changed then. `notImplemented` for actions.
    package func run(
        _ writes: LocalWrites, in graph: MetadataGraph
    ) throws -> [LocalOutcome] {
        let name = Self.name(writes.store)
        let streams = LocalStreams(writes: writes)
        let contents = members.compactMap { member -> (StreamName, LocalContent)? in
            guard case .createMedia(_, let stream, let content) = member.change else { return nil }
            return (stream, content)
        }
        let touched = try streams.keeping(contents) { numbers in
            try writes.store.performTogether { perform in
                var run = Run(
                    streams: streams, contents: numbers[...],
                    updates: LocalUpdates(writes, graph, perform))
                for member in members {
                    var options = member.options
                    options.changeSet = options.changeSet ?? name
                    try run.perform(member.change, options)
                }
                return run.updates.touched
            }
        }
        return try touched.compactMap { object, row in
            guard let state = try writes.store.entity(row), state.values != nil else { return nil }
            return LocalOutcome(object: object, row: row, state: state)
        }
    }

    private static func name(_ store: LocalStore) -> String {
        "changes-" + store.world.makeToken()
    }
}

/// What the members of one change set have done so far.
private struct Run {
    let streams: LocalStreams
    /// Of the media entities still to be created, in order.
    var contents: ArraySlice<Int64>
    /// With the rows that were made, for the members that come.
    var updates: LocalUpdates

    private var writes: LocalWrites { updates.writes }

    mutating func perform(_ change: LocalChangeSet.Change, _ options: WriteOptions) throws {
        switch change {
        case .create(let entity):
            let write = try writes.creation(of: entity, in: updates.graph)
            note(entity.name, try updates.perform(write, options))
        case .createMedia(let entity, _, _):
            guard let content = contents.popFirst() else { return }
            let row = try streams.create(
                entity, writes, of: content, options, in: updates.graph, updates.perform)
            note(entity.name, row)
        case .update(let entity, let mode):
            let row = try writes.row(of: entity.name)
            try updates.update(
                entity, row, try writes.change(of: entity, row, mode: mode), options)
        case .delete(let entity):
            note(entity, try updates.perform(.delete(try writes.row(of: entity)), options))
        case .link(let link):
            note(link.source, try updates.perform(try writes.write(link), options))
        case .action:
            throw ODataError(.notImplemented, "Actions are not run locally.", status: 501)
        }
    }

    private mutating func note(_ entity: EntityName, _ row: RowReference) {
        updates.writes.made.note(entity, row)
        updates.touched.append((entity.object, row))
    }
}
