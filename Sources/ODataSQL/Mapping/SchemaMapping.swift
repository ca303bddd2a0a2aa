import ODataModel
import ODataText

/// Every table of a database and what it holds, with the metadata it was made for.
package struct SchemaMapping: Sendable {
    private struct Parts: Sendable {
        var graph: MetadataGraph
        var tables: [TableMapping]
        var linkTables: [LinkTableMapping]
        var record: MappingRecord
        var tableByPath: [String: TableID]
    }

    /// A list of one, so that a copy of the mapping counts one reference, as with ``MetadataGraph``.
    private var shared: [Parts]

    package var graph: MetadataGraph {
        get { shared[0].graph }
        _modify { yield &shared[0].graph }
    }

    package var tables: [TableMapping] {
        get { shared[0].tables }
        _modify { yield &shared[0].tables }
    }

    package var linkTables: [LinkTableMapping] {
        get { shared[0].linkTables }
        _modify { yield &shared[0].linkTables }
    }

    /// What must be kept with the store so that the next start finds the same names and encodings.
    package var record: MappingRecord {
        get { shared[0].record }
        _modify { yield &shared[0].record }
    }

    package init(
        graph: MetadataGraph, tables: [TableMapping], linkTables: [LinkTableMapping] = [],
        record: MappingRecord = MappingRecord()
    ) {
        let byPath = Dictionary(tables.map { ($0.path, $0.id) }) { first, _ in first }
        shared = [
            Parts(
                graph: graph, tables: tables, linkTables: linkTables, record: record,
                tableByPath: byPath)
        ]
    }

    /// The tables of a local store for this metadata: one for each entity set, singleton and path of containment.
    ///
    /// `record` is that of the store, empty for a new one. A compiler of queries is given the same dialect.
    package static func local(
        for graph: MetadataGraph, record: MappingRecord = MappingRecord(),
        dialect: SQLDialect = .sqlite
    ) -> SchemaMapping {
        var builder = LocalMappingBuilder(graph: graph, record: record, dialect: dialect)
        return builder.build()
    }

    package subscript(id: TableID) -> TableMapping { tables[id.index] }

    /// The table of an entity set, a singleton or a path such as `Orders/Items`; nil when there is none.
    package func table(path: String) -> TableMapping? {
        shared[0].tableByPath[path].map { self[$0] }
    }

    /// The table of an entity set or singleton; nil when it is not stored.
    package func table(for set: EntitySetID) -> TableMapping? { table(path: graph[set].name) }

    /// The table of an entity set, singleton or containment path.
    ///
    /// - Throws: `unknownName` when nothing of this name is stored.
    package func existingTable(path: String) throws -> TableMapping {
        guard let table = table(path: path) else {
            throw ODataError(
                .unknownName, "Expected an entity set or singleton that is stored, found none.",
                at: .path(path))
        }
        return table
    }
}

/// Names and encodings that metadata alone does not decide; kept in the store.
package struct MappingRecord: Sendable, Hashable {
    /// Names that had to differ from the metadata's (names equal but for case), by `table path` or
    /// `table path|property path`.
    package var names: [String: String]
    /// `table path|property path` of Decimal columns that hold values beyond their facets.
    package var widened: Set<String>

    package init(names: [String: String] = [:], widened: Set<String> = []) {
        self.names = names
        self.widened = widened
    }
}
