import Foundation
import GRDB
import ODataModel
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire
import ODataWorld

/// Opens the database of a service and finds out what it holds.
enum ServiceDatabase {
    static func open(_ configuration: ServiceConfiguration) throws -> DatabasePool {
        let path = configuration.databasePath
        guard FileManager.default.fileExists(atPath: path) else {
            throw ODataError(
                .storage, "Expected a database file, found none.", at: .path(path))
        }
        let mode = try journalMode(path)
        do {
            let pool = try DatabasePool(path: path, configuration: settings(configuration))
            if mode != "wal" { try remember(mode, in: pool) }
            return pool
        } catch {
            throw ODataError(
                .storage, "Expected a SQLite database, could not open the file.",
                at: .path(path), underlying: error)
        }
    }

    /// Connections for the reads of requests, beside the pool: GRDB's own readers are handed out through four queues, and
    /// prepare the statements that begin and end a snapshot each time, which together took longer than a read by key.
    static func readers(_ configuration: ServiceConfiguration) -> ReadConnections {
        ReadConnections(
            path: configuration.databasePath, configuration: settings(configuration),
            maximumCount: max(2, configuration.workerThreads))
    }

    private static func settings(_ configuration: ServiceConfiguration) -> GRDB.Configuration {
        var settings = GRDB.Configuration()
        settings.foreignKeysEnabled = true
        settings.maximumReaderCount = max(2, configuration.workerThreads)
        settings.busyMode = .timeout(configuration.busySeconds)
        settings.prepareDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = -16384")
            SQLFunctions.register(in: database, boundsIntegers: true)
        }
        return settings
    }

    /// Reads the schema, and adds change tracking.
    static func expose(_ pool: DatabasePool, _ configuration: ServiceConfiguration) throws
        -> ServiceModel
    {
        let isSample = configuration.sample?.name == FieldServiceSample.name
        var options = DatabaseModelBuilder.Options()
        options.namespace = configuration.namespace ?? (isSample ? "FieldService" : "Database")
        options.isReadOnly = configuration.isReadOnly
        options.operations = configuration.operations.filter {
            !($0.isAction && configuration.isReadOnly)
        }
        let operations = options.operations
        try DescribedDatabase.overlay(configuration).map { overlay in
            options.overlay = overlay
            options.namespace = overlay.namespace ?? options.namespace
            options.container = overlay.container ?? options.container
        }
        if isSample { options.typeNames = FieldServiceSample.typeNames }
        let (high, low) = configuration.world.makeIdentifier()
        do {
            return try pool.write { database in
                let schema = try DatabaseSchemaReader(database, choice: configuration.tables)
                    .read()
                try options.overlay.map { try DescribedDatabase.require($0, schema) }
                var result = try DatabaseModelBuilder.build(schema, options: options)
                let log = ChangeLog(database)
                if !result.streams.isEmpty {
                    try database.execute(sql: StreamSchema.tables)
                    try StreamTable(database).giveUpArriving()
                }
                let identity = String(high, radix: 36) + String(low, radix: 36)
                let untracked = try log.install(
                    result.mapping, identity: identity, streams: result.streams)
                if !untracked.isEmpty {
                    options.untracked = untracked
                    result = try DatabaseModelBuilder.build(schema, options: options)
                }
                for operation in operations { try operation.check(database) }
                return ServiceModel(
                    mapping: result.mapping, configuration: configuration,
                    metadata: Array(CSDLWriter.xml(result.mapping.graph).utf8),
                    metadataJSON: Array(CSDLJSONWriter.json(result.mapping.graph).utf8),
                    logIdentity: try log.identity(), streams: result.streams,
                    notes: result.notes, narrow: NarrowColumns(schema, result.mapping),
                    operations: Dictionary(
                        operations.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
                    rules: options.overlay.map { _ in WriteRules(result.mapping.graph) })
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a database that takes change tracking, SQLite refused.",
                at: .path(configuration.databasePath), underlying: error)
        }
    }

    /// Makes the tables of a CSDL document with the rows that they begin with, and adds change tracking.
    static func expose(
        _ pool: DatabasePool, _ configuration: ServiceConfiguration, hosting hosted: DocumentModel
    ) throws -> ServiceModel {
        let (high, low) = configuration.world.makeIdentifier()
        do {
            return try pool.write { database in
                let isNew = try ModelDatabase.install(hosted, in: database)
                let log = ChangeLog(database)
                try database.execute(sql: StreamSchema.tables)
                try StreamTable(database).giveUpArriving()
                let identity = String(high, radix: 36) + String(low, radix: 36)
                try log.install(hosted.mapping, identity: identity, streams: hosted.streams)
                let indexes = try SearchTables(database: database).install(hosted.mapping)
                let model = ServiceModel(
                    mapping: hosted.mapping, configuration: configuration,
                    metadata: Array(CSDLWriter.xml(hosted.mapping.graph).utf8),
                    metadataJSON: Array(CSDLJSONWriter.json(hosted.mapping.graph).utf8),
                    logIdentity: try log.identity(), streams: hosted.streams,
                    notes: hosted.notes, isDocument: true, rules: WriteRules(hosted.mapping.graph),
                    searchIndexes: indexes, handlers: hosted.document.handlers)
                if isNew {
                    try ModelRows(model: model, database: database).load(hosted.document.rows)
                }
                return model
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a file that takes the tables of the model, SQLite refused.",
                at: .path(configuration.databasePath), underlying: error)
        }
    }

    /// Makes the tables of a mirror, and adds change tracking.
    static func expose(
        _ pool: DatabasePool, _ configuration: ServiceConfiguration,
        mirroring mirrored: MirroredModel
    ) throws -> ServiceModel {
        let (high, low) = configuration.world.makeIdentifier()
        do {
            return try pool.write { database in
                try MirrorDatabase.install(mirrored.mapping, in: database)
                let log = ChangeLog(database)
                let identity = String(high, radix: 36) + String(low, radix: 36)
                try log.install(mirrored.mapping, identity: identity)
                return ServiceModel(
                    mapping: mirrored.mapping, configuration: configuration,
                    metadata: Array(CSDLWriter.xml(mirrored.mapping.graph).utf8),
                    metadataJSON: Array(CSDLJSONWriter.json(mirrored.mapping.graph).utf8),
                    logIdentity: try log.identity(), streams: [:],
                    notes: mirrored.notes, origin: mirrored.origin)
            }
        } catch let error as DatabaseError {
            throw ODataError(
                .storage, "Expected a file that takes the data of the proxy, SQLite refused.",
                at: .path(configuration.databasePath), underlying: error)
        }
    }
}

/// Makes the sample data that a configuration asks for.
enum SampleSource {
    /// - Throws: `usage` for a name that is not known.
    static func prepare(_ configuration: ServiceConfiguration) throws {
        guard let sample = configuration.sample else { return }
        guard sample.name == FieldServiceSample.name else {
            throw ODataError(
                .usage, "Expected the sample \(FieldServiceSample.name), found another name.")
        }
        let path = configuration.databasePath
        if FileManager.default.fileExists(atPath: path) {
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if (attributes?[.size] as? Int ?? 0) > 0 { return }
        }
        try FieldServiceSample(seed: sample.seed, scale: sample.scale).write(to: path)
    }
}
