import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct BatchRoundTripTests {
    private func body(_ generator: inout SeededGenerator) -> [UInt8] {
        let length = Int.random(in: 0...40, using: &generator)
        var bytes = (0..<length).map { _ in
            Array("\r\n\r\n--bx{}\u{0}".utf8).randomElement(using: &generator) ?? 0
        }
        if Int.random(in: 0..<20, using: &generator) == 0 {
            bytes += [UInt8](repeating: 13, count: 70_000) + [10]
        }
        return bytes
    }

    private func request(_ generator: inout SeededGenerator, _ id: Int) -> BatchRequest {
        let isRead = Bool.random(using: &generator)
        return BatchRequest(
            contentID: "\(id)",
            RequestMessage(
                method: isRead ? "GET" : "POST", url: "Tools(\(id))",
                headers: ["Accept": "application/json", "X-A": "b; c=\"d\""],
                body: isRead ? [] : body(&generator)))
    }

    private func response(_ generator: inout SeededGenerator, _ id: Int) -> BatchResponse {
        let status = [200, 201, 204, 404].randomElement(using: &generator) ?? 200
        return BatchResponse(
            contentID: "\(id)",
            ResponseMessage(
                status: status, headers: ["ETag": "W/\"\(id)\""],
                body: status == 204 ? [] : body(&generator)))
    }

    @Test func requestsComeBackAsTheyWereWritten() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<80 {
            var parts: [BatchPart] = []
            for part in 0..<Int.random(in: 0...4, using: &generator) {
                if Bool.random(using: &generator) {
                    parts.append(.request(request(&generator, part)))
                } else {
                    let count = Int.random(in: 0...3, using: &generator)
                    parts.append(.changeSet((0..<count).map { request(&generator, $0) }))
                }
            }
            let message = try BatchWriter.request(parts, boundary: "batch_1")
            let read = try BatchReader.requests(of: message)
            #expect(
                read.map { $0.requests.map(\.contentID) }
                    == parts.map { $0.requests.map(\.contentID) })
            #expect(
                read.flatMap(\.requests).map(\.message.body)
                    == parts.flatMap(\.requests).map(\.message.body))
            #expect(
                read.flatMap(\.requests).map(\.message.url)
                    == parts.flatMap(\.requests).map(\.message.url))
            #expect(
                read.flatMap(\.requests).map { $0.message.headers["X-A"] }
                    == parts.flatMap(\.requests).map { _ in "b; c=\"d\"" })
        }
    }

    @Test func answersComeBackThroughAnyDivision() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<80 {
            let parts = (0..<Int.random(in: 0...5, using: &generator)).map { part in
                part % 2 == 0
                    ? BatchResponsePart.response(response(&generator, part))
                    : .changeSet([response(&generator, 1), response(&generator, 2)])
            }
            let message = try BatchWriter.response(parts, boundary: "batch_1")
            let size = [1, 5, 100, 4_000, 100_000].randomElement(using: &generator) ?? 1
            let slices = BatchStreamTests.Slices(message.body, size: size)
            let reader = try BatchResponseReader(
                contentType: message.headers["Content-Type"] ?? "", source: slices.read)
            var found: [ResponseMessage] = []
            while let answer = try reader.next() {
                var headers = answer.headers
                headers["Content-Length"] = nil
                found.append(
                    ResponseMessage(
                        status: answer.status, headers: headers, body: try reader.readBody()))
            }
            #expect(found == parts.flatMap(\.responses).map(\.message))
            #expect(reader.isComplete)
        }
    }

    @Test func aBodyIsAByteSourceForTheJSONReader() throws {
        let message = try BatchWriter.response(
            [
                .response(ResponseMessage(status: 200, body: Array(#"{"value":[1,2,3]}"#.utf8))),
                .response(ResponseMessage(status: 200, body: Array("[4]".utf8))),
            ], boundary: "b")
        let reader = try BatchResponseReader(
            contentType: message.headers["Content-Type"] ?? "", source: ByteParts([message.body]))
        _ = try #require(try reader.next())
        var first = JSONReader(source: reader, bufferSize: 16)
        #expect(try first.readValue().text == #"{"value":[1,2,3]}"#)
        try first.finish()
        _ = try #require(try reader.next())
        var second = JSONReader(source: reader)
        #expect(try second.readValue().text == "[4]")
        #expect(try reader.next() == nil)
    }
}
