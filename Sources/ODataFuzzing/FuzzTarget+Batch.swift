import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension FuzzTarget {
    static func readBatch(_ bytes: [UInt8]) {
        readMultipart(bytes)
        readJSONBatch(bytes)
        readHeaders(bytes)
    }

    private static func readMultipart(_ bytes: [UInt8]) {
        let type = "multipart/mixed; boundary=b"
        tolerating {
            let request = RequestMessage(
                method: "POST", url: "$batch", headers: ["Content-Type": type], body: bytes)
            let parts = try BatchReader.requests(of: request)
            // A boundary that stands in a body, or a header that breaks the frame, cannot be written again.
            let written: RequestMessage
            do {
                written = try BatchWriter.request(parts, boundary: boundary)
            } catch let error as ODataError where error.code == .usage {
                return
            }
            let again = try BatchReader.requests(of: written)
            precondition(again.count == parts.count, "Expected as many parts again.")
        }
        tolerating {
            let response = ResponseMessage(
                status: 200, headers: ["Content-Type": type], body: bytes)
            let answers = try BatchReader.parts(of: response)
            precondition(answers.parts.count <= bytes.count, "Expected fewer parts than bytes.")
        }
    }

    /// So long that no mutation of a body comes upon it.
    private static let boundary = String(repeating: "boundary.", count: 6)

    private static func readJSONBatch(_ bytes: [UInt8]) {
        tolerating {
            let requests = try JSONBatch.requests(bytes)
            let written = try JSONBatch.request(requests)
            let again = try JSONBatch.requests(written.body)
            precondition(
                again.map(\.id) == requests.map(\.id), "Expected the same requests again.")
            for request in requests {
                guard let text = request.condition else { continue }
                readCondition(text)
            }
        }
        tolerating {
            let (responses, _) = try JSONBatch.responses(bytes)
            let written = JSONBatch.response(responses)
            let again = try JSONBatch.responses(written.body).responses
            precondition(
                again.map(\.id) == responses.map(\.id), "Expected the same responses again.")
        }
    }

    private static func readCondition(_ text: String) {
        tolerating {
            let condition = try JSONBatchCondition(parsing: text)
            _ = try condition.isTrue(after: answers)
        }
    }

    /// Answers of the requests `a` and `1`.
    private static let answers: [String: JSONBatchCondition.Answer] = {
        let body = try? JSONValue(
            parsing: #"{"Name":"x y","Count":3,"Open":true,"value":[{"Id":1},{"Id":null}]}"#)
        return [
            "a": JSONBatchCondition.Answer(succeeded: true, body: body),
            "1": JSONBatchCondition.Answer(succeeded: false),
        ]
    }()

    /// Header fields, each read from the whole text.
    private static func readHeaders(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = MediaType(parsing: text)
        _ = EntityTagCondition(parsing: text)
        _ = HTTPDate.secondsSince1970(text)
        _ = ServiceMessage.parse(text)
        if let written = Preferences(parsing: text).text() {
            precondition(
                Preferences(parsing: written).text() == written, "Expected the same preferences.")
        }
        readCondition(text)
        tolerating { _ = try RepeatabilityHeaders.read(["Repeatability-Request-ID": text]) }
    }
}
