import Foundation
import ODataStore
import SAPOData
import Synchronization
import Testing

/// A provider of a local store that several threads use from the start.
@Suite struct StoreOpeningTests {
    @Test func aStoreThatManyThreadsOpenAtOnceIsOpenedOnce() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("url-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let provider = SQLDatabaseProvider(serviceName: "Local", databaseURL: folder + "/x.db")
        let stores = Mutex<[LocalStore]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            guard let store = try? provider.openStore() else { return }
            stores.withLock { $0.append(store) }
        }
        let found = stores.withLock { $0 }
        #expect(found.count == 16)
        #expect(Set(found.map { ObjectIdentifier($0) }).count == 1)
        try provider.close()
    }
}
