import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// How metadata comes, stays and changes.
@Suite struct CloudMetadataTests {
    // CSP-025, CSP-026
    @Test func metadataIsLoadedOnce() async throws {
        try await ServiceWorkplace.run { place in
            #expect(!place.sync.hasMetadata)
            try place.sync.loadMetadata(headers: HTTPHeaders(), options: RequestOptions())
            #expect(place.sync.hasMetadata)
            #expect(place.requests() == ["GET $metadata"])
            try place.sync.loadMetadata(headers: HTTPHeaders(), options: RequestOptions())
            #expect(place.requests().count == 1)
        }
    }

    // CSP-027
    @Test func anAssignedDocumentIsUsedByLaterQueries() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let old = place.sync.metadata
            let document = CSDLDocument(graph: old.graph)
            place.sync.metadata = document
            #expect(place.sync.metadata === document)
            let order = try place.entity("WorkOrders", "Id eq 1")
            #expect(order.entityType === document.entitySet(withName: "WorkOrders").entityType)
            #expect(order.entityType !== old.entitySet(withName: "WorkOrders").entityType)
        }
    }

    // CSP-028
    @Test func unloadedMetadataCanBeLoadedAgain() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.sync.unloadMetadata()
            #expect(!place.sync.hasMetadata)
            try place.sync.loadMetadata(headers: HTTPHeaders(), options: RequestOptions())
            #expect(place.sync.hasMetadata)
            #expect(try place.entities("WorkOrders").count == 25)
        }
    }

    // CSP-029
    @Test func fetchedMetadataDoesNotReplaceTheOneInUse() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let old = place.sync.metadata
            try place.restartService(sql: "ALTER TABLE WorkOrders ADD COLUMN Extra TEXT")
            let new = try place.sync.fetchMetadata(
                headers: HTTPHeaders(), options: RequestOptions())
            #expect(
                new.entitySet(withName: "WorkOrders").entityType.property(named: "Extra") != nil)
            #expect(place.sync.metadata === old)
            #expect(
                place.sync.metadata.entitySet(withName: "WorkOrders").entityType
                    .property(named: "Extra") == nil)
        }
    }

    // CSP-030
    @Test func aDownloadAfterTheIntervalAsksForMetadata() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.autoRefreshMetadata)
            try place.prepare()
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            try place.sync.download()
            #expect(place.requests("GET $metadata").count == 1)
        }
    }

    // CSP-031
    @Test func metadataIsNotRefreshedWhereThatIsSwitchedOff() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            place.sync.autoRefreshMetadata = false
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").count == 1)
            #expect(place.requests("GET $metadata").isEmpty)
        }
    }

    // CSP-032
    @Test func withinADayMetadataIsLookedAtOnce() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.autoRefreshInterval == DayTimeDuration.of(days: 1))
            try place.sync.open()
            try place.sync.download()
            try place.sync.download()
            #expect(place.requests("GET $metadata").count == 1)
        }
    }

    /// A clock that was ahead says nothing of when the metadata is due.
    @Test func aClockThatWasPutBackHoldsUpNoLook() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try DatabaseQueue(path: place.storePath).write {
                try $0.execute(
                    sql: "UPDATE _odata_meta SET value = value + 864000000"
                        + " WHERE name = 'metadataTime'")
            }
            try place.sync.download()
            try place.sync.download()
            #expect(place.requests("GET $metadata").count == 1)
        }
    }

    private static func grow(_ place: ServiceWorkplace) throws {
        try place.prepare()
        place.sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
        place.sync.downloadInGroup("people", place.set("Customers"))
        try place.restartService(
            sql: "ALTER TABLE WorkOrders ADD COLUMN Extra TEXT;"
                + " UPDATE WorkOrders SET Extra = 'extra ' || Id")
    }

    // CSP-033
    @Test func aSetWithAnAddedPropertyIsReadInFullThoughNoGroupAsksForIt() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.autoRefreshEntities)
            try Self.grow(place)
            try place.sync.download(["people"])
            #expect(try place.storeText("SELECT Extra FROM WorkOrders WHERE Id = 7") == "extra 7")
            #expect(try place.storeCount("WorkOrders", "Extra IS NULL") == 0)
            #expect(place.requests("GET Sites").isEmpty)
        }
    }

    // CSP-034
    @Test func changedSetsOutsideTheGroupsCanBeLeftAlone() async throws {
        try await ServiceWorkplace.run { place in
            try Self.grow(place)
            place.sync.autoRefreshEntities = false
            try place.sync.download(["people"])
            #expect(place.requests("GET Customers").count == 1)
            #expect(place.requests("GET WorkOrders").isEmpty)
        }
    }

    // CSP-035
    @Test func theListenerHearsOfAChangeOnce() async throws {
        try await ServiceWorkplace.run { place in
            let changes = Recorder<[String]>()
            place.sync.metadataListener = MetadataListener { change in
                changes.add(change.changedEntitySets)
            }
            try Self.grow(place)
            try place.sync.download()
            #expect(changes.all == [["WorkOrders"]])
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("GET $metadata").count == 1)
            #expect(changes.all.count == 1)
        }
    }

    // CSP-036, CSP-037
    @Test func setsThatLackDataAreListedUntilTheyAreRead() async throws {
        try await ServiceWorkplace.run { place in
            try Self.grow(place)
            place.sync.autoRefreshEntities = false
            #expect(try !place.sync.hasMetadataChanges())
            try place.sync.download(["people"])
            #expect(try place.sync.hasMetadataChanges())
            #expect(try place.sync.changedEntitySets().map(\.localName) == ["WorkOrders"])
            try place.sync.download()
            #expect(try !place.sync.hasMetadataChanges())
            #expect(try place.sync.changedEntitySets().isEmpty)
        }
    }
}
