import ErrorFixture
import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct BatchReaderTests {
    private func read(
        _ text: String, contentType: String = "multipart/mixed; boundary=b",
        lineFeedOnly: Bool = false
    ) throws -> BatchReader.Answers {
        try BatchReader.parts(
            of: ResponseMessage(
                status: 200, headers: ["content-type": contentType],
                body: lineFeedOnly ? Array(text.utf8) : crlf(text)))
    }

    static let mixed = """
        This preamble is not read.
        --b
        Content-Type: application/http
        Content-Transfer-Encoding: binary

        HTTP/1.1 200 OK
        Content-Type: application/json

        {"Id":7}
        --b
        content-type: multipart/mixed;boundary=c

        --c
        CONTENT-TYPE: application/http
        content-id:2

        HTTP/1.1 204 No Content
        ETag: W/"5"


        --c
        Content-Type: application/http

        HTTP/1.1 201 Created
        Content-Id: 1
        Location: http://h/svc/Tools(8)

        {"Id":8}
        --c--
        --b
        Content-Type: application/http

        HTTP/1.1 404 Not Found

        --b--
        An epilogue.

        """

    @Test(arguments: [false, true])
    func answersAreReadWithEitherLineEnd(lineFeedOnly: Bool) throws {
        let answers = try read(Self.mixed, lineFeedOnly: lineFeedOnly)
        #expect(answers.isComplete)
        #expect(answers.parts.count == 3)
        guard case .response(let first) = answers.parts[0],
            case .changeSet(let members) = answers.parts[1],
            case .response(let last) = answers.parts[2]
        else {
            Issue.record("Expected answer, change set, answer.")
            return
        }
        #expect(first.message.status == 200)
        #expect(first.message.headers["Content-Type"] == "application/json")
        #expect(first.message.body == Array(#"{"Id":7}"#.utf8))
        #expect(members.map(\.contentID) == ["2", "1"])
        #expect(members.map(\.message.status) == [204, 201])
        #expect(members[0].message.headers["etag"] == "W/\"5\"")
        #expect(members[0].message.body.isEmpty)
        #expect(members[1].message.headers["Location"] == "http://h/svc/Tools(8)")
        #expect(members[1].message.body == Array(#"{"Id":8}"#.utf8))
        #expect(last.message == ResponseMessage(status: 404))
    }

    @Test func aMissingFinalLineEndIsTolerated() throws {
        let answers = try read("--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nx\n--b--")
        #expect(answers.isComplete)
        #expect(answers.parts.map { $0.responses[0].message.body } == [[UInt8(ascii: "x")]])
    }

    @Test(arguments: [
        "HTTP/1.1 200 ", "HTTP/1.1 200", "http/1.1 200 ok", "HTTP/2 200 All is well",
    ])
    func statusLinesMayLackAReason(line: String) throws {
        let answers = try read("--b\nContent-Type: application/http\n\n\(line)\n\nx\n--b--\n")
        #expect(answers.parts.map { $0.responses[0].message.status } == [200])
    }

    @Test func boundariesMayBeQuotedAndHoldPunctuation() throws {
        let answers = try read(
            "--a'b(c)+_,-./:=?\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nx\n--a'b(c)+_,-./:=?--\n",
            contentType: "Multipart/Mixed ; charset=utf-8; Boundary=\"a'b(c)+_,-./:=?\"")
        #expect(answers.isComplete)
        #expect(answers.parts.count == 1)
    }

    @Test func aBoundaryThatContinuesIsNotADelimiter() throws {
        let answers = try read(
            "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nx\n--bc\n--b--x\ny\n--b  \n"
                + "Content-Type: application/http\n\nHTTP/1.1 200 OK\n\nz\n--b--\n")
        #expect(
            answers.parts.map { String(decoding: $0.responses[0].message.body, as: UTF8.self) }
                == ["x\r\n--bc\r\n--b--x\r\ny", "z"])
    }

    @Test func aTrueContentLengthProtectsABodyThatHoldsTheDelimiter() throws {
        let body = "one\r\n--b\r\ntwo\r\n"
        let text =
            crlf("--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\nContent-Length: 15\n\n")
            + Array(body.utf8) + crlf("\n--b--\n")
        #expect(body.utf8.count == 15)
        let answers = try BatchReader.parts(
            of: ResponseMessage(
                status: 200, headers: ["Content-Type": "multipart/mixed;boundary=b"], body: text))
        #expect(answers.parts.map { $0.responses[0].message.body } == [Array(body.utf8)])
    }

    @Test(arguments: [1, 4, 6, 400, 1_000_000, -3])
    func aFalseContentLengthIsDisregarded(length: Int) throws {
        let answers = try read(
            "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\nContent-Length: \(length)\n\n"
                + "abc\n--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nd\n--b--\n")
        #expect(
            answers.parts.map { String(decoding: $0.responses[0].message.body, as: UTF8.self) }
                == ["abc", "d"])
    }

    @Test(arguments: [(3, true), (2, false), (4, false), (1_000_000, false)])
    func aBodyOfAnotherLengthThanStatedIsTold(length: Int, isRight: Bool) throws {
        let text = crlf(
            "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n"
                + "Content-Length: \(length)\n\nabc\n--b--\n")
        let answers = try BatchResponseReader(
            contentType: "multipart/mixed;boundary=b", source: ByteParts([text]))
        #expect(try answers.next()?.status == 200)
        #expect(try answers.readBody() == Array("abc".utf8))
        #expect(answers.bodyHasStatedLength == isRight)
    }

    @Test func everyCutKeepsTheAnswersBeforeItAndInventsNone() throws {
        let whole = crlf(Self.mixed)
        let complete = try read(Self.mixed).parts
        let flat = complete.flatMap(\.responses)
        for length in 0..<whole.count {
            guard
                let answers = try? BatchReader.parts(
                    of: ResponseMessage(
                        status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"],
                        body: Array(whole[..<length])))
            else { continue }
            let found = answers.parts.flatMap(\.responses)
            #expect(found == Array(flat.prefix(found.count)), "cut at \(length)")
            if answers.isComplete { #expect(answers.parts == complete) }
        }
    }

    @Test func aCutConnectionGivesUnansweredParts() throws {
        let answers = try read(
            "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nx\n--b\n"
                + "Content-Type: application/http\n\nHTTP/1.1 200 OK\nETag: \"1")
        #expect(!answers.isComplete)
        #expect(answers.parts.count == 1)
    }

    @Test(arguments: [
        (
            "--b\nContent-Type: application/http\n\nnot http\n\nx\n--b--\n",
            Failure(.malformedText, "Expected a status line in a batch part.")
        ),
        (
            "--b\nContent-Type: application/http\nno colon here\n\nHTTP/1.1 200 OK\n\n\n--b--\n",
            Failure(
                .malformedText, "Expected a header field in a batch part, found another line.")
        ),
        (
            "--b\nContent-Type: application/http\n\n\n--b--\n",
            Failure(.malformedText, "Expected an HTTP message in a part, found none.")
        ),
        (
            "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n"
                + "Content-Type: multipart/mixed; boundary=d\n\n--d--\n--c--\n--b--\n",
            Failure(.invalidPayload, "Expected no change set inside a change set.")
        ),
        (
            "--b\nContent-Type: multipart/mixed\n\n--b--\n",
            Failure(
                .invalidPayload, "Expected multipart/mixed with a boundary for a change set.")
        ),
    ])
    func malformedPartsAreErrors(text: String, refused: Failure) {
        #expect(failure { try read(text) } == refused)
    }

    @Test(arguments: ["application/json", "multipart/mixed", "multipart/mixed; boundary=\"\"", ""])
    func anotherContentTypeIsAnError(contentType: String) {
        #expect(
            failure { try read("--b--\n", contentType: contentType) }
                == Failure(.invalidPayload, "Expected multipart/mixed with a boundary for a batch.")
        )
    }

    @Test func messageCountHeaderLinesAndBodiesAreBounded() throws {
        var limits = BatchLimits()
        limits.messages = 2
        let part = "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\nx\n"
        let response = ResponseMessage(
            status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"],
            body: crlf(part + part + part + "--b--\n"))
        #expect(
            failure { try BatchReader.parts(of: response, limits: limits) }
                == Failure(.limitExceeded, "Expected at most 2 messages in a batch, found more."))
        limits = BatchLimits()
        limits.headerLineBytes = 8
        #expect(
            failure { try BatchReader.parts(of: response, limits: limits) }
                == Failure(.limitExceeded, "Expected a header line of at most 8 bytes, found more.")
        )
        limits = BatchLimits()
        limits.bodyBytes = 0
        #expect(
            failure { try BatchReader.parts(of: response, limits: limits) }
                == Failure(
                    .limitExceeded, "Expected bodies of at most 0 bytes in a batch, found more."))
        limits = BatchLimits()
        limits.headerLines = 0
        #expect(
            failure { try BatchReader.parts(of: response, limits: limits) }
                == Failure(.limitExceeded, "Expected at most 0 header lines, found more."))
        limits = BatchLimits()
        limits.headerLines = 4
        let folded = "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\nA: b\n c\n d\n e\n"
        for (text, isRead) in [("\nx\n--b--\n", true), (" f\n\nx\n--b--\n", false)] {
            let response = ResponseMessage(
                status: 200, headers: ["Content-Type": "multipart/mixed; boundary=b"],
                body: crlf(folded + text))
            let parts = try? BatchReader.parts(of: response, limits: limits).parts
            #expect(
                parts?.first?.responses.first?.message.headers["A"] == (isRead ? "b c d e" : nil))
        }
    }

    @Test func requestsAreReadForTheService() throws {
        let text = """

            --b
            Content-Type: application/http
            Content-Transfer-Encoding:binary

            get Tools?$filter=Name eq 'x' HTTP/1.1
            Accept: application/json

            ignored
            --b
            Content-Type: multipart/mixed; boundary=c

            --c
            Content-Type: application/http
            Content-ID: 1

            POST Tools HTTP/1.1
            Content-Type: application/json

            {"Id":1}
            --c
            Content-Type: application/http

            DELETE Tools(2) HTTP/1.1
            Content-ID: 5
            If-Match: *

            --c--
            --b
            Content-Type: multipart/mixed; boundary=d

            --d--
            --b--
            """
        let parts = try BatchReader.requests(
            of: RequestMessage(
                method: "POST", url: "$batch",
                headers: ["Content-Type": "multipart/mixed; boundary=b"], body: crlf(text)))
        #expect(parts.count == 3)
        guard case .request(let first) = parts[0], case .changeSet(let members) = parts[1] else {
            Issue.record("Expected a request and a change set.")
            return
        }
        #expect(first.message.method == "GET")
        #expect(first.message.url == "Tools?$filter=Name eq 'x'")
        #expect(first.message.body.isEmpty)
        #expect(members.map(\.contentID) == ["1", "5"])
        #expect(members[0].message.body == Array(#"{"Id":1}"#.utf8))
        #expect(members[1].message.headers["if-match"] == "*")
        #expect(parts[2] == .changeSet([]))
    }

    @Test func membersOfLargeChangeSetsAreAddedInPlace() throws {
        let member = BatchRequest(
            contentID: "1", RequestMessage(method: "POST", url: "Tools", body: [0x7b, 0x7d]))
        let count = 9_600
        let request = try BatchWriter.request(
            [.changeSet(Array(repeating: member, count: count))], boundary: "b")
        #expect(try BatchReader.requests(of: request).map(\.requests.count) == [count])
        // Storage that doubles moves 14 times; a copy for every member would move thousands of times.
        var sent = BatchPart.changeSet([])
        var answered = BatchResponsePart.changeSet([])
        let answer = BatchResponse(contentID: "1", ResponseMessage(status: 204))
        var moves = 0
        var places: [UnsafeRawPointer?] = [nil, nil]
        for _ in 0..<count {
            sent.append(member)
            answered.append(answer)
            let now = [
                sent.requests.withUnsafeBytes(\.baseAddress),
                answered.responses.withUnsafeBytes(\.baseAddress),
            ]
            moves += zip(places, now).filter { $0 != $1 }.count
            places = now
        }
        #expect(sent.requests.count == count && answered.responses.count == count)
        #expect(moves < 100)
    }

    @Test func aRequestWithoutItsClosingDelimiterIsRefused() {
        #expect(
            failure {
                try BatchReader.requests(
                    of: RequestMessage(
                        method: "POST", url: "$batch",
                        headers: ["Content-Type": "multipart/mixed; boundary=b"],
                        body: crlf(
                            "--b\nContent-Type: application/http\n\nDELETE A(1) HTTP/1.1\n\n\n"))
                )
            } == Failure(.malformedText, "Expected a delimiter after a message, found the end."))
    }

    @Test func randomAndMutatedBytesNeverTrap() {
        var generator = SeededGenerator(seed: 14)
        let seed = crlf(Self.mixed)
        for round in 0..<3_000 {
            var bytes = seed
            if round % 3 == 0 {
                bytes = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
                    Array("-b\r\n: c1HTP/".utf8).randomElement(using: &generator) ?? 0
                }
            } else {
                for _ in 0..<Int.random(in: 1...12, using: &generator) {
                    let position = Int.random(in: bytes.indices, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: position)
                    default:
                        bytes.insert(contentsOf: bytes[position...].prefix(9), at: position)
                    }
                }
            }
            let headers: HeaderFields = ["Content-Type": "multipart/mixed; boundary=b"]
            _ = try? BatchReader.parts(
                of: ResponseMessage(status: 200, headers: headers, body: bytes))
            _ = try? BatchReader.requests(
                of: RequestMessage(method: "POST", url: "$batch", headers: headers, body: bytes))
        }
    }

    @Test func linesThatContinueAFieldBelongToItAlone() throws {
        let answers = try read(
            """
            --b
            Content-Transfer-Encoding: binary,
             folded
            Content-ID: 1
             2
            Content-Type: application/http

            HTTP/1.1 200 OK
            X-Folded: one
            \ttwo
            X-Long-Name-Of-A-Field: a value of more than fifteen bytes

            {}
            --b--

            """)
        let response = answers.parts.first?.responses.first
        #expect(response?.contentID == "1 2")
        #expect(
            response?.message.headers.fields == [
                .init(name: "X-Folded", value: "one two"),
                .init(
                    name: "X-Long-Name-Of-A-Field", value: "a value of more than fifteen bytes"),
            ])
        #expect(throws: ODataError.self) { try read("--b\n folded\n\nHTTP/1.1 200 OK\n\n--b--\n") }
    }

    @Test func ofFieldsOfAPartThatStandTwiceTheFirstCounts() throws {
        let answers = try read(
            """
            --b
            Content-Type: application/http
            Content-ID: 1
            CONTENT-TYPE: multipart/mixed
             ;boundary=c
            content-id: 2
             3

            HTTP/1.1 204 No Content

            --b--

            """)
        #expect(answers.isComplete && answers.parts.count == 1)
        guard case .response(let response)? = answers.parts.first else {
            Issue.record("Expected an answer outside of change sets.")
            return
        }
        #expect(response.contentID == "1" && response.message.status == 204)
    }

    @Test func textsThatRepeatAreThoseOfTheirOwnLines() throws {
        // Of equal length, first and last byte: what tells them apart is looked at, too.
        let values = [
            "a value, the first of them.", "a value, another of them..",
            "a value, the third of them.",
        ]
        let parts = (0..<90).map { number in
            """
            --b
            Content-Type: application/http

            HTTP/1.1 \(400 + number) \(values[number % 3])
            X-Value: \(values[number % 3])
            Content-Length: 2

            {}

            """
        }
        let answers = try read(parts.joined() + "--b--\n")
        #expect(answers.isComplete && answers.parts.count == 90)
        for (number, part) in answers.parts.enumerated() {
            let message = part.responses[0].message
            #expect(message.status == 400 + number)
            #expect(message.headers["x-value"] == values[number % 3])
            #expect(message.body == Array("{}".utf8))
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200", "http/1.1  404 Not Found", " HTTP/2 599 x", "HTTP/1.1 600 x",
        "HTTP/1.1 20 OK",
        "HTTP/1.1 +20 OK", "FTP/1.1 200 OK", "HTTP 200 OK", "200 OK",
    ]) func statusLinesAreReadAsTheyAreSent(line: String) throws {
        let text = "--b\n\n\(line)\n\n--b--\n"
        let status = ["HTTP/1.1 200": 200, "http/1.1  404 Not Found": 404, " HTTP/2 599 x": 599][
            line]
        guard let status else {
            #expect(throws: ODataError.self) { try read(text) }
            return
        }
        #expect(try read(text).parts.first?.responses.first?.message.status == status)
    }
}
