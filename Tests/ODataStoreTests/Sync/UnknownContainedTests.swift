import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Creations of contained and of media entities of which no answer came: what the rows of the next read tell.
@Suite struct UnknownContainedTests {
    /// Reads customers with their notes as a download does.
    private static func read(
        _ fixture: StoreFixture, _ customers: String, mode: ReadMode = .sweep
    ) throws -> [String] {
        try fixture.readSet("Customers", customers, expanding: ["Notes"], mode: mode)
    }

    private static func customer(_ id: Int64, notes: String?) -> String {
        #"{"ID":\#(id),"Name":"C\#(id)""# + (notes.map { #","Notes":[\#($0)]"# } ?? "") + "}"
    }

    private static func note(_ line: Int, _ text: String) -> String {
        #"{"Line":\#(line),"Text":"\#(text)"}"#
    }

    /// Two customers, and a note of the first one whose creation got no answer.
    private static func lost() throws -> (fixture: StoreFixture, note: RowReference) {
        let fixture = try StoreFixture()
        let parent = try fixture.downloadCustomer(1, "C1")
        try fixture.downloadCustomer(2, "C2")
        let note = try fixture.store.perform(
            .createRelated(
                parent: parent, navigation: "Notes",
                value: try fixture.value("Note", ["Text": .text("new")]), binds: []))
        try fixture.loseAnswers()
        #expect(try fixture.queue() == ["create Customers/Notes unknown"])
        return (fixture, note)
    }

    private static func notes(_ fixture: StoreFixture) throws -> [String] {
        try fixture.sql(
            "SELECT c.ID || \u{27}/\u{27} || n.Line || \u{27}:\u{27} || n.Text FROM \"Customers/Notes\" n"
                + " JOIN Customers c ON c._odata_id = n._odata_parent ORDER BY c.ID, n.Line")
    }

    /// A note of the same content below another customer is not it.
    @Test func theChildOfItsParentThatShowsWhatWasSentIsIt() throws {
        let (fixture, note) = try Self.lost()
        let said = try Self.read(
            fixture,
            Self.customer(1, notes: Self.note(7, "new")) + ","
                + Self.customer(2, notes: Self.note(7, "new")))
        #expect(said.count == 1 && said[0].contains("Customers(1)/Notes(7)"))
        #expect(try fixture.queue().isEmpty)
        #expect(try Self.notes(fixture) == ["1/7:new", "2/7:new"])
        let parent = try fixture.row("Customers", 1)
        #expect(try fixture.store.related(parent, "Notes") == [note])
    }

    @Test func severalChildrenAreListedByTheirAddresses() throws {
        let (fixture, _) = try Self.lost()
        let said = try Self.read(
            fixture,
            Self.customer(1, notes: Self.note(7, "new") + "," + Self.note(8, "new")) + ","
                + Self.customer(2, notes: ""))
        #expect(
            said.count == 1 && said[0].contains("Customers(1)/Notes(7), Customers(1)/Notes(8)"))
        #expect(try fixture.queue() == ["create Customers/Notes unknown"])
        let request = try #require(try fixture.store.failedRequests().first)
        #expect(try fixture.store.candidates(of: request).count == 2)
    }

    @Test func withoutSuchAChildItWaitsAgain() throws {
        let (fixture, _) = try Self.lost()
        let said = try Self.read(
            fixture,
            Self.customer(1, notes: "") + "," + Self.customer(2, notes: Self.note(7, "new")))
        #expect(said.count == 1 && said[0].contains("sent again"))
        #expect(try fixture.queue() == ["create Customers/Notes waiting"])
    }

    /// A service that answers no expansion, and a delta, tell nothing of what is not there.
    @Test func aReadWithoutChildrenSettlesNothingAsNotHappened() throws {
        let (fixture, _) = try Self.lost()
        let plain = Self.customer(1, notes: nil) + "," + Self.customer(2, notes: nil)
        #expect(try Self.read(fixture, plain).isEmpty)
        let none = Self.customer(1, notes: "") + "," + Self.customer(2, notes: "")
        #expect(try Self.read(fixture, none, mode: .delta).isEmpty)
        #expect(try fixture.queue() == ["create Customers/Notes unknown"])
    }

    // MARK: Media entities

    /// The creation sends the content alone, so that every row that came since may be what it made.
    @Test func aMediaEntityIsListedWithWhatCameAndWaitsAgainWithoutIt() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "C1")
        _ = try fixture.store.perform(
            .create(
                table: "Customers", value: try fixture.value("Customer", [:]), binds: []),
            options: WriteOptions(flags: [.media, .unmodifiable]))
        try fixture.loseAnswers()
        let both = Self.customer(1, notes: "") + "," + Self.customer(9, notes: "")
        let said = try Self.read(fixture, both)
        #expect(said.count == 1 && said[0].contains("Customers(9) may hold what was sent"))
        #expect(try fixture.queue() == ["create Customers unknown"])
        let request = try #require(try fixture.store.failedRequests().first)
        #expect(try fixture.store.candidates(of: request).count == 1)
        #expect(try Self.read(fixture, Self.customer(1, notes: "")).count == 1)
        #expect(try fixture.queue() == ["create Customers waiting"])
    }
}
