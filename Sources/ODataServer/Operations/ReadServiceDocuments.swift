import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// The service document (Protocol 4.01, section 11.1.1).
    func readServiceDocument() throws -> ResponseMessage {
        try format.requireJSON()
        var document = ServiceDocument(of: graph, context: root + "$metadata")
        if let access { document.entries.removeAll { !access.offers($0) } }
        return json(document.json(dialect: dialect))
    }

    /// The metadata document (Protocol 4.01, section 11.1.2), as XML or as JSON.
    func readMetadata() throws -> ResponseMessage {
        guard format.acceptsJSON || format.acceptsXML else {
            throw ResponseFormat.refused("Expected application/xml or application/json.")
        }
        let document =
            access?.metadata(asJSON: format.prefersJSON)
            ?? (format.prefersJSON ? model.metadataJSON : model.metadata)
        let tag = EntityTag.weak(Fingerprint.text(of: document))
        if Preconditions(request.headers).isNotModified(tag) {
            return ResponseMessage(status: 304, headers: tagHeaders(tag))
        }
        var headers = tagHeaders(tag)
        headers["Content-Type"] = format.prefersJSON ? "application/json" : "application/xml"
        headers["Vary"] = "Accept"
        return ResponseMessage(status: 200, headers: headers, body: document)
    }
}
