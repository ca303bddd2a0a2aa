import Foundation
import GRDB
import ODataClasses
import ODataProviders
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import StrictService
import Synchronization

/// A service that generated classes are of, an online provider of it and a store beside it.
///
/// Calls block: use it on a thread of its own.
final class ServicePlace: Sendable {
    let online: OnlineODataProvider
    let sync: CloudSyncProvider
    private let folder: URL
    private let file: String

    init(root: String) throws {
        folder = try TestFolder.makeFast("generated")
        file = folder.appendingPathComponent("store.db").path
        online = OnlineODataProvider(
            serviceName: "Generated", serviceRoot: root, transport: StandardTransport.shared,
            folder: PrivateFolder(path: folder.path))
        sync = CloudSyncProvider(
            onlineProvider: online,
            offlineStore: SQLDatabaseProvider(
                serviceName: "Generated", databaseURL: "sqlite:" + file))
    }

    func close() {
        try? sync.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a test against a strict service.
    static func strict(
        _ face: StrictService.Face,
        _ body: @escaping @Sendable (StrictService, ServicePlace) throws -> Void
    ) async throws {
        try await onOwnThread {
            let service = try StrictService(face)
            let place = try ServicePlace(root: service.root)
            defer { place.close() }
            try body(service, place)
        }
    }

    /// What the store holds, read beside the product: the first column of each row.
    func rows(_ sql: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: file, configuration: configuration).read {
            try String.fetchAll($0, sql: sql)
        }
    }

    /// Starts what has a handler of value and error, and waits for it.
    static func wait<Value: Sendable>(
        _ start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) throws -> Value? {
        let (done, box) = (DispatchSemaphore(value: 0), Outcome<Value>())
        start { value, error in
            box.outcome.withLock { $0 = (value, error) }
            done.signal()
        }
        done.wait()
        let (value, error) = box.outcome.withLock { $0 }
        if let error { throw error }
        return value
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let outcome = Mutex<(Value?, (any Error)?)>((nil, nil))
    }
}
