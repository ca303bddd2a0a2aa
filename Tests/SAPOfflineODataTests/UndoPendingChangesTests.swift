import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// What undoing the changes of an entity leaves in the store's file, and what the service sees of it.
@Suite struct UndoPendingChangesTests {
    private static func customers(_ desk: ShopDesk) throws -> [[String?]] {
        try desk.school.storeRows("SELECT ID, Name, Status FROM _odata_view_Customers ORDER BY ID")
    }

    private static func orders(_ desk: ShopDesk) throws -> [[String?]] {
        try desk.school.storeRows("SELECT ID, CustomerID FROM _odata_view_Orders ORDER BY ID")
    }

    /// Nothing waits, and an upload sends nothing.
    private static func expectNothingToSend(_ desk: ShopDesk) throws {
        #expect(try desk.queueLength() == 0)
        try desk.upload()
        #expect(desk.sent() == [])
    }

    /// FEA-040
    @Test func allValuesOfAPatchedEntityComeBack() async throws {
        try await ShopDesk.run { desk in
            let customer = try desk.find("Customers", 50)
            try desk.set(customer, "first")
            try desk.set(customer, "DONE", property: "Status")
            try desk.set(customer, "last")
            #expect(try Self.customers(desk) == [["50", "last", "DONE"]])
            #expect(try desk.queueLength() == 3)
            try desk.provider.undoPendingChanges(for: customer)
            #expect(try Self.customers(desk) == [["50", "Old", "NEW"]])
            try Self.expectNothingToSend(desk)
        }
    }

    /// FEA-041
    @Test(arguments: [true, false])
    func theRelationsOfAnExistingEntityAreRemoved(ofTheCustomer: Bool) async throws {
        try await ShopDesk.run { desk in
            for id in [7, 8] { try desk.create("Orders", id, "o") }
            try desk.upload()
            #expect(SchoolService.wait { desk.provider.download(completionHandler: $0) } == nil)
            desk.school.service.observer.forget()
            let customer = try desk.find("Customers", 50)
            let orders = try [7, 8].map { try desk.find("Orders", $0) }
            for order in orders {
                try desk.service.createLink(
                    from: customer, property: customer.entityType.property(withName: "Orders"),
                    to: order)
            }
            #expect(try Self.orders(desk) == [["7", "50"], ["8", "50"]])
            #expect(try desk.queueLength() == 2)
            for entity in ofTheCustomer ? [customer] : orders {
                try desk.provider.undoPendingChanges(for: entity)
            }
            #expect(try Self.orders(desk) == [["7", nil], ["8", nil]])
            try Self.expectNothingToSend(desk)
        }
    }

    /// FEA-042
    @Test func aDeletedEntityIsThereAgain() async throws {
        try await ShopDesk.run { desk in
            let customer = try desk.find("Customers", 50)
            try desk.set(customer, "changed first")
            try desk.service.deleteEntity(customer)
            #expect(try Self.customers(desk).isEmpty)
            try desk.provider.undoPendingChanges(for: customer)
            #expect(try Self.customers(desk) == [["50", "Old", "NEW"]])
            try Self.expectNothingToSend(desk)
            #expect(try desk.served("Customers") == [["50", "Old"]])
        }
    }

    /// Creates an order with a new customer in it, by one request.
    private static func insertBoth(_ desk: ShopDesk) throws {
        let order = desk.entity("Orders", 102, "order102")
        order.entityType.property(withName: "Customer").setEntityValue(
            in: order, to: desk.entity("Customers", 102, "customer102"))
        try desk.service.createEntity(order)
        #expect(try orders(desk) == [["102", "102"]])
        #expect(try customers(desk) == [["50", "Old", "NEW"], ["102", "customer102", nil]])
        #expect(try desk.queueLength() == 1)
    }

    /// FEA-044, FEA-045
    @Test(arguments: [false, true])
    func anOrderStaysWithoutTheCustomerThatWasUndone(thenTheOrder: Bool) async throws {
        try await ShopDesk.run { desk in
            try Self.insertBoth(desk)
            try desk.provider.undoPendingChanges(for: try desk.find("Customers", 102))
            #expect(try Self.orders(desk) == [["102", nil]])
            #expect(try Self.customers(desk) == [["50", "Old", "NEW"]])
            if thenTheOrder {
                try desk.provider.undoPendingChanges(for: try desk.find("Orders", 102))
                #expect(try Self.orders(desk).isEmpty)
                try Self.expectNothingToSend(desk)
                return
            }
            try desk.upload()
            #expect(desk.sent() == ["POST Orders"])
            #expect(
                try desk.school.serviceRows("SELECT ID, Name, CustomerID FROM Orders")
                    == [["102", "order102", nil]])
            #expect(try desk.served("Customers") == [["50", "Old"]])
        }
    }

    /// FEA-045, FEA-046
    @Test(arguments: [false, true])
    func aCustomerStaysWithoutTheOrderThatWasUndone(thenTheCustomer: Bool) async throws {
        try await ShopDesk.run { desk in
            try Self.insertBoth(desk)
            try desk.provider.undoPendingChanges(for: try desk.find("Orders", 102))
            #expect(try Self.orders(desk).isEmpty)
            #expect(try Self.customers(desk).map { $0[0] } == ["50", "102"])
            if thenTheCustomer {
                try desk.provider.undoPendingChanges(for: try desk.find("Customers", 102))
                #expect(try Self.customers(desk).map { $0[0] } == ["50"])
                try Self.expectNothingToSend(desk)
                return
            }
            try desk.upload()
            #expect(desk.sent() == ["POST Customers"])
            #expect(try desk.served("Customers") == [["50", "Old"], ["102", "customer102"]])
            #expect(try desk.served("Orders").isEmpty)
        }
    }
}
