import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing

@Suite struct FirstLightTests {
    static let sets = ["Customers", "Sites", "Equipment", "WorkOrders", "TimeEntries", "Photos"]

    /// CSP-009, CSP-132, CSP-133
    @Test func aFirstDownloadBringsEveryRow() async throws {
        try await onOwnThread {
            let place = try ServiceWorkplace(scale: 400, pageSize: 50)
            #expect(
                failure { try place.sync.hasInitialData() }
                    == Failure(
                        UsageError.self, .usage, "Expected an open store: call open() first."))
            try place.sync.open()
            #expect(try !place.sync.hasInitialData())
            try place.sync.download()
            #expect(try place.sync.hasInitialData())
            for set in Self.sets {
                let count = "SELECT count(*) FROM \"\(set)\""
                let there: Int = try place.serviceRows(count)[0][0]
                let here: Int = try place.storeRows(count)[0][0]
                #expect(there == here && there > 0, "\(set)")
            }
            let pages = place.service.observer.requests.filter { $0.url.contains("$skiptoken") }
            #expect(pages.count >= 4)
            place.close()
        }
    }

    /// CSP-073, CSP-076, CSP-145
    @Test func changesMadeOfflineReachTheService() async throws {
        try await onOwnThread {
            let place = try ServiceWorkplace(scale: 400, pageSize: 50)
            try place.sync.open()
            try place.sync.download()
            place.service.stop()
            let orders = place.sync.metadata.entitySet(withName: "WorkOrders")
            let type = orders.entityType
            let title = type.property(withName: "Title")
            let all = try place.sync.entities(
                DataQuery().from(orders).orderBy(type.property(withName: "Id"))
            )
            let changed = all[0]
            title.setStringValue(in: changed, to: "changed offline")
            try place.sync.update(changed)
            let new = EntityValue.ofType(type).inSet(orders)
            for property in type.propertyList where property.isStructural && !property.isKey {
                new.setDataValue(for: property, to: all[1].optionalValue(for: property))
            }
            type.property(withName: "Number").setStringValue(in: new, to: "NEW-1")
            try place.sync.create(new)
            #expect(try place.sync.queued().length == 2)
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/$batch"))
            #expect(try place.sync.queued().length == 2)
            try place.restartService()
            try place.reopen()
            let online = place.sync
            try online.upload()
            #expect(
                try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Number = 'NEW-1'").count == 1)
            #expect(
                try place.serviceRows("SELECT 1 FROM WorkOrders WHERE Title = 'changed offline'")
                    .count
                    == 1)
            #expect(try online.queued().length == 0)
            try online.download()
            let here: Int = try place.storeRows("SELECT count(*) FROM WorkOrders")[0][0]
            let there: Int = try place.serviceRows("SELECT count(*) FROM WorkOrders")[0][0]
            #expect(here == there)
            place.close()
        }
    }
}
