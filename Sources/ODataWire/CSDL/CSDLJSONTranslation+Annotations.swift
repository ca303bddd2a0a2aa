import ODataModel
import ODataText

// Annotations and their expressions (CSDL JSON 4.01, section 14).

extension CSDLJSONTranslation {
    /// Adds the `@Term#Qualifier` members to the element, those about `owner` when one is given.
    mutating func annotate(
        _ element: inout XMLElement, _ object: JSONObject?, of owner: String = "", at path: String
    ) throws {
        guard let object else { return }
        let prefix = owner + "@"
        for member in object.members where member.name.hasPrefix(prefix) {
            let name = member.name.dropFirst(prefix.count)
            // An annotation of an annotation is read with its owner.
            guard !name.contains("@") else { continue }
            if let attribute = foreignAttribute(String(name), member.value) {
                element.attributes.append(attribute)
                continue
            }
            guard name != "edm.FixedLength", name != "edm.IsSideEffecting" else { continue }
            element.children.append(
                try annotation(String(name), member, in: object, at: path))
        }
    }

    private mutating func annotation(
        _ name: String, _ member: JSONObject.Member, in object: JSONObject, at path: String
    ) throws -> XMLElement {
        let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
        guard let term = parts.first else { throw error("Expected a term after @.", at: path) }
        let type = types.type(ofTerm: unaliased(term))
        var node = element(
            "Annotation", [("Term", term), ("Qualifier", parts.count > 1 ? parts[1] : nil)],
            [try expression(member.value, expected: type, at: "\(path)/@\(name)")], at: path)
        try annotate(&node, object, of: member.name, at: path)
        return node
    }

    /// XML attributes of other namespaces, written as `@prefix.name` by ``CSDLJSONWriter``.
    private func foreignAttribute(_ name: String, _ value: JSONValue) -> XMLAttribute? {
        guard let dot = name.firstIndex(of: "."), let text = text(value),
            let namespace = CSDLBuilder.customaryNamespaces[String(name[..<dot])]
        else { return nil }
        let local = String(name[name.index(after: dot)...])
        guard !local.contains("."), !local.contains("#") else { return nil }
        return XMLAttribute(
            name: XMLName(local, namespace: namespace, prefix: String(name[..<dot])), value: text)
    }

    // MARK: - Expressions

    mutating func expression(
        _ value: JSONValue, expected: String?, at path: String
    ) throws -> XMLElement {
        switch value {
        case .null: return element("Null", at: path)
        case .boolean, .number, .string:
            guard let scalar = AnnotationScalar(plain: value, expected: expected, in: types) else {
                return element("Null", at: path)
            }
            return element(scalar.kind, text: scalar.text, at: path)
        case .array(let items):
            let item = AnnotationTypes.item(of: expected)
            var children: [XMLElement] = []
            for value in items {
                children.append(try expression(value, expected: item, at: path))
            }
            return element("Collection", [], children, at: path)
        case .object(let object):
            let parts = object.members.filter { $0.name.hasPrefix("$") }
            let operation = parts.first { Self.operations.contains(String($0.name.dropFirst())) }
            if let first = operation ?? parts.first {
                return try dynamic(first, object, at: path)
            }
            return try record(object, expected: expected, at: path)
        }
    }

    private mutating func record(
        _ object: JSONObject, expected: String?, at path: String
    ) throws -> XMLElement {
        let written = (object["@type"] ?? object["@odata.type"])?.string
        let type = written.map { text in
            text.lastIndex(of: "#").map { String(text[text.index(after: $0)...]) } ?? text
        }
        let record = type.map { unaliased($0) } ?? expected
        var children: [XMLElement] = []
        for member in object.members where !member.name.contains("@") {
            let inner = "\(path)/\(member.name)"
            let expected = types.type(of: member.name, in: record)
            var node = element(
                "PropertyValue", [("Property", member.name)],
                [try expression(member.value, expected: expected, at: inner)], at: inner)
            try annotate(&node, object, of: member.name, at: inner)
            children.append(node)
        }
        var node = element("Record", [("Type", type)], children, at: path)
        var rest = JSONObject()
        for member in object.members
        where member.name.hasPrefix("@") && member.name != "@type" && member.name != "@odata.type" {
            rest[member.name] = member.value
        }
        try annotate(&node, rest, at: path)
        return node
    }

    /// `{"$Apply":[…],"$Function":…}`, `{"$Path":…}`, and constants that name their kind.
    private mutating func dynamic(
        _ member: JSONObject.Member, _ object: JSONObject, at path: String
    ) throws -> XMLElement {
        let name = String(member.name.dropFirst())
        if AnnotationScalar.kinds.contains(name), let text = text(member.value) {
            return element(name, text: text, at: path)
        }
        var attributes: [(String, String?)] = []
        for other in object.members
        where other.name.hasPrefix("$") && other.name != "$Collection" && other.name != member.name
        {
            var text = text(other.value)
            if other.name == "$Type", object["$Collection"]?.boolean == true {
                text = text.map { "Collection(\($0))" }
            }
            attributes.append((String(other.name.dropFirst()), text))
        }
        if name == "LabeledElementReference", let text = text(member.value) {
            return element(name, attributes, text: text, at: path)
        }
        let operands: [JSONValue]
        if case .array(let items) = member.value, items.isEmpty || !Self.unary.contains(name) {
            operands = items
        } else {
            operands = [member.value]
        }
        var children: [XMLElement] = []
        for operand in operands {
            children.append(try expression(operand, expected: nil, at: path))
        }
        return element(name, attributes, children, at: path)
    }

    /// The members that make an object an expression; the others qualify it.
    private static let operations = AnnotationScalar.kinds.union([
        "Apply", "If", "And", "Or", "Not", "Eq", "Ne", "Gt", "Ge", "Lt", "Le", "Has", "In", "Add",
        "Sub", "Neg", "Mul", "Div", "DivBy", "Mod", "Cast", "IsOf", "LabeledElement",
        "LabeledElementReference", "UrlRef", "Null",
    ])

    /// Expressions with one operand, which stands for itself.
    static let unary: Set<String> = [
        "UrlRef", "Cast", "IsOf", "Not", "Neg", "LabeledElement",
    ]
}
