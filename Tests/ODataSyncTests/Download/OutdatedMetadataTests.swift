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
}
