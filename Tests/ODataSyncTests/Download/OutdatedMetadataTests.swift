import ODataQuery
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Rows that do not fit the metadata that is known: a new member of an enumeration, a property of another type.
@Suite struct OutdatedMetadataTests {
    @Test func rowsThatDoNotFitLetTheNextDownloadLookForMetadata() async throws {
        let hasChanged = Mutex(false)
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Customers":
                return hasChanged.withLock { $0 }
                    ? .page(#"{"ID":"one","Name":"a"}"#) : .page(#"{"ID":1,"Name":"a"}"#)
            case "Head":
                return .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: return .page("")
            }
        } _: { (desk: StubDesk) throws in
            func looks() -> Int { desk.service.requests.count { $0.url.hasSuffix("$metadata") } }
            try desk.sync.download()
            let first = looks()
            hasChanged.withLock { $0 = true }
            #expect(throws: (any Error).self) { try desk.sync.download() }
            #expect(looks() == first)
            hasChanged.withLock { $0 = false }
            try desk.sync.download()
            #expect(looks() == first + 1)
            try desk.sync.download()
            #expect(looks() == first + 1)
        }
    }

    /// A type changes and changes back while a delta comes: what came in between is not kept to fail each time.
    @Test func aPageThatWaitsInAFormThatIsGoneIsAskedForAgain() async throws {
        let step = Mutex(0)
        let next = #","@odata.nextLink":"Customers?$skiptoken=2""#
        let delta = #","@odata.deltaLink":"Customers?$deltatoken=1""#
        try await StubDesk.run(StubDesk.schema) { asked in
            let step = step.withLock { $0 }
            switch asked.resource {
            case "Customers": return .page(#"{"ID":1,"Name":"a"}"#, delta)
            case "Customers?$deltatoken=1":
                return step == 0
                    ? .page(#"{"ID":1,"Name":5}"#, next)
                    : .page(#"{"ID":1,"Name":"b"}"#, next)
            case "Customers?$skiptoken=2":
                return step == 0 ? .lost : .page(#"{"ID":2,"Name":"c"}"#, delta)
            case "Head": return .json(#"{"ID":9,"Title":"h"}"#)
            default: return .page("")
            }
        } _: { desk in
            try desk.sync.download()
            #expect(throws: (any Error).self) { try desk.sync.download() }
            step.withLock { $0 = 1 }
            // It goes on behind the page that waits.
            #expect(throws: (any Error).self) { try desk.sync.download() }
            try desk.sync.download()
            #expect(try desk.rows("SELECT ID, Name FROM Customers ORDER BY ID") == ["1 b", "2 c"])
        }
    }
}
