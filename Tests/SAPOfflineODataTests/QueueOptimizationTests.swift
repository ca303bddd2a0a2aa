import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct QueueOptimizationTests {
    private static let on: @Sendable (OfflineODataParameters) -> Void = {
        $0.enableRequestQueueOptimization = true
    }

    /// PAR-021, FEA-022, FEA-023
    @Test func withoutTheSwitchEveryRequestIsSent() async throws {
        try await ShopDesk.run { desk in
            #expect(try desk.provider.requestQueueIsEmpty())
            let customer = try desk.create("Customers", 1, "John")
            try desk.set(customer, "John Doe")
            #expect(try !desk.provider.requestQueueIsEmpty())
            try desk.upload()
            #expect(try desk.provider.requestQueueIsEmpty())
            #expect(desk.sent() == ["POST Customers", "PATCH Customers(1)"])
            #expect(try desk.served("Customers") == [["1", "John Doe"], ["50", "Old"]])
        }
    }

    /// PAR-022, FEA-024
    @Test func aCreateAndItsUpdatesBecomeOneCreate() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.create("Customers", 1, "J")
            try desk.set(customer, "John")
            try desk.set(customer, "John Doe")
            #expect(try desk.queueLength() == 3)
            try desk.upload()
            #expect(desk.sent() == ["POST Customers"])
            #expect(try desk.served("Customers") == [["1", "John Doe"], ["50", "Old"]])
            #expect(try desk.queueLength() == 0)
        }
    }

    /// PAR-023, FEA-025
    @Test func aCreateAndItsDeleteBecomeNothing() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.create("Customers", 1, "J")
            try desk.set(customer, "John")
            try desk.service.deleteEntity(customer)
            #expect(try desk.queueLength() == 3)
            try desk.upload()
            #expect(desk.sent() == [])
            #expect(try desk.queueLength() == 0)
            #expect(try desk.school.storeRows("SELECT ID FROM Customers") == [["50"]])
        }
    }

    /// PAR-024
    @Test func updatesBecomeOneWhoseLastValueWins() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.find("Customers", 50)
            try desk.set(customer, "first")
            try desk.set(customer, "DONE", property: "Status")
            try desk.set(customer, "last")
            try desk.upload()
            #expect(desk.sent() == ["PATCH Customers(50)"])
            #expect(
                try desk.school.serviceRows("SELECT Name, Status FROM Customers")
                    == [["last", "DONE"]])
        }
    }

    @Test func updatesBeforeADeleteAreNotSent() async throws {
        try await ShopDesk.run(Self.on) { desk in
            let customer = try desk.find("Customers", 50)
            try desk.set(customer, "first")
            try desk.service.deleteEntity(customer)
            try desk.upload()
            #expect(desk.sent() == ["DELETE Customers(50)"])
            #expect(try desk.served("Customers").isEmpty)
        }
    }

    /// PAR-025, PAR-027, FEA-026
    @Test func requestsJoinWithinTheBordersOfAChangeSet() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try desk.noteCustomers()
            try Self.fiveRequests(desk)
            #expect(try desk.queueLength() == 6)
            try desk.upload()
            #expect(
                desk.sent() == [
                    "POST Customers", "[", "POST Customers", "]", "PATCH Customers(2)",
                ])
            #expect(
                try desk.notes() == ["create 1 John Doe", "create 2 Jane", "change 2 Jane Doe"])
            #expect(
                try desk.served("Customers")
                    == [["1", "John Doe"], ["2", "Jane Doe"], ["50", "Old"]])
        }
    }

    /// FEA-027: what stands outside joins over the change set, which stays as it is.
    @Test func requestsOutsideJoinOverAChangeSet() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try Self.fiveRequests(desk)
            desk.school.service.observer.setFaults { request, _ in
                request.method == "POST" ? .loseRequest : nil
            }
            let error = #expect(throws: OfflineODataError.self) { try desk.upload() }
            #expect(error?.errorName == .networkFailure)
            #expect(error?.message?.contains("/School/$batch") == true)
            let left = try desk.school.storeRows(
                "SELECT operation, change_set IS NULL FROM _odata_request ORDER BY position, id")
            #expect(left == [["create", "1"], ["create", "0"], ["merge", "1"]])
            desk.school.service.observer.setFaults(nil)
            try desk.noteCustomers()
            try desk.upload()
            #expect(
                try desk.notes() == ["create 1 John Doe", "create 2 Jane", "change 2 Jane Doe"])
            #expect(
                try desk.served("Customers")
                    == [["1", "John Doe"], ["2", "Jane Doe"], ["50", "Old"]])
        }
    }

    private static func fiveRequests(_ desk: ShopDesk) throws {
        let first = try desk.create("Customers", 1, "John")
        let second = desk.entity("Customers", 2, "Jan")
        let changes = ChangeSet()
        changes.createEntity(second)
        let renamed = desk.entity("Customers", 2, "Jan")
        renamed.rememberOld()
        renamed.entityType.property(withName: "Name").setStringValue(in: renamed, to: "Jane")
        changes.updateEntity(renamed)
        let batch = RequestBatch()
        batch.addChanges(changes)
        try desk.service.processBatch(batch)
        #expect(changes.status < 400)
        try desk.set(first, "John Doe")
        try desk.set(second, "Jane Do")
        try desk.set(second, "Jane Doe")
    }

    /// PAR-026, FEA-028
    @Test func anUnmodifiableRequestIsSentAsItIs() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try desk.noteCustomers()
            let customer = try desk.create("Customers", 1, "J")
            try desk.set(customer, "John", options: try ShopDesk.options(unmodifiable: true))
            try desk.set(customer, "John D")
            try desk.set(customer, "John Doe")
            try desk.upload()
            #expect(
                desk.sent()
                    == ["POST Customers", "PATCH Customers(1)", "PATCH Customers(1)"])
            #expect(try desk.notes() == ["create 1 J", "change 1 John", "change 1 John Doe"])
            #expect(try desk.served("Customers")[0] == ["1", "John Doe"])
        }
    }

    /// FEA-029
    @Test func everyStepOfAStateIsSentInOrder() async throws {
        try await ShopDesk.run(Self.on) { desk in
            try desk.school.change(
                """
                CREATE TABLE log (status TEXT);
                CREATE TRIGGER steps AFTER UPDATE OF Status ON Customers
                    BEGIN INSERT INTO log VALUES (new.Status); END;
                """)
            let steps = ["IN PROCESS", "SOLUTION PROVIDED", "CONFIRMED"]
            let customer = try desk.find("Customers", 50)
            for step in steps {
                try desk.set(
                    customer, step, property: "Status",
                    options: try ShopDesk.options(unmodifiable: true))
            }
            try desk.upload()
            #expect(try desk.school.serviceRows("SELECT status FROM log") == steps.map { [$0] })
        }
    }
}
