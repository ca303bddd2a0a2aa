import ODataModel
import ODataQuery
import ODataText

extension JSONBatch {
    package static let contentType = "application/json"

    /// The batch request, its URL `$batch` relative to the service root.
    package static func request(
        _ requests: [JSONBatchRequest], url: String = "$batch",
        headers: HeaderFields = HeaderFields()
    ) throws -> RequestMessage {
        try JSONBatchRules.check(requests)
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("requests")
        writer.beginArray()
        for request in requests { write(request, to: &writer) }
        writer.endArray()
        writer.endObject()
        var headers = headers
        headers["Content-Type"] = contentType
        headers["Accept"] = headers["Accept"] ?? contentType
        return RequestMessage(method: "POST", url: url, headers: headers, body: writer.bytes)
    }

    /// The batch response.
    package static func response(
        _ responses: [JSONBatchResponse], headers: HeaderFields = HeaderFields()
    ) -> ResponseMessage {
        var body = openingBytes()
        for (index, response) in responses.enumerated() {
            body += responseBytes(response, index: index)
        }
        body += closingBytes()
        var headers = headers
        headers["Content-Type"] = contentType
        return ResponseMessage(status: 200, headers: headers, body: body)
    }

    /// What begins a response that is sent part by part.
    package static func openingBytes() -> [UInt8] { Array(#"{"responses":["#.utf8) }

    /// One answer, for a service that sends while it works.
    package static func responseBytes(_ response: JSONBatchResponse, index: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("id")
        writer.string(response.id)
        if let group = response.atomicityGroup {
            writer.name("atomicityGroup")
            writer.string(group)
        }
        writer.name("status")
        writer.integer(Int64(response.message.status))
        write(response.message.headers, response.message.body, to: &writer)
        writer.endObject()
        return (index > 0 ? [UInt8(ascii: ",")] : []) + writer.bytes
    }

    /// What ends a response that was sent part by part.
    package static func closingBytes() -> [UInt8] { Array("]}".utf8) }

    private static func write(_ request: JSONBatchRequest, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("id")
        writer.string(request.id)
        if let group = request.atomicityGroup {
            writer.name("atomicityGroup")
            writer.string(group)
        }
        if !request.dependsOn.isEmpty {
            writer.name("dependsOn")
            writer.beginArray()
            for id in request.dependsOn { writer.string(id) }
            writer.endArray()
        }
        if let condition = request.condition {
            writer.name("if")
            writer.string(condition)
        }
        writer.name("method")
        writer.string(request.message.method)
        writer.name("url")
        writer.string(request.message.url)
        write(request.message.headers, request.message.body, to: &writer)
        writer.endObject()
    }

    private static func write(
        _ headers: HeaderFields, _ body: [UInt8], to writer: inout JSONWriter
    ) {
        if !headers.fields.isEmpty {
            writer.name("headers")
            writer.beginObject()
            for field in headers.fields {
                writer.name(field.name.lowercased())
                writer.string(field.value)
            }
            writer.endObject()
        }
        guard !body.isEmpty else { return }
        writer.name("body")
        let type = headers["Content-Type"].flatMap { MediaType(parsing: $0) }
        // Most are the writer's own, of which to make a value and to write that took a tenth of a creation's time.
        if type?.isJSON ?? true, CompactJSON.isObject(body) {
            writer.fragment(body, expectsValue: false)
        } else if type?.isJSON ?? true,
            let value = try? JSONValue(parsing: body, duplicates: .keepLast)
        {
            writer.value(value)
        } else if let type, type.name.hasPrefix("text/") || type.isXML {
            writer.string(String(decoding: body, as: UTF8.self))
        } else {
            writer.string(Base64.text(body))
        }
    }
}
