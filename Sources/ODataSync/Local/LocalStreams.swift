import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText

/// Contents of media entities and stream properties in the store.
package struct LocalStreams {
    package let writes: LocalWrites

    private var store: LocalStore { writes.store }

    package init(writes: LocalWrites) { self.writes = writes }

    // MARK: Media entities

    /// Creates a media entity of its content; what else it holds follows as an update, as it will at the service.
    ///
    /// - Throws: `usage` for an entity without a media stream, and what reading the content throws; nothing stays then.
    package func create(
        _ entity: LocalEntity, _ stream: StreamName, _ content: LocalContent,
        _ options: WriteOptions, in graph: MetadataGraph
    ) throws -> LocalOutcome {
        try stream.check()
        let number = try keep(content)
        let row = try givingUp(number) {
            try store.performTogether { perform in
                try create(entity, writes, of: number, options, in: graph, perform)
            }
        }
        return LocalOutcome(
            object: entity.name.object, row: row, state: try writes.state(of: row))
    }

    /// The creation of a media entity of kept content, inside a transaction of the caller.
    func create(
        _ entity: LocalEntity, _ writes: LocalWrites, of content: Int64, _ options: WriteOptions,
        in graph: MetadataGraph, _ perform: LocalUpdates.Perform
    ) throws -> RowReference {
        let (creation, rest, binds) = divided(try writes.creation(of: entity, in: graph), graph)
        var first = options
        first.flags.formUnion([.media, .unmodifiable])
        first.stream = content
        let row = try perform(creation, first)
        if let rest {
            _ = try perform(.update(row, changes: rest, binds: binds, mode: .merge), options)
        }
        return row
    }

    /// Stores contents that `body` gives to rows, by their numbers in the same order; gives them up when it throws.
    func keeping<Result>(
        _ contents: [(stream: StreamName, content: LocalContent)],
        _ body: ([Int64]) throws -> Result
    ) throws -> Result {
        var numbers: [Int64] = []
        do {
            for (stream, content) in contents {
                try stream.check()
                numbers.append(try keep(content))
            }
            return try body(numbers)
        } catch {
            for number in numbers { try? store.giveUp(content: number) }
            throw error
        }
    }

    /// The creation with nothing but the key, and the update that brings everything else.
    private func divided(
        _ write: LocalWrite, _ graph: MetadataGraph
    ) -> (creation: LocalWrite, rest: StructureValue?, binds: [RequestBody.Bind]) {
        func split(_ value: StructureValue) -> (key: StructureValue, rest: StructureValue?) {
            let definition = graph[value.type]
            let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
            var (key, rest) = (value, value)
            for slot in value.slots.indices {
                if keys.contains(slot) { rest.slots[slot] = nil } else { key.slots[slot] = nil }
                if definition.properties[slot].isNavigation { rest.slots[slot] = nil }
            }
            key.dynamicValues = [:]
            let isEmpty = rest.slots.allSatisfy { $0 == nil } && rest.dynamicValues.isEmpty
            return (key, isEmpty ? nil : rest)
        }
        switch write {
        case .create(let table, let value, let binds):
            let (key, rest) = split(value)
            return (
                .create(table: table, value: key, binds: []), binds.isEmpty ? rest : rest ?? key,
                binds
            )
        case .createRelated(let parent, let navigation, let value, let binds):
            let (key, rest) = split(value)
            return (
                .createRelated(parent: parent, navigation: navigation, value: key, binds: []),
                binds.isEmpty ? rest : rest ?? key, binds
            )
        default: return (write, nil, [])
        }
    }

    // MARK: Contents

    /// Replaces the content of an entity that is there, and queues that.
    ///
    /// - Throws: `notFound` for an entity that is not in view, `usage` where it has no such stream, and what reading the
    ///   content throws; nothing stays then.
    package func upload(
        _ stream: StreamName, _ content: LocalContent, _ options: WriteOptions
    ) throws -> LocalOutcome {
        try stream.check()
        let row = try writes.row(of: stream.entity)
        guard try store.entity(row)?.values != nil else {
            throw ODataError(
                .notFound, "Expected an entity for the content, found none.", at: .path(row.table),
                status: 404)
        }
        let number = try keep(content)
        var options = options
        options.stream = number
        try givingUp(number) {
            _ = try store.perform(.putStream(row, property: stream.property), options: options)
        }
        return try outcome(stream, row)
    }

    /// The content as it is here.
    ///
    /// - Throws: `notLoaded` when it was never downloaded, `notFound` when it was deleted.
    package func download(_ stream: StreamName) throws -> ContentReader {
        try stream.check()
        let row = try writes.row(of: stream.entity)
        guard let found = try store.stream(row, stream.property) else {
            throw ODataError(
                .notLoaded, "Expected content that was downloaded, found none in the store.",
                at: .path(row.table))
        }
        guard !found.isGone else {
            throw ODataError(
                .notFound, "Expected content, found that it was deleted.", at: .path(row.table),
                status: 404)
        }
        return ContentReader(store, found)
    }

    /// Removes the content of a stream property, and queues that.
    ///
    /// - Throws: As ``upload(_:_:_:)``.
    package func delete(_ stream: StreamName, _ options: WriteOptions) throws -> LocalOutcome {
        try stream.check()
        let row = try writes.row(of: stream.entity)
        try store.perform(.deleteStream(row, property: stream.property), options: options)
        try store.sweepStreams()
        return try outcome(stream, row)
    }

    private func outcome(_ stream: StreamName, _ row: RowReference) throws -> LocalOutcome {
        LocalOutcome(object: stream.entity.object, row: row, state: try store.entity(row))
    }

    private func keep(_ content: LocalContent) throws -> Int64 {
        try store.storeContent(
            mediaType: content.mediaType, fileName: content.fileName, content.next)
    }

    private func givingUp<Result>(_ content: Int64, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            try? store.giveUp(content: content)
            throw error
        }
    }
}
