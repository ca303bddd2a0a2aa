import ErrorFixture
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Batches as the texts of V2 write them (OData 2.0, Batch Processing, sections 2.1 to 2.4; MS-ODATA 2.2.7.6), byte for
/// byte: spaces behind request lines, no space behind `Content-Transfer-Encoding:`, requests relative to the host, bodies in
/// Atom, answers of a change set without Content-ID.
@Suite struct V2BatchTextTests {
    private static let tool = """
        <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml"/></entry>
        """

    private static let request = """
        --batch_36522ad7
        Content-Type: application/http\u{20}
        Content-Transfer-Encoding:binary

        GET /service/Tools(7) HTTP/1.1
        Host: host


        --batch_36522ad7
        Content-Type: multipart/mixed; boundary=changeset_77162fcd
        Content-Length: 742

        --changeset_77162fcd
        Content-Type: application/http
        Content-Transfer-Encoding: binary
        Content-ID: 1

        POST /service/Tools HTTP/1.1
        Host: host
        Content-Type: application/atom+xml;type=entry
        Content-Length: \(tool.utf8.count)

        \(tool)
        --changeset_77162fcd
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        POST $1/Parts HTTP/1.1
        Host: host
        Content-Type: application/json

        {"Name":"Blade"}
        --changeset_77162fcd
        Content-Type: application/http
        Content-Transfer-Encoding:binary

        MERGE /service/Tools(8) HTTP/1.1
        Host: host
        Content-Type: application/json
        If-Match: W/"3"

        {"Title":"Plane"}
        --changeset_77162fcd--

        --batch_36522ad7
        Content-Type: application/http
        Content-Transfer-Encoding:binary

        GET /service/Parts?$top=2 HTTP/1.1
        Host: host

        --batch_36522ad7--
        """

    @Test func theRequestOfTheTextIsRead() throws {
        let parts = try BatchReader.requests(
            of: RequestMessage(
                method: "POST", url: "$batch",
                headers: ["Content-Type": "multipart/mixed; boundary=batch_36522ad7"],
                body: crlf(Self.request)))
        #expect(parts.count == 3)
        guard case .request(let first) = parts[0], case .changeSet(let members) = parts[1],
            case .request(let last) = parts[2]
        else {
            Issue.record("Expected a retrieve request, a change set, a retrieve request.")
            return
        }
        #expect(first.message.url == "/service/Tools(7)")
        #expect(first.message.headers["Host"] == "host")
        #expect(last.message.url == "/service/Parts?$top=2")
        #expect(members.map(\.message.method) == ["POST", "POST", "MERGE"])
        #expect(
            members.map(\.message.url) == ["/service/Tools", "$1/Parts", "/service/Tools(8)"])
        #expect(members.map(\.contentID) == ["1", nil, nil])
        #expect(members[0].message.body == Array(Self.tool.utf8))
        #expect(members[1].message.body == Array(#"{"Name":"Blade"}"#.utf8))
        #expect(members[2].message.headers["If-Match"] == "W/\"3\"")
    }

    /// A change set answers as a whole, or with one error in its place.
    private static let answer = """
        --batch_12345
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 200 Ok
        Content-Type: application/atom+xml;type=entry
        Content-Length: \(tool.utf8.count)

        \(tool)
        --batch_12345
        Content-Type: multipart/mixed; boundary=changeset_6789
        Content-Length: 300

        --changeset_6789
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 201 Created
        Content-Type: application/atom+xml;type=entry
        Location: http://host/service/Tools(9)
        Content-Length: \(tool.utf8.count)

        \(tool)
        --changeset_6789
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 204 No Content
        Host: host


        --changeset_6789--
        --batch_12345
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 404 Not Found
        Content-Type: application/xml
        Content-Length: 22

        <error>no part</error>
        --batch_12345--
        """

    @Test func theAnswerOfTheTextIsReadAndMatchedByPlace() throws {
        let answers = try BatchReader.parts(
            of: ResponseMessage(
                status: 202,
                headers: [
                    "DataServiceVersion": "1.0",
                    "Content-Type": "multipart/mixed; boundary=batch_12345",
                ], body: crlf(Self.answer)))
        #expect(answers.isComplete)
        guard answers.parts.count == 3, case .response(let first) = answers.parts[0],
            case .changeSet(let members) = answers.parts[1],
            case .response(let last) = answers.parts[2]
        else {
            Issue.record("Expected answer, change set, answer.")
            return
        }
        #expect(first.message.status == 200)
        #expect(first.message.body == Array(Self.tool.utf8))
        #expect(members.map(\.message.status) == [201, 204])
        #expect(members.map(\.contentID) == [nil, nil])
        #expect(members[0].message.headers["Location"] == "http://host/service/Tools(9)")
        #expect(last.message.status == 404)
        #expect(last.message.body == Array("<error>no part</error>".utf8))
    }

    /// What the client sends is read back by the reader of the service, and is the bytes of the text: the reference to the
    /// created entity stands where its URL would.
    @Test func whatTheClientSendsIsTheFormOfTheText() throws {
        let sent: [BatchPart] = [
            .request(RequestMessage(method: "GET", url: "Tools(7)"), contentID: nil),
            .changeSet([
                BatchRequest(
                    contentID: "1",
                    RequestMessage(
                        method: "POST", url: "Tools", headers: ["Content-Type": "application/json"],
                        body: Array(#"{"Id":9}"#.utf8))),
                BatchRequest(
                    contentID: "2",
                    RequestMessage(
                        method: "MERGE", url: "$1",
                        headers: ["Content-Type": "application/json", "If-Match": "*"],
                        body: Array(#"{"Title":"Plane"}"#.utf8))),
            ]),
        ]
        let expected = """
            --batch_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary

            GET Tools(7) HTTP/1.1


            --batch_1
            Content-Type: multipart/mixed; boundary=cs1_batch_1

            --cs1_batch_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 1

            POST Tools HTTP/1.1
            Content-Type: application/json
            Content-Length: 8

            {"Id":9}
            --cs1_batch_1
            Content-Type: application/http
            Content-Transfer-Encoding: binary
            Content-ID: 2

            MERGE $1 HTTP/1.1
            Content-Type: application/json
            If-Match: *
            Content-Length: 17

            {"Title":"Plane"}
            --cs1_batch_1--
            --batch_1--

            """
        let batch = try BatchWriter.request(sent, boundary: "batch_1")
        #expect(
            String(decoding: batch.body, as: UTF8.self)
                == String(decoding: crlf(expected), as: UTF8.self))
        let read = try BatchReader.requests(of: batch).flatMap(\.requests)
        #expect(read.map(\.message.url) == ["Tools(7)", "Tools", "$1"])
        #expect(read.map(\.contentID) == [nil, "1", "2"])
        #expect(read.map(\.message.body) == sent.flatMap(\.requests).map(\.message.body))
    }
}
