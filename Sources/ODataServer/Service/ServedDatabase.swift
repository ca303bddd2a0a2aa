import Foundation
import GRDB
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire
import ODataWorld

/// A database of another product than SQLite that a service reads and changes (docs/decisions/0014).
package protocol ServedDatabase: AnyObject, Sendable {
    /// The dialect of the statements that it runs.
    var dialect: SQLDialect { get }

    /// Whether answers to repeatable requests can be remembered.
    var remembersAnswers: Bool { get }

    /// What is offered, and what is left out and why. Rows that may be changed have a tag.
    ///
    /// - Throws: `ODataError` where it cannot be read.
    func schema(_ choice: TableChoice, takesChanges: Bool) throws -> DatabaseSchema

    /// Runs `body` in one snapshot.
    ///
    /// - Parameter isOver: asked many times a second; a statement is ended once nobody waits for it.
    /// - Throws: `ODataError`, with what a client may know, and what `body` throws.
    func read<Result>(
        isOver: @escaping () -> Bool, _ body: (any ServedRows) throws -> Result
    ) throws -> Result

    /// Runs `body` in one transaction, which stays when it returns and is undone when it throws. It is run again from its
    /// beginning, so many times at most, where it met another one.
    ///
    /// - Parameter isOver: as for ``read(isOver:_:)``.
    /// - Throws: As ``read(isOver:_:)``, and ``ViolatedConstraint`` for what is found at the end.
    func write<Result>(
        isOver: @escaping () -> Bool, _ body: (any ServedRows) throws -> Result
    ) throws -> Result

    /// Has changes of tables noted from now on where they are not yet, and finds out of which they are.
    ///
    /// - Parameter begins: false where nothing is to be made in the database.
    /// - Throws: `ODataError` where the database cannot be reached; what it refuses for one table is a problem of that.
    func track(_ tables: [KeyedTable], begins: Bool) throws -> NotedTables

    /// Forgets some of the changes that the log has beyond its bounds, unless another process does so just now.
    ///
    /// - Returns: False where something is left.
    /// - Throws: `ODataError`.
    func trim(_ bounds: LogBounds) throws -> Bool

    /// What a failure inside of an access says to the client.
    ///
    /// - Throws: `error` itself where the access is to be run again.
    func told(_ error: any Error) throws -> any Error

    func close()
}

/// What one request has of the database.
enum DatabaseAccess {
    case sqlite(Database)
    case served(any ServedRows)

    /// Runs a compiled query.
    func run(_ query: BoundQuery, _ reader: QueryReader) throws -> ResultPage {
        switch self {
        case .sqlite(let database): try reader.run(query, in: database)
        case .served(let rows): try reader.run(query, from: rows)
        }
    }

    static let needsSQLite = ODataError(
        .notImplemented,
        "Expected a request that reads or changes rows; a service over PostgreSQL does not offer more yet.",
        status: 501)

    static func notOffered(_ what: String) -> ODataError {
        ODataError(
            .notImplemented, "A service over PostgreSQL does not offer this yet: \(what).",
            status: 501)
    }
}

extension ODataService {
    /// Refuses what is not offered over another product yet, before anything is opened.
    ///
    /// - Throws: `notImplemented`, by name.
    package static func requireServed(_ configuration: ServiceConfiguration) throws {
        let refused: [(Bool, String)] = [
            (configuration.sample != nil, "sample data"),
            (configuration.model != nil, "a model"),
            (!configuration.operations.isEmpty, "functions and actions in SQL"),
            (configuration.speaksV2, "V2"),
            (configuration.access != nil, "an access file"),
        ]
        for case (true, let what) in refused {
            throw DatabaseAccess.notOffered(what)
        }
    }
}

extension ServiceDatabase {
    /// Reads the schema of another product.
    static func expose(
        _ served: any ServedDatabase, _ configuration: ServiceConfiguration
    ) throws -> ServiceModel {
        var options = DatabaseModelBuilder.Options()
        options.namespace = configuration.namespace ?? "Database"
        options.isReadOnly = configuration.isReadOnly
        options.tracksChanges = false
        options.remembersAnswers = served.remembersAnswers
        let schema = try served.schema(
            configuration.tables, takesChanges: !configuration.isReadOnly)
        // Which columns name rows is decided by the model.
        let plain = try DatabaseModelBuilder.build(schema, options: options).mapping
        let noted = try served.track(
            schema.tables.filter { !$0.isView }.compactMap { table in
                plain.tables.first { $0.name == table.name }
                    .map { KeyedTable($0.name, key: $0.keys.map(\.name)) }
            }, begins: !configuration.isReadOnly)
        options.tracked = noted.names
        let result = try DatabaseModelBuilder.build(schema, options: options)
        return ServiceModel(
            mapping: result.mapping, configuration: configuration,
            metadata: Array(CSDLWriter.xml(result.mapping.graph).utf8),
            metadataJSON: Array(CSDLJSONWriter.json(result.mapping.graph).utf8),
            logIdentity: "", streams: [:],
            notes: notes(served, configuration) + noted.problems + result.notes,
            trackedTables: noted.names, dialect: served.dialect)
    }

    private static func notes(
        _ served: any ServedDatabase, _ configuration: ServiceConfiguration
    ) -> [String] {
        guard !configuration.isReadOnly, !served.remembersAnswers else { return [] }
        return [
            "Requests are not repeatable: the service may not change what it remembers of them."
        ]
    }

    /// A file for what the service itself keeps in SQLite; it holds no data and ends with the service.
    static func openScratch(
        _ base: ServiceConfiguration
    ) throws -> (DatabasePool, ServiceConfiguration) {
        var configuration = base
        let (high, low) = base.world.makeIdentifier()
        configuration.databasePath =
            NSTemporaryDirectory() + "odata-service-" + String(high, radix: 36)
            + String(low, radix: 36) + ".sqlite"
        guard FileManager.default.createFile(atPath: configuration.databasePath, contents: nil)
        else {
            throw ODataError(.storage, "Expected room for a temporary file, could not make one.")
        }
        return (try open(configuration), configuration)
    }

    static func removeScratch(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
