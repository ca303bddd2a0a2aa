import Foundation
import ODataModel
import ODataQuery
import ODataSyncPlan
import ODataWire
import Testing

/// The identity of a registered client in the parts of a batch.
@Suite struct ClientInstancePartTests {
    private static let name = "Client-Instance-ID"

    @Test("REG-016 each part names the client, and what a request says itself counts")
    func eachPartNamesTheClient() throws {
        let read = RequestMessage(method: "GET", url: "Tools")
        var own = RequestMessage(method: "PATCH", url: "Tools(1)")
        own.headers[Self.name] = "own"
        let parts: [BatchPart] = [
            .request(read, contentID: "1"),
            .changeSet([BatchRequest(contentID: "2", own), BatchRequest(contentID: "3", read)]),
        ]
        var settings = RequestSettings()
        #expect(parts.map(settings.part) == parts)
        settings.clientInstanceID = "me"
        let named = parts.map(settings.part).flatMap(\.requests).map {
            $0.message.headers[Self.name]
        }
        #expect(named == ["me", "own", "me"])
        let written = try BatchForm(settings, Dialect.of(.v4)).request(parts, boundary: "b")
        let text = String(decoding: written.body, as: UTF8.self)
        #expect(text.components(separatedBy: "Client-Instance-ID: me").count == 3)
    }
}
