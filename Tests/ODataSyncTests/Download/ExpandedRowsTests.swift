import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import Testing
import WorkplaceFixture

/// Entities that came through `$expand` only go when the service no longer gives them to any download query.
@Suite struct ExpandedRowsTests {
    /// Reads nothing but these queries.
    private static func prepare(
        _ place: ServiceWorkplace, _ queries: [String: String]
    ) throws {
        try place.sync.open()
        place.sync.noDefaultEntityDownload()
        for (name, url) in queries.sorted(by: { $0.key < $1.key }) {
            try place.sync.createDownloadQuery(
                name: name, query: place.query(url), streams: false)
        }
        try place.sync.download()
    }

    private static func orders(_ place: ServiceWorkplace) throws -> [String] {
        try place.storeRows("SELECT Id || ' ' || SiteId FROM WorkOrders ORDER BY Id").map { $0[0] }
    }

    private static func expectSame(_ place: ServiceWorkplace, _ tables: String...) throws {
        for table in tables {
            #expect(try place.storeCount(table) == place.serviceCount(table), "\(table)")
        }
    }

    @Test func whatIsDeletedBehindAConstraintGoesWithTheNextDownload() async throws {
        try await ServiceWorkplace.run { place in
            try Self.prepare(
                place, ["tree": "Sites?$expand=WorkOrders($expand=TimeEntries)"])
            try Self.expectSame(place, "Sites", "WorkOrders", "TimeEntries")
            let ids = try place.storeRows("SELECT Id, _odata_id FROM WorkOrders ORDER BY Id")
            // Some are deleted, one moves, and one loses what is below it.
            try place.atService(
                """
                UPDATE WorkOrders SET SiteId = SiteId % 10 + 1 WHERE Id = 4;
                DELETE FROM WorkOrders WHERE Id IN (2, 3);
                DELETE FROM TimeEntries WHERE WorkOrderId = 5;
                """)
            try place.sync.download()
            try Self.expectSame(place, "Sites", "WorkOrders", "TimeEntries")
            let served = try place.serviceRows(
                "SELECT Id || ' ' || SiteId FROM WorkOrders ORDER BY Id"
            ).map { $0[0] as String }
            #expect(try Self.orders(place) == served)
            // What only moved is the row that it was.
            let moved = try place.storeRows("SELECT Id, _odata_id FROM WorkOrders WHERE Id = 4")
            #expect(moved.first == ids.first { $0[0] as Int == 4 })
            try place.sync.download()
            try Self.expectSame(place, "Sites", "WorkOrders", "TimeEntries")
        }
    }

    @Test func withoutConstraintsTheLinksTellWhatHasGone() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 4, adjust: { $0.nestedPageSize = 2 }) {
            place in
            place.serveWithoutConstraints()
            try Self.prepare(
                place, ["tree": "Sites?$expand=WorkOrders($expand=TimeEntries)"])
            try Self.expectSame(place, "WorkOrders", "TimeEntries")
            try place.atService(
                """
                UPDATE WorkOrders SET SiteId = SiteId % 5 + 1 WHERE Id % 3 = 0;
                DELETE FROM WorkOrders WHERE Id % 7 = 0;
                """)
            try place.sync.download()
            try Self.expectSame(place, "WorkOrders", "TimeEntries")
        }
    }

    @Test func whatNothingRefersToAnyMoreGoesUnlessAnotherQueryBringsIt() async throws {
        try await ServiceWorkplace.run { place in
            try place.atService("UPDATE WorkOrders SET SiteId = Id WHERE Id <= 4")
            try Self.prepare(
                place,
                [
                    "orders": "WorkOrders?$filter=Id le 4&$expand=Site",
                    "mine": "Sites?$filter=Id eq 2",
                ])
            let sites = "SELECT group_concat(Id) FROM (SELECT Id FROM Sites ORDER BY Id)"
            #expect(try place.storeText(sites) == "1,2,3,4")
            try place.atService("UPDATE WorkOrders SET SiteId = 4 WHERE Id IN (1, 2)")
            try place.sync.download()
            #expect(try place.storeText(sites) == "2,3,4")
            // With its query goes what only the query led to.
            try place.sync.deleteDownloadQuery(name: "orders")
            #expect(try place.storeText(sites) == "2")
            #expect(try place.storeCount("WorkOrders") == 0)
        }
    }

    @Test func unsentChangesKeepTheirEntityUntilTheyAreUndone() async throws {
        try await ServiceWorkplace.run { place in
            try Self.prepare(place, ["tree": "Sites?$expand=WorkOrders"])
            try place.retitle(3, "mine")
            try place.atService("DELETE FROM WorkOrders WHERE Id IN (3, 4)")
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders", "Id IN (3, 4)") == 1)
            #expect(try place.storedTitle(3) == "mine")
            try place.sync.undoPendingChanges(
                for: try place.sync.entities(place.query("WorkOrders?$filter=Id eq 3")))
            #expect(try place.storeCount("WorkOrders", "Id = 3") == 0)
        }
    }

    /// Nothing that comes says which orders are of which site, so nothing can be said of an order that is there.
    @Test func whereTheColumnsOfARelationAreLeftOutNothingIsTakenAway() async throws {
        try await ServiceWorkplace.run { place in
            try Self.prepare(
                place, ["tree": "Sites?$select=Id&$expand=WorkOrders($select=Id,Title)"])
            let count = try place.storeCount("WorkOrders")
            #expect(count > 0)
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders") == count)
        }
    }

    /// An entity that was made here and accepted stays, whether or not anything refers to it.
    @Test func whatWasMadeHereStaysUntilTheServiceGivesIt() async throws {
        try await ServiceWorkplace.run { place in
            try Self.prepare(place, ["tree": "WorkOrders?$filter=Id le 4&$expand=Site"])
            let pattern = try place.entity(
                "Sites", "Id eq \(try place.storeText("SELECT min(Id) FROM Sites") ?? "")")
            let site = EntityValue.ofType(place.set("Sites").entityType)
            for property in site.entityType.propertyList where property.isStructural {
                site.setDataValue(for: property, to: pattern.optionalValue(for: property))
            }
            place.property("Sites", "Id").setIntValue(in: site, to: 9_000)
            try place.sync.create(site)
            try place.sync.upload()
            try place.sync.download()
            #expect(try place.storeCount("Sites", "Id = 9000") == 1)
        }
    }

    @Test func aSetThatIsReadWholeLosesNothingByExpansions() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try place.sync.createDownloadQuery(
                name: "orders", query: place.query("WorkOrders?$filter=Id le 2&$expand=Site"),
                streams: false)
            try place.sync.download()
            try place.atService("UPDATE WorkOrders SET SiteId = 1 WHERE Id <= 2")
            try place.sync.download()
            try Self.expectSame(place, "Sites", "Equipment")
        }
    }
}
