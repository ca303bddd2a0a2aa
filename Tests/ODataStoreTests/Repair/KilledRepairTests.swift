import Foundation
import ODataSQLite
import ODataStore
import ODataText
import ODataWorld
import Testing

/// What a kill leaves of a repair or a copy: nobody believes it, and it does not stay.
@Suite struct KilledRepairTests {
    private static func files(_ path: String) throws -> [String] {
        let folder = (path as NSString).deletingLastPathComponent
        let name = (path as NSString).lastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .filter { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    }

    /// As a killed repair, a killed repair of the header and killed copies leave them.
    private static func leaveFiles(beside path: String) throws {
        for suffix in [
            "-repair", "-repair-wal", "-copy-1f0123456789abcd", "-copy-1f0123456789abcd-journal",
        ] {
            try Data("left".utf8).write(to: URL(fileURLWithPath: path + suffix))
        }
        try FileManager.default.createDirectory(
            atPath: path + "-header", withIntermediateDirectories: true)
        try Data("left".utf8).write(to: URL(fileURLWithPath: path + "-header/store-4096"))
    }

    /// The first hundred bytes were made up, and the kill came before the new file had taken the old one's place.
    @Test func aMadeUpHeaderIsNotBelievedByTheNextRepair() throws {
        let store = try DamagedStore()
        // Which pages are unused is lost with the header, and which are the queue's with its root.
        try store.write([UInt8](repeating: 0, count: 100), at: 0)
        try store.damage(page: store.root("_odata_request"))
        let world = SnapshotWorld()
        world.watch(store.path)
        let report = try StoreRepair(path: store.path, key: nil, world: world).run()
        #expect(report.doubtfulRequests.count == DamagedStore.requests)
        let killed = try #require(world.copies.last)
        let error = #expect(throws: ODataError.self) {
            try LocalStore(path: killed, world: LiveWorld()).close()
        }
        #expect(error?.code == .storage)
        let again = try StoreRepair(path: killed, key: nil, world: LiveWorld()).run()
        #expect(again.doubtfulRequests == report.doubtfulRequests)
        #expect(again.keptRequests == report.keptRequests)
        try LocalStore(path: killed, world: LiveWorld()).close()
    }

    @Test func theNextRepairTakesAwayWhatAKilledOneLeft() throws {
        let store = try DamagedStore()
        try Self.leaveFiles(beside: store.path)
        #expect(try store.repair().extent == .none)
        #expect(
            try Self.files(store.path) == [
                "", "-copy-1f0123456789abcd", "-copy-1f0123456789abcd-journal",
            ])
    }

    /// What somebody has called so is theirs.
    @Test func aStoreThatIsClearedLeavesNoCopyOfItself() throws {
        let store = try DamagedStore()
        try Self.leaveFiles(beside: store.path)
        for suffix in ["-copy-2026", "-copy-1f0123456789abcd.zip"] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: store.path + suffix))
        }
        try LocalStore(path: store.path, world: LiveWorld()).clear()
        #expect(try Self.files(store.path) == ["-copy-1f0123456789abcd.zip", "-copy-2026"])
    }

    @Test func theNextCopyTakesAwayThoseThatNobodyWritesTo() throws {
        let store = try DamagedStore()
        try Self.leaveFiles(beside: store.path)
        for suffix in ["-copy-1f0123456789abcd", "-copy-1f0123456789abcd-journal"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -4_000)],
                ofItemAtPath: store.path + suffix)
        }
        // Another that somebody makes now.
        try Data("made".utf8).write(to: URL(fileURLWithPath: store.path + "-copy-2e0123456789abcd"))
        let local = try LocalStore(path: store.path, world: LiveWorld())
        _ = try local.sealedImage(key: try StoreKey(DamagedStore.key), limit: 1 << 30)
        try local.close()
        #expect(
            try Self.files(store.path).filter { $0.hasPrefix("-copy") } == [
                "-copy-2e0123456789abcd"
            ])
    }
}
