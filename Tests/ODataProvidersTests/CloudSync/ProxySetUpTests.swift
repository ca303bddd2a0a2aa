import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// The set-up and the calls that generated service classes make.
@Suite struct ProxySetUpTests {
    /// A service class in the shape that generators write.
    final class FieldService: OfflineDataService, @unchecked Sendable {
        let document: CSDLDocument

        init(_ place: ServiceWorkplace) {
            document = CSDLDocument(graph: place.service.graph)
            let type = document.entitySet(withName: "WorkOrders").entityType
            type.registerFactory(
                ObjectFactory.with(create: { WorkOrder(withDefaults: false, type: type) }))
            super.init(provider: place.sync)
            place.sync.metadata = document
        }

        var workOrders: EntitySet { document.entitySet(withName: "WorkOrders") }
        var timeEntries: EntitySet { document.entitySet(withName: "TimeEntries") }
        var sites: EntitySet { document.entitySet(withName: "Sites") }
        var customers: EntitySet { document.entitySet(withName: "Customers") }
    }

    final class WorkOrder: EntityValue, @unchecked Sendable {
        var title: String? {
            get { text("Title") }
            set { put("Title", newValue) }
        }
    }

    // CSP-005
    @Test func theProxySetUpOpensWithItsIndexAndItsGroups() async throws {
        try await ServiceWorkplace.run { place in
            let service = FieldService(place)
            let type = service.workOrders.entityType
            place.sync.createIndex(
                service.workOrders, type.property(withName: "ScheduledAt"),
                type.property(withName: "Status"))
            service.downloadInGroup("OrderGroup", service.workOrders, service.timeEntries)
            service.downloadInGroup("PlaceGroup", service.sites, service.customers)
            try service.open()
            #expect(
                place.sync.downloadGroup("OrderGroup").entities.toArray()
                    == ["WorkOrders", "TimeEntries"])
            #expect(
                place.sync.downloadGroup("PlaceGroup").entities.toArray() == ["Sites", "Customers"])
            let columns = try place.storeRows(
                "SELECT i.name FROM pragma_index_list('WorkOrders') l, pragma_index_info(l.name) i"
                    + " WHERE i.name IN ('ScheduledAt', 'Status') ORDER BY i.seqno"
            ).map { $0[0] as String }
            #expect(columns == ["ScheduledAt", "Status"])
            try service.download(groups: ["OrderGroup"])
            #expect(place.setsRead().sorted() == ["TimeEntries", "WorkOrders"])
        }
    }

    // CSP-079
    @Test func aLoadedProxyShowsThePresentState() async throws {
        try await ServiceWorkplace.run { place in
            let service = FieldService(place)
            try service.open()
            try service.download()
            #expect(place.sync.metadata === service.document)
            let query = DataQuery().from(service.workOrders).filter(
                service.workOrders.entityType.property(withName: "Id").equal(3))
            let order = try #require(
                try service.executeQuery(query).requiredEntity() as? WorkOrder)
            try place.retitle(3, "changed behind it")
            #expect(order.title != "changed behind it")
            place.cutNetwork()
            try service.loadEntity(order)
            #expect(order.title == "changed behind it")
            order.title = "by the proxy"
            try service.updateEntity(order)
            #expect(try place.storedTitle(3) == "by the proxy")
        }
    }
}
