import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// The keys of a service beside the rows of a store.
@Suite struct KeyComparisonTests {
    private static func page(_ ids: some Sequence<Int>) -> String {
        ids.map { "{\"ID\":\($0),\"Title\":\"t\"}" }.joined(separator: ",")
    }

    /// What stands in front of damage is read; sources behind it count as never compared.
    @Test(arguments: [#"{"set:A":5,"set:B":x,"set:C":7}"#, #"{"set:A":5,"set:B":"#, #"{"set:A":5"#])
    func timesInFrontOfDamageStay(text: String) throws {
        let fixture = try StoreFixture()
        try fixture.store.noteVerified(["set:A"], at: 1)
        try fixture.store.write(.normal) {
            try $0.execute(
                sql: "UPDATE _odata_meta SET value = ? WHERE name = 'verified'", arguments: [text])
        }
        #expect(try fixture.store.verifiedTimes() == ["set:A": 5])
        try fixture.store.noteVerified(["set:B"], at: 9)
        #expect(try fixture.store.verifiedTimes() == ["set:A": 5, "set:B": 9])
    }

    /// A time that is no number costs its own source alone.
    @Test func aTimeThatIsNoneIsLeftOut() throws {
        let fixture = try StoreFixture()
        try fixture.store.noteVerified(["set:A"], at: 1)
        try fixture.store.write(.normal) {
            try $0.execute(
                sql: "UPDATE _odata_meta SET value = ? WHERE name = 'verified'",
                arguments: [#"{"set:A":1.5,"set:B":"x","set:C":7,"set:D":[1]}"#])
        }
        #expect(try fixture.store.verifiedTimes() == ["set:C": 7])
    }

    @Test func aSlowServiceKeepsNoReaderAtTheStore() throws {
        let fixture = try StoreFixture()
        let store = fixture.store
        try fixture.download("Orders", Self.page(1...3))
        let mapping = try store.mapping()
        let plan = IngestPlan(
            table: try mapping.existingTable(path: "Orders"), graph: mapping.graph)
        let comparison = KeyComparison(store, plan)
        var changes: Int64 = 0
        let page = SlowPage(Array("{\"value\":[\(Self.page(3...20_000))]}".utf8)) {
            // Others write, and the log goes back into the file: a reader would hold it.
            changes += 1
            try fixture.downloadCustomer(changes, "c")
            try store.checkpoint()
        }
        let control = try comparison.take(page)
        #expect(control.rows == 19_998)
        #expect(page.failures == [])
        #expect(page.blockedReads == 0)
        #expect(page.waits > 5 && Int(changes) == page.waits)
        #expect(comparison.there == 19_998 && comparison.missing == 19_997)
        #expect(try comparison.surplus() == 2)
    }
}
