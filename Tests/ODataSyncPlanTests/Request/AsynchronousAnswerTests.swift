import ODataQuery
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// Looks at the monitor of an answer that is ready later (Protocol 4.01, section 11.6).
@Suite struct AsynchronousAnswerTests {
    private static let wrapping: HeaderFields = [
        "Content-Type": "Application/HTTP;msgtype=response"
    ]

    private func accepted() throws -> AsynchronousAnswer {
        let answer = try AsynchronousAnswer(
            ResponseMessage(status: 202, headers: ["Location": "http://h/svc/m1"]),
            to: RequestMessage(method: "GET", url: "T", headers: ["Prefer": "respond-async"]),
            root: "http://h/svc/")
        return try #require(answer)
    }

    private func wrapped(_ text: String, status: Int = 200) -> ResponseMessage {
        ResponseMessage(status: status, headers: Self.wrapping, body: Array(text.utf8))
    }

    @Test func theAnswerIsTakenOutOfItsWrapping() throws {
        var accepted = try accepted()
        let text = "HTTP/1.1 412 Precondition Failed\r\nETag: a:b\r\nX:  c\r\n\r\n{\r\n\r\n}"
        let answer = try #require(try accepted.answer(in: wrapped(text)))
        #expect(answer.status == 412)
        #expect(answer.headers["ETag"] == "a:b" && answer.headers["X"] == "c")
        #expect(String(decoding: answer.body, as: UTF8.self) == "{\r\n\r\n}")
        #expect(try accepted.answer(in: wrapped("HTTP/1.1 204"))?.status == 204)
    }

    @Test func whatIsNotWrappedIsTheAnswerItself() throws {
        var accepted = try accepted()
        let plain = ResponseMessage(
            status: 200, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        #expect(try accepted.answer(in: plain) == plain)
        let made = wrapped("HTTP/1.1 204 No Content\r\n\r\n", status: 201)
        #expect(try accepted.answer(in: made) == made)
        let told = ResponseMessage(status: 200, headers: ["AsyncResult": "404"])
        #expect(try accepted.answer(in: told)?.status == 404)
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 x", "HTTP/1.1 99", "HTTP/1.1 600", "ICY 200 OK",
        "HTTP/1.1 200 OK\r\nno header\r\n\r\n",
    ])
    func aWrappingWithoutAnAnswerIsRefused(text: String) throws {
        var accepted = try accepted()
        let error = #expect(throws: ODataError.self) { try accepted.answer(in: wrapped(text)) }
        #expect(error?.code == .invalidPayload)
    }

    @Test(
        arguments: [
            (nil, .seconds(1)), ("7", .seconds(7)), ("0", .milliseconds(100)),
            ("-5", .milliseconds(100)),
            ("900", .seconds(30)), ("soon", .seconds(1)),
        ] as [(String?, Duration)])
    func eachLookSaysWhenTheNextOneIs(said: String?, pause: Duration) throws {
        var accepted = try accepted()
        #expect(accepted.pause == .seconds(1))
        let headers: HeaderFields = said.map { ["Retry-After": $0] } ?? [:]
        // Another pause than the first one, so that each answer is seen to count.
        let other = ResponseMessage(status: 202, headers: ["Retry-After": "3"])
        #expect(try accepted.answer(in: other) == nil)
        #expect(accepted.pause == .seconds(3))
        #expect(try accepted.answer(in: ResponseMessage(status: 202, headers: headers)) == nil)
        #expect(accepted.pause == pause)
    }
}
