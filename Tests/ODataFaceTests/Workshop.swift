import Foundation
import GRDB
import OData
import ODataServer
import ODataTesting

/// A service in this process and a folder for stores, for one test.
///
/// Its blocking calls go to a thread of their own; what the service and the store file hold is read by stock SQLite.
struct Workshop: Sendable {
    let service: TestService
    let folder: URL

    var file: URL { folder.appendingPathComponent("store.odata") }

    /// Runs a test; service and folder go with it.
    static func run(
        rows: Int = 120, pageSize: Int = 1_000,
        _ body: @Sendable (Workshop) async throws -> Void
    ) async throws {
        let folder = try TestFolder.makeFast("odata-face-")
        var settings = CompanionService.Settings()
        settings.pageSize = pageSize
        let service = try await onOwnThread { [settings] in
            try TestService(sampleRows: rows, settings: settings)
        }
        let place = Workshop(service: service, folder: folder)
        do {
            try await body(place)
        } catch {
            try await place.end()
            throw error
        }
        try await place.end()
    }

    private func end() async throws {
        let (service, folder) = (service, folder)
        try await onOwnThread {
            service.close()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// A store of work orders, sites and time entries in ``file``.
    func store(
        conflicts: [ConflictRule] = [], role: Role = .owner
    ) async throws -> OfflineStore {
        try await OfflineStore(
            service: service.url, at: .file(file), download: .set(WorkOrder.self), .set(Site.self),
            .set(TimeEntry.self), conflicts: conflicts, role: role)
    }

    /// The same with everything downloaded.
    func filledStore(conflicts: [ConflictRule] = []) async throws -> OfflineStore {
        let store = try await store(conflicts: conflicts)
        try await store.sync()
        return store
    }

    /// The first column of the first row that the service has for a query, as text.
    func atService(_ sql: String) async throws -> String? {
        let service = service
        return try await onOwnThread { try service.text(sql) }
    }

    /// A change that somebody else makes at the service.
    func changeService(_ sql: String) async throws {
        let service = service
        try await onOwnThread { try service.execute(sql) }
    }

    /// The first column of all rows that the store's file has for a query, as text.
    func inFile(_ sql: String) async throws -> [String] {
        let file = file
        return try await onOwnThread {
            try DatabaseQueue(path: file.path).read { try String.fetchAll($0, sql: sql) }
        }
    }
}

/// The code of the error that `body` throws; nil where it throws none of ours.
func code(_ body: () async throws -> Void) async -> ODataError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? ODataError)?.code
    }
}
