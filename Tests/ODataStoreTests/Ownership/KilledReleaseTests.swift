import Foundation
import GRDB
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld
import Testing

/// Work that takes several transactions and is killed between any two of them: what is there is the old or the new, and the
/// rest is done by whoever opens the store next.
@Suite struct KilledReleaseTests {
    /// The orders in a copy of the store.
    private static func orders(_ path: String) throws -> [Int] {
        try DatabaseQueue(path: path).read {
            try Int.fetchAll($0, sql: "SELECT ID FROM Orders ORDER BY ID")
        }
    }

    private static func open(_ path: String) throws -> LocalStore {
        try LocalStore(path: path, world: LiveWorld())
    }

    private static func desk(_ world: SnapshotWorld, _ count: Int) throws -> OwnedStore {
        let desk = try OwnedStore(world: world)
        for id in 1...count {
            desk.orders[id] = OwnedStore.Order(
                customer: 1, group: id * 2 <= count ? 1 : 2, title: "t")
        }
        return desk
    }

    @Test(arguments: [
        OwnedStore.Asks.orders(group: 2), .tree(upTo: 1, group: 2),
    ]) func ofAReplacedQueryTheOldRowsAreThereOrTheNew(asks: OwnedStore.Asks) throws {
        let world = SnapshotWorld()
        let desk = try Self.desk(world, 6)
        try desk.add("some", .orders(group: 1))
        try desk.add("other", .orders(group: 9))
        try desk.download()
        world.watch(desk.fixture.path)
        try desk.replace("some", with: asks)
        try desk.download()
        world.checkpoint("end")
        world.watch(nil)
        #expect(world.copies.count > 4)
        var states: [[Int]] = []
        for copy in world.copies {
            let orders = try Self.orders(copy)
            #expect(orders == [1, 2, 3] || orders == [4, 5, 6], "\(copy)")
            if states.last != orders { states.append(orders) }
            // Offline, whatever was killed, it opens and shows the same.
            let store = try Self.open(copy)
            try store.releaseSources(at: nil)
            try store.close()
            #expect(try Self.orders(copy) == orders, "\(copy)")
        }
        #expect(states == [[1, 2, 3], [4, 5, 6]])
    }

    /// More rows than one transaction takes.
    @Test func ofADefaultThatIsSwitchedOffTheRestGoesLater() throws {
        let world = SnapshotWorld()
        let desk = try Self.desk(world, 5_000)
        desk.hasDefault = true
        try desk.add("some", .orders(group: 1))
        try desk.download()
        world.watch(desk.fixture.path)
        desk.hasDefault = false
        try desk.download()
        world.checkpoint("end")
        world.watch(nil)
        var counts: [Int] = []
        for copy in world.copies {
            let orders = try Self.orders(copy)
            #expect(orders.starts(with: 1...2_500), "\(copy)")
            if counts.last != orders.count { counts.append(orders.count) }
        }
        // Of each transaction 2,000 rows at most.
        #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 - $1 <= 2_000 })
        #expect(counts.count > 2 && counts.first == 5_000 && counts.last == 2_500)
        // Half of it done: the next download does the rest.
        let half = try #require(
            try world.copies.first { try Self.orders($0).count < 5_000 })
        let store = try Self.open(half)
        try store.releaseSources(
            at: LocalStore.Ending(wanted: try store.downloadQueries(), refused: []))
        try store.close()
        #expect(try Self.orders(half) == Array(1...2_500))
    }

    @Test func aDeletedQueryTakesItsRowsWithTheNextOpening() throws {
        let world = SnapshotWorld()
        let desk = try Self.desk(world, 5_000)
        try desk.add("some", .orders(group: 1))
        try desk.add("wide", .orders(group: nil))
        try desk.download()
        world.watch(desk.fixture.path)
        #expect(try desk.delete("wide"))
        world.watch(nil)
        var counts: Set<Int> = []
        for copy in world.copies {
            counts.insert(try Self.orders(copy).count)
            let store = try Self.open(copy)
            let isThere = try store.downloadQuery("wide") != nil
            try store.releaseSources(at: nil)
            try store.close()
            #expect(try Self.orders(copy).count == (isThere ? 5_000 : 2_500))
        }
        #expect(counts.count > 1)
    }
}
