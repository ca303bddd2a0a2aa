import ODataQuery
import ODataSync
import ODataText
import ODataTransport
import Testing

/// What is said where the metadata of a service should be, and is not.
@Suite struct ServiceMetadataLoaderTests {
    private static func answer(_ status: Int, _ type: String, _ body: String) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: ["Content-Type": type, "OData-Version": "4.0"],
            body: Array(body.utf8))
    }

    private func refusal(_ answer: ResponseMessage) -> ODataError? {
        let connection = ServiceConnection(
            root: "http://user:word@h:81/wrong/", transport: LoopbackTransport { _ in answer })
        return #expect(throws: ODataError.self) {
            _ = try ServiceMetadataLoader(connection).fetch()
        }
    }

    static let strangers: [(status: Int, type: String, body: String, found: String)] = [
        (404, "text/html", "<html><title>Lost</title></html>", "text/html (Lost), status 404."),
        (
            404, "application/json", #"{"error":{"code":"1","message":"no"}}"#,
            "application/json, status 404."
        ),
        (410, "text/plain", "", "an empty answer, status 410."),
        (200, "text/html", "<html><title>Log on</title></html>", "text/html (Log on), status 200."),
        (200, "application/json", #"{"value":[]}"#, "application/json, status 200."),
    ]

    @Test(arguments: strangers) func whereThereIsNoServiceTheErrorSaysSo(
        status: Int, type: String, body: String, found: String
    ) {
        let code = status < 300 ? "network" : "service"
        let error = refusal(Self.answer(status, type, body))
        #expect(
            error?.description
                == "\(code) at h:81/wrong/$metadata: No OData service at http://h:81/wrong/:"
                + " $metadata is \(found)")
        #expect(error?.status == (status < 300 ? 0 : status))
    }

    @Test func aRefusalSaysWhatWasAskedFor() {
        let body = #"{"error":{"code":"1","message":"Who is it?"}}"#
        let error = refusal(Self.answer(401, "application/json", body))
        #expect(error?.description == "service at h:81/wrong/$metadata: Who is it?")
        #expect(error?.status == 401)
    }

    @Test func metadataInJSONIsMetadata() throws {
        let answer = Self.answer(200, "application/json", #"{"$Version":"4.01"}"#)
        let connection = ServiceConnection(
            root: "http://h/", transport: LoopbackTransport { _ in answer })
        #expect(try ServiceMetadataLoader(connection).fetch()?.bytes == answer.body)
    }
}
