import ODataText

extension ServiceDocument {
    /// Reads the Atom form (`app:service`) of V2 to V4.
    ///
    /// - Throws: `malformedText`, or `invalidPayload` when it is no service document.
    package init(xml bytes: [UInt8]) throws {
        let root = try XMLDocument(bytes).root
        guard root.name.localName == "service" else {
            throw ODataError(
                .invalidPayload, "Expected a service, found \(root.name.qualifiedName).")
        }
        let workspaces = root.children("workspace")
        guard !workspaces.isEmpty else {
            throw ODataError(.invalidPayload, "Expected a workspace in the service.")
        }
        self.init(
            context: root.metadata("context"), metadataETag: root.metadata("metadata-etag"))
        for child in workspaces.flatMap(\.children) {
            let kind: Entry.Kind
            switch child.name.localName {
            case "collection": kind = .entitySet
            case "singleton": kind = .singleton
            case "function-import": kind = .functionImport
            case "service-document": kind = .serviceDocument
            default: continue
            }
            guard let url = child.attribute("href") else {
                throw ODataError(.invalidPayload, "Expected href in each entry.")
            }
            let title = child.child("title")?.text.trimmed
            entries.append(
                Entry(
                    name: child.metadata("name") ?? url, kind: kind, url: url,
                    title: title.flatMap { $0.isEmpty ? nil : $0 }))
        }
    }

    /// The Atom form (`app:service`) of V2.
    ///
    /// - Parameter base: the service root, which the URLs of the entries are relative to.
    package func atom(base: String) -> [UInt8] {
        var output = XMLWriter()
        output.start("service")
        output.attribute("xml:base", base)
        output.attribute("xmlns", "http://www.w3.org/2007/app")
        output.attribute("xmlns:atom", "http://www.w3.org/2005/Atom")
        output.start("workspace")
        output.start("atom:title")
        output.text("Default")
        output.end()
        for entry in entries where entry.kind == .entitySet {
            output.start("collection")
            output.attribute("href", entry.url)
            output.start("atom:title")
            output.text(entry.title ?? entry.name)
            output.end()
            output.end()
        }
        output.end()
        output.end()
        return output.bytes
    }
}
