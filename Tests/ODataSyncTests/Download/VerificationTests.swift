import ODataClasses
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Deltas can lie; the comparison with the service finds it out, and a full read mends it.
@Suite struct VerificationTests {
    /// A service whose orders can be exchanged behind the back of its delta links, which never tell.
    private final class Liar: Sendable {
        struct State: Sendable {
            var ids = [1, 2, 3, 4]
            var counts = true
            var selects = true
            /// The version of a row other than 1: part of its title and of its entity tag.
            var versions: [Int: Int] = [:]
            var hasTags = true

            func row(_ id: Int, _ members: String = "") -> String {
                let tag = hasTags ? #","@odata.etag":"W/\"\#(versions[id] ?? 1)\"""# : ""
                return "{\"ID\":\(id)\(members)\(tag)}"
            }

            func whole(_ id: Int) -> String {
                row(id, ",\"Title\":\"t\(id)\(versions[id].map { "v\($0)" } ?? "")\"")
            }
        }

        let state = Mutex(State())

        func answer(_ asked: StubDesk.Asked) -> StubDesk.Said {
            let now = state.withLock { $0 }
            switch asked.resource {
            case "Orders/$count":
                return now.counts
                    ? StubDesk.Said(type: "text/plain", body: "\(now.ids.count)") : .status(501)
            case "Orders?$select=ID":
                guard now.selects else { return .status(400) }
                let half = now.ids.prefix(2).map { now.row($0) }.joined(separator: ",")
                return .page(half, #","@odata.nextLink":"Orders?$select=ID&$skiptoken=1""#)
            case "Orders?$select=ID&$skiptoken=1":
                return .page(now.ids.dropFirst(2).map { now.row($0) }.joined(separator: ","))
            case "Orders":
                return .page(
                    now.ids.map { now.whole($0) }.joined(separator: ","),
                    #","@odata.deltaLink":"Orders?$deltatoken=1""#)
            case "Orders?$deltatoken=1":
                return .page("", #","@odata.deltaLink":"Orders?$deltatoken=1""#)
            case "Customers": return .page(#"{"ID":1,"Name":"a"}"#)
            case "Customers?$select=ID": return .page(#"{"ID":1}"#)
            case "Customers/$count": return StubDesk.Said(type: "text/plain", body: "1")
            case "Head": return .json(#"{"ID":1,"Title":"head"}"#)
            default: return .status(404)
            }
        }
    }

    private static func run(
        _ body: @escaping @Sendable (StubDesk, Liar) throws -> Void
    ) async throws {
        let liar = Liar()
        try await StubDesk.run(StubDesk.schema) {
            liar.answer($0)
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            try body(desk, liar)
        }
    }

    private static let ids = "SELECT ID FROM Orders WHERE _odata_state & 4 = 0 ORDER BY ID"
    private static let events = "SELECT details FROM _odata_event WHERE type = 'verification'"

    /// Forgotten deletions, a restored backup, a renumbered table of the same size.
    @Test(arguments: [[1], [1, 2, 3, 4, 5, 6], [5, 6, 7, 8], []])
    func whatTheDeltasKeptBackIsFoundAndReadAgain(ids: [Int]) async throws {
        try await Self.run { desk, liar in
            liar.state.withLock { $0.ids = ids }
            try desk.sync.download()
            #expect(try desk.rows(Self.ids) == ["1", "2", "3", "4"])
            let found = try desk.sync.verify()
            let orders = try #require(found.first { $0.name == "Orders" })
            #expect(orders.isDifferent && orders.localCount == 4)
            #expect(orders.serviceCount == ids.count)
            #expect(orders.missing == ids.filter { $0 > 4 }.count)
            #expect(orders.surplus == (1...4).filter { !ids.contains($0) }.count)
            #expect(try desk.rows(Self.ids) == ids.map { "\($0)" })
            let events = try desk.rows(Self.events)
            #expect(events.count == 1)
            #expect(
                events.first?.hasPrefix("Orders: 4 rows here, \(ids.count) at the service") == true)
            #expect(events.first?.hasSuffix("read again: \(ids.count) rows") == true)
            let again = try desk.sync.verify()
            #expect(again.allSatisfy { !$0.isDifferent })
            #expect(try desk.rows(Self.events).count == 1)
        }
    }

    /// A backup was restored: the keys are the same, and values are not.
    @Test(arguments: [true, false]) func valuesThatDifferAreFoundByTheirTags(
        selects: Bool
    ) async throws {
        try await Self.run { desk, liar in
            liar.state.withLock { ($0.versions, $0.selects) = ([2: 7, 3: 8], selects) }
            try desk.sync.download()
            #expect(try desk.rows("SELECT Title FROM Orders WHERE ID = 2") == ["t2"])
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let query = DataQuery().from(set).filter(
                set.entityType.property(withName: "ID").equal(3))
            let row = try desk.sync.executeQuery(query, headers: .empty, options: .none)
                .requiredEntity()
            set.entityType.property(withName: "Title").setStringValue(in: row, to: "mine")
            try desk.sync.updateEntity(row, headers: .empty, options: .none)
            let orders = try #require(try desk.sync.verify().first { $0.name == "Orders" })
            #expect(orders.isDifferent && orders.missing == 0 && orders.surplus == 0)
            // What was changed here is a conflict to be, and no difference.
            #expect(orders.changed == 1)
            #expect(
                try desk.rows("SELECT Title FROM Orders ORDER BY ID")
                    == ["t1", "t2v7", "mine", "t4"])
            #expect(
                try desk.rows(Self.events) == [
                    "Orders: 4 rows here, 4 at the service, 1 changed; read again: 4 rows"
                ])
            #expect(try desk.sync.verify().allSatisfy { !$0.isDifferent })
        }
    }

    @Test func aQueryThatTheMetadataHasNoPlaceForIsNotComparedAndStopsNoOther() async throws {
        try await Self.run { desk, _ in
            try desk.changeStore(
                """
                INSERT INTO _odata_download_query (name, "table", url, source_bit, created_at)
                VALUES ('old', 'Customers', 'Customers?$filter=Gone eq 1', 1, 5);
                INSERT INTO _odata_delta (query, identity, tier, completed_at)
                VALUES ('query:old', '', 'fullRead', 5)
                """)
            let found = try desk.sync.verify()
            #expect(found.first { $0.name == "old" }?.obstacle != nil)
            #expect(found.first { $0.name == "Orders" }?.serviceCount == 4)
            #expect(found.first { $0.name == "Orders" }?.obstacle == nil)
        }
    }

    /// Nothing is concluded from a tag that is missing, on either side.
    @Test func withoutTagsOnlyKeysAreCompared() async throws {
        try await Self.run { desk, liar in
            liar.state.withLock { ($0.versions, $0.hasTags) = ([2: 7], false) }
            let found = try desk.sync.verify()
            #expect(found.allSatisfy { !$0.isDifferent && $0.changed ?? 0 == 0 })
            #expect(try desk.rows("SELECT Title FROM Orders WHERE ID = 2") == ["t2"])
        }
    }

    @Test func aServiceThatDoesNotSelectIsReadAsItIs() async throws {
        try await Self.run { desk, liar in
            liar.state.withLock { ($0.ids, $0.selects) = ([1, 2], false) }
            let found = try desk.sync.verify()
            #expect(found.first { $0.name == "Orders" }?.surplus == 2)
            #expect(try desk.rows(Self.ids) == ["1", "2"])
        }
    }

    @Test func unsentChangesAreNoDifference() async throws {
        try await Self.run { desk, _ in
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let query = DataQuery().from(set).orderBy(set.entityType.property(withName: "ID"))
            let rows = try desk.sync.executeQuery(query, headers: .empty, options: .none)
                .entityList()
            try desk.sync.deleteEntity(rows.item(at: 0), headers: .empty, options: .none)
            let title = set.entityType.property(withName: "Title")
            title.setStringValue(in: rows.item(at: 1), to: "changed")
            try desk.sync.updateEntity(rows.item(at: 1), headers: .empty, options: .none)
            let made = EntityValue.ofType(set.entityType)
            set.entityType.property(withName: "ID").setIntValue(in: made, to: 99)
            try desk.sync.createEntity(made.inSet(set), headers: .empty, options: .none)
            let found = try desk.sync.verify()
            #expect(found.allSatisfy { !$0.isDifferent })
            #expect(found.first { $0.name == "Orders" }?.localCount == 4)
            #expect(try desk.rows(Self.ids) == ["2", "3", "4", "99"])
        }
    }

    @Test func deltasAreComparedByNumberWhenTheIntervalHasPassed() async throws {
        try await Self.run { desk, liar in
            desk.sync.verificationInterval = DayTimeDuration.of(days: 1)
            try desk.sync.download()
            liar.state.withLock { $0.ids = [1] }
            try desk.sync.download()
            #expect(!desk.asked.contains { $0.resource.hasSuffix("$count") })
            #expect(try desk.rows(Self.ids).count == 4)
            // As if the last comparison were two days ago.
            let store = try desk.sync.offlineStore.store()
            let before = try #require(try store.verifiedTimes()["set:Orders"]) - 172_800_000
            try store.noteVerified(["set:Orders"], at: before)
            try desk.sync.download()
            #expect(desk.asked.filter { $0.resource.hasSuffix("$count") }.count == 1)
            #expect(!desk.asked.contains { $0.resource.contains("select") })
            #expect(try desk.rows(Self.ids) == ["1"])
            #expect(try desk.rows(Self.events).count == 1)
            try desk.sync.download()
            #expect(desk.asked.filter { $0.resource.hasSuffix("$count") }.count == 1)
        }
    }

    @Test func keysAreComparedWhereTheServiceDoesNotCount() async throws {
        try await Self.run { desk, liar in
            liar.state.withLock { ($0.ids, $0.counts) = ([1, 9], false) }
            let store = try desk.sync.offlineStore.store()
            try store.noteVerified(["set:Orders"], at: 1)
            try desk.sync.download()
            #expect(desk.asked.contains { $0.resource == "Orders?$select=ID" })
            #expect(try desk.rows(Self.ids) == ["1", "9"])
        }
    }

    @Test func aZeroIntervalAsksNothing() async throws {
        try await Self.run { desk, liar in
            desk.sync.verificationInterval = DayTimeDuration.of(days: 0)
            liar.state.withLock { $0.ids = [1] }
            try desk.sync.offlineStore.store().noteVerified(["set:Orders"], at: 1)
            try desk.sync.download()
            #expect(!desk.asked.contains { $0.resource.hasSuffix("$count") })
        }
    }
}
