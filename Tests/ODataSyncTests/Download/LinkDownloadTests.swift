import APIErrorFixture
import ErrorFixture
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// What a synchronisation by URL alone does for links that no referential constraint tells (docs/design.md, decision 11).
@Suite struct LinkDownloadTests {
    @discardableResult
    private static func sync(_ place: ServiceWorkplace) throws -> DownloadProgress {
        try place.sync.downloadReporting(
            groups: [], SyncOptions(), loadsLinks: true)
    }

    private static func expectLinks(_ place: ServiceWorkplace) throws {
        #expect(
            try place.storedLinks("Sites_WorkOrders", "Id", "Id")
                == place.servedLinks("SELECT SiteId, Id FROM WorkOrders"))
        #expect(
            try place.storedLinks("Equipment_Parent", "SerialNumber", "SerialNumber")
                == place.servedLinks(
                    "SELECT SerialNumber, ParentSerialNumber FROM Equipment"
                        + " WHERE ParentSerialNumber IS NOT NULL"))
    }

    @Test func linksWithoutConstraintsAreExpandedAndReadOffline() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 50) { place in
            place.serveWithoutConstraints()
            try place.sync.open()
            let result = try Self.sync(place)
            #expect(result.skipped.isEmpty && result.unknownLinks.isEmpty)
            // The side that leads to one entity is asked for, with no more than its key.
            let orders = place.requests("GET WorkOrders").first ?? ""
            #expect(orders.contains("Site($select=Id)"))
            #expect(place.requests("GET Sites").allSatisfy { !$0.contains("WorkOrders") })
            try Self.expectLinks(place)
            for set in ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"] {
                #expect(try place.storeCount(set) == place.serviceCount(set))
            }
            // A part of a row neither empties columns nor passes for the whole.
            #expect(try place.storeCount("Sites", "Name IS NULL OR _odata_etag IS NULL") == 0)
            place.cutNetwork()
            let order = try place.entities("WorkOrders?$expand=Site&$filter=Id eq 5")[0]
            let site = place.property("WorkOrders", "Site").entityValue(from: order)
            #expect(
                site.text("Id")
                    == (try place.serviceText("SELECT SiteId FROM WorkOrders WHERE Id = 5")))
            let back = try place.entities("Sites?$expand=WorkOrders&$filter=Id eq 1")[0]
            #expect(
                place.property("Sites", "WorkOrders").entityList(from: back).length
                    == (try place.serviceCount("WorkOrders", "SiteId = 1")))
        }
    }

    @Test func laterSyncsMoveLinksThatChangedAtTheService() async throws {
        try await ServiceWorkplace.run(scale: 300, pageSize: 50) { place in
            place.serveWithoutConstraints()
            try place.sync.open()
            try Self.sync(place)
            try place.atService(
                """
                UPDATE WorkOrders SET SiteId = SiteId % 5 + 1 WHERE Id % 4 = 0;
                DELETE FROM WorkOrders WHERE Id % 9 = 0;
                UPDATE Equipment SET ParentSerialNumber = NULL WHERE rowid % 2 = 0;
                """)
            try Self.sync(place)
            try Self.expectLinks(place)
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
        }
    }

    /// That entities are found, and what one of their properties leads to is not known: it is not set, and loading it fails.
    private static func expectUnknown(
        _ place: ServiceWorkplace, _ set: String, _ navigation: String
    ) throws {
        let found = try place.entities("\(set)?$expand=\(navigation)")
        let first = try #require(found.first)
        let property = first.entityType.property(withName: navigation)
        #expect(found.allSatisfy { !$0.hasDataValue(for: property) })
        #expect(property.optionalValue(from: first) == nil)
        #expect(
            failure {
                try DataService(provider: place.sync).loadProperty(property, into: first)
            } == Failure(UndefinedError.self, .notLoaded, at: "\(set)/\(navigation)"))
    }

    /// Metadata that says that some navigation properties cannot be expanded.
    private static func restricted(_ metadata: String) -> String {
        func say(_ set: String, _ value: String, in text: String) -> String {
            guard let start = text.firstRange(of: "<EntitySet Name=\"\(set)\""),
                let end = text[start.upperBound...].firstIndex(of: ">")
            else { return text }
            let annotation =
                "<Annotation Term=\"Org.OData.Capabilities.V1.ExpandRestrictions\"><Record>"
                + value + "</Record></Annotation>"
            return String(text[...end]) + annotation + text[text.index(after: end)...]
        }
        let paths =
            "<PropertyValue Property=\"NonExpandableProperties\"><Collection>"
            + "<NavigationPropertyPath>Site</NavigationPropertyPath>"
            + "<NavigationPropertyPath>Equipment</NavigationPropertyPath>"
            + "</Collection></PropertyValue>"
        let some = say("WorkOrders", paths, in: metadata)
        let none = "<PropertyValue Property=\"Expandable\" Bool=\"false\"/>"
        return say("Equipment", none, in: some)
    }

    @Test func whatTheServiceDoesNotExpandIsUnknownAndSaidSo() async throws {
        try await ServiceWorkplace.run { place in
            place.serveWithoutConstraints(Self.restricted)
            try place.sync.open()
            let result = try Self.sync(place)
            let reason = "the service says that it cannot be expanded"
            #expect(result.unknownLinks["Equipment/WorkOrders"] == reason)
            #expect(result.unknownLinks["Equipment/Parent"] == reason)
            #expect(result.unknownLinks["WorkOrders/Site"] == nil)
            // The other side brings what one side may not.
            #expect(place.requests("GET Sites").contains { $0.contains("WorkOrders($select=Id)") })
            #expect(
                try place.storedLinks("Sites_WorkOrders", "Id", "Id")
                    == place.servedLinks("SELECT SiteId, Id FROM WorkOrders"))
            try Self.expectUnknown(place, "Equipment", "Parent")
        }
    }

    @Test(arguments: [400, 501]) func aRefusedExpandLeavesTheEntitiesAndUnknownLinks(
        status: Int
    ) async throws {
        try await ServiceWorkplace.run { place in
            place.serveWithoutConstraints({ $0 }) { request, _ in
                request.url.contains("/WorkOrders?") && request.url.contains("expand=")
                    ? .answer(ResponseMessage(status: status)) : nil
            }
            place.sync.batchEntityDownloads = false
            try place.sync.open()
            let result = try Self.sync(place)
            #expect(result.skipped.isEmpty)
            #expect(try place.storeCount("WorkOrders") == place.serviceCount("WorkOrders"))
            #expect(
                result.unknownLinks["WorkOrders/Site"]?.contains("refuses $expand") == true)
            #expect(result.unknownLinks["TimeEntries/WorkOrder"] == nil)
            try Self.expectUnknown(place, "WorkOrders", "Site")
        }
    }

    @Test func aServiceThatIgnoresExpandLeavesLinksUnknown() async throws {
        try await ServiceWorkplace.run { place in
            place.serveWithoutConstraints({ $0 }) { request, _ in
                guard request.url.contains("/TimeEntries?") else { return nil }
                let rows =
                    request.url.contains("deltatoken")
                    ? "" : #"{"WorkOrderId":1,"Position":5,"Technician":"x"}"#
                return ServiceWorkplace.page(
                    "{\"value\":[\(rows)],\"@odata.deltaLink\":\"TimeEntries?$deltatoken=1\"}")
            }
            place.sync.batchEntityDownloads = false
            try place.sync.open()
            // The second read is a delta without changes, which tells no more than the first.
            for _ in 0..<2 {
                let result = try Self.sync(place)
                #expect(
                    result.unknownLinks["TimeEntries/WorkOrder"] == "no download has brought them")
                #expect(result.unknownLinks.count == 1)
                try Self.expectUnknown(place, "TimeEntries", "WorkOrder")
            }
            let urls = place.observer.requests.map(\.url)
            #expect(urls.contains { $0.contains("/TimeEntries?") && $0.contains("deltatoken") })
        }
    }
}
