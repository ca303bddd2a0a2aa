import APIErrorFixture
import ODataClasses
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Uploads to a service of which nobody knows how it reads keys: what the service holds in the end, and what the store has
/// learned.
@Suite struct KeyMeetingTests {
    /// Customers by their keys, in one style or in both.
    private final class Customers: Sendable {
        let rows = Mutex<[Int: String]>([1: "a", 2: "b", 3: "c"])
        let styles: [KeyStyle]
        /// Reads of whatever are answered with an empty object.
        let isTalkative = Mutex(false)

        init(_ styles: [KeyStyle]) { self.styles = styles }

        var names: [Int: String] { rows.withLock { $0 } }

        /// The key in the path; nil for a path that the service does not understand.
        private func key(_ resource: String) -> Int? {
            for style in styles {
                let text =
                    style == .segments
                    ? resource.split(separator: "/").dropFirst().joined(separator: "/")
                    : String(resource.dropFirst("Customers(".count).dropLast())
                let written = style == .segments ? "Customers/\(text)" : "Customers(\(text))"
                if written == resource, let key = Int(text) { return key }
            }
            return nil
        }

        func answer(_ asked: StubDesk.Asked) -> StubDesk.Said {
            switch asked.resource {
            case "Customers" where asked.method == "GET":
                return .page(
                    names.sorted { $0.key < $1.key }.map {
                        #"{"ID":\#($0.key),"Name":"\#($0.value)"}"#
                    }
                    .joined(separator: ","))
            case "Orders": return .page("")
            case "Head": return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: break
            }
            guard let key = key(asked.resource), names[key] != nil else {
                return asked.method == "GET" && isTalkative.withLock { $0 }
                    ? .json("{}") : .status(404)
            }
            switch asked.method {
            case "PATCH":
                guard !asked.body.contains("bad") else { return .status(400) }
                rows.withLock { $0[key] = "z" }
                return StubDesk.Said()
            case "DELETE":
                rows.withLock { $0[key] = nil }
                return StubDesk.Said()
            default:
                return .json(
                    #"{"@odata.context":"$metadata#Customers/$entity","ID":\#(key),"Name":"\#(names[key] ?? "")"}"#
                )
            }
        }
    }

    private static func run(
        _ styles: KeyStyle..., body: @escaping @Sendable (StubDesk, Customers) throws -> Void
    ) async throws {
        let customers = Customers(styles)
        try await StubDesk.run(StubDesk.schema) {
            customers.answer($0)
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try body(desk, customers)
        }
    }

    private static func row(_ desk: StubDesk, _ id: Int) throws -> EntityValue {
        let set = desk.sync.metadata.entitySet(withName: "Customers")
        let key = EntityKey().with(name: "ID", value: IntValue(id))
        return try desk.sync.executeQuery(
            DataQuery().from(set).withKey(key), headers: .empty, options: .none
        ).requiredEntity()
    }

    private static func delete(_ desk: StubDesk, _ id: Int) throws {
        try desk.sync.deleteEntity(row(desk, id), headers: .empty, options: .none)
    }

    private static func rename(_ desk: StubDesk, _ id: Int, _ name: String = "z") throws {
        let row = try row(desk, id)
        row.entityType.property(withName: "Name").setStringValue(in: row, to: name)
        try desk.sync.updateEntity(row, headers: .empty, options: .none)
    }

    private static func keys(_ desk: StubDesk) throws -> KeyStyle? {
        try desk.sync.offlineStore.store().serviceProfile().keys
    }

    private static let events = "SELECT details FROM _odata_event WHERE type = 'profile'"

    private static func asked(_ desk: StubDesk, from start: Int) -> [String] {
        desk.asked.dropFirst(start).map { "\($0.method) \($0.resource)" }
    }

    @Test func aDeletionThatWasNotUnderstoodIsNotDone() async throws {
        try await Self.run(.segments) { desk, customers in
            try Self.delete(desk, 1)
            try desk.sync.upload()
            #expect(customers.names == [2: "b", 3: "c"])
            #expect(try Self.keys(desk) == .segments)
            #expect(try desk.rows(Self.events) == ["learned: takes keys as segments of their own"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            let start = desk.asked.count
            try Self.delete(desk, 2)
            try desk.sync.upload()
            #expect(Self.asked(desk, from: start) == ["DELETE Customers/2"])
            #expect(customers.names == [3: "c"])
        }
    }

    @Test func anUpdateGoesInTheOtherStyle() async throws {
        try await Self.run(.segments) { desk, customers in
            try Self.rename(desk, 2)
            try desk.sync.upload()
            #expect(customers.names[2] == "z")
            #expect(try Self.keys(desk) == .segments)
            #expect(try desk.sync.offlineStore.store().failedRequests().isEmpty)
        }
    }

    /// One question for all that is on its way at once.
    @Test func severalChangesOnTheirWayAllGoInTheOtherStyle() async throws {
        try await Self.run(.segments) { desk, customers in
            try Self.delete(desk, 1)
            try Self.delete(desk, 2)
            try Self.rename(desk, 3)
            let start = desk.asked.count
            try desk.sync.upload()
            #expect(customers.names == [3: "z"])
            let reads = Self.asked(desk, from: start).filter { $0.hasPrefix("GET Customers") }
            #expect(reads.count == 3)
        }
    }

    @Test func aRowThatIsGoneTellsNothing() async throws {
        try await Self.run(.segments) { desk, customers in
            customers.rows.withLock { $0[1] = nil }
            try Self.delete(desk, 1)
            try Self.delete(desk, 2)
            try desk.sync.upload()
            #expect(customers.names == [3: "c"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test func aRefusalInTheRightStyleStands() async throws {
        try await Self.run(.parentheses, .segments) { desk, customers in
            try Self.rename(desk, 1, "bad")
            try Self.rename(desk, 2, "bad")
            let start = desk.asked.count
            #expect(throws: DataServiceError.self) { try desk.sync.upload() }
            let asked = Self.asked(desk, from: start).sorted()
            #expect(asked.suffix(2) == ["PATCH Customers(1)", "PATCH Customers(2)"])
            // One question, about whichever was answered first.
            #expect(asked.count == 3)
            #expect(["GET Customers(1)", "GET Customers(2)"].contains(asked.first))
            #expect(try Self.keys(desk) == .parentheses)
            #expect(try desk.rows(Self.events) == [])
            #expect(customers.names[1] == "a")
        }
    }

    /// Some answer something to every URL: that is no entity.
    @Test func whatShowsNoEntityTellsNothing() async throws {
        try await Self.run { desk, customers in
            customers.isTalkative.withLock { $0 = true }
            try Self.delete(desk, 1)
            try desk.sync.upload()
            #expect(try Self.keys(desk) == nil)
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test func aPinnedStyleIsNotDoubted() async throws {
        try await Self.run(.segments) { desk, customers in
            try desk.sync.pinServiceProfile("keys", to: "parentheses")
            try Self.rename(desk, 1)
            let start = desk.asked.count
            #expect(throws: DataServiceError.self) { try desk.sync.upload() }
            #expect(Self.asked(desk, from: start) == ["PATCH Customers(1)"])
            #expect(customers.names[1] == "a")
        }
    }

    /// A gateway does not find what the service would have: one that reads both styles is asked in parentheses.
    @Test func theRefusalOfAGatewayIsNoStyle() async throws {
        let faults = Mutex(2)
        let customers = Customers([.parentheses, .segments])
        try await StubDesk.run(StubDesk.schema) { asked in
            let strikes = faults.withLock { faults in
                guard asked.resource == "Customers(1)", faults > 0 else { return false }
                faults -= 1
                return true
            }
            return strikes ? .status(404) : customers.answer(asked)
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            try desk.sync.download()
            try Self.delete(desk, 1)
            try desk.sync.upload()
            #expect(try Self.keys(desk) == .parentheses)
            try desk.sync.upload()
            #expect(customers.names == [2: "b", 3: "c"])
        }
    }
}
