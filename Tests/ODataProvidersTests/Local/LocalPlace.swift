import Foundation
import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataSQLite
import ODataTesting
import ODataText
import ODataWire

/// A local-only database with metadata of the test, and stock SQLite to look at its file; confined to the test's thread.
final class LocalPlace: @unchecked Sendable {
    let folder: URL
    let provider: SQLDatabaseProvider
    private let key: String?

    var path: String { folder.appendingPathComponent("store.db").path }

    init(_ schema: String, key: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("odata-place-" + UUID().uuidString)
        self.key = key
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        provider = SQLDatabaseProvider(
            serviceName: "Local",
            databaseURL: "sqlite:" + folder.appendingPathComponent("store.db").path)
        provider.encryptionKey = key
        provider.metadata = try CSDLParser().parse(Self.document(schema), url: "local")
        try provider.open()
    }

    deinit {
        try? provider.close()
        try? FileManager.default.removeItem(at: folder)
    }

    static func run(
        _ schema: String, key: String? = nil,
        _ body: @escaping @Sendable (LocalPlace) throws -> Void
    ) async throws {
        try await onOwnThread { try body(LocalPlace(schema, key: key)) }
    }

    /// A document of OData 4.0 with one schema, `Demo`.
    static func document(_ schema: String) -> String {
        """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">
        <edmx:DataServices><Schema Namespace="Demo" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        \(schema)</Schema></edmx:DataServices></edmx:Edmx>
        """
    }

    // MARK: The file

    /// The rows of a query by a connection of its own, values joined by `|`, null as `-`.
    func rows(_ sql: String) throws -> [String] {
        let file = try StoreFile(path: path, key: try key.map { try StoreKey($0) })
        let queue = try file.queue(readonly: true)
        defer { try? queue.close() }
        return try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map { value in
                    switch value.storage {
                    case .null: "-"
                    case .int64(let value): "\(value)"
                    case .double(let value): "\(value)"
                    case .string(let text): text
                    case .blob(let bytes): "x" + bytes.map { String(format: "%02x", $0) }.joined()
                    }
                }.joined(separator: "|")
            }
        }
    }

    // MARK: Entities

    var service: DataService { DataService(provider: provider) }

    func set(_ name: String) -> EntitySet { provider.metadata.entitySet(withName: name) }

    func property(_ entity: StructureBase, _ name: String) -> Property {
        entity.structureType.property(withName: name)
    }

    /// An entity of the set, or of a type derived from the set's, with values in their lexical form.
    func new(
        _ set: String, _ values: [String: String?], type: String? = nil
    ) throws -> EntityValue {
        let set = self.set(set)
        let type = type.map { provider.metadata.entityType(withName: $0) } ?? set.entityType
        let entity = EntityValue.ofType(type).inSet(set)
        try fill(entity, values)
        return entity
    }

    func fill(_ target: StructureBase, _ values: [String: String?]) throws {
        let graph = provider.metadata.graph
        for (path, text) in values {
            var (target, names) = (target, path.split(separator: "/").map(String.init))
            while names.count > 1 {
                let property = property(target, names.removeFirst())
                guard let inner = property.optionalComplex(from: target) else {
                    throw ODataError(.invalidValue, "Expected a complex value at \(path).")
                }
                target = inner
            }
            guard let id = graph.structure(named: target.structureType.qualifiedName),
                let definition = graph[id].properties.first(where: { $0.name == names[0] })
            else { throw ODataError(.unknownName, "Expected a property \(path).") }
            let scalar = try text.map {
                try Lexical.parse($0, as: definition.type.primitive ?? .int64)
            }
            let value = scalar.flatMap {
                DataValue.of(.scalar($0), definition.type, in: provider.metadata.model)
            }
            property(target, names[0]).setDataValue(in: target, to: value)
        }
    }

    @discardableResult
    func create(
        _ set: String, _ values: [String: String?], type: String? = nil
    ) throws -> EntityValue {
        let entity = try new(set, values, type: type)
        try service.createEntity(entity)
        return entity
    }

    func update(_ entity: EntityValue, _ values: [String: String?]) throws {
        try fill(entity, values)
        try service.updateEntity(entity)
    }

    // MARK: Queries

    func result(_ url: String, page: Int? = nil) throws -> QueryResult {
        let query = DataQuery()
        query.url = url
        if let page { query.page(page) }
        return try service.executeQuery(query)
    }

    func entities(_ url: String) throws -> [EntityValue] {
        try result(url).entityList().toArray()
    }

    func entity(_ url: String) throws -> EntityValue { try result(url).requiredEntity() }

    /// One property of the entities in their order; null as `-`.
    func values(_ url: String, _ name: String) throws -> [String] {
        try entities(url).map { value($0, name) }
    }

    func value(_ entity: StructureBase, _ name: String) -> String {
        guard let property = entity.structureType.property(named: name) else { return "?" }
        return entity.optionalValue(for: property)?.toString() ?? "-"
    }
}
