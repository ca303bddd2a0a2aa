import ODataText

/// One document of two: a service's, and one with what only the client knows (offline reference, 16.6).
package enum CombinedMetadata {
    /// The service's document with the schemas and references of the client's added.
    ///
    /// The client's schemas may use the service's types, so they make sense only together.
    ///
    /// - Throws: `invalidMetadata` when one of the texts has no `DataServices` element.
    package static func text(service: String, client: String) throws -> String {
        let (own, added) = (try Parts(service, "the service"), try Parts(client, "the client"))
        return own.beforeServices + added.references + own.servicesTag + own.schemas
            + added.schemas + own.rest
    }

    /// A document cut at its `DataServices` element. Only the places are looked for here: reading the joined text finds
    /// every fault.
    private struct Parts {
        /// Up to the start tag of `DataServices`, references included.
        var beforeServices: String
        /// The `Reference` elements.
        var references: String
        var servicesTag: String
        var schemas: String
        /// From the end tag of `DataServices` on.
        var rest: String

        init(_ text: String, _ owner: String) throws {
            guard let name = text.firstRange(of: "DataServices"),
                let start = text[..<name.lowerBound].lastIndex(of: "<"),
                let tagEnd = text[name.upperBound...].firstIndex(of: ">"),
                text[text.index(before: tagEnd)] != "/",
                let last = text.ranges(of: "DataServices").last, last.lowerBound > tagEnd,
                let end = text[..<last.lowerBound].lastIndex(of: "<")
            else {
                throw ODataError(
                    .invalidMetadata,
                    "Expected a DataServices element in the metadata of \(owner), found none.")
            }
            beforeServices = String(text[..<start])
            servicesTag = String(text[start...tagEnd])
            schemas = String(text[text.index(after: tagEnd)..<end])
            rest = String(text[end...])
            references = ""
            if let edmx = beforeServices.ranges(of: "Edmx").last,
                let close = beforeServices[edmx.upperBound...].firstIndex(of: ">")
            {
                references = String(beforeServices[beforeServices.index(after: close)...])
            }
        }
    }
}
