import Foundation
import ODataModel
import ODataQuery
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct UndoLocalCreationTests {
    private static let on: @Sendable (OfflineODataParameters) -> Void = {
        $0.enableUndoLocalCreation = true
    }

    private static func createUpdateDelete(
        _ desk: ShopDesk, _ options: OfflineODataRequestOptions = OfflineODataRequestOptions()
    ) throws {
        let customer = try desk.create("Customers", 101, "a", options: options)
        try desk.set(customer, "b", options: options)
        try desk.service.deleteEntity(customer)
    }

    /// FEA-030
    @Test func withoutTheSwitchAllThreeAreSent() async throws {
        try await ShopDesk.run { desk in
            try Self.createUpdateDelete(desk)
            try desk.upload()
            #expect(
                desk.sent()
                    == ["POST Customers", "PATCH Customers(101)", "DELETE Customers(101)"])
        }
    }

    /// PAR-029, FEA-031, FEA-032
    @Test func whatWasCreatedAndDeletedIsNeverSent() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try Self.createUpdateDelete(desk)
            try desk.create("Products", 1, "p")
            try desk.upload()
            #expect(desk.sent() == ["POST Products"])
            #expect(try desk.queueLength() == 0)
            #expect(try desk.served("Customers") == [["50", "Old"]])
            #expect(try desk.school.storeRows("SELECT ID FROM Customers") == [["50"]])
        }
    }

    /// FEA-049
    @Test func requestsStayInTheQueueUntilTheUpload() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try Self.createUpdateDelete(desk)
            #expect(try desk.queueLength() == 3)
            #expect(
                try desk.school.storeRows("SELECT count(*) FROM _odata_view_Customers") == [["1"]])
        }
    }

    /// PAR-030, FEA-033
    @Test func transactionsAndFlagsMakeNoDifference() async throws {
        try await ShopDesk.run {
            $0.enableUndoLocalCreation = true
            $0.enableTransactionBuilder = true
        } _: { desk in
            let options = try ShopDesk.options("1", unmodifiable: true)
            let changes = ChangeSet()
            let customer = desk.entity("Customers", 101, "a")
            changes.createEntity(customer, headers: .empty, options: options)
            let batch = RequestBatch()
            batch.addChanges(changes)
            try desk.service.processBatch(batch)
            try desk.set(customer, "b", options: options)
            try desk.create("Products", 1, "p", options: try ShopDesk.options("1"))
            try desk.service.deleteEntity(customer)
            try desk.upload()
            #expect(desk.sent().filter { $0.contains("Customers") }.isEmpty)
            #expect(try desk.served("Products") == [["1", "p"]])
        }
    }

    /// PAR-031
    @Test func aCascadeTakesChildrenThatWereCreatedHere() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.create("Customers", 101, "a")
            let order = desk.entity("Orders", 101, "o")
            try desk.service.createRelatedEntity(
                order, in: customer, property: customer.entityType.property(withName: "Orders"))
            try desk.service.deleteEntity(customer)
            #expect(try desk.queueLength() == 3)
            try desk.upload()
            #expect(desk.sent() == [])
            #expect(try desk.queueLength() == 0)
            #expect(try desk.served("Orders").isEmpty)
        }
    }

    private static func installAndDestroy(_ desk: ShopDesk) throws -> EntityValue {
        let cpu = try desk.find("CPUs", 101)
        let board = desk.entity("Motherboards", 101, "m")
        board.bindEntity(cpu, to: board.entityType.property(withName: "CPUs"))
        try desk.service.createEntity(board)
        try desk.service.deleteEntity(board)
        return board
    }

    /// PAR-032
    @Test func aCascadeToARowOfTheServiceSendsEverything() async throws {
        try await ShopDesk.run(Self.on) { desk in
            _ = try Self.installAndDestroy(desk)
            #expect(try desk.school.storeRows("SELECT ID FROM _odata_view_CPUs").isEmpty)
            try desk.upload()
            #expect(desk.sent() == ["POST Motherboards", "DELETE Motherboards(101)"])
            #expect(try desk.served("CPUs").isEmpty)
            #expect(try desk.served("Motherboards").isEmpty)
        }
    }

    /// PAR-064
    @Test func undoingPendingChangesSendsNothingEvenWithACascade() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let board = try Self.installAndDestroy(desk)
            try desk.provider.undoPendingChanges(for: board)
            try desk.upload()
            #expect(desk.sent().filter { $0.contains("Motherboards") }.isEmpty)
            #expect(try desk.served("CPUs") == [["101", "CPU101"]])
            #expect(try desk.school.storeRows("SELECT ID FROM _odata_view_CPUs") == [["101"]])
        }
    }

    /// What another entity refers to is sent, because the service may end in another state without it.
    @Test func whatOthersReferToIsSent() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let board = try desk.create("Motherboards", 7, "m")
            let cpu = try desk.find("CPUs", 101)
            cpu.bindEntity(board, to: cpu.entityType.property(withName: "Motherboard"))
            try desk.service.updateEntity(cpu)
            try desk.service.deleteEntity(board)
            try desk.upload()
            #expect(desk.sent().first == "POST Motherboards")
            #expect(desk.sent().last == "DELETE Motherboards(7)")
            #expect(try desk.served("CPUs").isEmpty)
        }
    }

    /// FEA-043, FEA-047, FEA-048
    @Test func undoOfANewEntityTakesEffectAtOnceAndNeedsNoDelete() async throws {
        try await ShopDesk.run { desk in
            let customer = try desk.create("Customers", 102, "a")
            try desk.set(customer, "b")
            let order = desk.entity("Orders", 1, "o")
            order.bindEntity(customer, to: order.entityType.property(withName: "Customer"))
            try desk.service.createEntity(order)
            #expect(try desk.queueLength() == 3)
            try desk.provider.undoPendingChanges(for: customer)
            #expect(try desk.queueLength() == 1)
            #expect(try desk.school.storeRows("SELECT ID FROM Customers") == [["50"]])
            try desk.upload()
            #expect(desk.sent() == ["POST Orders"])
            #expect(
                try desk.school.serviceRows("SELECT ID, CustomerID FROM Orders") == [["1", nil]])
        }
    }
}
