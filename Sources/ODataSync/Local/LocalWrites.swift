import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText

/// Turns entities as callers want them stored into changes of the store, and carries those out.
package struct LocalWrites {
    package let store: LocalStore
    package let rules: LocalRules
    /// Rows that earlier changes of the same transaction made, which no read sees yet.
    var made = MadeRows()

    package init(store: LocalStore, rules: LocalRules) {
        self.store = store
        self.rules = rules
    }

    // MARK: Rows

    /// The row of an entity that is in the store, found by its row id, its link or its key.
    ///
    /// - Throws: `notFound` when there is none, `usage` when the entity does not say which it is, `invalidValue` when its
    ///   set is not known.
    package func row(of entity: EntityName) throws -> RowReference {
        switch entity.place {
        case .row(let row): return row
        case .outside(let type):
            throw ODataError(
                .invalidValue,
                "Expected an entity whose set is named, or whose type has only one set.",
                at: .path(type), status: 400)
        case .new(let set): throw Self.unnamed(set)
        case .named(let set, let link, let key):
            if let row = made[entity] { return row }
            if let link, let row = try store.row(link: link) { return row }
            guard !key.contains(where: { $0 == nil || $0 == .null }) else {
                throw Self.unnamed(set)
            }
            guard let row = try store.row(in: set, key: key.compactMap { $0 }) else {
                throw ODataError(
                    .notFound, "Expected an entity with this key, found none.", at: .path(set),
                    status: 404)
            }
            return row
        }
    }

    private static func unnamed(_ set: String) -> ODataError {
        ODataError(.usage, "Expected an entity with a key or a link.", at: .path(set))
    }

    /// The state of a row.
    ///
    /// - Throws: `notFound` when the row is not in view, `notLoaded` when nothing but its key is known.
    package func state(of row: RowReference) throws -> RowState {
        guard let state = try store.entity(row), state.values != nil else {
            throw ODataError(
                .notFound, "Expected an entity in the store, found none.", at: .path(row.table),
                status: 404)
        }
        try state.checkLoaded(at: row.table)
        return state
    }

    // MARK: Changes

    /// Creates the entity in its set, or in the collection of the parent that it names.
    ///
    /// - Throws: `invalidValue` for an entity that does not fit the model, `notFound` for one it names that is not there;
    ///   nothing is changed then.
    package func create(
        _ entity: LocalEntity, _ options: WriteOptions, in graph: @autoclosure () -> MetadataGraph
    ) throws -> LocalOutcome {
        let written = try store.performAndRead([(try creation(of: entity, in: graph()), options)])
        return LocalOutcome(
            object: entity.name.object, row: written.row, state: written.state)
    }

    /// Changes the entity, and so the relatives that go along, all or none.
    ///
    /// - Parameter fixed: The failed request that an update of the row corrects in its place; nil for none.
    /// - Throws: As ``create(_:_:in:)``.
    package func update(
        _ entity: LocalEntity, _ mode: QueuedRequest.UpdateMode, _ options: WriteOptions,
        in graph: @autoclosure () -> MetadataGraph, fixing fixed: (RowReference) -> Int64?
    ) throws -> [LocalOutcome] {
        let row = try row(of: entity.name)
        var main = try change(of: entity, row, mode: mode)
        if let request = fixed(row), case .update(_, let changes, let binds, _) = main {
            main = .fix(request: request, changes: changes, binds: binds)
        }
        guard entity.relatives.isEmpty else {
            let graph = graph()
            let touched = try store.performTogether { perform in
                var updates = LocalUpdates(self, graph, perform)
                try updates.update(entity, row, main, options)
                return updates.touched
            }
            return try touched.map {
                LocalOutcome(object: $0.object, row: $0.row, state: try state(of: $0.row))
            }
        }
        let all = [main] + (try unbinds(of: entity))
        let written = try store.performAndRead(all.map { ($0, options) }, row)
        return [LocalOutcome(object: entity.name.object, row: row, state: written.state)]
    }

    /// Hides the entity and queues its deletion.
    ///
    /// - Throws: As ``row(of:)``; nothing is changed then.
    package func delete(_ entity: EntityName, _ options: WriteOptions) throws {
        try store.perform(.delete(try row(of: entity)), options: options)
    }

    /// Hides several entities and queues their deletion, all or none.
    ///
    /// - Throws: As ``row(of:)``; nothing is changed then.
    package func delete(_ entities: [EntityName], _ options: WriteOptions) throws {
        _ = try store.perform(try entities.map { (.delete(try row(of: $0)), options) })
    }

    /// Makes or ends a link and queues that.
    ///
    /// - Throws: As ``row(of:)``; nothing is changed then.
    package func change(_ link: LocalLinkChange, _ options: WriteOptions) throws {
        try store.perform(try write(link), options: options)
    }

    /// Takes the unsent changes of the entities back.
    ///
    /// - Throws: As ``row(of:)``.
    package func undo(_ entities: [EntityName]) throws {
        try store.undo(Set(try entities.map { try row(of: $0) }))
    }
}

/// A link between two entities to make or to end.
package enum LocalLinkChange {
    case create(EntityName, navigation: String, target: EntityName)
    case update(EntityName, navigation: String, target: EntityName)
    /// A nil target ends the relation of a single-valued property.
    case delete(EntityName, navigation: String, target: EntityName?)

    /// The entity whose link it is.
    package var source: EntityName {
        switch self {
        case .create(let source, _, _), .update(let source, _, _), .delete(let source, _, _): source
        }
    }
}
