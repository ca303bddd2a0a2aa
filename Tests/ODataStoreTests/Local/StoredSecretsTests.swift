import Foundation
import GRDB
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataTesting
import Testing

/// What proves who is asking is not in the file, and is taken out of files that hold it.
@Suite struct StoredSecretsTests {
    private static let identity = "mia\nx-api-key=planted-header"
    private static let root = "https://planted-user:planted-word@host.example/s/"

    private static func holds(_ fixture: StoreFixture, _ text: String) -> Bool {
        ["", "-wal"].contains { suffix in
            let bytes = FileManager.default.contents(atPath: fixture.path + suffix) ?? Data()
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }

    private static let source = DownloadSource(entitySet: "Customers", url: "Customers", bit: 0)

    /// A store as an older version of the library wrote it.
    private static func old() throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.store.setText(root, for: .serviceRoot)
        try fixture.store.write(.full) { database in
            try database.execute(
                sql: "INSERT INTO _odata_delta (query, link, identity, tier, completed_at)"
                    + " VALUES ('set:Customers', ?, ?, 'deltaLink', 1)",
                arguments: [root + "Customers?$deltatoken=1", identity])
            try database.execute(
                sql: "INSERT INTO _odata_attempt (method, url, body, members, frozen_at) VALUES"
                    + " ('PATCH', ?1 || 'Customers(1)', x'7B7D', '[]', 1),"
                    + " ('POST', ?1 || '$batch', CAST('PATCH ' || ?1 || 'Customers(1)' AS BLOB), '[]', 1)",
                arguments: [root])
            try database.execute(sql: "DELETE FROM _odata_meta WHERE name = 'identitySalt'")
            try OlderFormat.lower(database, to: 4)
        }
        try fixture.store.close()
        #expect(holds(fixture, "planted-header") && holds(fixture, "planted-word"))
        return fixture
    }

    @Test func openingTakesThemOutOfAStoreOfTheFormatOfNow() throws {
        let fixture = try StoreFixture()
        try fixture.store.setText(Self.root, for: .serviceRoot)
        try fixture.reopen()
        #expect(
            try fixture.sql("SELECT value FROM _odata_meta WHERE name = 'serviceRoot'")
                == ["https://host.example/s/"])
        try fixture.store.close()
        #expect(!Self.holds(fixture, "planted-word"))
    }

    @Test func openingTakesThemOutOfAnOldStore() throws {
        let fixture = try Self.old()
        try fixture.reopen()
        let state = try fixture.store.read {
            try DownloadBookkeeping($0).state(
                of: Self.source, identity: try fixture.store.sum(ofIdentity: Self.identity))
        }
        // The link still counts for the same user and headers: nothing is read in full.
        #expect(state.deltaLink == "https://host.example/s/Customers?$deltatoken=1")
        let other = try fixture.store.read {
            try DownloadBookkeeping($0).state(
                of: Self.source, identity: try fixture.store.sum(ofIdentity: "mia\nx-api-key=b"))
        }
        #expect(other.deltaLink == nil)
        #expect(try fixture.store.text(.serviceRoot) == "https://host.example/s/")
        // The sealed body that held them is gone: its requests are looked at before they are sent anew.
        #expect(
            try fixture.sql("SELECT url || '|' || body FROM _odata_attempt ORDER BY id")
                == ["https://host.example/s/Customers(1)|{}", "|"])
        try fixture.store.close()
        for secret in ["planted-header", "planted-word", "planted-user"] {
            #expect(!Self.holds(fixture, secret), "\(secret)")
        }
        try fixture.reopen()
    }

    @Test func keysThatComeWithAChangeAreNotKept() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        var options = WriteOptions()
        options.headers = ["X-Api-Key": "planted-key", "Site-Token": "planted-key", "X-Case": "17"]
        try fixture.store.perform(.delete(bo), options: options)
        #expect(try fixture.store.allRequests().map(\.headers) == [["X-Case": "17"]])
        #expect(!Self.holds(fixture, "planted-key"))
    }

    @Test func sumsOfTwoStoresDiffer() throws {
        let (one, other) = (try StoreFixture(), try StoreFixture())
        let sum = try one.store.sum(ofIdentity: Self.identity)
        #expect(try sum == one.store.sum(ofIdentity: Self.identity))
        #expect(try sum != other.store.sum(ofIdentity: Self.identity))
        #expect(try sum != one.store.sum(ofIdentity: "mia"))
        #expect(!sum.contains("mia") && !sum.contains("planted"))
    }
}
