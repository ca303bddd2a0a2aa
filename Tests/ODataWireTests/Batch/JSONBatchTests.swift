import ODataQuery
import ODataText
import ODataWire
import Testing

@Suite struct JSONBatchTests {
    private static let requests = [
        JSONBatchRequest(id: "r1", RequestMessage(method: "GET", url: "Tools(7)")),
        JSONBatchRequest(
            id: "r2", atomicityGroup: "g1",
            RequestMessage(
                method: "POST", url: "Tools", headers: ["Content-Type": "application/json"],
                body: Array(#"{"Title":"Plane"}"#.utf8))),
        JSONBatchRequest(
            id: "r3", atomicityGroup: "g1", dependsOn: ["r2"],
            RequestMessage(
                method: "PUT", url: "$r2/$value", headers: ["Content-Type": "image/png"],
                body: [0xfb, 0xff])),
        JSONBatchRequest(
            id: "r4", dependsOn: ["g1"], condition: "$r1/Open eq true",
            RequestMessage(
                method: "PUT", url: "Tools(7)/Note/$value", headers: ["Content-Type": "text/plain"],
                body: Array("ä".utf8))),
    ]
    private static let text =
        #"{"requests":[{"id":"r1","method":"GET","url":"Tools(7)"},{"id":"r2","atomicityGroup":"g1","method":"POST","url":"Tools","headers":{"content-type":"application/json"},"body":{"Title":"Plane"}},{"id":"r3","atomicityGroup":"g1","dependsOn":["r2"],"method":"PUT","url":"$r2/$value","headers":{"content-type":"image/png"},"body":"-_8="},{"id":"r4","dependsOn":["g1"],"if":"$r1/Open eq true","method":"PUT","url":"Tools(7)/Note/$value","headers":{"content-type":"text/plain"},"body":"ä"}]}"#

    @Test func requestsAreWrittenAndReadBack() throws {
        let message = try JSONBatch.request(Self.requests)
        #expect(String(decoding: message.body, as: UTF8.self) == Self.text)
        #expect(message.headers["Content-Type"] == "application/json" && message.url == "$batch")
        let again = try JSONBatch.requests(message.body)
        #expect(again.map(\.id) == ["r1", "r2", "r3", "r4"])
        #expect(again.map(\.dependsOn) == [[], [], ["r2"], ["g1"]])
        #expect(again.map(\.message.body) == Self.requests.map(\.message.body))
        #expect(again[3].condition == "$r1/Open eq true")
    }

    @Test func requestsComeOneByOneFromPartsOfAnySize() throws {
        let bytes = Array(Self.text.utf8)
        for size in [1, 3, 11, 64, 4096] {
            let parts = stride(from: 0, to: bytes.count, by: size)
                .map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            var ids: [String] = []
            try JSONBatch.readRequests(from: ByteParts(parts)) { ids.append($0.id) }
            #expect(ids == ["r1", "r2", "r3", "r4"])
        }
    }

    @Test func responsesAreWrittenInPiecesAndReadBack() throws {
        let answers = [
            JSONBatchResponse(
                id: "b",
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/json"],
                    body: Array(#"{"a":1.50}"#.utf8))),
            JSONBatchResponse(id: "a", atomicityGroup: "g", ResponseMessage(status: 204)),
        ]
        let message = JSONBatch.response(answers)
        #expect(
            String(decoding: message.body, as: UTF8.self)
                == #"{"responses":[{"id":"b","status":200,"headers":{"content-type":"application/json"},"body":{"a":1.50}},{"id":"a","atomicityGroup":"g","status":204}]}"#
        )
        let again = try JSONBatch.responses(message.body)
        #expect(again.responses.map(\.id) == ["b", "a"] && again.nextLink == nil)
        #expect(again.responses[0].message.body == answers[0].message.body)
        let paged = #"{"responses":[{"id":"x","status":200}],"@nextLink":"more"}"#
        var ids: [String] = []
        let next = try JSONBatch.readResponses(from: ByteParts([Array(paged.utf8)])) {
            ids.append($0.id)
        }
        #expect(next == "more" && ids == ["x"])
    }

    @Test(arguments: [
        (#"{}"#, "requests"), (#"[]"#, "object"), (#"{"requests":[7]}"#, "object"),
        (#"{"requests":[{"id":"1","url":"T"}]}"#, "method"),
        (#"{"requests":[{"id":"1","method":"G T","url":"T"}]}"#, "method"),
        (
            #"{"requests":[{"id":"1","method":"GET","url":"T"},{"id":"1","method":"GET","url":"T"}]}"#,
            "twice"
        ),
        (
            #"{"requests":[{"id":"1","method":"GET","url":"T","dependsOn":["2"]},{"id":"2","method":"GET","url":"T"}]}"#,
            "before"
        ),
        (
            #"{"requests":[{"id":"1","atomicityGroup":"g","method":"POST","url":"T"},{"id":"2","method":"GET","url":"T"},{"id":"3","atomicityGroup":"g","method":"POST","url":"T"}]}"#,
            "side by side"
        ),
        (
            #"{"requests":[{"id":"1","method":"PUT","url":"T","headers":{"content-type":"image/png"},"body":"%"}]}"#,
            "base64url"
        ),
    ])
    func wrongBatchesAreRefusedAsAWhole(text: String, part: String) {
        let error = #expect(throws: ODataError.self) { try JSONBatch.requests(Array(text.utf8)) }
        #expect(error?.code == .invalidPayload)
        #expect(error?.message.contains(part) == true)
    }

    @Test func countsAreLimited() {
        var limits = BatchLimits()
        limits.messages = 3
        let error = #expect(throws: ODataError.self) {
            try JSONBatch.requests(Array(Self.text.utf8), limits: limits)
        }
        #expect(error?.message == "Expected at most 3 messages in a batch.")
        #expect(error?.code == .limitExceeded)
    }

    @Test func mutatedBatchesNeverTrap() {
        var random = SeededGenerator(seed: 5)
        let words = ["[", "}", "null", "\"id\":", "\"$r1\"", "\"body\":", ",", "'", " and "].map {
            Array($0.utf8)
        }
        for _ in 0..<3_000 {
            var bytes = Array(Self.text.utf8)
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                let length = min(Int.random(in: 0...8, using: &random), bytes.count - index)
                bytes.replaceSubrange(
                    index..<index + length,
                    with: words[Int.random(in: 0..<words.count, using: &random)])
            }
            if let requests = try? JSONBatch.requests(bytes) {
                _ = try? JSONBatch.request(requests)
                for request in requests {
                    _ = try? request.condition.map {
                        try JSONBatchCondition(parsing: $0).isTrue(after: [:])
                    }
                }
            }
            _ = try? JSONBatch.responses(bytes)
        }
    }
}
