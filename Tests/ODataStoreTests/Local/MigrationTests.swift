import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataSQLite
import ODataStore
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Stores that meet other metadata, and files of other formats.
@Suite struct MigrationTests {
    private func adopt(_ fixture: StoreFixture, _ old: String, _ new: String) throws {
        let text = StoreFixture.metadata.replacing(old, with: new)
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
        #expect(throws: (any Error).self) { _ = try reopened(fixture, broken) }
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
            try $0.execute(sql: "PRAGMA user_version = 9")
        }
        let error = #expect(throws: ODataError.self) { try fixture.reopen() }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("format 9") == true)
        #expect(try fixture.sql("SELECT count(*) FROM _odata_request") == ["0"])
    }
}
