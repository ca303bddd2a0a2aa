import Foundation
import ODataModel
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld
import Testing

/// Opening, reading and closing leave a store's file as it was, byte for byte.
@Suite struct QuietOpeningTests {
    private static func configuration(_ isEncrypted: Bool) throws -> LocalStore.Configuration {
        var configuration = LocalStore.Configuration()
        configuration.key = isEncrypted ? try StoreKey(String(repeating: "5c", count: 32)) : nil
        return configuration
    }

    private static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test(arguments: [false, true]) func aClosedStoreStaysAsItIs(isEncrypted: Bool) throws {
        let configuration = try Self.configuration(isEncrypted)
        let fixture = try StoreFixture(configuration, world: LiveWorld())
        try fixture.adopt()
        try fixture.update(try fixture.downloadCustomer(1, "Ada"), ["Name": .text("Zoe")])
        try fixture.store.close()
        let before = try Self.bytes(fixture.path)
        for _ in 0..<3 {
            let store = try LocalStore(
                path: fixture.path, world: LiveWorld(), configuration: configuration)
            #expect(try store.row(in: "Customers", key: [.integer(1)]) != nil)
            #expect(try store.check().isIntact)
            try store.close()
            #expect(try Self.bytes(fixture.path) == before)
            #expect(!FileManager.default.fileExists(atPath: fixture.path + "-wal"))
        }
    }

    /// The log is empty, and the process that emptied it still has the store open.
    @Test(arguments: [false, true]) func anotherReaderChangesNothingBehindAnEmptyLog(
        isEncrypted: Bool
    ) throws {
        let configuration = try Self.configuration(isEncrypted)
        let fixture = try StoreFixture(configuration, world: LiveWorld())
        try fixture.adopt()
        try fixture.downloadCustomer(1, "Ada")
        try fixture.store.checkpoint()
        let before = try Self.bytes(fixture.path)
        let other = try LocalStore(
            path: fixture.path, world: LiveWorld(), configuration: configuration)
        #expect(try other.row(in: "Customers", key: [.integer(1)]) != nil)
        try other.close()
        #expect(try Self.bytes(fixture.path) == before)
        try fixture.downloadCustomer(2, "Bob")
        #expect(try Self.bytes(fixture.path) == before)
        try fixture.store.close()
        #expect(try Self.bytes(fixture.path) != before)
    }

    /// Whoever opens a store needs no lock that a writer holds.
    @Test func aStoreIsOpenedWhileAnotherWrites() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Ada")
        var configuration = LocalStore.Configuration()
        configuration.busySeconds = 0.2
        let path = fixture.path
        try fixture.store.write(.full) { _ in
            let other = try LocalStore(
                path: path, world: LiveWorld(), configuration: configuration)
            #expect(try other.row(in: "Customers", key: [.integer(1)]) != nil)
            try other.close()
        }
    }
}
