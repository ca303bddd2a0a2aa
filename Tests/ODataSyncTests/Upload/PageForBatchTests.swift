import APIErrorFixture
import ODataClasses
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// A gateway's page in the place of the answer to a batch of creations with keys of the service, which nobody can look for.
@Suite struct PageForBatchTests {
    private static let answer =
        "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n\r\n--b--\r\n"

    private static let lessons = """
        SELECT details FROM _odata_event WHERE type = 'profile' AND details LIKE '%batches%'
        """

    /// Two orders without keys wait.
    ///
    /// - Parameter batch: what is said to a batch.
    private static func run(
        _ batch: @escaping @Sendable (StubDesk.Asked) -> StubDesk.Said,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        let created = Mutex(0)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch (asked.method, asked.resource) {
            case ("POST", "$batch"): return batch(asked)
            case ("POST", "Orders"):
                let id = created.withLock { count in
                    count += 1
                    return count
                }
                var said = StubDesk.Said.json(
                    #"{"@odata.context":"$metadata#Orders/$entity","ID":\#(id),"Title":"new"}"#)
                said.status = 201
                return said
            case (_, "Head"):
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = true
            desk.sync.throwUploadFailures = false
            desk.sync.uploadWorkerThreads = 1
            try desk.sync.download()
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            for _ in 0..<2 {
                let order = EntityValue.ofType(set.entityType).inSet(set)
                set.entityType.property(withName: "Title").setStringValue(in: order, to: "new")
                try desk.sync.createEntity(order, headers: .empty, options: .none)
            }
            try body(desk)
        }
    }

    private static func writes(_ asked: StubDesk.Asked) -> Bool {
        asked.body.contains("POST ")
    }

    @Test(arguments: [404, 405, 415, 501])
    func whatTheServiceMayHaveCarriedOutIsNotSentByItself(status: Int) async throws {
        try await Self.run { asked in
            Self.writes(asked)
                ? .gateway(status)
                : StubDesk.Said(type: "multipart/mixed; boundary=b", body: Self.answer)
        } _: { desk in
            try desk.sync.upload()
            #expect(desk.changes == ["POST $batch", "POST $batch"])
            let batches = desk.asked.filter { $0.resource == "$batch" }
            #expect(batches.map(Self.writes) == [true, false])
            #expect(try desk.sync.failed().toArray().map(\.isUnknown) == [true, true])
            // Nothing of it is sent again by itself, and nothing is learned.
            try desk.sync.upload()
            #expect(desk.changes.count == 2)
            #expect(try desk.rows(Self.lessons) == [])
        }
    }

    @Test(arguments: [404, 405, 415, 501])
    func aServiceWithoutBatchesGetsThemByThemselves(status: Int) async throws {
        try await Self.run { _ in
            .gateway(status)
        } _: { desk in
            try desk.sync.upload()
            #expect(
                desk.changes == ["POST $batch", "POST $batch", "POST Orders", "POST Orders"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(try desk.rows(Self.lessons) == ["learned: takes no batches (\(status))"])
        }
    }
}
