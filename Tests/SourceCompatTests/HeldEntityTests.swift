import Foundation
import ODataTesting
import SAPOfflineOData
import Testing

/// What an object holds of related entities after the calls that change its row.
@Suite(.serialized) struct HeldEntityTests {
    @Test func anUpdateLeavesTheRelatedEntitiesThatTheObjectHolds() async throws {
        try await AppShop.run { school in
            let provider = try school.provider([("Customers", "Customers"), ("Orders", "Orders")])
            try AppShop.wait { done in provider.open { done($0) } }
            let service = BaseDataService(provider: provider)
            let customers = service.entitySet(withName: "Customers")
            let name = customers.entityType.property(withName: "Name")
            let orders = customers.entityType.property(withName: "Orders")
            let back = orders.itemEntityType.property(withName: "Customer")
            let key = EntityKey().with(name: "ID", value: LongValue.of(1))
            let ann = try service.executeQuery(
                DataQuery().from(customers).withKey(key).expand(orders)
            ).requiredEntity()
            name.setStringValue(in: ann, to: "Anna")
            try service.updateEntity(ann)
            #expect(orders.entityList(from: ann).length == 2)
            // Nothing of them is taken for new with the next update.
            name.setStringValue(in: ann, to: "Annie")
            try service.updateEntity(ann)
            #expect(orders.entityList(from: ann).length == 2)
            let requests = try provider.fetchRequestQueue().map(\.method)
            #expect(requests.allSatisfy { $0 == "PATCH" })

            // A new one goes along with the update and is there afterwards.
            let nail = EntityValue.ofType(orders.itemEntityType)
            nail.entityType.property(withName: "Title").setStringValue(in: nail, to: "Nail")
            orders.entityList(from: ann).append(nail)
            name.setStringValue(in: ann, to: "Ann")
            try service.updateEntity(ann)
            #expect(orders.entityList(from: ann).length == 3 && !nail.isNew)
            #expect(try provider.fetchRequestQueue().filter { $0.method == "POST" }.count == 1)

            // What the change leads elsewhere has to be read again.
            let saw = orders.entityList(from: ann)[0]
            try service.loadProperty(back, into: saw)
            #expect(back.optionalEntity(from: saw) != nil)
            let bo = try service.executeQuery(
                DataQuery().from(customers).withKey(
                    EntityKey().with(name: "ID", value: LongValue.of(2)))
            ).requiredEntity()
            saw.bindEntity(bo, to: back)
            try service.updateEntity(saw)
            #expect(!saw.hasDataValue(for: back))
            try service.loadProperty(back, into: saw)
            #expect(back.optionalEntity(from: saw).map { name.stringValue(from: $0) } == "Bo")
            try AppShop.wait { done in provider.upload { done($0) } }
            #expect(
                try school.serviceRows("SELECT CustomerID FROM Orders ORDER BY ID")
                    .flatMap { $0 }.sorted { ($0 ?? "") < ($1 ?? "") } == ["1", "1", "2"])
            try provider.close()
        }
    }
}
