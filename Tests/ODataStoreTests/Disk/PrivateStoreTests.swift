import Foundation
import ODataSQLite
import ODataStore
import ODataWorld
import Testing

/// The files of a store are for their owner alone: new ones, old ones, copies and repaired ones.
@Suite struct PrivateStoreTests {
    private static func modes(_ folder: String) throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: try names.map { name in
                let found = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                return (name, (found[.posixPermissions] as? NSNumber)?.intValue ?? -1)
            })
    }

    private static func fixture(_ isEncrypted: Bool) throws -> StoreFixture {
        var configuration = LocalStore.Configuration()
        configuration.key =
            isEncrypted ? try StoreKey(String(repeating: "5c", count: 32)) : nil
        let fixture = try StoreFixture(configuration, world: LiveWorld())
        try fixture.adopt()
        try fixture.downloadCustomer(1, "Ada")
        return fixture
    }

    @Test(arguments: [false, true]) func aNewStoreIsPrivateWithItsLog(isEncrypted: Bool) throws {
        let fixture = try Self.fixture(isEncrypted)
        let folder = (fixture.path as NSString).deletingLastPathComponent
        let modes = try Self.modes(folder)
        #expect(modes.count >= 2 && modes["shop.sqlite-wal"] != nil, "\(modes)")
        #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
        let parent = try FileManager.default.attributesOfItem(atPath: folder)
        #expect((parent[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test(arguments: [false, true]) func anOldStoreIsPrivateOnceItIsOpened(
        isEncrypted: Bool
    ) throws {
        let fixture = try Self.fixture(isEncrypted)
        try fixture.store.close()
        chmod(fixture.path, 0o664)
        try fixture.reopen()
        try fixture.update(try fixture.row("Customers", 1), ["Name": .text("Zoe")])
        let modes = try Self.modes((fixture.path as NSString).deletingLastPathComponent)
        #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
    }

    @Test(arguments: [false, true]) func copiesAndKeysLeaveItPrivate(isEncrypted: Bool) throws {
        let fixture = try Self.fixture(isEncrypted)
        let other = try StoreKey(String(repeating: "7e", count: 32))
        if isEncrypted { try fixture.store.changeKey(to: other) }
        try fixture.store.export(to: fixture.path + "-sealed", key: other)
        try fixture.store.export(to: fixture.path + "-clear", key: nil)
        let modes = try Self.modes((fixture.path as NSString).deletingLastPathComponent)
        #expect(modes["shop.sqlite-sealed"] == 0o600 && modes["shop.sqlite-clear"] == 0o600)
        #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
    }

    @Test func aRepairedStoreIsPrivate() throws {
        let fixture = try Self.fixture(false)
        for id in 2...400 as ClosedRange<Int64> {
            try fixture.downloadCustomer(id, String(repeating: "n", count: 40))
        }
        let root = try #require(
            try fixture.sql("SELECT rootpage FROM sqlite_master WHERE name = 'Customers'").first
                .flatMap { Int($0) })
        try fixture.store.close()
        chmod(fixture.path, 0o644)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: fixture.path))
        try handle.seek(toOffset: UInt64((root - 1) * 4096))
        try handle.write(contentsOf: [UInt8](repeating: 0xE7, count: 4096))
        try handle.close()
        let report = try StoreRepair(path: fixture.path, key: nil, world: LiveWorld()).run()
        #expect(report.extent == .rebuilt)
        let modes = try Self.modes((fixture.path as NSString).deletingLastPathComponent)
        #expect(modes["shop.sqlite"] == 0o600, "\(modes)")
        #expect(modes.values.allSatisfy { $0 == 0o600 }, "\(modes)")
    }
}
