import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// What `sap.upsertedlastdownload()` tells: the rows that the last download has brought or changed, and no others.
@Suite struct UpsertedTests {
    private static func upserted(_ place: ServiceWorkplace) throws -> [String] {
        try place.entities("WorkOrders?$filter=sap.upsertedlastdownload()&$orderby=Id")
            .map { $0.text("Id") ?? "-" }
    }

    @Test func afterTheFirstDownloadEveryRowOfTheServiceIsNew() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.createOrder("local")
            let all = try place.serviceRows("SELECT Id FROM WorkOrders ORDER BY Id")
                .map { "\($0[0] as Int)" }
            #expect(try Self.upserted(place) == all)
            try place.reopen()
            #expect(try Self.upserted(place) == all)
        }
    }

    @Test func aLaterDownloadLeavesOnlyWhatItBroughtOrChanged() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.atService(
                """
                UPDATE WorkOrders SET Title = 'there' WHERE Id IN (3, 8);
                INSERT INTO WorkOrders (Id, SiteId, Number, Title, Priority, Status, CreatedAt, IsBillable)
                    VALUES (900, 1, 'NEW-1', 'made there', 1, 'Open', '2025-01-02T03:04:05Z', 1);
                """)
            try place.sync.download()
            #expect(try Self.upserted(place) == ["3", "8", "900"])
            #expect(try place.storeCount("WorkOrders", "_odata_state & 64") == 3)
            // What cannot be reached is no download.
            place.cutNetwork()
            try? place.sync.download()
            #expect(try Self.upserted(place) == ["3", "8", "900"])
            place.restoreNetwork()
            try place.sync.download()
            #expect(try Self.upserted(place).isEmpty)
            #expect(try place.storeCount("WorkOrders", "_odata_state & 64") == 0)
        }
    }

    @Test func aFullReadTellsOnlyWhatDiffered() async throws {
        try await ServiceWorkplace.run(pageSize: 10) { place in
            try place.sync.open()
            place.sync.downloadWithoutDeltaLinks(place.set("WorkOrders"))
            try place.sync.download()
            try place.atService("UPDATE WorkOrders SET Title = 'there' WHERE Id = 12")
            try place.sync.download()
            #expect(try Self.upserted(place) == ["12"])
        }
    }
}
