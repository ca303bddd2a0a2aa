import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// A CSDL document that a service makes its database from, and the rows that a new database begins with.
package struct ModelDocument: Sendable {
    /// The document as XML or JSON.
    package var bytes: [UInt8]
    /// A JSON array of entities (of a singleton: one object) for each entity set that is not to begin empty.
    package var rows: [String: [UInt8]]
    /// What functions and actions of the document do, by qualified name.
    package var handlers: [String: ModelOperation] = [:]

    package init(_ bytes: [UInt8], rows: [String: [UInt8]] = [:]) {
        self.bytes = bytes
        self.rows = rows
    }

    /// Reads a document, and the rows from `NAME.json` files of a folder, NAME being an entity set of the document.
    ///
    /// - Throws: `usage` for a file or folder that cannot be read.
    package init(file: String, rows folder: String? = nil) throws {
        self.init(try Self.read(file))
        guard let folder else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw ODataError(.usage, "Expected a folder of rows, found none.", at: .path(folder))
        }
        for set in try graph().entitySets where names.contains(set.name + ".json") {
            rows[set.name] = try Self.read(folder + "/" + set.name + ".json")
        }
    }

    private static func read(_ file: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ODataError(.usage, "Expected a file, found none.", at: .path(file))
        }
        return [UInt8](data)
    }

    /// - Throws: `malformedText` and `invalidMetadata` for what is no CSDL.
    func graph() throws -> MetadataGraph { try CSDLReader.read(bytes) }
}

/// What a service makes of a CSDL document: tables that hold all of it, and the metadata it offers.
struct DocumentModel: Sendable {
    let mapping: SchemaMapping
    let streams: [TableID: TableStreams]
    let notes: [String]
    let document: ModelDocument

    /// - Parameter record: the names that the file has, empty for a new one.
    /// - Throws: `unhostable` for what there is no place for, with the element's name.
    init(
        _ document: ModelDocument, _ configuration: ServiceConfiguration,
        record: MappingRecord = MappingRecord()
    ) throws {
        self.document = document
        var graph = try document.graph()
        try DocumentFit(graph).check()
        notes = Self.offer(&graph, configuration) { document.handlers[$0] != nil }
        var mapping = SchemaMapping.local(for: graph, record: record)
        var streams: [TableID: TableStreams] = [:]
        for position in mapping.tables.indices {
            var table = mapping.tables[position]
            // What a local store keeps of another service.
            (table.system.etag, table.system.sources, table.system.state, table.system.control) =
                (nil, nil, nil, nil)
            table.rowID = table.system.id
            // Rows inside others are part of these: they have no changes of their own to ask for.
            table.isWritable = table.parent == nil
            let found = Self.streams(of: table, graph)
            table.hasStream = found.media != nil
            mapping.tables[position] = table
            if !found.all.isEmpty { streams[table.id] = found }
        }
        self.mapping = mapping
        self.streams = streams
        try DocumentFit(graph).check(mapping)
    }

    /// A column with the number of the content for each stream of the declared type.
    private static func streams(of table: TableMapping, _ graph: MetadataGraph) -> TableStreams {
        func column(_ name: String) -> ODataSQL.ColumnMapping {
            ODataSQL.ColumnMapping(
                path: name, slots: [], owner: table.structure,
                type: TypeReference(.primitive(.int64)), encoding: .integer, name: name)
        }
        var streams = TableStreams()
        let definition = graph[table.structure]
        if definition.hasStream { streams.media = StreamColumn(column: column("_odata_media")) }
        for property in definition.properties where property.type.primitive == .stream {
            streams.properties.append(
                StreamColumn(property: property.name, column: column(property.name)))
        }
        return streams
    }

    /// Adds what the service says of itself where the document says nothing, and takes out what it does not do.
    ///
    /// - Returns: what is not offered, and why.
    private static func offer(
        _ graph: inout MetadataGraph, _ configuration: ServiceConfiguration,
        _ isOffered: (String) -> Bool
    ) -> [String] {
        let takesChanges = !configuration.isReadOnly
        var notes = graph.diagnostics
        let missing = graph.operations.filter { !isOffered($0.qualifiedName) }.count
        if missing > 0 {
            notes.append(
                "\(missing) functions and actions are not offered: nothing tells what they do.")
        }
        graph.operations.removeAll { !isOffered($0.qualifiedName) }
        let names = graph
        graph.operationImports.removeAll { !isOffered(names.unaliased($0.operation)) }
        for container in graph.containers.indices.prefix(1) {
            add(
                ServiceAnnotations.container(takesChanges: takesChanges),
                to: &graph.containers[container].annotations)
        }
        for position in graph.entitySets.indices where !graph.entitySets[position].isSingleton {
            let hasTexts = graph.familyOf(graph.entitySets[position].type).contains { type in
                graph[type].properties.contains {
                    $0.type.primitive == .string && !$0.type.isCollection
                }
            }
            add(
                ServiceAnnotations.set(
                    isTracked: true, takesChanges: takesChanges, isSearchable: hasTexts),
                to: &graph.entitySets[position].annotations)
        }
        return notes
    }

    private static func add(
        _ own: [AnnotationDefinition], to annotations: inout [AnnotationDefinition]
    ) {
        let known = Set(annotations.map(\.term))
        annotations += own.filter { !known.contains($0.term) }
    }
}
