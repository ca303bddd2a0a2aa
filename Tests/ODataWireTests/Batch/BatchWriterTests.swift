import ErrorFixture
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct BatchWriterTests {
    @Test func requestBytesAreTheOnesOfTheProtocol() throws {
        let request = try BatchWriter.request(
            [
                .request(
                    RequestMessage(
                        method: "GET", url: "Tools(7)?$select=Title",
                        headers: ["Accept": "application/json"]), contentID: nil),
                .changeSet([
                    BatchRequest(
                        contentID: "1",
                        RequestMessage(
                            method: "POST", url: "Tools",
                            headers: ["Content-Type": "application/json"],
                            body: Array(#"{"Title":"Plane"}"#.utf8))),
                    BatchRequest(
                        contentID: "2",
                        RequestMessage(
                            method: "DELETE", url: "Tools(9)", headers: ["If-Match": "W/\"3\""])),
                ]),
            ], boundary: "b_1")
        let expected = """
            --b_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Tools(7)?$select=Title HTTP/1.1
            Accept: application/json


            --b_1
            Content-Type: multipart/mixed; boundary=cs1_b_1

            --cs1_b_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 1

            POST Tools HTTP/1.1
            Content-Type: application/json
            Content-Length: 17

            {"Title":"Plane"}
            --cs1_b_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 2

            DELETE Tools(9) HTTP/1.1
            If-Match: W/"3"


            --cs1_b_1--
            --b_1--

            """
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == String(decoding: crlf(expected), as: UTF8.self))
        #expect(request.method == "POST")
        #expect(request.url == "$batch")
        #expect(request.headers["content-type"] == "multipart/mixed; boundary=b_1")
    }

    @Test func responseBytesAreTheOnesOfTheProtocol() throws {
        let response = try BatchWriter.response(
            [
                .changeSet([
                    BatchResponse(
                        contentID: "7",
                        ResponseMessage(status: 204, headers: ["ETag": "\"4\""]))
                ]),
                .response(
                    ResponseMessage(
                        status: 404, headers: ["Content-Type": "application/json"],
                        body: Array("{}".utf8))),
            ], boundary: "r")
        let expected = """
            --r
            Content-Type: multipart/mixed; boundary=cs0_r

            --cs0_r
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 7

            HTTP/1.1 204 No Content
            ETag: "4"


            --cs0_r--
            --r
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            HTTP/1.1 404 Not Found
            Content-Type: application/json
            Content-Length: 2

            {}
            --r--

            """
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == String(decoding: crlf(expected), as: UTF8.self))
        #expect(response.status == 200)
    }

    @Test(arguments: [
        ("Tools('a:b')", "Tools('a%3Ab')"),
        (
            "Tools(Day=2031-05-01T08:30:00Z)/X:y?a=b:c",
            "Tools(Day=2031-05-01T08%3A30%3A00Z)/X:y?a=b:c"
        ),
        ("http://h:80/svc/Tools", "http://h:80/svc/Tools"),
        ("/svc/a:b", "/svc/a:b"),
        ("$1/Loans", "$1/Loans"),
    ])
    func colonsOfARelativeFirstSegmentAreEncoded(url: String, written: String) {
        #expect(BatchWriter.partURL(url) == written)
    }

    @Test func credentialsStayOutOfTheParts() throws {
        let request = try BatchWriter.request(
            [
                .request(
                    RequestMessage(
                        method: "GET", url: "A",
                        headers: ["Authorization": "Basic xyz", "cookie": "s=1", "Accept": "*/*"]),
                    contentID: nil)
            ], boundary: "b")
        let text = String(decoding: request.body, as: UTF8.self)
        #expect(!text.contains("xyz"))
        #expect(!text.contains("s=1"))
        #expect(text.contains("Accept: */*"))
    }

    private static let badLine = Failure(
        .usage, "Expected a method and an encoded URL for a batch part.")
    private static let badHeader = Failure(
        .usage, "Expected a header field without control characters.")

    @Test(arguments: [
        (RequestMessage(method: "GET", url: "A\r\nX: y"), badLine),
        (RequestMessage(method: "GET ", url: "A"), badLine),
        (RequestMessage(method: "GET", url: "A B"), badLine),
        (
            RequestMessage(method: "GET", url: "A", headers: ["X": "1\r\n\r\nDELETE B HTTP/1.1"]),
            badHeader
        ),
        (RequestMessage(method: "GET", url: "A", headers: ["X Y": "1"]), badHeader),
    ])
    func textThatWouldBreakTheFramingIsRefused(message: RequestMessage, refused: Failure) {
        #expect(
            failure { try BatchWriter.request([.request(message, contentID: nil)], boundary: "b") }
                == refused)
    }

    @Test(arguments: ["", "a b", "a\"b", String(repeating: "x", count: 61)])
    func badBoundariesAreRefused(boundary: String) {
        #expect(
            failure { try BatchWriter.request([], boundary: boundary) }
                == Failure(.usage, "Expected a boundary of 1 to 60 allowed characters."))
    }
}
