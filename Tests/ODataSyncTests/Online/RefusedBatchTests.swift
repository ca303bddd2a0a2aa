import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Testing

/// Online calls that the app wants in batches, of a service that has none: met once, kept with the store, and gone on without.
@Suite struct RefusedBatchTests {
    /// - Parameter refused: the statuses of `$batch` and of a read of customers.
    private static func run(
        _ refused: (batch: Int, customers: Int?),
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "$batch"): return .status(refused.batch)
            case ("GET", "Customers"):
                return refused.customers.map { .status($0) } ?? .page(#"{"ID":1,"Name":"a"}"#)
            case ("PATCH", "Customers(1)"):
                return .json(#"{"@odata.context":"$metadata#C","ID":1,"Name":"z"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            // The provider knows the store and its profile from here on.
            _ = try desk.sync.hasInitialData()
            try body(desk)
        }
    }

    private static let batched: RequestOptions = {
        let options = RequestOptions()
        options.useBatch = true
        return options
    }()

    @discardableResult
    private static func read(_ desk: StubDesk) throws -> EntityValueList {
        let set = desk.sync.metadata.entitySet(withName: "Customers")
        return try desk.sync.onlineProvider.executeQuery(
            DataQuery().from(set), headers: .empty, options: batched
        ).entityList()
    }

    private static func rename(_ desk: StubDesk, _ customer: EntityValue) throws {
        customer.entityType.property(withName: "Name").setStringValue(in: customer, to: "z")
        try desk.sync.onlineProvider.updateEntity(customer, headers: .empty, options: batched)
    }

    private static func asked(_ desk: StubDesk, from start: Int = 0) -> [String] {
        desk.asked.dropFirst(start).map { "\($0.method) \($0.resource)" }
    }

    private static let events = "SELECT details FROM _odata_event WHERE type = 'profile'"

    @Test(arguments: [404, 405, 415, 501])
    func aReadGoesOnWithoutABatchAndSoDoesAllThatFollows(status: Int) async throws {
        try await Self.run((status, nil)) { (desk: StubDesk) throws in
            let found = try Self.read(desk)
            #expect(found.length == 1)
            #expect(Self.asked(desk) == ["POST $batch", "GET Customers"])
            #expect(try desk.rows(Self.events) == ["learned: takes no batches (\(status))"])
            let store = try desk.sync.offlineStore.store()
            #expect(try store.serviceProfile().takesBatches == false)
            try Self.rename(desk, found.item(at: 0))
            try Self.read(desk)
            #expect(Self.asked(desk, from: 2) == ["PATCH Customers(1)", "GET Customers"])
        }
    }

    @Test func aChangeGoesOnWithoutABatch() async throws {
        try await Self.run((405, nil)) { (desk: StubDesk) throws in
            let customer = try desk.sync.onlineProvider.executeQuery(
                DataQuery().from(desk.sync.metadata.entitySet(withName: "Customers")),
                headers: .empty, options: .none
            ).entityList().item(at: 0)
            try Self.rename(desk, customer)
            #expect(
                Self.asked(desk) == ["GET Customers", "POST $batch", "PATCH Customers(1)"])
            #expect(try desk.rows(Self.events) == ["learned: takes no batches (405)"])
        }
    }

    /// A refusal that may be everybody's proves nothing of batches, and one of another kind is the call's own.
    @Test(arguments: [(404, 404, ["POST $batch", "GET Customers"]), (503, nil, ["POST $batch"])])
    func nothingIsLearnedWhereTheCallFails(
        batch: Int, customers: Int?, requests: [String]
    ) async throws {
        try await Self.run((batch, customers)) { (desk: StubDesk) throws in
            let error = failure { try Self.read(desk) }
            #expect(error?.status == customers ?? batch)
            #expect(Self.asked(desk) == requests)
            #expect(try desk.rows(Self.events) == [])
        }
    }

    /// The parts of a batch that the app has made are not torn apart: it is refused by name.
    @Test func aBatchOfTheAppIsRefusedByNameAndNotAskedForAgain() async throws {
        try await Self.run((501, nil)) { (desk: StubDesk) throws in
            let online = desk.sync.onlineProvider
            func send() throws {
                let batch = RequestBatch()
                batch.addQuery(
                    DataQuery().from(desk.sync.metadata.entitySet(withName: "Customers")))
                try online.processBatch(batch)
            }
            let refusal = failure { try send() }
            #expect(refusal?.status == 501)
            #expect(try desk.rows(Self.events) == [])
            try Self.read(desk)
            let start = desk.asked.count
            let error = #expect(throws: ErrorBase.self) { try send() }
            #expect(error?.message?.contains("Expected a service with batches") == true)
            #expect(Self.asked(desk, from: start) == [])
        }
    }
}
