import ErrorFixture
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld
import Synchronization
import Testing

/// Differences of live queries: put into the old result they give the new one.
@Suite struct LiveQueryTests {
    private final class Desk {
        let fixture: StoreFixture
        let live: LiveQuery
        let wakes = WakeCount()
        private let query: Query
        /// The result as a reader keeps it by differences.
        var mirror: [String] = []

        init(_ url: String) throws {
            // Other processes are looked for only when a test asks.
            var configuration = LocalStore.Configuration()
            configuration.lookInterval = nil
            fixture = try StoreFixture(configuration, world: LiveWorld())
            try fixture.adopt()
            var query = try URLParser.parse(
                url.replacing(" ", with: "%20"), graph: try fixture.graph(), dialect: .v401)
            try QueryChecker.check(&query, graph: try fixture.graph())
            self.query = query
            let (checked, wakes) = (query, wakes)
            live = try LiveQuery(
                store: fixture.store, check: { checked },
                wake: { wakes.count.withLock { $0 += 1 } })
        }

        /// What a read gives now, in the order of the live query.
        func fresh() throws -> [String] {
            try fixture.store.execute(query).values.map(Self.text)
        }

        private static func text(_ value: StructureValue) -> String {
            value.slots.map { slot in
                switch slot {
                case .scalar(let scalar)?: Lexical.text(scalar)
                case .structure(let inner)?: "(\(text(inner)))"
                case .list(let members)?: "[\(members.compactMap(\.structure).map(text))]"
                case nil: "-"
                }
            }.joined(separator: "|")
        }

        private static func text(_ row: LiveRow) -> String {
            text(row.chunk.structureValue(row: row.row))
        }

        @discardableResult
        func step() throws -> LiveDifference? {
            switch try live.next() {
            case nil: return nil
            case .first(let rows)?:
                mirror = rows.map(Self.text)
                return nil
            case .difference(let difference)?:
                let leaving = difference.deleted.map(\.position) + difference.moved.map(\.from)
                for position in leaving.sorted(by: >) { mirror.remove(at: position) }
                let entering =
                    difference.inserted.map { ($0.position, $0.row) }
                    + difference.moved.map { ($0.to, $0.row) }
                for (position, row) in entering.sorted(by: { $0.0 < $1.0 }) {
                    mirror.insert(Self.text(row), at: position)
                }
                for (position, row) in difference.updated { mirror[position] = Self.text(row) }
                return difference
            }
        }
    }

    final class WakeCount: Sendable {
        let count = Mutex(0)
    }

    @Test(arguments: [
        "Orders?$filter=ID mod 3 ne 0&$orderby=Title desc", "Orders?$orderby=Amount,Title",
        "Orders?$filter=contains(Title,'a')&$select=Title&$orderby=ID",
        "Orders?$orderby=Title&$top=4&$skip=1", "Orders?$expand=Customer&$orderby=Customer/Name,ID",
        "Customers?$expand=Orders($orderby=Title)&$orderby=Name,ID",
        "Customers?$filter=Orders/any(o:o/Title eq 'aa')&$orderby=ID",
    ])
    func differencesLeadToTheNewResult(url: String) throws {
        let desk = try Desk(url)
        let fixture = desk.fixture
        for id in 1...4 { try fixture.downloadCustomer(Int64(id), "c\(id % 3)") }
        for id in 1...8 {
            try fixture.downloadOrder(
                Int64(id), id.isMultiple(of: 2) ? "aa" : "b\(id)", customer: 1)
        }
        try desk.step()
        #expect(try desk.mirror == desk.fresh())
        var random = SeededGenerator(seed: 11)
        var next: Int64 = 100
        for round in 0..<60 {
            for _ in 0..<(random.below(3) + 1) {
                let titles = ["aa", "ab", "b", "zz", "m\(round)"]
                switch random.below(5) {
                case 0:
                    next += 1
                    _ = try fixture.create(
                        "Orders",
                        [
                            "ID": .number(next), "Title": .text(random.pick(titles)),
                            "CustomerID": .number(Int64(random.below(4) + 1)),
                        ])
                // What was deleted here stays out of view, and the fixture says so.
                case 1:
                    _ = try? fixture.downloadOrder(
                        Int64(random.below(8) + 1), random.pick(titles),
                        customer: Int64(random.below(4) + 1))
                case 2:
                    _ = try? fixture.downloadCustomer(
                        Int64(random.below(4) + 1), random.pick(["c", "d", "e"]))
                default:
                    let id = Int64(random.below(8) + 1)
                    guard let row = try fixture.store.row(in: "Orders", key: [.integer(id)]) else {
                        continue
                    }
                    if random.chance(20) {
                        try fixture.store.perform(.delete(row))
                    } else {
                        try fixture.update(row, ["Title": .text(random.pick(titles))])
                    }
                }
            }
            try desk.step()
            #expect(try desk.mirror == desk.fresh(), "\(url) round \(round)")
        }
        let rest = try desk.step()
        #expect(rest?.isEmpty ?? true)
        desk.live.cancel()
    }

    @Test func onlyCommitsThatTouchTheQuerysTablesWakeIt() throws {
        let desk = try Desk("Orders?$orderby=Title")
        try desk.step()
        let start = desk.wakes.count.withLock { $0 }
        try desk.fixture.downloadCustomer(1, "somebody")
        #expect(desk.wakes.count.withLock { $0 } == start)
        try desk.fixture.downloadOrder(1, "a", customer: nil)
        #expect(desk.wakes.count.withLock { $0 } > start)
        let woken = desk.wakes.count.withLock { $0 }
        // What is undone wakes nobody.
        #expect(
            failure {
                try desk.fixture.store.write(.normal) { database in
                    try database.execute(sql: "UPDATE Orders SET Title = 'x'")
                    throw ODataError(.storage, "undone")
                }
            } == Failure(.storage, "undone"))
        #expect(desk.wakes.count.withLock { $0 } == woken)
        let difference = try #require(try desk.step())
        #expect(difference.inserted.count == 1 && difference.updated.isEmpty)
        desk.live.cancel()
        try desk.fixture.downloadOrder(2, "b", customer: nil)
        #expect(desk.wakes.count.withLock { $0 } == woken)
    }

    @Test(arguments: [
        // The other table's name stands in a value, and names a computed one.
        "Orders?$filter=Title ne '\"Customers\"'&$orderby=Title",
        "Orders?$compute=ID add 1 as Customers&$filter=Customers gt 0&$orderby=Title",
    ])
    func aTableThatIsOnlyMentionedWakesNobody(url: String) throws {
        let desk = try Desk(url.replacing("\"", with: "%22"))
        try desk.step()
        let start = desk.wakes.count.withLock { $0 }
        try desk.fixture.downloadCustomer(1, "somebody")
        #expect(desk.wakes.count.withLock { $0 } == start)
        try desk.fixture.downloadOrder(1, "a", customer: nil)
        #expect(desk.wakes.count.withLock { $0 } > start)
        #expect(try desk.step()?.inserted.count == 1)
        #expect(try desk.mirror == desk.fresh())
    }

    @Test func aTableThatIsReadInANestedSubqueryWakes() throws {
        let desk = try Desk(
            "Customers?$filter=Orders/any(o:o/Customer/Orders/any(p:p/Title eq 'aa'))&$orderby=ID")
        try desk.fixture.downloadCustomer(1, "Ada")
        try desk.step()
        #expect(desk.mirror.isEmpty)
        let start = desk.wakes.count.withLock { $0 }
        try desk.fixture.downloadOrder(1, "aa", customer: 1)
        #expect(desk.wakes.count.withLock { $0 } > start)
        #expect(try desk.step()?.inserted.count == 1)
        #expect(try desk.mirror == desk.fresh())
    }

    @Test func manyChangesAreOneDifference() throws {
        let desk = try Desk("Orders?$filter=Title ne 'gone'&$orderby=Title")
        try desk.step()
        let rows = (1...3_000).map { "{\"ID\":\($0),\"Title\":\"t\($0)\",\"CustomerID\":null}" }
        try desk.fixture.download("Orders", rows.joined(separator: ","))
        let first = try #require(try desk.step())
        #expect(first.inserted.count == 3_000)
        try desk.fixture.update(try desk.fixture.row("Orders", 5), ["Title": .text("gone")])
        try desk.fixture.update(try desk.fixture.row("Orders", 6), ["Title": .text("a")])
        let second = try #require(try desk.step())
        #expect(second.deleted.count == 1 && second.moved.count == 1)
        #expect(second.inserted.isEmpty && second.updated.count == 1)
        #expect(try desk.mirror == desk.fresh())
    }

    @Test func changesOfAnotherProcessAreFoundWhenAskedFor() throws {
        let desk = try Desk("Customers?$orderby=Name")
        try desk.fixture.downloadCustomer(1, "Ada")
        try desk.step()
        #expect(try !desk.fixture.store.noticeOtherProcesses())
        // A second store over the same file, as another process has it.
        let other = try LocalStore(
            path: desk.fixture.path, world: desk.fixture.store.world)
        let row = try #require(try other.row(in: "Customers", key: [.integer(1)]))
        try other.perform(
            .update(
                row, changes: try desk.fixture.value("Customer", ["Name": .text("Zoe")]), binds: [],
                mode: .merge))
        #expect(try desk.step() == nil)
        #expect(try desk.fixture.store.noticeOtherProcesses())
        #expect(try desk.step() != nil)
        #expect(try desk.mirror == desk.fresh())
        #expect(desk.mirror.first?.contains("Zoe") == true)
        #expect(try !desk.fixture.store.noticeOtherProcesses())
        // What this store itself writes is no other's.
        try desk.fixture.downloadCustomer(2, "Bob")
        #expect(try !desk.fixture.store.noticeOtherProcesses())
        try other.close()
    }

}
