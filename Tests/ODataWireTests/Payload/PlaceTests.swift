import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import ODataWire
import Testing

/// Errors of payloads and headers say where they were met.
@Suite struct PlaceTests {
    private func batch(_ text: String) throws {
        _ = try BatchReader.requests(
            of: RequestMessage(
                method: "POST", url: "$batch",
                headers: ["Content-Type": "multipart/mixed; boundary=b"], body: crlf(text)))
    }

    private static let get = """
        --b
        Content-Type: application/http

        GET Tools HTTP/1.1


        """

    @Test(arguments: [
        ("--b\nContent-Type: application/http\n\n\n--b--\n", "parts[0]"),
        (get + "--b\nno field\n\nGET Tools HTTP/1.1\n\n\n--b--\n", "parts[1]"),
        (
            get
                + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\nContent-Type: application/http\n\n"
                + "POST Tools HTTP/1.1\n\n{}\n--c\nno field\n\nPOST Tools HTTP/1.1\n\n{}\n--c--\n--b--\n",
            "parts[1]/members[1]"
        ),
        (get + "--b\nContent-Type: multipart/mixed\n\nx\n--b--\n", "parts[1]"),
    ])
    func aMultipartBatchNamesTheMessage(_ text: String, _ place: String) {
        let error = #expect(throws: ODataError.self) { try batch(text) }
        #expect(error?.location == .path(place))
        #expect([.malformedText, .invalidPayload].contains(error?.code))
    }

    @Test func aBatchWithoutBoundaryNamesTheHeader() {
        let message = ResponseMessage(
            status: 200, headers: ["Content-Type": "text/plain"], body: [])
        #expect(
            failure { _ = try BatchReader.parts(of: message) }
                == Failure(.invalidPayload, at: .path("Content-Type")))
    }

    @Test func anAnswerThatIsNoAnswerNamesItsPart() {
        let text =
            "--b\nContent-Type: application/http\n\nHTTP/1.1 204 No Content\n\n\n"
            + "--b\nContent-Type: application/http\n\nGET Tools HTTP/1.1\n\n\n--b--\n"
        let message = ResponseMessage(
            status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"], body: crlf(text))
        #expect(
            failure { _ = try BatchReader.parts(of: message) }
                == Failure(.malformedText, at: .path("parts[1]")))
    }

    @Test(arguments: [
        ("[]", ODataError.Location.offset(0)), ("{}", .path("requests")),
        (#"{"requests":[7]}"#, .path("requests[0]")),
        (
            #"{"requests":[{"id":"1","method":"GET","url":"A"},{"id":"2","method":"GET"}]}"#,
            .path("requests[1]")
        ),
    ])
    func aJSONBatchNamesTheRequest(_ text: String, _ place: ODataError.Location) {
        #expect(
            failure { _ = try JSONBatch.requests(Array(text.utf8)) }
                == Failure(.invalidPayload, at: place, status: 400))
    }

    @Test func rulesOfIdsNameTheRequestThatBreaksThem() {
        let requests = ["1", "2", "1"].map {
            JSONBatchRequest(id: $0, RequestMessage(method: "GET", url: "A"))
        }
        #expect(
            failure { try JSONBatchRules.check(requests) }
                == Failure(.invalidPayload, at: .path("requests[2]"), status: 400))
    }

    @Test(
        arguments: [
            ("a", nil, "Repeatability-First-Sent"),
            (nil, "Thu, 01 May 2031 08:30:00 GMT", "Repeatability-Request-ID"),
            ("a", "now", "Repeatability-First-Sent"),
        ] as [(String?, String?, String)])
    func identitiesNameTheHeader(_ id: String?, _ date: String?, _ name: String) {
        var headers = HeaderFields()
        headers["Repeatability-Request-ID"] = id
        headers["Repeatability-First-Sent"] = date
        #expect(
            failure { _ = try RepeatabilityHeaders.read(headers) }
                == Failure(.invalidPayload, at: .path(name), status: 400))
    }

    @Test func whatBreaksTheFrameOfABatchIsNamed() {
        let good = BatchRequest(RequestMessage(method: "POST", url: "Tools"))
        let bad = BatchRequest(
            RequestMessage(method: "POST", url: "Tools", headers: ["X-A": "1\r\nX-B: 2"]))
        #expect(
            failure {
                _ = try BatchWriter.request(
                    [.request(good), .changeSet([good, bad])], boundary: "b")
            } == Failure(.usage, at: .path("parts[1]/members[1]/X-A")))
        #expect(
            failure { _ = try BatchWriter.request([.request(good)], boundary: "%") }
                == Failure(.usage, at: .path("boundary")))
    }

    @Test func shapesOfGMLNameTheirElement() {
        let text = """
            <entry xmlns="http://www.w3.org/2005/Atom" xmlns:m="http://docs.oasis-open.org/odata/ns/metadata"
            xmlns:d="http://docs.oasis-open.org/odata/ns/data" xmlns:g="http://www.opengis.net/gml"><content type="application/xml">
            <m:properties><d:Place m:type="GeographyPoint"><g:Point><g:pos>1</g:pos></g:Point></d:Place></m:properties></content></entry>
            """
        let error = #expect(throws: ODataError.self) {
            _ = try AtomReader(Workshop.v4).entity(Array(text.utf8), of: Workshop.tool)
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.location != nil)
    }

    @Test func referencesNameTheMember() {
        let reader = EntityJSONReader(Workshop.v4)
        #expect(
            failure { _ = try reader.reference(Array("{}".utf8)) }
                == Failure(.invalidPayload, at: .path("@odata.id")))
        #expect(
            failure { _ = try reader.references(Array(#"{"value":7}"#.utf8)) }
                == Failure(.invalidPayload, at: .path("value")))
        #expect(
            failure { _ = try reader.page(Array("7".utf8), of: Workshop.tool) }
                == Failure(.invalidPayload, at: .offset(0)))
    }
}
