import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import ODataWire
import Testing
import WorkplaceFixture

/// Sets that the metadata has added to are listed until they are read, over restarts, too.
@Suite struct ChangedSetsTests {
    private static func names(_ place: ServiceWorkplace) throws -> [String] {
        try place.sync.changedEntitySets().map(\.localName)
    }

    @Test func changedAndNewSetsAreListedOverARestartUntilTheyAreRead() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            #expect(try !place.sync.hasMetadataChanges())
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            place.sync.autoRefreshEntities = false
            place.sync.downloadInGroup("people", place.set("Customers"))
            try place.restartService(
                sql: """
                    ALTER TABLE WorkOrders ADD COLUMN Extra TEXT;
                    UPDATE WorkOrders SET Extra = 'extra ' || Id;
                    CREATE TABLE Tags (Name TEXT PRIMARY KEY, OrderId INTEGER);
                    INSERT INTO Tags VALUES ('urgent', 1);
                    """)
            try place.sync.download(["people"])
            #expect(try Self.names(place) == ["Tags", "WorkOrders"])
            try place.reopen { $0.autoRefreshEntities = false }
            #expect(try place.sync.hasMetadataChanges())
            #expect(try Self.names(place) == ["Tags", "WorkOrders"])
            place.sync.downloadInGroup("orders", place.set("WorkOrders"))
            try place.sync.download(["orders"])
            #expect(try Self.names(place) == ["Tags"])
            #expect(try place.storeText("SELECT Extra FROM WorkOrders WHERE Id = 7") == "extra 7")
            try place.sync.download()
            #expect(try !place.sync.hasMetadataChanges())
            #expect(try place.storeText("SELECT Name FROM Tags") == "urgent")
        }
    }

    /// Of a set of which only queries bring rows, nothing but its queries is read.
    @Test func aSetWithoutDefaultDownloadIsNotReadAsAWholeBecauseItHasChanged() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            place.sync.noDefaultEntityDownload(place.set("WorkOrders"))
            try place.sync.createDownloadQuery(
                name: "first", query: place.query("WorkOrders?$filter=Id eq 1"),
                streams: false)
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders") == 1)
            try place.restartService(
                sql: "ALTER TABLE WorkOrders ADD COLUMN Extra TEXT;"
                    + " UPDATE WorkOrders SET Extra = 'extra ' || Id")
            place.sync.downloadInGroup("people", place.set("Customers"))
            try place.sync.download(["people"])
            let reads = ["GET WorkOrders?$filter=Id eq 1", "GET WorkOrders?$filter=Id eq 1"]
            #expect(place.requests("GET WorkOrders") == reads)
            #expect(try place.storeCount("WorkOrders") == 1)
            #expect(try place.storeText("SELECT Extra FROM WorkOrders") == "extra 1")
            try place.sync.deleteDownloadQuery(name: "first")
            try place.restartService(sql: "ALTER TABLE WorkOrders ADD COLUMN More TEXT")
            try place.sync.download()
            try place.sync.download()
            #expect(place.requests("GET WorkOrders") == reads)
            #expect(try place.storeCount("WorkOrders") == 0)
        }
    }

    @Test func aNewRelationMakesItsSetIncomplete() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            let added =
                "<NavigationProperty Name=\"Inspector\" Type=\"FieldService.Customer\"/></EntityType>"
            place.observer.setFaults { [graph = place.service.graph] request, _ in
                guard request.url.hasSuffix("$metadata") else { return nil }
                var text = CSDLWriter.xml(graph)
                guard let start = text.firstRange(of: "<EntityType Name=\"Photo\""),
                    let end = text[start.upperBound...].firstRange(of: "</EntityType>")
                else { return nil }
                text.replaceSubrange(end, with: added)
                return .answer(
                    ResponseMessage(
                        status: 200, headers: ["Content-Type": "application/xml"],
                        body: Array(text.utf8)))
            }
            place.sync.downloadInGroup("people", place.set("Customers"))
            place.sync.autoRefreshEntities = false
            try place.sync.download(["people"])
            #expect(try Self.names(place) == ["Photos"])
        }
    }
}
