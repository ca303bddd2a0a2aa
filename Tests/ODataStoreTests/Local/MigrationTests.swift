import ErrorFixture
import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Stores that meet other metadata, and files of other formats.
@Suite struct MigrationTests {
    /// Each text is replaced by the one behind it.
    private func adopt(_ fixture: StoreFixture, _ texts: String...) throws {
        var text = StoreFixture.metadata
        for place in stride(from: 0, to: texts.count - 1, by: 2) {
            #expect(text.contains(texts[place]))
            text = text.replacing(texts[place], with: texts[place + 1])
        }
        try fixture.store.adopt(metadata: text, graph: try CSDLReader.read(Array(text.utf8)))
    }

    @Test(arguments: ["Scale=\"4\"", "Scale=\"0\"", "Scale=\"variable\""])
    func decimalsKeepTheirValueWhenTheirScaleChanges(facet: String) throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", "{\"ID\":1,\"Amount\":12.50},{\"ID\":2,\"Amount\":7.25}")
        let row = try fixture.row("Orders", 1)
        try fixture.update(row, ["Title": .text("changed")])
        try adopt(fixture, "Precision=\"12\" Scale=\"2\"", "Precision=\"12\" \(facet)")
        #expect(try fixture.sql("SELECT Amount FROM Orders ORDER BY ID") == ["12.50", "7.25"])
        #expect(try fixture.sql("SELECT Title FROM Orders WHERE ID = 1") == ["changed"])
        #expect(try fixture.queue().count == 1)
        try fixture.download("Orders", "{\"ID\":3,\"Amount\":0.1234}")
        let slots = try fixture.store.execute(.init(entitySet: "Orders")).values
            .compactMap { $0.slots[2]?.scalar }
        #expect(slots.count == 3)
        // The base image was converted, too.
        try fixture.store.undo([row])
        #expect(try fixture.sql("SELECT Amount FROM Orders WHERE ID = 1") == ["12.50"])
    }

    /// A column of orders gets another type; downloaded rows, a queued change and its base image follow.
    @Test(arguments: [
        ("Edm.Int64", "integer 8", "integer 7"), ("Edm.Decimal", "text 8", "text 7"),
        ("Edm.Double", "real 8.0", "real 7.0"), ("Edm.String", "text 8", "text 7"),
    ])
    func integersAreWidened(new: String, changed: String, downloaded: String) throws {
        let fixture = try StoreFixture()
        let title = "<Property Name=\"Title\" Type=\"Edm.String\"/>"
        func column(_ type: String) -> String {
            title + "<Property Name=\"Count\" Type=\"\(type)\"/>"
        }
        try adopt(fixture, title, column("Edm.Int32"))
        try fixture.download(
            "Orders", "{\"ID\":1,\"Count\":7},{\"ID\":2,\"Count\":7},{\"ID\":3}")
        let row = try fixture.row("Orders", 1)
        try fixture.update(row, ["Count": .number(8)])
        try adopt(fixture, title, column(new))
        let values = "SELECT typeof(Count) || ' ' || Count FROM Orders ORDER BY ID"
        #expect(try fixture.sql(values) == [changed, downloaded, "-"])
        let request = try #require(try fixture.store.allRequests().first)
        let queued = request.body?.values.slots.compactMap { $0?.scalar }.map { Lexical.text($0) }
        #expect(queued == ["8"] || queued == ["8.0"])
        try fixture.store.undo([row])
        #expect(try fixture.sql(values) == [downloaded, downloaded, "-"])
        try fixture.reopen()
        #expect(try fixture.store.execute(.init(entitySet: "Orders")).rowCount == 3)
        let fourth = new == "Edm.String" ? "\"x\"" : "9"
        try fixture.download("Orders", "{\"ID\":4,\"Count\":\(fourth)}")
        #expect(try fixture.sql(values).count == 4)
    }

    @Test func datesBecomeInstants() throws {
        let fixture = try StoreFixture()
        let dated =
            "<Property Name=\"Title\" Type=\"Edm.String\"/><Property Name=\"Due\" Type=\"Edm.Date\"/>"
        let title = "<Property Name=\"Title\" Type=\"Edm.String\"/>"
        try adopt(fixture, title, dated)
        try fixture.download("Orders", "{\"ID\":1,\"Due\":\"2024-02-29\"}")
        let row = try fixture.row("Orders", 1)
        let day = try #require(CalendarDate("2024-03-01"))
        try fixture.update(row, ["Due": .scalar(.date(day))])
        try adopt(fixture, title, dated.replacing("Edm.Date", with: "Edm.DateTimeOffset"))
        #expect(try fixture.sql("SELECT Due FROM Orders") == ["2024-03-01T00:00:00"])
        let request = try #require(try fixture.store.allRequests().first)
        let queued = request.body?.values.slots.compactMap { $0?.scalar } ?? []
        #expect(queued.map { Lexical.text($0) } == ["2024-03-01T00:00:00Z"])
        try fixture.store.undo([row])
        #expect(try fixture.sql("SELECT Due FROM Orders") == ["2024-02-29T00:00:00"])
        let values = try fixture.store.execute(.init(entitySet: "Orders")).values
        let texts = values[0].slots.compactMap { $0?.scalar }.map { Lexical.text($0) }
        #expect(texts.contains("2024-02-29T00:00:00Z"))
    }

    @Test func aLongerTextNeedsNothing() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Ada")
        try adopt(fixture, "MaxLength=\"20\"", "MaxLength=\"200\"")
    }

    /// What the new type does not hold is given up until the next read, and that is noted; all else stays as it is.
    @Test(arguments: ["Edm.Date", "Edm.Guid", "Edm.Int32", "Collection(Edm.String)"])
    func aNarrowerPropertyIsEmptiedAlone(new: String) throws {
        let fixture = try StoreFixture()
        let first = try fixture.downloadOrder(1, "first", customer: nil)
        try fixture.downloadOrder(2, "second", customer: nil)
        try fixture.downloadCustomer(1, "Ada")
        try fixture.update(first, ["Amount": .scalar(.decimal(DecimalNumber(3)))])
        try fixture.store.createSearchIndex(on: "Orders", paths: ["Title"])
        try fixture.store.createIndex(on: "Orders", paths: ["Title"])
        var told: [String] = []
        let title = "<Property Name=\"Title\" Type=\"Edm.String\"/>"
        let text = StoreFixture.metadata.replacing(
            title, with: title.replacing("Edm.String", with: new))
        let incomplete = try fixture.store.adopt(
            metadata: text, graph: try CSDLReader.read(Array(text.utf8))
        ) { _ in
        } incompatible: {
            told = $0
        }
        #expect(told == ["Orders/Title"])
        #expect(incomplete == ["Orders"])
        #expect(try fixture.store.changedSets() == ["Orders"])
        let events = try fixture.store.events().filter {
            $0.type == LocalStore.incompatibleMetadataEvent
        }
        #expect(events.map(\.details) == ["Orders/Title"])
        let rows = "SELECT ID, Title, Amount FROM Orders ORDER BY ID"
        #expect(try fixture.sql(rows) == ["1|-|300", "2|-|-"])
        #expect(try fixture.store.queuedRequests().count == 1)
        #expect(try fixture.store.execute(.init(entitySet: "Customers")).rowCount == 1)
        try fixture.store.undo([first])
        #expect(try fixture.sql(rows) == ["1|-|-", "2|-|-"])
        #expect(try fixture.store.check().isIntact)
        try fixture.reopen()
        #expect(try fixture.store.execute(.init(entitySet: "Orders")).rowCount == 2)
    }

    static let code =
        "<Property Name=\"Code\" Type=\"Edm.String\" Nullable=\"false\" MaxLength=\"40\"/>"

    @Test func rowsGoWithTheTypeOfTheirKeyAndRequestsStay() throws {
        let fixture = try StoreFixture()
        try fixture.downloadCustomer(1, "Ada")
        try fixture.download("Tags", #"{"Code":"a"},{"Code":"b"}"#)
        let made = try fixture.create("Tags", ["Code": .text("c")])
        let tag = try #require(try fixture.store.row(in: "Tags", key: [.string("a")]))
        try fixture.store.perform(.delete(tag))
        try adopt(fixture, Self.code, Self.code.replacing("Edm.String", with: "Edm.Int32"))
        #expect(try fixture.sql("SELECT _odata_id FROM Tags") == ["\(made.id)", "\(tag.id)"])
        #expect(try fixture.sql("SELECT * FROM _odata_view_Tags") == [])
        #expect(try fixture.store.failedRequests().map(\.target) == [made, tag])
        #expect(try fixture.store.execute(.init(entitySet: "Customers")).rowCount == 1)
        try fixture.download("Tags", #"{"Code":1},{"Code":2}"#)
        #expect(try fixture.sql("SELECT * FROM _odata_view_Tags") == ["1", "2"])
        #expect(try fixture.store.cancel(nil).count == 2)
        #expect(try fixture.sql("SELECT Code FROM Tags ORDER BY Code") == ["1", "2"])
    }

    /// Rows that another key tells apart as well stay, the rest goes.
    @Test(arguments: [("Title", ["1", "2"]), ("Amount", [])])
    func aKeyOfOtherPropertiesTakesWhatItCan(key: String, rows: [String]) throws {
        let fixture = try StoreFixture()
        try fixture.downloadOrder(1, "first", customer: nil)
        try fixture.downloadOrder(2, "second", customer: nil)
        let old =
            "<EntityType Name=\"Order\"><Key><PropertyRef Name=\"ID\"/></Key>"
        try adopt(
            fixture, old, old.replacing("\"ID\"", with: "\"\(key)\""),
            "<ReferentialConstraint Property=\"CustomerID\" ReferencedProperty=\"ID\"/>", "")
        #expect(try fixture.sql("SELECT ID FROM Orders ORDER BY ID") == rows)
        #expect(try fixture.store.changedSets().contains("Orders"))
        try fixture.download("Orders", #"{"ID":1,"Title":"first","Amount":1.00}"#)
        #expect(
            try fixture.store.execute(.init(entitySet: "Orders")).rowCount == max(1, rows.count))
    }

    /// What the changed rows were told apart by says nothing under another key.
    @Test func rowsThatOnlyRequestsKeepHaveNoKeyLeft() throws {
        let fixture = try StoreFixture()
        try fixture.download("Orders", #"{"ID":1,"Amount":1.00},{"ID":2,"Amount":1.00}"#)
        try fixture.update(fixture.row("Orders", 1), ["Title": .text("changed")])
        let key = #"<EntityType Name="Order"><Key><PropertyRef Name="ID"/></Key>"#
        try adopt(
            fixture, key, key.replacing("\"ID\"", with: "\"Amount\""),
            "<ReferentialConstraint Property=\"CustomerID\" ReferencedProperty=\"ID\"/>", "")
        #expect(try fixture.sql("SELECT ID, Amount, Title FROM Orders") == ["1|-|changed"])
        #expect(try fixture.sql("SELECT ID, Amount FROM _odata_base_Orders") == ["1|-"])
    }

    /// Tables that were made anew, or one of whose columns was, have the indexes of new ones.
    @Test(arguments: [
        ("Precision=\"12\" Scale=\"2\"", "Precision=\"12\" Scale=\"variable\""),
        (code, code.replacing("Edm.String", with: "Edm.Int32")),
        ("<Property Name=\"CustomerID\" Type=\"Edm.Int64\"/>", ""),
    ])
    func indexesAreThoseOfANewStore(old: String, new: String) throws {
        let indexes =
            "SELECT tbl_name, name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            + " ORDER BY name"
        let key = "<ReferentialConstraint Property=\"CustomerID\" ReferencedProperty=\"ID\"/>"
        let migrated = try StoreFixture()
        try migrated.download("Orders", #"{"ID":1,"Amount":1.00}"#)
        try adopt(migrated, key, "", old, new)
        let fresh = try StoreFixture(LocalStore.Configuration(), world: LiveWorld())
        try adopt(fresh, key, "", old, new)
        let found = try migrated.sql(indexes)
        #expect(try found == fresh.sql(indexes))
        #expect(found.contains("_odata_base_Orders|_odata_base_key_Orders"))
        #expect(found.contains("Tags|_odata_key_Tags"))
    }

    /// A table of links has room for as many as the metadata allows.
    @Test func aRelationToOneBecomesOneToManyAndBack() throws {
        let many = "<NavigationProperty Name=\"Tags\" Type=\"Collection(Shop.Tag)\"/>"
        let one = many.replacing("Collection(Shop.Tag)", with: "Shop.Tag")
        let fixture = try StoreFixture()
        try adopt(fixture, many, one)
        let ada = try fixture.downloadCustomer(1, "Ada")
        try fixture.download("Tags", #"{"Code":"a"},{"Code":"b"}"#)
        let tags = try ["a", "b"].map {
            try #require(try fixture.store.row(in: "Tags", key: [.string($0)]))
        }
        try fixture.store.perform(.updateLink(ada, navigation: "Tags", target: tags[0]))
        try adopt(fixture)
        #expect(try fixture.store.changedSets() == ["Customers"])
        try fixture.store.perform(.createLink(ada, navigation: "Tags", target: tags[1]))
        let links = "SELECT target FROM _odata_link_Customers_Tags ORDER BY target"
        #expect(try fixture.sql(links) == tags.map { "\($0.id)" })
        try adopt(fixture, many, one)
        #expect(try fixture.sql(links) == ["\(tags[0].id)"])
        #expect(try fixture.store.check().isIntact)
    }

    /// What the metadata had no more for a while is of a time that nobody knows.
    @Test func aPropertyThatComesBackIsReadAgain() throws {
        let fixture = try StoreFixture()
        try fixture.downloadOrder(1, "first", customer: nil)
        try adopt(fixture, "<Property Name=\"Title\" Type=\"Edm.String\"/>", "")
        try adopt(
            fixture, "<Property Name=\"Title\" Type=\"Edm.String\"/>",
            "<Property Name=\"Title\" Type=\"Edm.Date\"/>")
        #expect(try fixture.sql("SELECT Title FROM Orders") == ["-"])
        #expect(try fixture.store.changedSets() == ["Orders"])
        #expect(try fixture.store.execute(.init(entitySet: "Orders")).rowCount == 1)
    }

    @Test func whatMetadataNoLongerHasIsKeptOutOfView() throws {
        let fixture = try StoreFixture()
        try fixture.downloadOrder(1, "first", customer: nil)
        try adopt(fixture, "<Property Name=\"Title\" Type=\"Edm.String\"/>", "")
        #expect(try fixture.sql("SELECT Title FROM Orders") == ["first"])
        let columns = try fixture.sql("SELECT name FROM pragma_table_info('_odata_view_Orders')")
        #expect(!columns.contains("Title") && columns.contains("Amount"))
        try adopt(fixture, "<EntitySet Name=\"Tags\" EntityType=\"Shop.Tag\"/>", "")
        let views = try fixture.sql("SELECT name FROM sqlite_master WHERE type = 'view'")
        #expect(!views.contains("_odata_view_Tags") && views.contains("_odata_view_Orders"))
        try fixture.reopen()
        #expect(try fixture.store.execute(.init(entitySet: "Orders")).rowCount == 1)
    }

    private func reopened(_ fixture: StoreFixture, _ format: StoreFormat) throws -> LocalStore {
        var configuration = LocalStore.Configuration()
        configuration.format = format
        return try LocalStore(
            path: fixture.path, world: LiveWorld(), configuration: configuration)
    }

    @Test func anOlderFormatIsUpgradedAtOnceOrNotAtAll() throws {
        let fixture = try StoreFixture()
        let row = try fixture.create("Customers", ["ID": .number(1), "Name": .text("Ada")])
        try fixture.store.close()
        let now = StoreFormat.current.version
        let broken = StoreFormat(
            version: now + 2,
            upgrades: [
                now: ["CREATE TABLE _odata_new (x)"], now + 1: ["CREATE TABLE _odata_new (x)"],
            ])
        #expect(
            failure { _ = try reopened(fixture, broken) }
                == Failure(
                    .storage,
                    "The local database failed with code 1: table _odata_new already exists"))
        #expect(try fixture.sql("PRAGMA user_version") == ["\(now)"])
        #expect(
            try fixture.sql("SELECT count(*) FROM sqlite_master WHERE name = '_odata_new'")
                == ["0"])
        let good = StoreFormat(
            version: now + 2,
            upgrades: [
                now: ["CREATE TABLE _odata_new (x)"],
                now + 1: ["ALTER TABLE _odata_new ADD COLUMN y"],
            ])
        let store = try reopened(fixture, good)
        #expect(try fixture.sql("PRAGMA user_version") == ["\(now + 2)"])
        #expect(try store.allRequests().map(\.target) == [row])
        try store.close()
    }

    @Test func aNewerFormatIsRefusedWithItsNumber() throws {
        let fixture = try StoreFixture()
        try fixture.store.close()
        try DatabaseQueue(path: fixture.path).write {
            try $0.execute(sql: "PRAGMA user_version = \(StoreFormat.current.version + 1)")
        }
        let error = #expect(throws: ODataError.self) { try fixture.reopen() }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("format \(StoreFormat.current.version + 1)") == true)
        #expect(try fixture.sql("SELECT count(*) FROM _odata_request") == ["0"])
    }
}
