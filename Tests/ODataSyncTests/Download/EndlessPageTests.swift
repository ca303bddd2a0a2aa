import ODataSync
import ODataTesting
import ODataText
import SAPOData
import Testing

/// A page that goes on and on is given up where it has more bytes than any page should, and stops no other set.
@Suite struct EndlessPageTests {
    @Test(arguments: [false, true]) func aPageBeyondTheBoundIsARefusalOfItsSet(
        isAgain: Bool
    ) async throws {
        let rows = (1...200).map { "{\"ID\":\($0),\"Title\":\"row\"}" }.joined(separator: ",")
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "Orders": .page(rows)
            case "Customers": .page(#"{"ID":7,"Name":"seven"}"#)
            default: .json(#"{"ID":1,"Title":"head"}"#)
            }
        } _: { (desk: StubDesk) throws in
            if isAgain { try desk.sync.download() }
            #expect(desk.sync.engine.configuration.maximumPageBytes == 16 << 30)
            desk.sync.engine.change { $0.maximumPageBytes = 2_000 }
            let error = #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(error?.message?.contains("at most 2000 bytes") == true)
            #expect(error?.message?.contains("Orders") == true)
            #expect(try desk.rows("SELECT ID FROM Customers") == ["7"])
            // What is compared with the set waits for its last page, which never came.
            #expect(try desk.rows("SELECT count(*) < 200 FROM Orders") == [isAgain ? "0" : "1"])
            desk.sync.engine.change { $0.maximumPageBytes = 20_000 }
            try desk.sync.download()
            #expect(try desk.rows("SELECT count(*) FROM Orders") == ["200"])
        }
    }
}
