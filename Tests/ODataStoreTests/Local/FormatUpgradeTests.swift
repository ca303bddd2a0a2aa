import Foundation
import GRDB
import ODataModel
import ODataSQLite
import ODataStore
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataWorld
import Testing

/// Files of older formats are brought to the present one with queue, base images and links as they were; files of a newer
/// one are left alone.
@Suite struct FormatUpgradeTests {
    private static let key = String(repeating: "2f", count: 32)

    private static func configuration(_ isEncrypted: Bool) throws -> LocalStore.Configuration {
        var configuration = LocalStore.Configuration()
        configuration.key = isEncrypted ? try StoreKey(key) : nil
        return configuration
    }

    /// A store with every kind of request, base images, link images, a frozen attempt and a failed request.
    private static func fixture(_ isEncrypted: Bool) throws -> StoreFixture {
        let fixture = try StoreFixture(configuration(isEncrypted), world: LiveWorld())
        try fixture.adopt()
        for id in 1...4 as ClosedRange<Int64> { try fixture.downloadCustomer(id, "c\(id)\\u0000x") }
        for id in 1...4 as ClosedRange<Int64> {
            try fixture.downloadOrder(id, "o\(id)", customer: id)
        }
        try fixture.update(
            try fixture.row("Customers", 1),
            ["Name": .text("changed"), "Address": try fixture.address("Ulm")])
        try fixture.store.perform(.delete(try fixture.row("Customers", 2)))
        let tag = try fixture.create("Tags", ["Code": .text("local")])
        let order = try fixture.create("Orders", ["ID": .number(50), "Title": .text("new")])
        let customer = try fixture.create("Customers", ["ID": .number(51), "Name": .text("new")])
        _ = try fixture.create(
            "Orders", ["ID": .number(52), "Title": .text("follows")],
            binds: [.init(navigation: "Customer", targets: [customer])])
        try fixture.update(order, ["Amount": .scalar(.decimal(DecimalNumber(1250)))])
        try fixture.store.perform(
            .createLink(try fixture.row("Customers", 1), navigation: "Tags", target: tag))
        try fixture.update(try fixture.row("Orders", 3), ["Title": .text("refused")])
        let last = try #require(try fixture.store.allRequests().map(\.id).max())
        try fixture.answer(last, status: 412, body: #"{"error":{"code":"x","message":"no"}}"#)
        _ = try fixture.freeze([try #require(try fixture.store.allRequests().first?.id)])
        return fixture
    }

    /// Every value of every table but the settings, as SQLite writes it.
    private static func everything(_ fixture: StoreFixture) throws -> [String] {
        let tables = try fixture.sql(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " AND name NOT LIKE '_odata_st%' AND name NOT IN ('_odata_resume', '_odata_upserted',"
                + " '_odata_sending', '_odata_row_mark', '_odata_deletion', '_odata_source',"
                + " '_odata_row_source', '_odata_rewritten')"
                + " ORDER BY name")
        return try tables.flatMap { table in
            let columns = try fixture.sql("SELECT name FROM pragma_table_info('\(table)')")
            let values = columns.map { "typeof(\"\($0)\") || hex(\"\($0)\")" }
            return try fixture.sql(
                "SELECT \(values.joined(separator: " || ',' || ")) FROM \"\(table)\""
            ).map { "\(table): \($0)" }.sorted()
        }
    }

    private static func lower(_ fixture: StoreFixture, to format: Int) throws {
        try fixture.store.write(.full) { try OlderFormat.lower($0, to: format) }
    }

    private static func schema(_ fixture: StoreFixture) throws -> [String] {
        try fixture.sql(
            "SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
                + " ORDER BY 1")
    }

    @Test(arguments: [false, true], Array(1..<OlderFormat.current))
    func anOlderFileKeepsQueueAndImagesToTheByte(isEncrypted: Bool, format: Int) throws {
        let fixture = try Self.fixture(isEncrypted)
        let (before, schema) = (try Self.everything(fixture), try Self.schema(fixture))
        #expect(before.contains { $0.hasPrefix("_odata_base_Customers: ") })
        #expect(before.contains { $0.hasPrefix("_odata_base_link: ") })
        #expect(before.filter { $0.hasPrefix("_odata_request: ") }.count > 5)
        #expect(before.contains { $0.hasPrefix("_odata_attempt: ") })
        #expect(before.contains { $0.hasPrefix("_odata_request_principal: ") })
        try Self.lower(fixture, to: format)
        try fixture.reopen()
        #expect(try fixture.sql("PRAGMA user_version") == ["\(OlderFormat.current)"])
        #expect(try Self.everything(fixture) == before)
        #expect(try Self.schema(fixture) == schema)
        #expect(try fixture.store.check().isIntact)
        // It works on: the queue can be added to and taken back.
        try fixture.update(try fixture.row("Customers", 4), ["Name": .text("later")])
        #expect(try fixture.customers().contains("4:later"))
    }

    @Test(arguments: [false, true])
    func aNewerFileIsRefusedAndLeftAlone(isEncrypted: Bool) throws {
        let fixture = try Self.fixture(isEncrypted)
        try fixture.store.write(.full) {
            try $0.execute(sql: "PRAGMA user_version = \(OlderFormat.current + 1)")
        }
        try fixture.store.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let error = #expect(throws: ODataError.self) {
            try LocalStore(
                path: fixture.path, world: LiveWorld(),
                configuration: Self.configuration(isEncrypted)
            ).close()
        }
        #expect(error?.code == .storage)
        #expect(error?.message.contains("format \(OlderFormat.current)") == true)
        #expect(error?.message.contains("format \(OlderFormat.current + 1)") == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.path)) == before)
    }
}
