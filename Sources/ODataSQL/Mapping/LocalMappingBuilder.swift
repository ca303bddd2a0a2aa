import ODataModel

/// Makes the tables of a local store from metadata: first tables and columns, then the ways between them.
struct LocalMappingBuilder {
    let graph: MetadataGraph
    var record: MappingRecord
    let dialect: SQLDialect
    private var tables: [TableMapping] = []
    private var linkTables: [LinkTableMapping] = []
    private var tableNames = NameSpace()

    init(graph: MetadataGraph, record: MappingRecord, dialect: SQLDialect) {
        self.graph = graph
        self.record = record
        self.dialect = dialect
    }

    mutating func build() -> SchemaMapping {
        for position in graph.entitySets.indices {
            let set = EntitySetID(position)
            addTable(
                path: graph[set].name, set: set, parent: nil, structure: graph[set].type, depth: 0)
        }
        addNestedTables()
        var resolver = NavigationResolver(graph: graph, tables: tables)
        resolver.resolve()
        return SchemaMapping(
            graph: graph, tables: resolver.tables, linkTables: resolver.linkTables, record: record)
    }

    /// Tables for contained and unbound navigation properties, breadth first.
    private mutating func addNestedTables() {
        var next = 0
        while next < tables.count, tables.count < Self.maximumTables {
            let table = tables[next]
            next += 1
            let depth = table.path.split(separator: "/").count
            guard depth <= Self.maximumContainmentDepth else { continue }
            for source in NavigationSource.all(of: table.structure, in: graph) {
                guard let target = source.definition.type.structure,
                    source.isNested(in: table, graph: graph)
                else { continue }
                let contained = source.definition.navigation?.containsTarget == true
                guard contained || table.parent == nil else { continue }
                addTable(
                    path: table.path + "/" + source.path, set: table.entitySet, parent: table.id,
                    structure: target, depth: depth)
            }
        }
    }

    private mutating func addTable(
        path: String, set: EntitySetID, parent: TableID?, structure: StructureID, depth: Int
    ) {
        let types = graph.familyOf(structure)
        var columns = ColumnBuilder(
            graph: graph, tablePath: path, record: record, dialect: dialect)
        columns.build(types: types)
        record = columns.record
        let definition = graph[structure]
        let keys = definition.key.compactMap { key in
            columns.columns.firstIndex { $0.path == key.path }
        }
        let name = record.names[path] ?? tableNames.uniqueName(for: path)
        tableNames.claim(name)
        if name != path { record.names[path] = name }
        var table = TableMapping(
            id: TableID(tables.count), name: name, path: path, entitySet: set, parent: parent,
            structure: structure, columns: columns.columns,
            keyColumns: keys.count == definition.key.count ? keys : [],
            system: .local(
                hasTypes: types.count > 1, isContained: parent != nil,
                isOpen: types.contains { graph[$0].isOpen }))
        table.hasStream = types.contains { graph[$0].hasStream }
        tables.append(table)
    }

    /// Containment below this many path segments is not stored (types may contain themselves).
    static let maximumContainmentDepth = 4
    /// More tables than any real service has.
    static let maximumTables = 5_000
}

extension MetadataGraph {
    /// The type and every type derived from it, bases before derived types.
    package func familyOf(_ id: StructureID) -> [StructureID] {
        var family = [id]
        var next = 0
        while next < family.count {
            for derived in self[family[next]].derivedIDs where !family.contains(derived) {
                family.append(derived)
            }
            next += 1
        }
        return family
    }
}

/// Names that SQLite keeps apart: it compares ASCII letters without regard to case.
struct NameSpace {
    private var taken: Set<String> = []

    mutating func claim(_ name: String) { taken.insert(Self.folded(name)) }

    /// The wanted name, or with a suffix `~2`, `~3`… when it is taken or one of ours or SQLite's own.
    func uniqueName(for wanted: String) -> String {
        let folded = Self.folded(wanted)
        let reserved = folded.hasPrefix("_odata_") || folded.hasPrefix("sqlite_")
        let base = reserved ? "~" + wanted : wanted
        if !taken.contains(Self.folded(base)) { return base }
        var number = 2
        while taken.contains(Self.folded("\(base)~\(number)")) { number += 1 }
        return "\(base)~\(number)"
    }

    private static func folded(_ name: String) -> String {
        String(
            decoding: name.utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 32 : $0 }, as: UTF8.self)
    }
}
