import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// The service document (Protocol 4.01, section 11.1.1).
    func readServiceDocument() throws -> ResponseMessage {
        try format.requireJSON()
        return json(
            ServiceDocument(of: graph, context: root + "$metadata").json(dialect: dialect))
    }

    /// The metadata document (Protocol 4.01, section 11.1.2), which is XML only.
    func readMetadata() throws -> ResponseMessage {
        guard !format.wantsJSON else {
            throw ODataError(
                .notImplemented, "Expected application/xml to be acceptable for $metadata.",
                status: 406)
        }
        let tag = EntityTag.weak(Fingerprint.text(of: model.metadata))
        if Preconditions(request.headers).isNotModified(tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(tag))
        }
        var headers = tagHeaders(tag)
        headers["Content-Type"] = "application/xml"
        return ResponseMessage(status: 200, headers: headers, body: model.metadata)
    }
}
