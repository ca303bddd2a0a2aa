import ODataModel
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld

extension StoreCore {
    /// Begins to read a stream; blocks.
    func open(_ stream: MediaStream, _ task: CancellationFlag) throws -> StreamBytes {
        try checkOpen()
        let cancellation = CancellationFlag()
        if let found = try store.stream(stream.row, stream.property) {
            guard !found.isGone else { throw Self.noContent(stream) }
            let reader = ContentReader(store, found)
            return StreamBytes(
                StreamSource(self, cancellation) { try reader.next() },
                mediaType: found.mediaType, isStored: true)
        }
        guard let values = try store.entity(stream.row)?.values else {
            throw Self.noContent(stream)
        }
        let listener = task.onCancel { cancellation.cancel() }
        defer { task.removeListener(listener) }
        let source = try call(cancellation).download(
            try place(of: stream, values, try store.graph()))
        return StreamBytes(
            StreamSource(self, cancellation) { try source.next() },
            mediaType: source.headers["Content-Type"], isStored: false)
    }

    private func place(
        of stream: MediaStream, _ values: StructureValue, _ graph: MetadataGraph
    ) throws -> StreamPlace {
        let definition = graph[values.type]
        let property = try stream.property.map { name in
            guard let slot = definition.slot(named: name) else {
                throw ODataError(
                    .unknownName, "Expected a property of the type, found none of this name.",
                    at: stream.row.table + "/" + name)
            }
            return definition.properties[slot]
        }
        let isMedia = property == nil
        return StreamPlace(
            entity: EntityPlace(
                graph: graph, type: values.type, set: nil,
                link: try Self.knowing { try store.knownAddress(of: stream.row) }),
            property: property, readLink: isMedia ? values.control.mediaReadLink : nil,
            editLink: isMedia ? values.control.mediaEditLink : nil, entityTag: nil)
    }

    /// - Throws: `notFound` where the service does not know the entity yet, so that it can have no content of it.
    private static func knowing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as EngineError where error.code == .conflict {
            throw ODataError(
                .notFound, "Expected content, found an entity that was made here and has none.",
                at: error.location?.description, cause: error)
        }
    }

    private static func noContent(_ stream: MediaStream) -> ODataError {
        ODataError(
            .notFound, "Expected content, found none.",
            at: stream.row.table + (stream.property.map { "/" + $0 } ?? ""))
    }
}
