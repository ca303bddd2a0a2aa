import ODataModel
import ODataText

// Annotations and their expressions (CSDL 4.01, section 14); attributes of other namespaces.

extension CSDLBuilder {
    mutating func readAnnotation(
        _ element: XMLNode, into annotations: inout [AnnotationDefinition]
    ) throws {
        guard !options.ignoresAnnotations else { return }
        guard let term = element.attribute("Term")?.trimmed, !term.isEmpty else {
            diagnose("An annotation without Term is ignored.", element)
            return
        }
        annotations.append(try readAnnotation(element, term: resolved(term)))
    }

    /// The term without its alias: one text for all annotations with it, of which documents have thousands.
    private mutating func resolved(_ term: String) -> String {
        if let known = terms[term] { return known }
        let resolved = unaliasedPath(term)
        // `Self` stands for a schema that may be read only later.
        if !term.hasPrefix("Self.") { terms[term] = resolved }
        return resolved
    }

    /// Reads the annotations among the children of an element.
    mutating func readAnnotations(
        of element: XMLNode, into annotations: inout [AnnotationDefinition]
    ) throws {
        for child in element.children("Annotation") {
            try readAnnotation(child, into: &annotations)
        }
    }

    private mutating func readAnnotation(
        _ element: XMLNode, term: String
    ) throws -> AnnotationDefinition {
        var annotation = AnnotationDefinition(
            term: term, qualifier: element.attribute("Qualifier"))
        annotation.value = try inlineExpression(element) ?? .none
        for child in element.children {
            if child.name.localName == "Annotation" {
                try readAnnotation(child, into: &annotation.annotations)
            } else if annotation.value == .none {
                annotation.value = try readExpression(child)
            } else {
                diagnose("Element \(child.name.qualifiedName) is a second value.", child)
            }
        }
        return annotation
    }

    /// The constant or path that an attribute of the element gives.
    private func inlineExpression(_ element: XMLNode) throws -> AnnotationExpression? {
        for attribute in element.attributes where attribute.name.namespace.isEmpty {
            let name = attribute.name.localName
            if name == "Term" || name == "Qualifier" || name == "Property" { continue }
            if let value = try constant(name, attribute.value, element) { return value }
        }
        return nil
    }

    /// The expression that `kind` and its text stand for; nil when `kind` is no constant and no path.
    private func constant(
        _ kind: String, _ text: String, _ element: XMLNode
    ) throws -> AnnotationExpression? {
        switch kind {
        case "String": return .string(text)
        case "Bool": return .boolean(try boolean(text, kind, element))
        case "Int":
            return Int64(text).map(AnnotationExpression.integer)
                ?? .constant(kind: kind, text: text)
        case "EnumMember":
            let members = text.split(whereSeparator: \.isWhitespace)
            return .enumMember(
                members.map { unaliasedPath(String($0)) }.joined(separator: " "))
        case "Binary", "Date", "DateTimeOffset", "Decimal", "Duration", "Float", "Guid",
            "TimeOfDay":
            return .constant(kind: kind, text: text)
        case "Path", "PropertyPath", "NavigationPropertyPath", "AnnotationPath",
            "ModelElementPath", "AnyPropertyPath":
            return .path(kind: kind, text: unaliasedAnnotationPath(text))
        case "UrlRef": return .dynamic(name: "UrlRef", attributes: [:], operands: [.string(text)])
        default: return nil
        }
    }

    /// Paths may hold `@Term#Qualifier` segments beside type casts.
    private func unaliasedAnnotationPath(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            guard let at = segment.firstIndex(of: "@") else { return unaliased(String(segment)) }
            let end = segment.firstIndex(of: "#") ?? segment.endIndex
            let term = segment[segment.index(after: at)..<max(end, segment.index(after: at))]
            return segment[...at] + unaliased(String(term)) + segment[end...]
        }.joined(separator: "/")
    }

    mutating func readExpression(_ element: XMLNode) throws -> AnnotationExpression {
        let kind = element.name.localName
        switch kind {
        case "Null": return .null
        case "Collection":
            return .collection(try element.children.map { try readExpression($0) })
        case "Record": return try readRecord(element)
        default:
            if element.children.isEmpty, kind != "UrlRef",
                let value = try constant(kind, element.text, element)
            {
                return value
            }
            return try readDynamic(element)
        }
    }

    private mutating func readRecord(_ element: XMLNode) throws -> AnnotationExpression {
        var properties: [AnnotationDefinition] = []
        for child in element.children {
            switch child.name.localName {
            case "PropertyValue":
                properties.append(
                    try readAnnotation(child, term: try required("Property", of: child)))
            case "Annotation":
                // An annotation of the record itself, kept beside its properties under a name that starts with @.
                guard let term = child.attribute("Term") else { continue }
                properties.append(try readAnnotation(child, term: "@" + unaliasedPath(term)))
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        return .record(
            type: element.attribute("Type").map { unaliased($0) }, properties: properties)
    }

    private mutating func readDynamic(_ element: XMLNode) throws -> AnnotationExpression {
        var attributes: [String: String] = [:]
        var operands: [AnnotationExpression] = []
        for attribute in element.attributes where attribute.name.namespace.isEmpty {
            let name = attribute.name.localName
            if let value = try constant(name, attribute.value, element) {
                operands.append(value)
            } else {
                attributes[name] =
                    name == "Type" ? unaliasedType(attribute.value) : attribute.value
            }
        }
        for child in element.children where child.name.localName != "Annotation" {
            operands.append(try readExpression(child))
        }
        if operands.isEmpty, !element.text.isEmpty {
            let isReference = element.name.localName == "LabeledElementReference"
            operands = [.string(isReference ? unaliased(element.text.trimmed) : element.text)]
        }
        return .dynamic(name: element.name.localName, attributes: attributes, operands: operands)
    }

    /// Resolves the alias of a type, also inside `Collection(…)`.
    private func unaliasedType(_ name: String) -> String {
        guard name.hasPrefix("Collection("), name.hasSuffix(")") else { return unaliased(name) }
        return "Collection(" + unaliased(String(name.dropFirst(11).dropLast())) + ")"
    }

    /// Keeps attributes of other namespaces, such as `sap:label`, as annotations named `prefix:name`.
    mutating func keepForeignAttributes(
        of element: XMLNode, in annotations: inout [AnnotationDefinition]
    ) {
        guard !options.ignoresXMLAnnotations, element.has(.foreign) else { return }
        for attribute in element.attributes where !attribute.name.namespace.isEmpty {
            let name = attribute.name
            guard name.namespace != "http://www.w3.org/XML/1998/namespace" else { continue }
            if name.namespace == Self.metadataNamespace, Self.readElsewhere.contains(name.localName)
            {
                continue
            }
            let prefix = Self.customaryPrefixes[name.namespace] ?? name.prefix
            graph.attributeNamespaces[prefix] = name.namespace
            annotations.append(
                AnnotationDefinition(
                    term: "\(prefix):\(name.localName)", value: .string(attribute.value)))
        }
    }

    /// Prefixes that stand for one namespace whatever a document calls it.
    static let customaryNamespaces = [
        "sap": "http://www.sap.com/Protocols/SAPData", "m": metadataNamespace,
        "annotation": "http://schemas.microsoft.com/ado/2009/02/edm/annotation",
    ]

    private static let customaryPrefixes = Dictionary(
        uniqueKeysWithValues: customaryNamespaces.map { ($1, $0) })

    private static let readElsewhere: Set<String> = [
        "HasStream", "IsDefaultEntityContainer", "HttpMethod", "DataServiceVersion",
        "MaxDataServiceVersion",
    ]
}
