import APIErrorFixture
import GRDB
import ODataClasses
import ODataQuery
import ODataStore
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Looks at what became of a change that tell nothing: they keep nothing else, and what cannot go on is listed.
@Suite struct RefusedLookTests {
    /// Two customers with entity tags; one answer comes before all others where it is not nil.
    private static func run(
        _ special: @escaping @Sendable (StubDesk.Asked) -> StubDesk.Said?,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            if let said = special(asked) { return said }
            switch (asked.method, asked.resource) {
            case ("GET", let set) where set == "Customers" || set.hasPrefix("Customers?"):
                return .page("\(row(1)),\(row(2))")
            case ("GET", "Customers(1)"), ("GET", "Customers(2)"):
                let id = asked.resource.hasSuffix("(1)") ? 1 : 2
                return .json(
                    "{\"@odata.context\":\"$metadata#Customers/$entity\"," + row(id).dropFirst())
            case (_, "Head"):
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            case ("PATCH", _): return StubDesk.Said()
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            desk.sync.throwUploadFailures = false
            desk.sync.uploadWorkerThreads = 1
            try desk.sync.download()
            try body(desk)
        }
    }

    private static func row(_ id: Int) -> String {
        #"{"@odata.etag":"W/\"1\"","ID":\#(id),"Name":"old"}"#
    }

    /// Who may write a row may not always read it.
    @Test func aRowThatIsNotShownIsListedAndTheRestGoesOn() async throws {
        try await Self.run { asked in
            guard asked.resource == "Customers(1)" else { return nil }
            return asked.method == "PATCH" ? .lost : .status(403)
        } _: { desk in
            try desk.rename(1)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.rename(2)
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(2)"])
            #expect(try desk.sync.failed().toArray().map(\.isUnknown) == [true])
            try desk.sync.failed().toArray().first?.cancel()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test(arguments: [404, 302, 502])
    func aPageInFrontOfOneRowKeepsNothingElse(status: Int) async throws {
        try await Self.run { asked in
            guard asked.resource.hasPrefix("Customers(1)") || asked.resource == "Customers/1" else {
                return nil
            }
            return asked.method == "PATCH" ? .lost : .gateway(status)
        } _: { desk in
            try desk.rename(1)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.rename(2)
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(2)"])
            #expect(try desk.sync.failed().toArray().map(\.isUnknown) == [true])
        }
    }

    @Test func aPageInFrontOfEverythingSettlesNothing() async throws {
        let isPortal = Mutex(false)
        try await Self.run { asked in
            if isPortal.withLock({ $0 }) { return .gateway(200) }
            return asked.method == "PATCH" ? .lost : nil
        } _: { desk in
            try desk.rename(1)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            isPortal.withLock { $0 = true }
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            #expect(try desk.sync.queued().length == 1)
            #expect(try desk.sync.failed().length == 0)
        }
    }

    /// The question for a creation of unknown fate is refused.
    @Test func aSearchThatIsRefusedKeepsNothingElse() async throws {
        try await Self.run { asked in
            if asked.method == "POST" { return .lost }
            return asked.resource.contains("$filter") ? .status(403) : nil
        } _: { desk in
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let order = EntityValue.ofType(set.entityType).inSet(set)
            let title = set.entityType.property(withName: "Title")
            title.setStringValue(in: order, to: "new")
            try desk.sync.createEntity(order, headers: .empty, options: .none)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.sync.upload()
            #expect(try desk.sync.failed().toArray().map(\.isUnknown) == [true])
            desk.sync.setProbeProperty(title, for: set)
            try desk.rename(2)
            try desk.sync.upload()
            #expect(desk.changes == ["POST Orders", "PATCH Customers(2)"])
            #expect(desk.asked.contains { $0.resource.contains("$filter") })
        }
    }

    /// A gateway that never lets a change through: what was shown not to be done is listed, and can be cancelled.
    @Test func whatNeverComesThroughIsListed() async throws {
        try await Self.run { asked in
            asked.method == "PATCH" && asked.resource == "Customers(1)" ? .gateway(502) : nil
        } _: { desk in
            try desk.rename(1)
            #expect(throws: DataServiceError.self) { try desk.sync.upload() }
            #expect(try desk.sync.failed().length == 0)
            // From the second time on, each time.
            for _ in 0..<3 {
                try desk.sync.upload()
                #expect(try desk.sync.failed().map { $0.httpStatus } == [502])
            }
            try desk.sync.failed().toArray().first?.cancel()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    // MARK: Notes

    /// A sending that could not be noted did not happen; the one before it did.
    @Test func aSendingThatCannotBeNotedForgetsNoOther() async throws {
        let isDown = Mutex(true)
        try await Self.run { asked in
            guard asked.resource == "Orders(3)" else {
                return asked.method == "GET" && asked.resource.hasPrefix("Orders")
                    ? .page(#"{"ID":3,"Title":"old"}"#) : nil
            }
            guard asked.method == "PATCH" else { return nil }
            return isDown.withLock { $0 } ? .lost : nil
        } _: { desk in
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let order = try desk.sync.executeQuery(
                DataQuery().from(set), headers: .empty, options: .none
            ).requiredEntity()
            set.entityType.property(withName: "Title").setStringValue(in: order, to: "new")
            try desk.sync.updateEntity(order, headers: .empty, options: .none)
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            try desk.changeStore(
                "CREATE TRIGGER full BEFORE UPDATE OF send_count ON _odata_attempt"
                    + " WHEN NEW.send_count > OLD.send_count"
                    + " BEGIN SELECT RAISE(ABORT, 'full'); END")
            #expect(throws: (any Error).self) { try desk.sync.upload() }
            #expect(try desk.rows("SELECT send_count FROM _odata_attempt") == ["1"])
            #expect(desk.changes == ["PATCH Orders(3)"])
            try desk.changeStore("DROP TRIGGER full")
            isDown.withLock { $0 = false }
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Orders(3)", "PATCH Orders(3)"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }
}
