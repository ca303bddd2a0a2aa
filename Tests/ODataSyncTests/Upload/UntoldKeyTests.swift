import ODataClasses
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Rows that refer to one made here by its key: no key of ours is ever sent, whatever the service says of its own.
@Suite struct UntoldKeyTests {
    /// What becomes of the creation of the customer.
    private static func run(
        _ created: @escaping @Sendable () -> StubDesk.Said,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.relatedSchema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "Customers"): return created()
            // Its name has become a number, which the metadata that is here has no place for.
            case ("GET", "Customers(8)"):
                return .json(
                    #"{"@odata.context":"$metadata#Customers/$entity","ID":8,"Name":5}"#)
            case ("POST", "Orders"): return StubDesk.Said(status: 201, body: #"{"ID":3}"#)
            case (_, "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            desk.sync.throwUploadFailures = false
            desk.sync.sendRepeatableRequests = false
            try desk.sync.download()
            try makeOrder(desk)
            try body(desk)
        }
    }

    /// A customer, and an order that has the key which the customer has here.
    private static func makeOrder(_ desk: StubDesk) throws {
        let customers = desk.sync.metadata.entitySet(withName: "Customers")
        let orders = desk.sync.metadata.entitySet(withName: "Orders")
        let customer = EntityValue.ofType(customers.entityType).inSet(customers)
        customers.entityType.property(withName: "Name").setStringValue(in: customer, to: "made")
        try desk.sync.createEntity(customer, headers: .empty, options: .none)
        let made = try desk.sync.executeQuery(
            DataQuery().from(customers), headers: .empty, options: .none
        ).requiredEntity()
        let key = customers.entityType.property(withName: "ID").intValue(from: made)
        #expect(key < 0)
        let order = EntityValue.ofType(orders.entityType).inSet(orders)
        orders.entityType.property(withName: "CustomerID").setIntValue(in: order, to: key)
        try desk.sync.createEntity(order, headers: .empty, options: .none)
    }

    private static func customer(_ id: Int, _ desk: StubDesk) -> EntityValue {
        let customers = desk.sync.metadata.entitySet(withName: "Customers")
        let entity = EntityValue.ofType(customers.entityType).inSet(customers)
        customers.entityType.property(withName: "ID").setIntValue(in: entity, to: id)
        return entity
    }

    @Test(
        "a confirmed creation has the key that it was confirmed by, though its answer cannot be read"
    )
    func aConfirmedCreationHasItsKey() async throws {
        try await Self.run {
            .lost
        } _: { desk in
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.sync.upload()
            let unknown = try desk.sync.failed().toArray().filter { $0.isUnknown }
            #expect(unknown.count == 1)
            try unknown.first?.confirm(as: Self.customer(8, desk))
            try desk.sync.upload()
            #expect(
                desk.asked.filter { $0.resource == "Orders" && $0.method == "POST" }
                    .map(\.body) == [#"{"CustomerID":8}"#])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test("what refers to a row whose key nobody has told is listed, and not sent")
    func whatRefersToAnUntoldKeyIsListed() async throws {
        try await Self.run {
            StubDesk.Said(status: 201, body: #"{"Name":"made"}"#)
        } _: { desk in
            try desk.sync.upload()
            #expect(desk.changes == ["POST Customers"])
            let failed = try desk.sync.failed().toArray()
            #expect(failed.count == 1)
            #expect(failed.first?.errorMessage?.contains("whose key the service has told") == true)
        }
    }
}

/// A request that is another one by now goes under another identity, whatever became of what was sent before.
@Suite struct ChangedAgainTests {
    @Test(
        "a change that joins one which was sent and had no effect goes under an identity of its own"
    )
    func aJoinedChangeHasItsOwnIdentity() async throws {
        let isThere = Mutex(false)
        let row = #"{"@odata.etag":"W/\"1\"","ID":1,"Name":"old"}"#
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("GET", "Customers"): return .page(row)
            case ("PATCH", "Customers(1)"):
                return isThere.withLock { $0 } ? .json(row) : .status(404)
            case ("GET", "Customers(1)"):
                return isThere.withLock { $0 } ? .json(row) : .status(503)
            case (_, "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            desk.sync.sendRepeatableRequests = true
            try desk.sync.download()
            try desk.rename(1)
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            isThere.withLock { $0 = true }
            let set = desk.sync.metadata.entitySet(withName: "Customers")
            let customer = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).requiredEntity()
            set.entityType.property(withName: "Name").setStringValue(in: customer, to: "newer")
            try desk.sync.updateEntity(customer, headers: .empty, options: .none)
            try desk.sync.upload()
            let sent = desk.service.requests.filter { $0.method == "PATCH" }
            #expect(
                sent.map { String(decoding: $0.body, as: UTF8.self) }
                    == [#"{"Name":"new"}"#, #"{"Name":"newer"}"#])
            let identities = sent.map { $0.headers["Repeatability-Request-ID"] }
            #expect(identities.allSatisfy { $0 != nil })
            #expect(Set(identities).count == 2)
        }
    }
}
