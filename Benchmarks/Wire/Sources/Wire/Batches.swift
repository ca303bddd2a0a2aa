import ODataQuery
import ODataWire

/// Creations with a body of a few hundred bytes.
func creations(_ count: Int) -> [BatchRequest] {
    let title = String(repeating: "x", count: 300)
    let body = Array("{\"Title\":\"\(title)\",\"Price\":12.50}".utf8)
    return (1...count).map { number in
        BatchRequest(
            contentID: String(number),
            RequestMessage(
                method: "POST", url: "Tools", headers: ["Content-Type": "application/json"],
                body: body))
    }
}

/// A batch is written and read, and answered with what it brought; the answer is written and read.
func multipart(_ creations: [BatchRequest]) throws -> (units: Int, bytes: Int) {
    let request = try BatchWriter.request(creations.map(BatchPart.request), boundary: "batch_1")
    let answers = try BatchReader.requests(of: request).flatMap(\.requests).map { item in
        BatchResponsePart.response(
            ResponseMessage(status: 201, headers: item.message.headers, body: item.message.body),
            contentID: item.contentID)
    }
    let response = try BatchWriter.response(answers, boundary: "answers_1")
    let parts = try BatchReader.parts(of: response).parts
    return (parts.count, request.body.count + response.body.count)
}

func jsonBatch(_ creations: [BatchRequest]) throws -> (units: Int, bytes: Int) {
    let request = try JSONBatch.request(
        creations.map { JSONBatchRequest(id: $0.contentID ?? "", $0.message) })
    let answers = try JSONBatch.requests(request.body).map { item in
        JSONBatchResponse(
            id: item.id,
            ResponseMessage(status: 201, headers: item.message.headers, body: item.message.body))
    }
    let response = JSONBatch.response(answers)
    let parts = try JSONBatch.responses(response.body).responses
    return (parts.count, request.body.count + response.body.count)
}
