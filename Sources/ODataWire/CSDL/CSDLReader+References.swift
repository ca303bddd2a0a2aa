import ODataModel
import ODataText

// Documents that a document refers to (CSDL 4.01, section 4.1). The caller decides about each; nothing is fetched
// that it does not bring.

extension CSDLBuilder {
    /// The schemas of the namespaces that references include, with what those documents refer to in turn.
    mutating func followReferences() throws -> [XMLElement] {
        guard let fetch = options.fetch else { return [] }
        var found: [XMLElement] = []
        var known = Set<String>()
        var pending = graph.references
        var position = 0
        while position < pending.count, position < options.maximumReferences {
            let reference = pending[position]
            position += 1
            for include in reference.includes where known.insert(include.namespace).inserted {
                switch try fetch(reference.uri, include.namespace) {
                case .leftAside: continue
                case .notFollowed: note("Reference \(reference.uri) is not followed.")
                case .document(let bytes):
                    let root = try parse(bytes)
                    let (schemas, references) = content(of: root)
                    let named = schemas.filter {
                        $0.attribute("Namespace") == include.namespace
                    }
                    if named.isEmpty {
                        note("Reference \(reference.uri) does not define \(include.namespace).")
                    }
                    found += named
                    pending += references
                }
            }
        }
        if position < pending.count {
            note("References beyond the first \(options.maximumReferences) are not followed.")
        }
        return found
    }

    private mutating func note(_ message: String) {
        if graph.diagnostics.count < 1000 { graph.diagnostics.append(message) }
    }

    /// The schemas and references of another document; an unknown frame has none.
    private mutating func content(
        of root: XMLElement
    ) -> (schemas: [XMLElement], references: [MetadataGraph.Reference]) {
        if root.name.localName == "Schema" { return ([root], []) }
        let references = root.children("Reference").map { readReference($0) }
        let schemas = root.children("DataServices").flatMap { $0.children("Schema") }
            .filter { Self.edmNamespaces.contains($0.name.namespace) }
        return (schemas, references)
    }
}
