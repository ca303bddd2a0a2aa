import Foundation
import GeneratedSample
import GRDB
import ODataClasses
import ODataModel
import ODataProviders
import ODataProxyGen
import ODataServer
import ODataTesting
import ODataWire
import SAPOData
import Testing

/// The committed classes are those that the generator makes, and they work, online and offline.
@Suite(.serialized) struct GeneratedClassesTests {
    @Test func theCommittedClassesAreThoseThatTheGeneratorMakes() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let metadata = Array(CSDLWriter.xml(place.service.graph).utf8)
            let outputs = [
                try ProxyGenerator.generate(
                    metadata: metadata, definitions: Array(SampleService.definitions.utf8),
                    options: SampleService.options),
                try ProxyGenerator.generate(
                    metadata: metadata, options: SampleService.asyncOptions),
            ]
            #expect(outputs.flatMap(\.notes).isEmpty)
            try CommittedFiles("Tests/GeneratedSample").expect(outputs.flatMap(\.files))
        }
    }

    private static func online(_ place: ServiceWorkplace) -> FieldService {
        FieldService(
            provider: OnlineODataProvider(
                serviceName: "FieldService", serviceRoot: place.service.url ?? ""))
    }

    @Test func onlineCallsAreTyped() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = Self.online(place)
            let query = DataQuery().filter(WorkOrder.keyID.lessEqual(3)).orderBy(WorkOrder.keyID)
                .expand(WorkOrder.site, WorkOrder.timeEntries)
            let orders = try service.fetchWorkOrders(matching: query)
            #expect(orders.map(\.keyID) == [1, 2, 3])
            #expect(orders.allSatisfy { $0.isProxy && $0.site?.keyID == $0.siteID })
            let entries = try place.serviceText(
                "SELECT count(*) FROM TimeEntries WHERE WorkOrderId <= 3")
            #expect(String(orders.flatMap(\.timeEntries).count) == entries)
            let site = try service.fetchSiteWithKey(id: 2)
            #expect(
                try site.name == place.serviceText("SELECT Name FROM Sites WHERE Id = 2"))
            #expect(
                try service.fetchSite(matching: DataQuery().withKey(Site.key(id: 2))).city
                    == site.city)
            #expect(FieldService.sites === FieldServiceMetadata.EntitySets.sites)
        }
    }

    @Test func onlineChangesAreMade() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = Self.online(place)
            try Self.change(service, in: "WorkOrders") {
                try place.serviceText($0)
            } then: {
            }
        }
    }

    @Test func functionsAndActionsAreCalled() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = Self.online(place)
            let ofSite = try place.serviceText(
                "SELECT group_concat(Id) FROM (SELECT Id FROM WorkOrders WHERE SiteId = 1 ORDER BY Id)"
            )
            let orders = try service.ordersOf(site: 1)
            #expect(
                orders.compactMap { $0.keyID.map(String.init) }.joined(separator: ",") == ofSite
                    ?? "")
            let all = try place.serviceText("SELECT count(*) FROM WorkOrders")
            #expect(try service.orderCount(priority: nil).map(String.init) == all)
            let first = try place.serviceText("SELECT count(*) FROM WorkOrders WHERE Priority = 1")
            #expect(try service.orderCount(priority: 1).map(String.init) == first)
            try service.closeOrder(id: 4)
            #expect(try place.serviceText("SELECT Status FROM WorkOrders WHERE Id = 4") == "done")
        }
    }

    @Test func handlersGetTypedResults() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = Self.online(place)
            service.completionQueue = OperationQueue()
            let done = DispatchSemaphore(value: 0)
            let box = Box<Result<[Site], any Error>>()
            service.fetchSites(matching: DataQuery().top(2).orderBy(Site.keyID)) { result in
                box.value = result
                done.signal()
            }
            done.wait()
            let sites = try #require(box.value).get()
            #expect(sites.map(\.keyID) == [1, 2])
            let token = CancelToken()
            token.cancel()
            service.fetchSites(options: RequestOptions().cancelable(token)) { result in
                box.value = result
                done.signal()
            }
            done.wait()
            let outcome = try #require(box.value)
            #expect(throws: (any Error).self) { try outcome.get() }
        }
    }

    // CSP-005
    @Test func offlineCallsAreTypedAndChangesAreSent() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = FieldService(provider: place.sync)
            try place.sync.open()
            try place.sync.download()
            place.cutNetwork()
            let order = try service.fetchWorkOrderWithKey(
                id: 2, query: DataQuery().expand(WorkOrder.site))
            #expect(order.site?.keyID == order.siteID)
            let count = try place.storeText("SELECT count(*) FROM Sites")
            #expect(try String(service.fetchSites().count) == count)
            try Self.change(service, in: "_odata_view_WorkOrders") {
                try place.storeText($0)
            } then: {
                place.restoreNetwork()
                try place.sync.upload()
                place.cutNetwork()
            }
            #expect(
                try place.serviceText("SELECT Title FROM WorkOrders WHERE Id = 901") == "Second")
            #expect(try place.serviceText("SELECT count(*) FROM WorkOrders WHERE Id = 902") == "0")
        }
    }

    private static func newOrder(_ id: Int64) -> WorkOrder {
        let order = WorkOrder()
        order.keyID = id
        order.siteID = 1
        order.number = "N-\(id)"
        order.title = "First"
        order.priority = 2
        order.status = "open"
        order.createdAt = GlobalDateTime.now()
        order.isBillable = true
        return order
    }

    /// Creates, updates and deletes through the service; `text` reads what is kept, past all code of ours.
    private static func change(
        _ service: FieldService, in orders: String, text: (String) throws -> String?,
        then: () throws -> Void
    ) throws {
        // A set of drafts has the type, too.
        let (kept, gone) = (
            newOrder(901).inSet(FieldService.workOrders),
            newOrder(902).inSet(FieldService.workOrders)
        )
        try service.createEntity(kept)
        try service.createEntity(gone)
        #expect(try text("SELECT Title FROM \(orders) WHERE Id = 901") == "First")
        #expect(try text("SELECT Priority FROM \(orders) WHERE Id = 901") == "2")
        try then()
        kept.title = "Second"
        #expect(kept.old.title == "First" && kept.copy().title == "Second")
        try service.updateEntity(kept)
        try service.deleteEntity(gone)
        #expect(try text("SELECT Title FROM \(orders) WHERE Id = 901") == "Second")
        #expect(try text("SELECT count(*) FROM \(orders) WHERE Id = 902") == "0")
        try then()
    }

    // MARK: Definitions of the client

    @Test(
        "CSP-041 the metadata of the classes carries what only the client knows, and the store keeps it"
    )
    func definitionsNeedNoFile() async throws {
        let document = FieldServiceMetadata.document
        #expect(document.entitySets.has("Memos") && document.entitySets.has("WorkOrderDrafts"))
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let service = FieldService(provider: place.sync)
            #expect(place.sync.clientMetadataFile == nil)
            try place.sync.open()
            try place.sync.download()
            #expect(place.sync.metadata === FieldServiceMetadata.document)
            let memo = Memo()
            memo.keyID = 7
            memo.text = "call back"
            memo.mood = .urgent
            try service.createEntity(memo)
            let draft = Self.newOrder(31).inSet(FieldService.workOrderDrafts)
            draft.title = "maybe"
            try service.createEntity(draft)
            #expect(
                try place.storeText("SELECT Id || ' ' || Text || ' ' || Mood FROM Memos")
                    == "7 call back 1")
            #expect(
                try place.storeText("SELECT Title FROM WorkOrderDrafts WHERE Id = 31") == "maybe")
            #expect(try place.storeText("SELECT count(*) FROM _odata_request") == "0")
            try place.sync.upload()
            try place.sync.download()
            #expect(
                !place.requests().contains { $0.contains("Memos") || $0.contains("Drafts") })
            let read = try service.fetchMemoWithKey(id: 7)
            #expect(read.mood == .urgent && read.text == "call back")

            // The next start of the app finds them, without the service.
            place.cutNetwork()
            try place.reopen { _ = FieldService(provider: $0) }
            let again = FieldService(provider: place.sync)
            #expect(try again.fetchMemos().map(\.text) == ["call back"])
            #expect(try again.fetchWorkOrderDrafts().map(\.title) == ["maybe"])
        }
    }

    // MARK: The async family

    @Test func asyncCallsAndTheirOnlineCompanionAreTyped() async throws {
        let place = try await onOwnThread { try ServiceWorkplace(adjust: SampleService.adjust) }
        do {
            try await Self.useAsync(place)
        } catch {
            try await onOwnThread { place.close() }
            throw error
        }
        try await onOwnThread { place.close() }
    }

    private static func useAsync(_ place: ServiceWorkplace) async throws {
        let service = FieldSync(provider: place.sync)
        try await service.open()
        try await service.download()
        let query = DataQuery().orderBy(AsyncSite.keyID).top(2)
        let sites = try await service.fetchSites(matching: query)
        #expect(sites.map(\.keyID) == [1, 2])
        try await onOwnThread {
            try place.atService("UPDATE Sites SET City = 'Elsewhere' WHERE Id = 1")
        }
        #expect(try await service.fetchSiteWithKey(id: 1).city == sites[0].city)
        #expect(service.online !== service && service.online.online === service.online)
        #expect(try await service.online.fetchSiteWithKey(id: 1).city == "Elsewhere")
        try await service.online.closeOrder(id: 4)
        let status = try await onOwnThread {
            try place.serviceText("SELECT Status FROM WorkOrders WHERE Id = 4")
        }
        #expect(status == "done")
        let count = try await service.online.orderCount(priority: nil)
        #expect(count == Int64(try await service.fetchWorkOrders().count))
        let token = CancelToken()
        token.cancel()
        await #expect(throws: (any Error).self) {
            try await service.fetchSites(options: RequestOptions().cancelable(token))
        }
    }

    // MARK: Fresh metadata

    @Test func aRefreshKeepsTheClassesTyped() async throws {
        try await ServiceWorkplace.run(adjust: SampleService.adjust) { place in
            let old = FieldServiceMetadata.document
            defer { FieldServiceMetadata.document = old }
            let service = Self.online(place)
            #expect(try service.fetchSiteWithKey(id: 1).keyID == 1)
            service.serviceOptions.csdlOptions = CSDLOption.warnIfProviderIncompatible
            try service.refreshMetadata()
            #expect(FieldServiceMetadata.document !== old)
            #expect(
                FieldServiceMetadata.EntitySets.sites
                    === service.metadata.entitySet(withName: "Sites"))
            let site = try service.fetchSiteWithKey(id: 1)
            #expect(site.keyID == 1 && site.name != nil)
            // What the service does not have stays as it was.
            #expect(Memo().mood == nil && FieldService.memos.localName == "Memos")
        }
    }
}

private final class Box<Value: Sendable>: @unchecked Sendable {
    // Written before the semaphore is signalled, read after it was waited for.
    var value: Value?
}
