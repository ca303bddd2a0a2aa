import ODataModel
import ODataText

// The frame around schemas: version, references, namespaces and the names that schemas define.

extension CSDLBuilder {
    /// Finds the schemas of the document and what it says about its version and references.
    mutating func findSchemas(_ root: XMLNode) throws -> [XMLNode] {
        if root.name.localName == "Schema", Self.edmNamespaces.contains(root.name.namespace) {
            graph.version = root.name.namespace == Self.edmNamespaces[0] ? .v4 : .v2
            diagnose("The document is a Schema without an Edmx element around it.", root)
            return [root]
        }
        guard root.name.localName == "Edmx", Self.edmxNamespaces.contains(root.name.namespace)
        else {
            throw error(
                "Expected an Edmx document, found the root element \(root.name.qualifiedName).",
                root)
        }
        var schemas: [XMLNode] = []
        var services: [XMLNode] = []
        for child in root.children {
            switch child.name.localName {
            case "Reference": graph.references.append(readReference(child))
            case "DataServices": services.append(child)
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        guard let service = services.first, services.count == 1 else {
            throw error(
                "Expected one DataServices element, found \(services.count).",
                services.last ?? root)
        }
        for child in service.children {
            guard child.name.localName == "Schema" else {
                diagnose("Element \(child.name.qualifiedName) is ignored.", child)
                continue
            }
            guard Self.edmNamespaces.contains(child.name.namespace) else {
                throw error(
                    "Expected a Schema in a CSDL namespace, found \(child.name.namespace).", child)
            }
            schemas.append(child)
        }
        graph.version = try version(root, service, schemas)
        return schemas
    }

    private func version(
        _ root: XMLNode, _ service: XMLNode, _ schemas: [XMLNode]
    ) throws -> ODataVersion {
        guard let text = root.attribute("Version") else {
            throw error("Expected the attribute Version of Edmx.", root)
        }
        if text.hasPrefix("4") { return text == "4.0" ? .v4 : .v401 }
        guard text == "1.0" || text == "2.0" || text == "3.0" else {
            throw error("Expected Version 1.0, 4.0 or 4.01 of Edmx, found another.", root)
        }
        if let declared = service.attribute("DataServiceVersion", in: Self.metadataNamespace) {
            // A version may be followed by who speaks (MS-ODATA, section 2.2.5.3).
            let number = declared.prefix { $0 != ";" }.filter { !$0.isWhitespace }
            guard ["1.0", "2.0", "3.0", "4.0"].contains(number) else {
                throw error(
                    "Expected DataServiceVersion 1.0, 2.0, 3.0 or 4.0, found \(number).", service)
            }
        }
        if schemas.contains(where: { $0.name.namespace == Self.edmNamespaces[0] }) { return .v4 }
        let declared = [
            service.attribute("DataServiceVersion", in: Self.metadataNamespace),
            service.attribute("MaxDataServiceVersion", in: Self.metadataNamespace),
        ]
        return declared.contains { $0?.hasPrefix("3") ?? false } ? .v3 : .v2
    }

    mutating func readReference(_ element: XMLNode) -> MetadataGraph.Reference {
        var reference = MetadataGraph.Reference(
            uri: element.attribute("Uri") ?? element.attribute("Url") ?? "")
        for child in element.children {
            switch child.name.localName {
            case "Include":
                guard let namespace = child.attribute("Namespace") else {
                    diagnose("Include has no Namespace.", child)
                    continue
                }
                let alias = child.attribute("Alias")
                reference.includes.append(.init(namespace: namespace, alias: alias))
                includedNamespaces.insert(namespace)
                if let alias, aliases[alias] == nil { aliases[alias] = namespace }
            case "IncludeAnnotations":
                guard let namespace = child.attribute("TermNamespace") else {
                    diagnose("IncludeAnnotations has no TermNamespace.", child)
                    continue
                }
                reference.annotationIncludes.append(
                    .init(
                        termNamespace: namespace,
                        targetNamespace: child.attribute("TargetNamespace"),
                        qualifier: child.attribute("Qualifier")))
            case "Annotation": break
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        return reference
    }

    /// What is said about the references of a document and what they include; read once all aliases are known.
    mutating func readReferenceAnnotations(of root: XMLNode) throws {
        for (index, element) in root.children("Reference").enumerated()
        where index < graph.references.count {
            var reference = graph.references[index]
            try readAnnotations(of: element, into: &reference.annotations)
            let includes = element.children("Include").filter { $0.attribute("Namespace") != nil }
            for (position, include) in includes.enumerated() {
                try readAnnotations(of: include, into: &reference.includes[position].annotations)
            }
            graph.references[index] = reference
        }
    }

    /// Gives every type of the schema its place, so that types may be used before they are read.
    mutating func collectNames(_ schema: XMLNode) throws {
        let namespace = try required("Namespace", of: schema)
        for child in schema.children where !leftOut.contains(child) {
            switch child.name.localName {
            case "EntityType", "ComplexType":
                let name = try defineName(child, namespace)
                kinds[name] = .structure(StructureID(structureOffsets.count))
                structureOffsets.append(child.offset)
            case "EnumType":
                let name = try defineName(child, namespace)
                kinds[name] = .enumeration(EnumerationID(enumerationCount))
                enumerationCount += 1
            case "TypeDefinition":
                let name = try defineName(child, namespace)
                typeDefinitionIndex[name] = graph.typeDefinitions.count
                let definition = try readTypeDefinition(child, namespace)
                graph.typeDefinitions.append(definition)
                kinds[name] = .primitive(definition.underlyingType)
            default: continue
            }
        }
    }

    private mutating func defineName(_ element: XMLNode, _ namespace: String) throws -> String {
        let name = "\(namespace).\(try identifier(element))"
        guard kinds[name] == nil else {
            throw error("Expected one type named \(name), found two.", element)
        }
        return name
    }

    mutating func collectAliases(_ schema: XMLNode) throws {
        let namespace = try required("Namespace", of: schema)
        let alias = schema.attribute("Alias")
        if let alias, aliases[alias] == nil { aliases[alias] = namespace }
        for using in schema.children("Using") {
            if let alias = using.attribute("Alias"), let target = using.attribute("Namespace") {
                aliases[alias] = target
                includedNamespaces.insert(target)
            }
        }
        if !graph.schemas.contains(where: { $0.namespace == namespace }) {
            graph.schemas.append(.init(namespace: namespace, alias: alias))
        }
    }

    // MARK: - Attributes

    /// The attribute, or an error that names it.
    func required(_ name: String, of element: XMLNode) throws -> String {
        guard let value = element.attribute(name), !value.isEmpty else {
            throw error(
                "Expected the attribute \(name) of \(element.name.qualifiedName).", element)
        }
        return value
    }

    /// The `Name` of an element, checked to be an identifier of CSDL (section 17.2) unless that is switched off.
    func identifier(_ element: XMLNode) throws -> String {
        let name = try required("Name", of: element)
        guard options.allowsAnyName || Self.isIdentifier(name) else {
            throw error(
                "Expected an identifier as Name of \(element.name.qualifiedName), found \(name).",
                element)
        }
        return name
    }

    static func isIdentifier(_ name: String) -> Bool {
        var count = 0
        for scalar in name.unicodeScalars {
            count += 1
            if scalar.isASCII {
                switch scalar {
                case "a"..."z", "A"..."Z", "_": continue
                case "0"..."9" where count > 1: continue
                // Real services use these, though the specification does not allow them.
                case "-" where count > 1, "." where count > 1, "$" where count > 1: continue
                default: return false
                }
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter,
                .otherLetter, .letterNumber, .nonspacingMark, .spacingMark, .decimalNumber,
                .connectorPunctuation, .format:
                continue
            default: return false
            }
        }
        return count > 0 && count <= 512
    }

    func boolean(_ text: String, _ attribute: String, _ element: XMLNode) throws -> Bool {
        switch text {
        case "true", "1", "True", "TRUE": return true
        case "false", "0", "False", "FALSE": return false
        default:
            throw error(
                "Expected true or false as \(attribute) of \(element.name.qualifiedName).", element)
        }
    }

    func boolean(_ attribute: String, of element: XMLNode, default value: Bool) throws -> Bool {
        guard let text = element.attribute(attribute) else { return value }
        return try boolean(text, attribute, element)
    }
}
