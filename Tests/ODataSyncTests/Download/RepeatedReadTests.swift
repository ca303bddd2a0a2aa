import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// First loads that stop in the middle and have to start anew.
@Suite struct RepeatedReadTests {
    private static let orders = "SELECT ID FROM Orders ORDER BY ID"

    /// Two orders on each page; what stands behind the first page changes between the downloads.
    private final class Shelf: Sendable {
        struct State: Sendable {
            var ids = [1, 2, 3]
            var second = StubDesk.Said.status(503)
        }

        let state = Mutex(State())

        func set(_ ids: [Int], second: StubDesk.Said) {
            state.withLock { ($0.ids, $0.second) = (ids, second) }
        }

        func answer(_ asked: StubDesk.Asked) -> StubDesk.Said {
            let now = state.withLock { $0 }
            let isShort = now.ids.count < 3
            switch asked.resource {
            case "Orders":
                return .page(
                    now.ids.prefix(2).map { "{\"ID\":\($0)}" }.joined(separator: ","),
                    isShort
                        ? #","@odata.deltaLink":"Orders?d=1""#
                        : #","@odata.nextLink":"Orders?skip=2""#)
            case "Orders?skip=2": return now.second
            case "Orders?d=1": return .page("", #","@odata.deltaLink":"Orders?d=1""#)
            case "Customers": return .page("")
            default: return .json(#"{"ID":1,"Title":"head"}"#)
            }
        }
    }

    private static func run(
        _ body: @escaping @Sendable (StubDesk, Shelf) throws -> Void
    ) async throws {
        let shelf = Shelf()
        // Not about the moment, so that the link is what is to blame.
        shelf.set([1, 2, 3], second: .status(403))
        try await StubDesk.run(StubDesk.relatedSchema) {
            shelf.answer($0)
        } _: { (desk: StubDesk) throws in
            #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(try desk.rows(orders) == ["1", "2"])
            try body(desk, shelf)
        }
    }

    /// Row 1 is deleted before the read can go on; a link that an earlier run has left may fail for good.
    @Test(arguments: [410, 404, 501]) func rowsThatWentMeanwhileGoWhenItStartsAnew(
        status: Int
    ) async throws {
        try await Self.run { desk, shelf in
            shelf.set([2, 3], second: .status(status))
            try desk.sync.download()
            #expect(try desk.rows(Self.orders) == ["2", "3"])
            try desk.sync.download()
            #expect(try desk.rows(Self.orders) == ["2", "3"])
            #expect(try desk.rows("SELECT query FROM _odata_resume") == [])
            // What the load did without is made by the read that ends it.
            let indexes =
                "SELECT 1 FROM sqlite_master WHERE tbl_name = 'Orders' AND name LIKE '_odata_index%'"
            #expect(try desk.rows(indexes) != [])
        }
    }

    /// The page answers 500 for good, the set does not.
    @Test func aPageThatFailsAgainStartsTheReadAnew() async throws {
        try await Self.run { desk, shelf in
            shelf.set([2, 3], second: .status(500))
            let before = desk.asked.count
            try desk.sync.download()
            let asked = desk.asked.dropFirst(before).map(\.resource)
            #expect(asked.filter { $0.hasPrefix("Orders") }.last == "Orders")
            #expect(asked.contains("Orders?skip=2"))
            #expect(try desk.rows(Self.orders) == ["2", "3"])
            let told = try desk.rows("SELECT details FROM _odata_event WHERE type = 'profile'")
            #expect(
                told.filter { $0.contains("where the read of set:Orders was to go on") }.count == 1)
        }
    }

    /// The whole set comes to that page again: only the first download after it begins anew.
    @Test func aPageThatIsBrokenForGoodCostsOneRead() async throws {
        try await Self.run { desk, shelf in
            shelf.set([2, 3, 4], second: .status(500))
            var isReadAnew: [Bool] = []
            for _ in 0..<3 {
                let before = desk.asked.count
                #expect(throws: DataServiceError.self) { try desk.sync.download() }
                isReadAnew.append(
                    desk.asked.dropFirst(before).contains { $0.resource == "Orders" })
            }
            #expect(isReadAnew == [true, false, false])
            shelf.set([2, 3, 4], second: .page(#"{"ID":4}"#))
            try desk.sync.download()
            #expect(try desk.rows(Self.orders) == ["2", "3", "4"])
            #expect(try desk.rows("SELECT 1 FROM _odata_meta WHERE name LIKE 'broken:%'") == [])
        }
    }

    @Test func aGatewayThatFailsLosesNoLink() async throws {
        try await Self.run { (desk: StubDesk, shelf: Shelf) throws in
            shelf.set([1, 2, 3], second: .gateway(500))
            #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(
                try desk.rows("SELECT next_link LIKE '%skip=2' FROM _odata_resume") == ["1"])
            #expect(try desk.rows(Self.orders) == ["1", "2"])
        }
    }

    @Test func whatIsOfTheMomentWaitsForTheLink() async throws {
        try await Self.run { desk, shelf in
            shelf.set([1, 2, 3], second: .page(#"{"ID":3}"#))
            let before = desk.asked.count
            try desk.sync.download()
            let asked = desk.asked.dropFirst(before).map(\.resource)
            #expect(asked.filter { $0.hasPrefix("Orders") } == ["Orders?skip=2"])
            #expect(try desk.rows(Self.orders) == ["1", "2", "3"])
        }
    }

    @Test func aFullReadStartsFromTheBeginning() async throws {
        try await Self.run { desk, shelf in
            shelf.set([2, 3], second: .status(500))
            try desk.sync.downloadReporting(groups: [], SyncOptions(), readsAll: true)
            #expect(try desk.rows(Self.orders) == ["2", "3"])
        }
    }

    @Test func anotherUserFindsNoRowsThatTheFirstHadBegunToLoad() async throws {
        try await Self.run { desk, shelf in
            shelf.set([2, 3], second: .status(403))
            desk.sync.onlineProvider.httpHeaders.setHeader(withName: "X-Tenant", value: "2")
            try desk.sync.download()
            #expect(try desk.rows(Self.orders) == ["2", "3"])
        }
    }

    /// It fails, starts anew, and fails again before anything was swept.
    @Test func thatItHasRowsIsKnownUntilItIsWhole() async throws {
        try await Self.run { desk, shelf in
            shelf.set([1, 2, 3], second: .status(410))
            #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(try desk.rows(Self.orders) == ["1", "2"])
            shelf.set([2, 3], second: .status(410))
            try desk.sync.download()
            #expect(try desk.rows(Self.orders) == ["2", "3"])
        }
    }
}
