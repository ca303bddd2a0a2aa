import ODataModel
import ODataText

// Documents that a document refers to (CSDL 4.01, section 4.1). The caller decides about each; nothing is fetched
// that it does not bring.

extension CSDLBuilder {
    /// The schemas of the namespaces that references include, with what those documents refer to in turn.
    mutating func followReferences() throws -> [XMLNode] {
        guard let fetch = options.fetch else { return [] }
        var schemas: [XMLNode] = []
        var known = Set<String>()
        var pending = graph.references.map { (reference: $0, base: String?.none) }
        var followed = Set<[String?]>()
        var position = 0
        while position < pending.count {
            let (reference, base) = pending[position]
            let place = [base, reference.uri]
            position += 1
            for include in reference.includes where known.insert(include.namespace).inserted {
                guard
                    followed.contains(place) || followed.count < options.maximumReferences
                else {
                    note(
                        "Reference \(reference.uri) is not followed after"
                            + " \(options.maximumReferences) documents.")
                    break
                }
                switch try fetch(reference.uri, include.namespace, base) {
                case .leftAside: continue
                case .notFollowed: note("Reference \(reference.uri) is not followed.")
                case .document(let bytes, let url):
                    followed.insert(place)
                    let root = try parse(bytes)
                    let (declared, references) = content(of: root)
                    let named = declared.filter {
                        $0.attribute("Namespace") == include.namespace
                    }
                    if named.isEmpty {
                        note("Reference \(reference.uri) does not define \(include.namespace).")
                    }
                    schemas += named
                    pending += references.map { ($0, url) }
                }
            }
        }
        return schemas
    }

    /// Leaves out the types whose base types are nowhere, where what is undefined may be left out: nobody knows their keys
    /// and all of their properties.
    mutating func leaveOutBaselessTypes(_ schemas: [XMLNode]) {
        guard options.leavesOutUndefinedSets else { return }
        var known: Set<String> = ["Edm.EntityType", "Edm.ComplexType"]
        var derived: [String: [String]] = [:]
        for schema in schemas {
            for type in schema.children where Self.isStructure(type) {
                guard let name = Self.name(of: type, in: schema) else { continue }
                known.insert(name)
                guard let base = type.attribute("BaseType") else { continue }
                derived[unaliased(base), default: []].append(name)
            }
        }
        var waiting = derived.keys.filter { !known.contains($0) }
        guard !waiting.isEmpty else { return }
        var gone: Set<String> = []
        while let base = waiting.popLast() {
            waiting += (derived[base] ?? []).filter { gone.insert($0).inserted }
        }
        for name in gone.sorted() {
            note("Type \(name) has a base type that is not described here, and is left out.")
        }
        for schema in schemas {
            for type in schema.children where Self.isStructure(type) {
                guard let name = Self.name(of: type, in: schema), gone.contains(name) else {
                    continue
                }
                leftOut.insert(type)
            }
        }
    }

    private static func isStructure(_ element: XMLNode) -> Bool {
        element.name.localName == "EntityType" || element.name.localName == "ComplexType"
    }

    private static func name(of type: XMLNode, in schema: XMLNode) -> String? {
        guard let namespace = schema.attribute("Namespace"), let name = type.attribute("Name")
        else { return nil }
        return "\(namespace).\(name)"
    }

    private mutating func note(_ message: String) {
        if graph.diagnostics.count < 1000 { graph.diagnostics.append(message) }
    }

    /// The schemas and references of another document; an unknown frame has none.
    private mutating func content(
        of root: XMLNode
    ) -> (schemas: [XMLNode], references: [MetadataGraph.Reference]) {
        if root.name.localName == "Schema" { return ([root], []) }
        let references = root.children("Reference").map { readReference($0) }
        let schemas = root.children("DataServices").flatMap { $0.children("Schema") }
            .filter { Self.edmNamespaces.contains($0.name.namespace) }
        return (schemas, references)
    }
}
