import ODataModel
import ODataStore
import ODataSyncPlan

extension Transaction {
    /// Gives a stream another content, here at once and at the service with the next synchronisation.
    ///
    /// ```swift
    /// let picture = try await store.stage(data, mediaType: "image/png")
    /// try await store.write { tx in try tx.replace(photo.content, with: picture) }
    /// ```
    ///
    /// Content of up to 1 MiB is part of the change set; larger content goes to the service in a request of its own, which
    /// may be accepted where the rest is refused.
    ///
    /// - Throws: ``ODataError``: `notFound` for an entity that is no longer in view, `storage` for content that was given to
    ///   another stream before.
    public mutating func replace(
        _ stream: MediaStream, with content: StagedContent
    ) throws {
        try session.perform(
            .putStream(stream.row, property: stream.property), options(bringing: content))
        contents.add(content)
    }

    /// Takes the content of a stream property away.
    ///
    /// - Throws: ``ODataError``: `notFound` for an entity that is no longer in view; `usage` for the content of a media
    ///   entity, which goes with the entity only.
    public mutating func removeContent(of stream: MediaStream) throws {
        guard stream.property != nil else {
            throw ODataError(
                .usage, "Expected a stream property, found the content of a media entity.",
                at: stream.row.table)
        }
        try session.perform(.deleteStream(stream.row, property: stream.property), options)
    }

    /// Creates a media entity of its content. What the draft says follows as an update, as it does at the service.
    ///
    /// - Throws: As ``insert(_:)`` and ``replace(_:with:)``; `notImplemented` for a draft with new entities inside.
    @discardableResult
    public mutating func insert<D: EntityDraft>(
        _ draft: D, content: StagedContent
    ) throws -> Ref<D.Target> {
        let (structure, values) = try structure(of: draft)
        let definition = model.graph[structure.type]
        guard
            !structure.slots.indices.contains(where: {
                definition.properties[$0].isNavigation && structure.slots[$0] != nil
            })
        else {
            throw ODataError(
                .notImplemented, "Expected a media entity without new entities inside.",
                at: D.Target.entitySet)
        }
        let keys = Set(definition.key.compactMap { definition.slot(named: $0.path) })
        var (key, rest) = (structure, structure)
        for slot in structure.slots.indices {
            if keys.contains(slot) { rest.slots[slot] = nil } else { key.slots[slot] = nil }
        }
        key.dynamicValues = [:]
        var first = options(bringing: content)
        first.flags.formUnion([.media, .unmodifiable])
        let isEmpty = rest.slots.allSatisfy { $0 == nil } && rest.dynamicValues.isEmpty
        let (session, options) = (session, options)
        let row = try session.together {
            let row = try session.perform(
                .create(table: D.Target.entitySet, value: key, binds: []), first)
            if !isEmpty || !values.binds.isEmpty {
                try session.perform(
                    .update(row, changes: rest, binds: values.binds, mode: .merge), options)
            }
            return row
        }
        contents.add(content)
        return Ref(row: row.id)
    }

    /// A change set is held in memory as a whole, so that large contents stay outside.
    private func options(bringing content: StagedContent) -> WriteOptions {
        var options = options
        options.stream = content.number
        if content.length > UploadPlanner.largestBatchedStream { options.changeSet = nil }
        return options
    }
}
