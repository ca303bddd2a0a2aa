import ODataClasses
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A row made here that the service accepted belongs to what the service has: a complete read without it takes it away.
@Suite struct MadeRowTests {
    private final class Orders: Sendable {
        let rows = Mutex([#"{"ID":1,"Title":"x"}"#])
        /// Runs between the two pages of the set, once; there is one page otherwise.
        let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)
    }

    private static func run(
        _ body: @escaping @Sendable (StubDesk, Orders) throws -> Void
    ) async throws {
        let orders = Orders()
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "Orders"):
                let row = #"{"ID":50,"Title":"made"}"#
                orders.rows.withLock { $0.append(row) }
                return StubDesk.Said(status: 201, body: row)
            case ("GET", "Orders") where orders.meanwhile.withLock({ $0 != nil }):
                return .page(
                    orders.rows.withLock { $0.joined(separator: ",") },
                    #","@odata.nextLink":"Orders?page=2""#)
            case ("GET", "Orders?page=2"):
                orders.meanwhile.withLock { $0.take() }?()
                return .page("", #","@odata.deltaLink":"Orders?since=made""#)
            case ("GET", "Orders?since=made"): return .page("")
            case ("GET", "Orders"), ("GET", "Orders?$select=ID"):
                return .page(orders.rows.withLock { $0.joined(separator: ",") })
            case ("GET", let url) where url.hasPrefix("Orders?$filter"): return .page("")
            case ("GET", "Customers"): return .page("")
            case ("GET", "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try body(desk, orders)
        }
    }

    private static func make(_ desk: StubDesk) throws {
        try queue(desk)
        try desk.sync.upload()
        #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
    }

    private static func queue(_ desk: StubDesk) throws {
        let set = desk.sync.metadata.entitySet(withName: "Orders")
        let made = EntityValue.ofType(set.entityType)
        set.entityType.property(withName: "ID").setIntValue(in: made, to: 50)
        set.entityType.property(withName: "Title").setStringValue(in: made, to: "made")
        try desk.sync.createEntity(made.inSet(set), headers: .empty, options: .none)
    }

    private static let ids = "SELECT ID FROM Orders ORDER BY ID"

    /// What brings the rows of the set.
    enum Reads: Sendable, CaseIterable {
        case theSet, theSetAndAPart, aQueryForAll

        fileprivate func choose(_ desk: StubDesk) throws {
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let all = DataQuery().from(set)
            switch self {
            case .theSet: return
            case .theSetAndAPart:
                try desk.sync.createDownloadQuery(
                    name: "high",
                    query: all.filter(
                        set.entityType.property(withName: "ID").greaterThan(100)), streams: false)
            case .aQueryForAll:
                desk.sync.noDefaultEntityDownload(set)
                try desk.sync.createDownloadQuery(name: "all", query: all, streams: false)
            }
        }
    }

    /// What the service says of a row that is gone.
    enum Gone: String, Sendable, CaseIterable {
        case notThere = ""
        case deleted = #"{"@removed":{"reason":"deleted"},"@id":"Orders(50)"}"#
        case changed = #"{"@removed":{"reason":"changed"},"@id":"Orders(50)"}"#
        case withoutReason = #"{"@removed":{},"@id":"Orders(50)"}"#
    }

    /// Nobody has brought the row that was made, so that only the first whole read of its set can tell that it has gone.
    @Test(
        "a row made here goes with the first whole read that has it not", arguments: Reads.allCases)
    func itGoesWithTheFirstRead(reads: Reads) async throws {
        try await Self.run { desk, orders in
            try reads.choose(desk)
            try Self.make(desk)
            orders.rows.withLock { _ = $0.popLast() }
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1"])
        }
    }

    /// A query that takes the place of the default download inherits what was made here, be it before its own first read.
    @Test("CSP-114 a row made here that a query has inherited goes with its first read")
    func anInheritedRowGoesWithTheFirstRead() async throws {
        let isRefused = Mutex(true)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", _): return StubDesk.Said(status: 201, body: #"{"ID":50,"Title":"made"}"#)
            case ("GET", let url) where url.hasPrefix("Orders?$filter"):
                return isRefused.withLock { $0 } ? .status(500) : .page(#"{"ID":1,"Title":"x"}"#)
            case ("GET", "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
            case ("GET", "Orders"): return .page(#"{"ID":1,"Title":"x"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try Self.make(desk)
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            desk.sync.noDefaultEntityDownload(set)
            let low = DataQuery().from(set)
                .filter(set.entityType.property(withName: "ID").lessThan(100))
            try desk.sync.createDownloadQuery(name: "low", query: low, streams: false)
            try? desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["50"])
            isRefused.withLock { $0 = false }
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1"])
        }
    }

    /// An accepted creation with a change that waits is a row that the service has had: it goes when the change is taken back.
    @Test("a row made here goes though a change of it waits", arguments: Gone.allCases)
    func itGoesWithItsChange(gone: Gone) async throws {
        let reads = Mutex(0)
        try await StubDesk.run(StubDesk.schema) { asked in
            guard asked.resource.hasPrefix("Orders") else {
                return asked.resource == "Head"
                    ? .json(#"{"ID":1,"Title":"head"}"#) : .page("")
            }
            if asked.method == "POST" {
                return StubDesk.Said(status: 201, body: #"{"ID":50,"Title":"made"}"#)
            }
            let isFirst = reads.withLock {
                $0 += 1; return $0 == 1
            }
            let link = gone == .notThere ? "" : #","@odata.deltaLink":"Orders?since=1""#
            return .page(
                isFirst || gone == .notThere ? #"{"ID":1,"Title":"x"}"# : gone.rawValue, link)
        } _: { desk in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try Self.make(desk)
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let title = set.entityType.property(withName: "Title")
            let id = set.entityType.property(withName: "ID")
            let made = try desk.sync.executeQuery(
                DataQuery().from(set).filter(id.equal(50)), headers: .empty, options: .none
            ).requiredEntity()
            title.setStringValue(in: made, to: "changed")
            try desk.sync.updateEntity(made, headers: .empty, options: .none)
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1", "50"])
            // Nor may its key be another one.
            let other = made.copyEntity()
            id.setIntValue(in: other, to: 51)
            #expect(throws: (any Error).self) {
                try desk.sync.updateEntity(other, headers: .empty, options: .none)
            }
            try desk.sync.undoPendingChanges(for: EntityValueList.fromArray([made]))
            #expect(try desk.rows(Self.ids) == ["1"])
        }
    }

    /// With download queries on the set, rows are told apart by their sources, and a row made here has none.
    @Test(arguments: Reads.allCases) func itGoesWithACompleteReadThatHasItNoLonger(
        reads: Reads
    ) async throws {
        try await Self.run { desk, orders in
            try reads.choose(desk)
            try desk.sync.download()
            try Self.make(desk)
            #expect(try desk.rows(Self.ids) == ["1", "50"])
            orders.rows.withLock { _ = $0.removeLast() }
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1"])
        }
    }

    @Test(arguments: Reads.allCases) func theComparisonFindsItWhereTheServiceHasItNoLonger(
        reads: Reads
    ) async throws {
        try await Self.run { desk, orders in
            try reads.choose(desk)
            try desk.sync.download()
            try Self.make(desk)
            orders.rows.withLock { _ = $0.removeLast() }
            let found = try desk.sync.verify()
            #expect(found.contains { $0.surplus == 1 })
            #expect(try desk.rows(Self.ids) == ["1"])
        }
    }

    @Test func whatIsStillToBeSentStaysWithAQueryForAll() async throws {
        try await Self.run { desk, _ in
            try Reads.aQueryForAll.choose(desk)
            try desk.sync.download()
            try Self.queue(desk)
            try desk.sync.download()
            #expect(try desk.sync.verify().allSatisfy { !$0.isDifferent })
            #expect(try desk.rows(Self.ids) == ["1", "50"])
        }
    }

    /// The delta link that the read ends with is later than the row: only reading everything again tells whether it is there.
    @Test(arguments: [true, false]) func itStaysWhereItWasMadeWhileTheReadWentOn(
        isStillThere: Bool
    ) async throws {
        try await Self.run { desk, orders in
            try desk.sync.download()
            try Self.queue(desk)
            orders.meanwhile.withLock { meanwhile in
                meanwhile = {
                    do { try desk.sync.upload() } catch { Issue.record(error) }
                }
            }
            try desk.sync.download()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(try desk.rows(Self.ids) == ["1", "50"])
            if !isStillThere { orders.rows.withLock { _ = $0.removeLast() } }
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == (isStillThere ? ["1", "50"] : ["1"]))
            #expect(!desk.asked.contains { $0.resource == "Orders?since=made" })
        }
    }

    @Test func itStaysAsLongAsTheServiceHasIt() async throws {
        try await Self.run { desk, _ in
            try desk.sync.download()
            try Self.make(desk)
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1", "50"])
        }
    }
}
