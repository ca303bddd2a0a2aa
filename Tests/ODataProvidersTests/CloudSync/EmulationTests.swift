import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import Testing
import WorkplaceFixture

/// Relations that are written as foreign keys.
@Suite struct EmulationTests {
    private func site(_ place: ServiceWorkplace, _ id: Int) throws -> EntityValue {
        try place.entity("Sites", "Id eq \(id)")
    }

    // CSP-085
    @Test func aBindIsSentAsTheForeignKeyOnlyWhereAskedFor() async throws {
        for isEmulated in [false, true] {
            try await ServiceWorkplace.run(scale: 20) { place in
                #expect(!place.sync.emulateBindOperations)
                place.sync.emulateBindOperations = isEmulated
                try place.prepare()
                let order = try place.order(1)
                order.bindEntity(try site(place, 2), to: place.property("WorkOrders", "Site"))
                try place.sync.update(order)
                let body = try place.storeText("SELECT body FROM _odata_request") ?? ""
                #expect(body.contains("\"SiteId\":2") == isEmulated)
                #expect(body.contains("binds") == !isEmulated)
                try place.sync.upload()
                #expect(
                    try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1") == "2")
                #expect(try place.sync.failed().isEmpty)
            }
        }
    }

    /// The service has another site in the place of the one that an order was made for.
    @Test func aBindToWhatTheServiceHasDeletedGoesToNothingElse() async throws {
        let site901 =
            "INSERT INTO Sites SELECT 901, CustomerId, 'old', Street, City, PostalCode, Country,"
            + " Latitude, Longitude, OpensAt, HasParking FROM Sites WHERE Id = 1"
        try await ServiceWorkplace.run(scale: 20, sql: site901) { place in
            try place.prepare()
            let order = try place.newOrder("X-1")
            order.bindEntity(try site(place, 901), to: place.property("WorkOrders", "Site"))
            try place.sync.create(order)
            try place.atService("UPDATE Sites SET Id = 902, Name = 'new' WHERE Id = 901")
            try place.sync.download()
            #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(try place.serviceCount("WorkOrders", "SiteId = 902 OR Number = 'X-1'") == 0)
            #expect(try place.sync.failed().length == 1)
        }
    }

    // CSP-086
    @Test func linkOperationsAreSentAsChangesOfTheForeignKeyWhereAskedFor() async throws {
        for isEmulated in [false, true] {
            try await ServiceWorkplace.run(scale: 20) { place in
                #expect(!place.sync.emulateLinkOperations)
                place.sync.emulateLinkOperations = isEmulated
                place.sync.batchEntityUploads = false
                try place.prepare()
                try place.sync.updateLink(
                    from: try place.order(1), property: place.property("WorkOrders", "Site"),
                    to: try site(place, 2), headers: HTTPHeaders(), options: RequestOptions())
                try place.sync.createLink(
                    from: try site(place, 2), property: place.property("Sites", "WorkOrders"),
                    to: try place.order(2), headers: HTTPHeaders(), options: RequestOptions())
                try place.sync.upload()
                #expect(
                    place.requests().sorted()
                        == (isEmulated
                            ? ["PATCH WorkOrders(1)", "PATCH WorkOrders(2)"]
                            : [
                                "POST Sites(2)/WorkOrders/$ref", "PUT WorkOrders(1)/Site/$ref",
                            ]))
                #expect(
                    try place.serviceText(
                        "SELECT count(*) FROM WorkOrders WHERE Id IN (1, 2) AND SiteId = 2")
                        == "2")
                #expect(try place.sync.failed().isEmpty)
            }
        }
    }

    @Test func aNewEntityIsReferredToByTheKeyThatItGets() async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            place.sync.emulateBindOperations = true
            try place.prepare()
            let sites = place.set("Sites")
            let known = try site(place, 1)
            let new = EntityValue.ofType(sites.entityType).inSet(sites)
            for property in sites.entityType.propertyList
            where property.isStructural && !property.isKey {
                new.setDataValue(for: property, to: known.optionalValue(for: property))
            }
            try place.sync.create(new)
            let order = try place.order(1)
            order.bindEntity(new, to: place.property("WorkOrders", "Site"))
            try place.sync.update(order)
            try place.sync.upload()
            let id = try place.serviceText("SELECT max(Id) FROM Sites")
            #expect(
                try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 1") == id)
        }
    }

    // CSP-087
    @Test func aRelationWithoutReferentialConstraintIsRefused() async throws {
        try await onOwnThread {
            let folder = try OnlineFixture.makeDirectory()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let online = OnlineODataProvider(
                serviceName: "Script", serviceRoot: "http://h/s",
                transport: LoopbackTransport { _ in
                    ResponseMessage(
                        status: 200, headers: ["Content-Type": "application/xml"],
                        body: Array(OnlineOptionsTests.model.utf8))
                }, folder: PrivateFolder(path: folder))
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Script", databaseURL: "sqlite:" + folder + "/store.db"))
            sync.emulateBindOperations = true
            sync.emulateLinkOperations = true
            try sync.open()
            let set = sync.metadata.entitySet(withName: "Items")
            let parent = set.entityType.property(withName: "Parent")
            let items = try ["a", "b"].map { name in
                let entity = EntityValue.ofType(set.entityType).inSet(set)
                for property in ["Id", "Name"] {
                    set.entityType.property(withName: property).setStringValue(
                        in: entity, to: name)
                }
                try sync.create(entity)
                return entity
            }
            #expect(
                failure {
                    try sync.updateLink(
                        from: items[0], property: parent, to: items[1], headers: HTTPHeaders(),
                        options: RequestOptions())
                } == Failure(UsageError.self, .usage, at: "Items/Parent"))
            items[0].bindEntity(items[1], to: parent)
            #expect(
                failure { try sync.update(items[0]) }
                    == Failure(UsageError.self, .usage, at: "Items/Parent"))
            #expect(try sync.queued().count == 2)
            try sync.close()
        }
    }
}
