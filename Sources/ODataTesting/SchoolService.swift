import Foundation
import GRDB
import ODataServer
import SAPOfflineOData
import SAPFoundation
import Synchronization

/// An existing database of teachers, students and notes, served over loopback HTTP, and offline stores of it: what the
/// overview of the offline provider talks about.
///
/// A name of `refused` is one that the database does not accept. Both files are read and changed by stock SQLite.
package final class SchoolService: Sendable {
    package let folder: URL
    package let service: ODataService
    /// The service root.
    package let url: URL

    /// The tables and their first rows.
    package static let schema = """
        CREATE TABLE Teachers (ID INTEGER PRIMARY KEY, NAME TEXT CHECK (NAME <> 'refused'));
        CREATE TABLE Students (
            ID INTEGER PRIMARY KEY, NAME TEXT CHECK (NAME <> 'refused'),
            TEACHER INTEGER REFERENCES Teachers(ID));
        CREATE TABLE Notes (pk INTEGER PRIMARY KEY, BODY TEXT CHECK (BODY <> 'refused'));
        INSERT INTO Teachers VALUES (1, 'Ada'), (2, 'Blaise'), (3, 'Carl');
        INSERT INTO Students VALUES (1, 'Dora', 1), (2, 'Emil', 1), (3, 'Fritz', 2), (4, 'Gus', NULL);
        INSERT INTO Notes VALUES (1, 'first'), (2, 'second'), (101, 'a'), (102, 'b');
        """

    package init(
        schema: String = SchoolService.schema, rootPath: String = "/School/",
        adjust: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("school-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("school.db").path
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: schema) }
        try queue.close()
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.rootPath = rootPath
        adjust(&configuration)
        service = try ODataService(configuration)
        try service.start()
        guard let text = service.url, let url = URL(string: text) else {
            throw CocoaError(.fileNoSuchFile)
        }
        self.url = url
    }

    /// Runs a test against a school, on a thread that may block; everything is removed after it.
    package static func run(
        schema: String = SchoolService.schema,
        adjust: @escaping @Sendable (inout ServiceConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (SchoolService) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread {
                continuation.resume(
                    with: Swift.Result {
                        let school = try SchoolService(schema: schema, adjust: adjust)
                        defer { school.close() }
                        try body(school)
                    })
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Stops the service and removes the folder.
    package func close() {
        try? service.close()
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Stores

    /// Parameters of a store in the school's folder.
    package func parameters(name: String? = "store") -> OfflineODataParameters {
        let parameters = OfflineODataParameters()
        parameters.storePath = folder
        parameters.storeName = name
        return parameters
    }

    /// A provider with these defining queries, not opened.
    package func provider(
        _ queries: [(name: String, query: String)] = [
            ("TeachersQuery", "Teachers"), ("StudentsQuery", "Students"),
        ],
        parameters: OfflineODataParameters? = nil, delegate: (any OfflineODataDelegate)? = nil
    ) throws -> OfflineODataProvider {
        let provider = try OfflineODataProvider(
            serviceRoot: url, parameters: parameters ?? self.parameters(),
            sapURLSession: SAPURLSession(), delegate: delegate)
        for query in queries {
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: query.name, query: query.query, automaticallyRetrievesStreams: false))
        }
        return provider
    }

    /// Starts an operation and waits for its handler; returns what that got.
    package static func wait(
        _ start: (@escaping @Sendable (OfflineODataError?) -> Void) -> Void
    ) -> OfflineODataError? {
        let (semaphore, result) = (DispatchSemaphore(value: 0), Box())
        start { error in
            result.error.withLock { $0 = error }
            semaphore.signal()
        }
        semaphore.wait()
        return result.error.withLock { $0 }
    }

    private final class Box: Sendable {
        let error = Mutex<OfflineODataError?>(nil)
    }

    // MARK: SQL

    /// What stock SQLite reads in the service's file.
    package func serviceRows(_ sql: String) throws -> [[String?]] {
        try Self.rows(sql, at: folder.appendingPathComponent("school.db").path)
    }

    /// What stock SQLite reads in a store's file.
    package func storeRows(_ sql: String, store: String = "store") throws -> [[String?]] {
        try Self.rows(sql, at: folder.appendingPathComponent(store + ".db").path)
    }

    /// Changes the service's file past the service.
    package func change(_ sql: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(
            path: folder.appendingPathComponent("school.db").path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private static func rows(_ sql: String, at path: String) throws -> [[String?]] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            try Row.fetchAll(database, sql: sql).map { row in
                row.databaseValues.map {
                    String.fromDatabaseValue($0) ?? Int64.fromDatabaseValue($0).map { "\($0)" }
                }
            }
        }
    }
}
