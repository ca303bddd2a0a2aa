import ODataClasses
import ODataSync
import ODataTesting
import SAPOData
import Testing

/// A part of a batch whose length is not the one that it states is not believed.
@Suite struct MangledBatchTests {
    private static func part(_ body: String, lost: Int = 0) -> String {
        "--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nOData-Version: 4.0\r\n"
            + "Content-Length: \(body.utf8.count + lost)\r\n\r\n\(body)\r\n"
    }

    @Test(arguments: [0, 38]) func aPageThatLostBytesIsAskedForAlone(lost: Int) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "$batch":
                return StubDesk.Said(
                    type: "multipart/mixed; boundary=b",
                    body: Self.part(#"{"value":[{"ID":1,"Name":"a"}]}"#)
                        + Self.part(#"{"value":[{"ID":1,"Title":"x"}]}"#, lost: lost)
                        + Self.part(#"{"ID":1,"Title":"head"}"#) + "--b--\r\n")
            case "Orders": return .page(#"{"ID":1,"Title":"x"},{"ID":2,"Title":"y"}"#)
            default: return .status(404)
            }
        } _: { (desk: StubDesk) throws in
            desk.sync.batchEntityDownloads = true
            try desk.sync.download()
            let alone = desk.asked.map(\.resource).filter { $0 != "$batch" }
            #expect(alone == (lost > 0 ? ["Orders"] : []))
            #expect(
                try desk.rows("SELECT ID FROM Orders ORDER BY ID")
                    == (lost > 0 ? ["1", "2"] : ["1"]))
            #expect(try desk.rows("SELECT ID, Name FROM Customers") == ["1 a"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
        }
    }
}
