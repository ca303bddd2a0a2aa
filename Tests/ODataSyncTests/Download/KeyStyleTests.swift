import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Keys in parentheses or as segments: met by a read by key, kept with the store, used by reads, probes and writes alike.
@Suite struct KeyStyleTests {
    /// A service whose customers are found in one style only.
    private static func run(
        _ style: String, _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            let one = style == "segments" ? "Customers/1" : "Customers(1)"
            switch (asked.method, asked.resource) {
            case ("GET", "Customers"): return .page(#"{"ID":1,"Name":"a"}"#)
            case ("GET", "Orders"): return .page("")
            case ("GET", "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
            case ("GET", one): return .json(#"{"@odata.context":"$metadata#C","ID":1,"Name":"a"}"#)
            case ("PATCH", one):
                return .json(#"{"@odata.context":"$metadata#C","ID":1,"Name":"z"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try body(desk)
        }
    }

    private static func read(_ desk: StubDesk, _ id: Int) throws -> EntityValue? {
        let set = desk.sync.metadata.entitySet(withName: "Customers")
        let key = EntityKey().with(name: "ID", value: IntValue(id))
        return try desk.sync.onlineProvider.executeQuery(
            DataQuery().from(set).withKey(key), headers: .empty, options: .none
        ).optionalEntity()
    }

    private static func update(_ desk: StubDesk) throws {
        let set = desk.sync.metadata.entitySet(withName: "Customers")
        let rows = try desk.sync.executeQuery(
            DataQuery().from(set), headers: .empty, options: .none
        ).entityList()
        set.entityType.property(withName: "Name").setStringValue(in: rows.item(at: 0), to: "z")
        try desk.sync.updateEntity(rows.item(at: 0), headers: .empty, options: .none)
        try desk.sync.upload()
    }

    private static func asked(_ desk: StubDesk, from start: Int) -> [String] {
        desk.asked.dropFirst(start).map { "\($0.method) \($0.resource)" }
    }

    private static let events = "SELECT details FROM _odata_event WHERE type = 'profile'"

    /// The service reads both styles; a gateway answers the first read, and perhaps the last one, too.
    @Test(arguments: [[404, 200], [404, 503]])
    func aGatewayThatDoesNotFindTheRowSaysNothingOfKeys(parentheses: [Int]) async throws {
        let answers = Mutex(parentheses)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Customers": return .page(#"{"ID":1,"Name":"a"}"#)
            case "Customers(1)", "Customers/1":
                let status = answers.withLock { answers in
                    asked.resource == "Customers/1" || answers.isEmpty
                        ? 200 : answers.removeFirst()
                }
                return status == 200
                    ? .json(#"{"@odata.context":"$metadata#C","ID":1,"Name":"a"}"#)
                    : .status(status)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            #expect(try Self.read(desk, 1) != nil)
            let keys = try desk.sync.offlineStore.store().serviceProfile().keys
            #expect(keys == (parentheses == [404, 200] ? .parentheses : nil))
        }
    }

    @Test func aReadByKeyFindsOutThatKeysAreSegments() async throws {
        try await Self.run("segments") { (desk: StubDesk) throws in
            let start = desk.asked.count
            #expect(try Self.read(desk, 1) != nil)
            // The first answer need not have been the service's.
            #expect(
                Self.asked(desk, from: start) == [
                    "GET Customers(1)", "GET Customers/1", "GET Customers(1)",
                ])
            #expect(try desk.rows(Self.events) == ["learned: takes keys as segments of their own"])
            let next = desk.asked.count
            #expect(try Self.read(desk, 1) != nil)
            try Self.update(desk)
            #expect(Self.asked(desk, from: next) == ["GET Customers/1", "PATCH Customers/1"])
            #expect(try desk.rows("SELECT Name FROM Customers") == ["z"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(try desk.sync.offlineStore.store().serviceProfile().keys == .segments)
        }
    }

    @Test func onceParenthesesWorkNothingElseIsTried() async throws {
        try await Self.run("parentheses") { (desk: StubDesk) throws in
            #expect(try Self.read(desk, 1) != nil)
            let start = desk.asked.count
            #expect(
                failure { try Self.read(desk, 2) }
                    == Failure(
                        DataServiceError.self, .service, at: "127.0.0.1/s/Customers", status: 404))
            #expect(Self.asked(desk, from: start) == ["GET Customers(2)"])
            #expect(try desk.rows(Self.events) == [])
        }
    }

    @Test func aPinIsUsedAtOnceAndNotLearnedOver() async throws {
        try await Self.run("segments") { (desk: StubDesk) throws in
            try desk.sync.pinServiceProfile("keys", to: "segments")
            let start = desk.asked.count
            try Self.update(desk)
            #expect(Self.asked(desk, from: start) == ["PATCH Customers/1"])
            try desk.sync.pinServiceProfile("keys", to: "parentheses")
            let next = desk.asked.count
            _ = try desk.sync.hasInitialData()
            try Self.update(desk)
            #expect(Self.asked(desk, from: next).allSatisfy { !$0.contains("Customers/1") })
            #expect(try desk.sync.offlineStore.store().serviceProfile().keys == .parentheses)
        }
    }

    @Test func theOptionOfTheAppIsAPin() async throws {
        try await Self.run("segments") { (desk: StubDesk) throws in
            desk.sync.onlineProvider.serviceOptions.keysAsSegments = true
            let start = desk.asked.count
            #expect(try Self.read(desk, 1) != nil)
            try Self.update(desk)
            #expect(Self.asked(desk, from: start) == ["GET Customers/1", "PATCH Customers/1"])
            #expect(
                try desk.sync.offlineStore.store().serviceProfile().pinned == ["keys=segments"])
        }
    }

    @Test func thePinOfTheOptionEndsWithIt() async throws {
        try await Self.run("parentheses") { (desk: StubDesk) throws in
            let options = desk.sync.onlineProvider.serviceOptions
            options.keysAsSegments = true
            _ = try? Self.read(desk, 1)
            _ = try desk.sync.hasInitialData()
            try? desk.sync.upload()
            #expect(
                try desk.sync.offlineStore.store().serviceProfile().pinned == ["keys=segments"])
            options.keysAsSegments = nil
            let start = desk.asked.count
            try Self.update(desk)
            #expect(Self.asked(desk, from: start) == ["PATCH Customers(1)"])
            #expect(try desk.sync.offlineStore.store().serviceProfile().pinned.isEmpty)
            // What a person pins stays, whatever the option says later.
            try desk.sync.pinServiceProfile("keys", to: "segments")
            try? desk.sync.upload()
            #expect(
                try desk.sync.offlineStore.store().serviceProfile().pinned == ["keys=segments"])
        }
    }
}
