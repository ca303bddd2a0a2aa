import GRDB
import ODataClasses
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// CSP-176: what the service sees of a change that the app cancels while its answer is open.
@Suite struct CancelOpenUploadTests {
    private static let name = #"{"ID":1,"Name":"%","@odata.etag":"W/\"$\""}"#

    private static func customer(_ name: String, _ version: Int) -> String {
        Self.name.replacing("%", with: name).replacing("$", with: "\(version)")
    }

    private struct State {
        var name = "old"
        var version = 1
        var loses = true
    }

    /// A change of the customer's name is sent and its answer is lost; the app cancels all, and then makes another change.
    private static func run(
        isCarriedOut: Bool, _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        let state = Mutex(State())
        try await StubDesk.run(StubDesk.schema) { asked in
            state.withLock { state in
                switch (asked.method, asked.resource) {
                case ("PATCH", "Customers(1)"):
                    let isLost = state.loses
                    state.loses = false
                    if !isLost || isCarriedOut {
                        state.name = asked.body.contains("sent") ? "sent" : "later"
                        state.version += 1
                    }
                    return isLost ? .lost : .json(customer(state.name, state.version))
                case ("GET", "Customers"): return .page(customer(state.name, state.version))
                case ("GET", "Customers(1)"): return .json(customer(state.name, state.version))
                case ("GET", "Head"): return .json(#"{"ID":9,"Title":"h"}"#)
                case ("GET", "Orders"): return .page("")
                case ("GET", ""): return .json(#"{"@odata.context":"$metadata","value":[]}"#)
                default: return .status(404)
                }
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = false
            desk.sync.sendRepeatableRequests = false
            desk.sync.throwUploadFailures = false
            try desk.sync.download()
            try rename(desk, "sent")
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            let error = #expect(throws: DataServiceError.self) {
                try desk.sync.cancelPendingRequests(nil)
            }
            let open = try desk.sync.queued().toArray()
            #expect(open.count == 1 && open.allSatisfy(\.isCancelled))
            #expect(error?.status == 409)
            #expect(
                error?.message?.contains("request \(open.first?.requestID ?? 0) has no answer")
                    == true)
            try body(desk)
        }
    }

    private static func rename(_ desk: StubDesk, _ name: String) throws {
        let set = desk.sync.metadata.entitySet(withName: "Customers")
        let row = try desk.sync.executeQuery(
            DataQuery().from(set), headers: .empty, options: .none
        ).requiredEntity()
        row.entityType.property(withName: "Name").setStringValue(in: row, to: name)
        try desk.sync.updateEntity(row, headers: .empty, options: .none)
    }

    private static func expectName(_ name: String, _ desk: StubDesk) throws {
        #expect(try desk.rows("SELECT Name FROM Customers") == [name])
        #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
    }

    @Test("CSP-176 without an effect it is dropped, and never sent again")
    func withoutAnEffectItIsDropped() async throws {
        try await Self.run(isCarriedOut: false) { desk in
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)"])
            try Self.expectName("old", desk)
        }
    }

    @Test("CSP-176 carried out, it stays and is seen")
    func carriedOutItStays() async throws {
        try await Self.run(isCarriedOut: true) { desk in
            try Self.expectSeen(desk, "sent")
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)"])
            try Self.expectName("sent", desk)
        }
    }

    private static func expectSeen(_ desk: StubDesk, _ name: String) throws {
        #expect(try desk.rows("SELECT Name FROM Customers") == [name])
    }

    @Test("CSP-176 a change that the app makes since is sent", arguments: [false, true])
    func aChangeMadeSinceIsSent(isCarriedOut: Bool) async throws {
        try await Self.run(isCarriedOut: isCarriedOut) { desk in
            try Self.rename(desk, "later")
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(1)"])
            #expect(desk.asked.last { $0.method == "PATCH" }?.body.contains("later") == true)
            try Self.expectName("later", desk)
        }
    }

    /// Policies decide about refusals; what was cancelled has none.
    @Test("CSP-176 no policy sends it again")
    func noPolicySendsItAgain() async throws {
        try await Self.run(isCarriedOut: false) { desk in
            desk.sync.setConflictPolicy(
                .clientWins, for: desk.sync.metadata.entitySet(withName: "Customers"))
            try desk.sync.upload()
            try desk.sync.upload()
            #expect(desk.changes == ["PATCH Customers(1)"])
            try Self.expectName("old", desk)
        }
    }
}
