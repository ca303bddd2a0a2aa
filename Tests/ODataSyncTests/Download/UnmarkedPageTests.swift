import APIErrorFixture
import ODataClasses
import ODataQuery
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Pages without a version header from a service whose answers bring one: somebody else's take no row away.
@Suite struct UnmarkedPageTests {
    private static let rows = "SELECT ID, Name FROM Customers ORDER BY ID"

    /// Downloads a customer, and once more while this is said of the customers.
    private static func run(
        _ said: StubDesk.Said, _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        let isOther = Mutex(false)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Customers":
                return isOther.withLock { $0 } ? said : .page(#"{"ID":1,"Name":"a"}"#)
            case "Head":
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            try desk.sync.download()
            #expect(try desk.rows(rows) == ["1 a"])
            isOther.withLock { $0 = true }
            try body(desk)
        }
    }

    @Test(arguments: [#"{"value":[]}"#, "{}", #"{"status":"down","value":[]}"#, "[]"])
    func jsonOfSomebodyElseEmptiesNoSet(body: String) async throws {
        try await Self.run(StubDesk.Said(body: body, isMarked: false)) { (desk: StubDesk) throws in
            let error = #expect(throws: DataNetworkError.self) { try desk.sync.download() }
            #expect(error?.code == .network)
            #expect(error?.message?.contains("Not the service: application/json") == true)
            #expect(try desk.rows(Self.rows) == ["1 a"])
        }
    }

    /// What was looked into is read from its beginning.
    @Test(arguments: [
        (#"{"@odata.context":"$metadata#Customers","value":[]}"#, []),
        (#"{"@odata.context":"$metadata#Customers","value":[{"ID":2,"Name":"b"}]}"#, ["2 b"]),
        (#"{"@context":"$metadata#Customers","value":[{"ID":2,"Name":"b"}]}"#, ["2 b"]),
    ])
    func aPageWithItsContextIsTheServices(body: String, rows: [String]) async throws {
        try await Self.run(StubDesk.Said(body: body, isMarked: false)) { (desk: StubDesk) throws in
            try desk.sync.download()
            #expect(try desk.rows(Self.rows) == rows)
        }
    }

    /// A cache or a proxy gives the answer to another request: it has all marks, and says whose rows it holds.
    @Test(arguments: ["", #"{"ID":7,"Name":"z"}"#])
    func aPageOfAnotherSetIsNotTaken(rows: String) async throws {
        let body = "{\"@odata.context\":\"$metadata#Orders\",\"value\":[\(rows)]}"
        try await Self.run(.json(body)) { (desk: StubDesk) throws in
            for _ in 1...2 {
                #expect(throws: (any Error).self) { try desk.sync.download() }
                #expect(try desk.rows(Self.rows) == ["1 a"])
            }
        }
    }

    @Test func nothingIsDoubtedOfAServiceThatSendsNoVersion() {
        #expect(!ServiceMarks().doubtsPage([:]))
        #expect(ServiceMarks(sendsVersion: true).doubtsPage([:]))
        #expect(!ServiceMarks(sendsVersion: true).doubtsPage(["DataServiceVersion": "2.0"]))
    }

    /// A part of a batch is as good as the batch.
    @Test func aPartWithoutMarksIsTheServicesInItsBatch() async throws {
        func part(_ body: String) -> String {
            "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)\r\n"
        }
        let batch =
            part(#"{"value":[{"ID":1,"Name":"a"}]}"#) + part(#"{"value":[]}"#)
            + part(#"{"ID":1,"Title":"head"}"#) + "--b--\r\n"
        try await StubDesk.run(StubDesk.schema) { asked in
            asked.resource == "$batch"
                ? StubDesk.Said(type: "multipart/mixed; boundary=b", body: batch) : .status(404)
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityDownloads = true
            try desk.sync.download()
            #expect(try desk.rows(Self.rows) == ["1 a"])
            #expect(desk.asked.map(\.resource) == ["$batch"])
        }
    }
}
