/// The body of a form, `multipart/form-data` (RFC 7578); the boundary is random, so no content holds it.
struct MultipartForm {
    let boundary: String
    private var content: [UInt8] = []

    init(boundary: String) { self.boundary = boundary }

    /// Leaves the part out when there is no text.
    func with(_ name: String, text: String?) -> MultipartForm {
        guard let text else { return self }
        return adding(
            "name=\"\(name)\"\r\nContent-Type: text/plain; charset=utf-8", Array(text.utf8))
    }

    func with(_ name: String, file: String, type: String, _ bytes: [UInt8]) -> MultipartForm {
        let file = file.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return adding(
            "name=\"\(name)\"; filename=\"\(file)\"\r\nContent-Type: \(type)", bytes)
    }

    private func adding(_ header: String, _ bytes: [UInt8]) -> MultipartForm {
        var form = self
        form.content += Array(
            "--\(boundary)\r\nContent-Disposition: form-data; \(header)\r\n\r\n".utf8)
        form.content += bytes
        form.content += Array("\r\n".utf8)
        return form
    }

    var body: [UInt8] { content + Array("--\(boundary)--\r\n".utf8) }
}
