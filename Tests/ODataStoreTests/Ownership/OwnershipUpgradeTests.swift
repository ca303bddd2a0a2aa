import Foundation
import GRDB
import ODataStore
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataWorld
import Testing

/// A store of the format before: rows that the default download brought before a query did were noted for the query alone.
@Suite struct OwnershipUpgradeTests {
    /// Orders of a default download, of which group 1 came by a query, too; brought back to format 7.
    private static func old(_ count: Int, _ world: any World) throws -> OwnedStore {
        let desk = try OwnedStore(world: world)
        desk.hasDefault = true
        for id in 1...count {
            desk.orders[id] = OwnedStore.Order(
                customer: 1, group: id * 2 <= count ? 1 : 2, title: "t")
        }
        try desk.download()
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.store.write(.full) {
            try OlderFormat.lower($0, to: 7, queried: ["Orders"])
        }
        return desk
    }

    @Test func itsRowsAreGivenBackToBoth() throws {
        let desk = try Self.old(4, LiveWorld())
        try desk.reopen()
        #expect(
            try desk.fixture.sql("SELECT ID, _odata_sources FROM Orders ORDER BY ID")
                == ["1|3", "2|3", "3|0", "4|0"])
        // What was lost before is read again.
        #expect(
            try desk.fixture.sql("SELECT tier FROM _odata_delta WHERE query = 'set:Orders'")
                == ["incomplete"])
        #expect(try desk.delete("some"))
        #expect(try desk.present() == [1, 2, 3, 4])
        try desk.download()
        #expect(try desk.present() == [1, 2, 3, 4])
    }

    @Test func aKillLeavesTheRestToTheNextOpening() throws {
        let world = SnapshotWorld()
        let desk = try Self.old(9_000, world)
        world.watch(desk.fixture.path)
        try desk.reopen()
        world.watch(nil)
        let waiting = "SELECT count(*) FROM Orders WHERE _odata_sources = 2"
        var counts: [Int] = []
        for copy in world.copies {
            let queue = try DatabaseQueue(path: copy)
            counts.append(try queue.read { try Int.fetchOne($0, sql: waiting) ?? 0 })
            try queue.close()
            try LocalStore(path: copy, world: LiveWorld()).close()
            let after = try DatabaseQueue(path: copy)
            #expect(try after.read { try Int.fetchOne($0, sql: waiting) } == 0, "\(copy)")
            #expect(
                try after.read {
                    try Int.fetchOne(
                        $0, sql: "SELECT count(*) FROM Orders WHERE _odata_sources = 3")
                } == 4_500)
            try after.close()
        }
        // Each transaction rewrites 2,000 rows at most, and only those that need it.
        #expect(Set(counts) == [4_500, 2_500, 500])
    }

    /// What came through expansions was noted for nobody.
    @Test func rowsOfExpansionsAreGivenToWhoeverLeadsThere() throws {
        let desk = try OwnedStore()
        for id in 1...3 { desk.orders[id] = OwnedStore.Order(customer: 1, group: 1, title: "t") }
        try desk.add("tree", .tree(upTo: 1, group: nil))
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.store.write(.full) {
            try $0.execute(
                sql: """
                    UPDATE Orders SET _odata_sources = 0 WHERE ID < 3;
                    UPDATE Orders SET _odata_sources = 2 WHERE ID = 3;
                    """)
            try OlderFormat.lower($0, to: 7)
        }
        try desk.reopen()
        // A query goes before a whole read has told what the other brought: nothing is lost.
        #expect(try desk.delete("some"))
        #expect(try desk.present() == [1, 2, 3])
        desk.orders[2] = nil
        try desk.plan()
        for source in try desk.wanted() { try desk.read(source) }
        try desk.end()
        #expect(try desk.present() == [1, 3])
        #expect(try desk.delete("tree"))
        #expect(try desk.present() == [])
    }

    /// Brought back to format 7, in which a setting kept the rows of a query that another had taken the place of.
    private static func lower(
        _ desk: OwnedStore, replaced table: String, _ url: String, bit: Int, _ sql: String = ""
    ) throws {
        try desk.store.write(.full) {
            try $0.execute(
                sql: sql + """
                    INSERT INTO _odata_meta VALUES ('replacedQueries',
                        '[{"name":"some","table":"\(table)","url":"\(url)","bit":\(bit)}]');
                    """)
            try OlderFormat.lower($0, to: 7)
        }
        try desk.reopen()
    }

    /// A query that comes meanwhile does not get the place of the one whose rows are there.
    @Test func whatAReplacedQueryBroughtIsNobodyElses() throws {
        let desk = try OwnedStore()
        for id in 1...3 { desk.orders[id] = OwnedStore.Order(customer: 1, group: 1, title: "t") }
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.replace("some", with: .tree(upTo: 1, group: 2))
        try Self.lower(desk, replaced: "Orders", "Orders", bit: 1)
        #expect(
            try desk.fixture.sql(
                "SELECT place, query, kind, awaits FROM _odata_source WHERE \"table\" = 'Orders'"
                    + " AND kind GLOB 'leaving*'") == ["1|query:some|leaving|query:some"])
        try desk.add("other", .orders(group: 9))
        #expect(try desk.delete("other"))
        #expect(try desk.present() == [1, 2, 3])
        try desk.download()
        #expect(try desk.present() == [])
    }

    /// In one set the new query has the place of the old one; there is nothing that leaves.
    @Test func aQueryThatReplacedOneOfItsSetHasItsPlace() throws {
        let desk = try OwnedStore()
        for id in 1...3 {
            desk.orders[id] = OwnedStore.Order(customer: 1, group: id, title: "t")
        }
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.replace("some", with: .orders(group: 2))
        let place = try #require(try desk.store.downloadQueries().first).bit
        try Self.lower(
            desk, replaced: "Orders", "Orders", bit: place,
            "UPDATE Orders SET _odata_sources = 1 << \(place);")
        #expect(try desk.fixture.sql("SELECT kind FROM _odata_source") == [])
        #expect(try desk.present() == [1])
    }

    /// Nobody was noted for what the expansions of the old query brought.
    @Test func whatAReplacedExpansionBroughtGoesWithTheFirstReadOfTheNew() throws {
        let desk = try OwnedStore()
        for id in 1...3 { desk.orders[id] = OwnedStore.Order(customer: 1, group: 1, title: "t") }
        let old = OwnedStore.Asks.tree(upTo: 1, group: nil)
        try desk.add("some", old)
        try desk.download()
        try desk.replace("some", with: .orders(group: 2))
        try Self.lower(
            desk, replaced: "Customers", old.url, bit: 1, "UPDATE Orders SET _odata_sources = 0;")
        #expect(try desk.present() == [1, 2, 3])
        desk.orders[3]?.group = 2
        try desk.download()
        #expect(try desk.present() == [3])
        #expect(try desk.fixture.sql("SELECT count(*) FROM Customers") == ["0"])
    }

    /// A query had taken the place of one of another set, whose rows were kept by a setting.
    @Test func whatAReplacedQueryBroughtGoesWithTheFirstReadOfTheNew() throws {
        let desk = try OwnedStore()
        for id in 1...3 { desk.orders[id] = OwnedStore.Order(customer: 1, group: 1, title: "t") }
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.replace("some", with: .tree(upTo: 1, group: 2))
        try Self.lower(desk, replaced: "Orders", "Orders", bit: 1)
        #expect(try desk.present() == [1, 2, 3])
        desk.orders[3]?.group = 2
        try desk.download()
        #expect(try desk.present() == [3])
        #expect(
            try desk.fixture.sql("SELECT * FROM _odata_meta WHERE name = 'replacedQueries'") == [])
    }
}
