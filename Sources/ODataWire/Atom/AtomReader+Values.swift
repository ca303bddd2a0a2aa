import ODataModel
import ODataText

// Values of properties in XML (V2 Atom format; Atom Format 4.0, section 7).

extension AtomReader {
    /// A single value.
    func value(_ element: XMLElement, as type: TypeReference) throws -> ODataValue {
        if element.metadata("null") == "true" { return .null }
        switch type.kind {
        case .structure(let declared): return .structure(try structure(element, declared))
        case .primitive(.untyped): return try dynamic(element) ?? .null
        case .primitive(let primitive) where primitive.isGeospatial && !element.children.isEmpty:
            return .scalar(try shape(element, as: primitive))
        default: return .scalar(try scalar(element.text, as: type))
        }
    }

    /// The items of a collection: `<element>` in V2, V3 and V4, whatever the namespace.
    func items(of element: XMLElement, as type: TypeReference) throws -> [ODataValue] {
        var item = type
        item.isCollection = false
        return try element.children.filter { $0.name.localName == "element" }
            .map { try value($0, as: item) }
    }

    private func structure(_ element: XMLElement, _ declared: StructureID) throws -> StructureValue
    {
        var type = declared
        if let name = element.metadata("type"),
            let named = graph.structure(named: EntityJSONReader.typeName(name)),
            graph.isA(named, declared)
        {
            type = named
        }
        if element.name.localName == "entry" {
            return try entity(element, declared: declared, set: nil, base: AtomBase(nil))
        }
        var result = StructureValue(type: type, in: graph)
        try readProperties(element.child("properties") ?? element, into: &result)
        return result
    }

    /// The shape that the one element inside is in GML.
    private func shape(_ element: XMLElement, as type: PrimitiveType) throws -> Scalar {
        let isGeography = type.rawValue < PrimitiveType.geometry.rawValue
        guard element.children.count == 1 else {
            throw ODataError(
                .invalidValue, "Expected one shape, found \(element.children.count).",
                at: .offset(element.offset))
        }
        let value = try GMLReader(isGeography: isGeography).value(element.children[0])
        guard value.fits(type) else {
            throw ODataError(
                .invalidValue, "Expected a shape that is an Edm.\(type.name).",
                at: .offset(element.offset))
        }
        return .geo(value)
    }

    /// The scalar that text stands for; empty text is null for everything but strings and binaries.
    func scalar(_ text: String, as type: TypeReference) throws -> Scalar {
        switch type.kind {
        case .enumeration(let id):
            let text = text.trimmed
            if let value = Int64(text) ?? graph[id].value(of: text) {
                return .integer(value)
            }
            throw ODataError(.invalidValue, "Expected members of \(graph[id].qualifiedName).")
        case .structure: throw ODataError(.invalidPayload, "Expected elements, found text.")
        case .primitive(.string), .primitive(.untyped): return .string(text)
        case .primitive(let primitive):
            let text = text.trimmed
            if text.isEmpty {
                guard primitive == .binary else { return .null }
                return .binary([])
            }
            // XML writes 1 and 0 for Booleans, too.
            if primitive == .boolean, text == "1" || text == "0" { return .boolean(text == "1") }
            return try Lexical.parse(text, as: primitive)
        }
    }

    /// A value whose type only the payload tells; nil for elements of a type that is not known.
    func dynamic(_ element: XMLElement) throws -> ODataValue? {
        if element.metadata("null") == "true" { return .null }
        let name = element.metadata("type").map(EntityJSONReader.typeName) ?? "Edm.String"
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            let item = String(name.dropFirst("Collection(".count).dropLast())
            guard let type = reference(item) else { return nil }
            return .list(try items(of: element, as: type))
        }
        guard let type = reference(name),
            element.children.isEmpty || type.structure != nil
                || type.primitive?.isGeospatial == true
        else { return nil }
        return try value(element, as: type)
    }

    private func reference(_ name: String) -> TypeReference? {
        if let id = graph.structure(named: name) { return TypeReference(.structure(id)) }
        if let id = graph.enumeration(named: name) { return TypeReference(.enumeration(id)) }
        return PrimitiveType(name: name).map { TypeReference(.primitive($0)) }
    }
}

/// The URI that relative links of a document part count from (XML Base).
struct AtomBase {
    private let text: String?

    init(_ text: String?) { self.text = text }

    /// The base inside an element with an `xml:base` of its own.
    func within(_ inner: String?) -> AtomBase { inner.map { AtomBase(resolve($0)) } ?? self }

    /// The absolute form of a link; the link itself without a base.
    func resolve(_ link: String) -> String {
        guard let text, !link.contains("://"), let scheme = text.firstRange(of: "://") else {
            return link
        }
        if link.hasPrefix("/") {
            let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
            return text[..<end] + link
        }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        guard let slash = path.lastIndex(of: "/"), slash >= scheme.upperBound else {
            return path + "/" + link
        }
        return path[...slash] + link
    }
}

extension XMLElement {
    /// The value of `m:name`, in the metadata namespaces of V2 to V4.
    func metadata(_ name: String) -> String? {
        attributes.first { $0.name.localName == name && Self.isMetadata($0.name.namespace) }?.value
    }

    /// True for elements such as `m:link`.
    var isMetadata: Bool { Self.isMetadata(name.namespace) }

    private static func isMetadata(_ namespace: String) -> Bool {
        namespace == CSDLBuilder.metadataNamespace
            || namespace == "http://docs.oasis-open.org/odata/ns/metadata"
    }

    /// `xml:base`
    var base: String? { attribute("base", in: "http://www.w3.org/XML/1998/namespace") }
}

extension String {
    /// Without white space of XML at both ends.
    var trimmed: String {
        let isSpace = { (byte: UInt8) in byte == 32 || byte == 10 || byte == 13 || byte == 9 }
        guard let first = utf8.firstIndex(where: { !isSpace($0) }),
            let last = utf8.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(self[first...last])
    }
}

extension XMLReader {
    /// The element whose start was just read, with everything in it.
    mutating func subtree() throws -> XMLElement {
        var open = [XMLElement(name, attributes: attributes, offset: eventOffset)]
        while true {
            switch try next() {
            case .startElement:
                open.append(XMLElement(name, attributes: attributes, offset: eventOffset))
            case .text:
                let index = open.count - 1
                if !isWhitespace || open[index].children.isEmpty { open[index].text += text }
            case .endElement:
                var element = open.removeLast()
                if !element.children.isEmpty, element.text.trimmed.isEmpty { element.text = "" }
                guard !open.isEmpty else { return element }
                open[open.count - 1].children.append(element)
            case .endOfDocument: throw ODataError(.malformedText, "Expected an end tag.")
            }
        }
    }
}
