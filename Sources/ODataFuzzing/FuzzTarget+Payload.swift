import ODataModel
import ODataQuery
import ODataText
import ODataWire

extension FuzzTarget {
    static func readJSON(_ bytes: [UInt8]) {
        tolerating {
            let value = try JSONValue(parsing: bytes)
            let written = value.bytes
            let again = try JSONValue(parsing: written)
            precondition(again == value, "Expected the same JSON again.")
        }
        // Pieces that end anywhere must make no difference.
        let whole = Result { try JSONValue(parsing: bytes) }
        let size = max(1, Int(bytes.first ?? 1) % 7)
        let pieces = stride(from: 0, to: bytes.count, by: size).map {
            Array(bytes[$0..<min($0 + size, bytes.count)])
        }
        let inPieces = Result {
            var reader = JSONReader(source: ByteParts(pieces), bufferSize: 16)
            let value = try reader.readValue()
            try reader.finish()
            return value
        }
        switch (whole, inPieces) {
        case (.success(let first), .success(let second)): precondition(first == second)
        case (.failure, .failure): break
        default:
            precondition(
                bytes.starts(with: [0xef, 0xbb, 0xbf]), "Expected pieces to read as the whole.")
        }
        guard let model, let tool = model.structure(named: "Ws.Tool") else {
            preconditionFailure("Expected the model to be read.")
        }
        let set = model.entitySet(named: "Tools")
        for dialect in [Dialect.v4, .v2] {
            let reader = EntityJSONReader(model, dialect: dialect)
            tolerating { _ = try reader.page(bytes, of: tool, in: set) }
            tolerating { _ = try reader.entity(bytes, of: tool, in: set) }
        }
        tolerating { _ = try ErrorPayload(json: bytes) }
        tolerating { _ = try ServiceDocument(json: bytes) }
    }

    static func readMultipart(_ bytes: [UInt8]) {
        let type = "multipart/mixed; boundary=b"
        tolerating {
            let request = RequestMessage(
                method: "POST", url: "$batch", headers: ["Content-Type": type], body: bytes)
            for part in try BatchReader.requests(of: request) { _ = part }
        }
        tolerating {
            let response = ResponseMessage(
                status: 200, headers: ["Content-Type": type], body: bytes)
            let answers = try BatchReader.parts(of: response)
            precondition(answers.parts.count <= bytes.count, "Expected fewer parts than bytes.")
        }
    }
}
