import GRDB
import ODataModel
import ODataSQL
import ODataStore
import ODataText
import ODataWire

/// A store in memory with tools, their parts and the like, and ways to bring pages in and look at tables.
final class IngestFixture {
    let mapping: SchemaMapping
    let queue: DatabaseQueue
    var handler: any ShadowedRowHandler = NoShadowedRows()

    init() throws {
        mapping = SchemaMapping.local(for: try Self.graph())
        queue = try DatabaseQueue()
        try queue.write { database in
            for statement in mapping.ddl { try database.execute(sql: statement) }
            try database.execute(
                sql:
                    "CREATE TABLE _odata_base_link (link_table, source, target, is_present, request)"
            )
            for table in mapping.tables {
                let name = SQLName.quoted("_odata_base_" + table.name)
                try database.execute(
                    sql: "CREATE TABLE \(name) AS SELECT *, 0 AS _odata_base_kind,"
                        + " NULL AS _odata_base_request FROM \(SQLName.quoted(table.name)) WHERE 0")
                try database.execute(
                    sql:
                        "CREATE UNIQUE INDEX \(SQLName.quoted("base_" + table.name)) ON \(name) (_odata_id)"
                )
            }
        }
    }

    func plan(
        _ path: String = "Tools", selection: Set<String>? = nil, expanding: [String] = [],
        bit: Int64 = 0
    ) throws -> IngestPlan {
        let table = try mapping.existingTable(path: path)
        let expansions = table.navigations.filter { expanding.contains($0.path) }.map {
            IngestExpansion(
                navigation: $0,
                plan: IngestPlan(
                    table: mapping[$0.target], graph: mapping.graph, sourceBit: bit))
        }
        return IngestPlan(
            table: table, graph: mapping.graph, selection: selection, expansions: expansions,
            sourceBit: bit)
    }

    /// Brings rows in, given as the text between the brackets of `value`.
    @discardableResult
    func ingest(
        _ rows: String, plan: IngestPlan? = nil, mode: RowIngest.Mode = .merge,
        seen: UnsafeMutablePointer<SeenRows>? = nil
    ) throws -> IngestCounts {
        let plan = try plan ?? self.plan()
        var reader = RowReader(shape: plan.shape)
        return try queue.write { database in
            var ingest = try RowIngest(
                plan, mapping: mapping, database: database, mode: mode, handler: handler)
            ingest.seen = seen?.pointee
            _ = try reader.readPage(Array("{\"value\":[\(rows)]}".utf8), into: &ingest)
            try ingest.finish()
            if let rows = ingest.seen { seen?.pointee = rows }
            return ingest.counts
        }
    }

    /// The rows of a query, values joined by `|`, null as `-`.
    func rows(_ sql: String) throws -> [String] {
        try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "-"
                    case .int64(let value): "\(value)"
                    case .double(let value): "\(value)"
                    case .string(let text): "'\(text)'"
                    case .blob(let bytes): "x\(bytes.count)"
                    }
                }.joined(separator: "|")
            }
        }
    }

    private static func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        func property(
            _ name: String, _ kind: TypeReference.Kind, _ facets: TypeFacetValues = .init(),
            isCollection: Bool = false, isNullable: Bool = true
        ) -> PropertyDefinition {
            PropertyDefinition(
                name: name,
                type: TypeReference(
                    kind, isCollection: isCollection, isNullable: isNullable, facets: facets))
        }
        var tool = StructureDefinition(kind: .entity, namespace: "Ws", name: "Tool")
        tool.properties = [
            property("Id", .primitive(.int64), isNullable: false),
            property("Title", .primitive(.string)),
            property("Price", .primitive(.decimal), .init(precision: 9, scale: .fixed(2))),
            property("Exact", .primitive(.decimal), .init(scale: .variable)),
            property("Weight", .primitive(.double)), property("Ratio", .primitive(.single)),
            property("Open", .primitive(.boolean)), property("Count", .primitive(.int16)),
            property("At", .primitive(.dateTimeOffset)), property("Day", .primitive(.date)),
            property("Clock", .primitive(.timeOfDay)), property("Took", .primitive(.duration)),
            property("Mark", .primitive(.guid)), property("Raw", .primitive(.binary)),
            property("Colour", .enumeration(EnumerationID(0))),
            property("Tags", .primitive(.string), isCollection: true),
            property("Size", .structure(StructureID(1))),
            PropertyDefinition(
                name: "Loans", type: TypeReference(.structure(StructureID(5)), isCollection: true),
                navigation: NavigationDefinition()),
            PropertyDefinition(
                name: "Current", type: TypeReference(.structure(StructureID(5))),
                navigation: NavigationDefinition()),
            PropertyDefinition(
                name: "Parts", type: TypeReference(.structure(StructureID(6)), isCollection: true),
                navigation: NavigationDefinition(containsTarget: true)),
        ]
        tool.key = [KeyProperty(path: "Id")]
        var size = StructureDefinition(kind: .complex, namespace: "Ws", name: "Size")
        size.properties = [property("W", .primitive(.int32)), property("H", .primitive(.int32))]
        var thing = StructureDefinition(kind: .entity, namespace: "Ws", name: "Thing")
        thing.isOpen = true
        thing.properties = [
            property("Code", .primitive(.guid), isNullable: false),
            property("No", .primitive(.decimal), .init(scale: .variable), isNullable: false),
            property("Note", .primitive(.string)),
        ]
        thing.key = [KeyProperty(path: "Code"), KeyProperty(path: "No")]
        var special = StructureDefinition(
            kind: .entity, namespace: "Ws", name: "Special", baseType: "Ws.Thing")
        special.properties = [property("Extra", .primitive(.string))]
        var me = StructureDefinition(kind: .entity, namespace: "Ws", name: "Me")
        me.properties = [property("Name", .primitive(.string))]
        var loan = StructureDefinition(kind: .entity, namespace: "Ws", name: "Loan")
        loan.properties = [
            property("Id", .primitive(.int32), isNullable: false),
            property("Who", .primitive(.string)),
        ]
        loan.key = [KeyProperty(path: "Id")]
        var part = StructureDefinition(kind: .entity, namespace: "Ws", name: "Part")
        part.properties = [
            property("No", .primitive(.int32), isNullable: false),
            property("Name", .primitive(.string)),
        ]
        part.key = [KeyProperty(path: "No")]
        graph.structures = [tool, size, thing, special, me, loan, part]
        graph.enumerations = [
            EnumerationDefinition(
                namespace: "Ws", name: "Colour", isFlags: true,
                members: [.init(name: "Red", value: 1), .init(name: "Blue", value: 2)])
        ]
        graph.schemas = [.init(namespace: "Ws")]
        graph.containers = [.init(qualifiedName: "Ws.C")]
        graph.entitySets = [
            EntitySetDefinition(
                name: "Tools", container: "Ws.C", type: StructureID(0),
                bindings: [
                    NavigationBinding(path: "Loans", target: "Loans"),
                    NavigationBinding(path: "Current", target: "Loans"),
                ]),
            EntitySetDefinition(name: "Loans", container: "Ws.C", type: StructureID(5)),
            EntitySetDefinition(name: "Things", container: "Ws.C", type: StructureID(2)),
            EntitySetDefinition(
                name: "Me", container: "Ws.C", type: StructureID(4), isSingleton: true),
        ]
        try graph.freeze()
        return graph
    }
}
