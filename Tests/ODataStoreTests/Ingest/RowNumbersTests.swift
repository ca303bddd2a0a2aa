import ErrorFixture
import ODataModel
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// The internal id of a row that has gone is never another row's: what waits in the queue may still name it.
@Suite struct RowNumbersTests {
    private func ids(_ fixture: StoreFixture) throws -> [String] {
        try fixture.sql("SELECT ID || ':' || _odata_id FROM Customers ORDER BY ID")
    }

    private func removed(_ id: Int) -> String {
        #"{"@removed":{"reason":"deleted"},"ID":\#(id)}"#
    }

    @Test func theHighestIsNotGivenAgainInTheSameTransaction() throws {
        let fixture = try StoreFixture()
        try fixture.download("Customers", #"{"ID":1,"Name":"a"},{"ID":2,"Name":"b"}"#)
        try fixture.download(
            "Customers", removed(2) + #",{"ID":3,"Name":"c"},{"ID":4,"Name":"d"}"#)
        #expect(try ids(fixture) == ["1:1", "3:3", "4:4"])
    }

    @Test func norInALaterOneAfterANewStart() throws {
        let fixture = try StoreFixture()
        try fixture.download("Customers", #"{"ID":1,"Name":"a"},{"ID":2,"Name":"b"}"#)
        try fixture.download("Customers", removed(1) + "," + removed(2))
        try fixture.reopen()
        try fixture.download("Customers", #"{"ID":5,"Name":"e"},{"ID":6,"Name":"f"}"#)
        // From then on SQLite counts on.
        try fixture.download("Customers", #"{"ID":7,"Name":"g"}"#)
        #expect(try ids(fixture) == ["5:3", "6:4", "7:5"])
    }

    @Test func whatIsBoundToARowThatHasGoneNamesNoOtherRow() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "a")
        let bound = try fixture.downloadCustomer(2, "b")
        _ = try fixture.create(
            "Orders", ["ID": .number(10), "Title": .text("for b")],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [bound])])
        try fixture.download("Customers", removed(2) + #",{"ID":3,"Name":"c"}"#)
        let request = try #require(try fixture.store.allRequests().first)
        #expect(request.referencedRows == [bound])
        #expect(throws: ODataError.self) { try fixture.store.knownAddress(of: bound) }
        #expect(try fixture.row("Customers", 3) != bound)
    }
}
