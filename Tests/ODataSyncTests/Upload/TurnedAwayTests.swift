import APIErrorFixture
import ODataClasses
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Changes that are redirected elsewhere or not let in: of one place they keep nothing else, of all they end the upload.
@Suite struct TurnedAwayTests {
    /// Two customers with entity tags; one answer comes before all others where it is not nil.
    private static func run(
        isBatched: Bool = false,
        _ special: @escaping @Sendable (StubDesk.Asked) -> StubDesk.Said?,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            if let said = special(asked) { return said }
            switch (asked.method, asked.resource) {
            case ("GET", let set) where set == "Customers" || set.hasPrefix("Customers?"):
                return .page(
                    (1...2).map { #"{"@odata.etag":"W/\"1\"","ID":\#($0),"Name":"old"}"# }
                        .joined(separator: ","))
            case (_, "Head"):
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            case ("PATCH", _): return StubDesk.Said()
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityUploads = isBatched
            desk.sync.throwUploadFailures = false
            desk.sync.uploadWorkerThreads = 1
            try desk.sync.download()
            for id in 1...2 { try desk.rename(id) }
            try body(desk)
        }
    }

    private static func away(_ status: Int) -> StubDesk.Said {
        if status == 401 { return .status(401) }
        var said = StubDesk.Said.gateway(status)
        said.location = "http://login.test/here"
        return said
    }

    @Test(arguments: [302, 307, 401])
    func oneRowThatIsTurnedAwayKeepsNothingElseAndIsListed(status: Int) async throws {
        try await Self.run { asked in
            asked.method == "PATCH" && asked.resource == "Customers(1)" ? Self.away(status) : nil
        } _: { desk in
            #expect(throws: DataServiceError.self) { try desk.sync.upload() }
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(2)"])
            #expect(try desk.sync.queued().length == 1)
            #expect(try desk.sync.failed().length == 0)
            // From the second time on, each time.
            for _ in 0..<3 {
                try desk.sync.upload()
                let failed = try desk.sync.failed().toArray()
                #expect(failed.map(\.httpStatus) == [status])
                let reason = status == 401 ? "said no" : "redirected to login.test"
                #expect(failed.first?.errorMessage?.contains(reason) == true)
            }
            #expect(desk.changes.count == 5)
            try desk.sync.failed().toArray().first?.cancel()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    @Test(arguments: [302, 401])
    func whoIsTurnedAwayEverywhereSendsNothingElse(status: Int) async throws {
        let isClosed = Mutex(true)
        try await Self.run { asked in
            guard asked.method == "PATCH" || asked.resource.isEmpty else { return nil }
            guard isClosed.withLock({ $0 }) else { return nil }
            // A read would follow to where nobody is.
            return asked.method == "PATCH" || status == 401
                ? Self.away(status) : .gateway(status)
        } _: { desk in
            for upload in 1...2 {
                #expect(throws: DataServiceError.self) { try desk.sync.upload() }
                #expect(desk.changes.count == upload)
                #expect(try desk.sync.queued().length == 2)
                #expect(try desk.sync.failed().length == 0)
            }
            isClosed.withLock { $0 = false }
            try desk.sync.upload()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    /// The service does not know the row, or not the style of its key; a page stands before the read that would tell.
    @Test(arguments: [200, 404, 502])
    func aPageBeforeTheRowThatWouldShowTheKeysIsListed(status: Int) async throws {
        try await Self.run { asked in
            guard ["Customers(1)", "Customers/1"].contains(asked.resource) else { return nil }
            return asked.method == "PATCH" ? .status(404) : .gateway(status)
        } _: { desk in
            #expect(throws: DataNetworkError.self) { try desk.sync.upload() }
            #expect(desk.changes == ["PATCH Customers(1)", "PATCH Customers(2)"])
            #expect(try desk.sync.queued().length == 1)
            #expect(try desk.sync.failed().length == 0)
            for _ in 0..<2 {
                try desk.sync.upload()
                let failed = try desk.sync.failed().toArray()
                #expect(failed.map(\.isUnknown) == [false])
                #expect(failed.first?.errorMessage?.contains("Not the service") == true)
            }
            try desk.sync.failed().toArray().first?.cancel()
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }

    /// What is true of `$batch` need not be true of its parts.
    @Test func aBatchThatIsTurnedAwayGoesInItsParts() async throws {
        try await Self.run(isBatched: true) { asked in
            asked.resource == "$batch" ? Self.away(302) : nil
        } _: { desk in
            try desk.sync.upload()
            #expect(
                desk.changes == [
                    "POST $batch", "PATCH Customers(1)", "PATCH Customers(2)",
                ])
            #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }
}
