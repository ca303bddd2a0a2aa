import ODataModel
import ODataText

// Types, properties, facets (CSDL 4.01, sections 6 to 11).

extension CSDLBuilder {
    mutating func readSchema(_ schema: XMLNode) throws {
        let namespace = try required("Namespace", of: schema)
        var annotations: [AnnotationDefinition] = []
        for child in schema.children where !leftOut.contains(child) {
            switch child.name.localName {
            case "EntityType": try readStructure(child, .entity, namespace)
            case "ComplexType": try readStructure(child, .complex, namespace)
            case "EnumType": try readEnumeration(child, namespace)
            case "Action": try readOperation(child, namespace, isAction: true)
            case "Function": try readOperation(child, namespace, isAction: false)
            case "Term": try readTerm(child, namespace)
            case "EntityContainer": try readContainer(child, namespace)
            case "Annotations": try readTarget(child)
            case "Annotation":
                try readAnnotation(child, into: &annotations)
            case "Association", "TypeDefinition", "Using", "Documentation", "ValueTerm": continue
            default:
                if Self.edmNamespaces.contains(child.name.namespace) {
                    diagnose("Element \(child.name.qualifiedName) is ignored.", child)
                }
            }
        }
        keepForeignAttributes(of: schema, in: &annotations)
        if let index = graph.schemas.firstIndex(where: { $0.namespace == namespace }) {
            graph.schemas[index].annotations += annotations
        }
    }

    private mutating func readStructure(
        _ element: XMLNode, _ kind: StructureDefinition.Kind, _ namespace: String
    ) throws {
        var type = StructureDefinition(
            kind: kind, namespace: namespace, name: try required("Name", of: element),
            baseType: element.attribute("BaseType").map { unaliased($0) },
            isAbstract: try boolean("Abstract", of: element, default: false),
            isOpen: try boolean("OpenType", of: element, default: false),
            hasStream: try boolean("HasStream", of: element, default: false))
        if let text = element.attribute("HasStream", in: Self.metadataNamespace) {
            type.hasStream = try boolean(text, "HasStream", element)
        }
        if let name = type.baseType, ["Edm.EntityType", "Edm.ComplexType"].contains(name) {
            type.baseType = nil
        }
        guard element.children("Key").count < 2 else {
            throw error(
                "Expected one Key of \(type.qualifiedName), found two.", element.children("Key")[1])
        }
        // A list that grew would keep room for a third more, of what there is most of.
        type.properties.reserveCapacity(element.children.count)
        propertyNames.removeAll(keepingCapacity: true)
        for child in element.children {
            switch child.name.localName {
            case "Property":
                let property = try readProperty(child)
                if isNew(property.name, child) { type.properties.append(property) }
            case "NavigationProperty":
                let index = graph.structures.count
                guard let property = try readNavigation(child, structure: index) else { continue }
                if isNew(property.name, child) { type.properties.append(property) }
            case "Key":
                for reference in child.children("PropertyRef") {
                    type.key.append(
                        KeyProperty(
                            path: try required("Name", of: reference),
                            alias: reference.attribute("Alias")))
                }
            case "Annotation": try readAnnotation(child, into: &type.annotations)
            case "Documentation": readDocumentation(child, into: &type.annotations)
            default:
                diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        for index in type.properties.indices
        where type.key.contains(where: { $0.path == type.properties[index].name }) {
            type.properties[index].type.isNullable = false
        }
        keepForeignAttributes(of: element, in: &type.annotations)
        graph.structures.append(type)
    }

    /// Running services repeat properties; the first one stands.
    private mutating func isNew(_ name: String, _ element: XMLNode) -> Bool {
        if propertyNames.insert(name).inserted { return true }
        diagnose("Property \(name) is declared twice; the second is ignored.", element)
        return false
    }

    private mutating func readProperty(_ element: XMLNode) throws -> PropertyDefinition {
        var property = PropertyDefinition(
            name: try identifier(element), type: try readType(element))
        if element.has(.detail) { readDetails(element, into: &property) }
        for child in element.children {
            switch child.name.localName {
            case "Annotation": try readAnnotation(child, into: &property.annotations)
            case "Documentation": readDocumentation(child, into: &property.annotations)
            case "ValueAnnotation", "TypeAnnotation", "TypeRef": continue
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        keepForeignAttributes(of: element, in: &property.annotations)
        return property
    }

    private mutating func readDetails(_ element: XMLNode, into property: inout PropertyDefinition) {
        for attribute in element.attributes where attribute.name.namespace.isEmpty {
            switch attribute.name.localName {
            case "DefaultValue", "Default": property.defaultValue = attribute.value
            case "ConcurrencyMode":
                property.isConcurrencyToken = attribute.value.lowercased() == "fixed"
                hasConcurrencyTokens = hasConcurrencyTokens || property.isConcurrencyToken
            case "CollectionKind":
                if attribute.value != "None" { property.type.isCollection = true }
            default: continue
            }
        }
    }

    private mutating func readEnumeration(_ element: XMLNode, _ namespace: String) throws {
        var type = EnumerationDefinition(
            namespace: namespace, name: try required("Name", of: element),
            isFlags: try boolean("IsFlags", of: element, default: false))
        if let name = element.attribute("UnderlyingType") {
            guard let primitive = PrimitiveType(name: name), primitive.isInteger else {
                throw error("Expected an integer type as UnderlyingType, found \(name).", element)
            }
            type.underlyingType = primitive
        }
        var names: Set<String> = []
        for child in element.children {
            switch child.name.localName {
            case "Member":
                let name = try identifier(child)
                guard names.insert(name).inserted else {
                    throw error("Expected one member named \(name), found two.", child)
                }
                var member = EnumerationDefinition.Member(
                    name: name, value: try memberValue(child, after: type.members.last))
                for nested in child.children("Annotation") {
                    try readAnnotation(nested, into: &member.annotations)
                }
                type.members.append(member)
            case "Annotation": try readAnnotation(child, into: &type.annotations)
            case "Documentation": readDocumentation(child, into: &type.annotations)
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        keepForeignAttributes(of: element, in: &type.annotations)
        graph.enumerations.append(type)
    }

    private func memberValue(
        _ element: XMLNode, after last: EnumerationDefinition.Member?
    ) throws -> Int64 {
        guard let text = element.attribute("Value") else {
            let (value, overflow) = (last?.value ?? -1).addingReportingOverflow(1)
            guard !overflow else { throw error("Expected a value within Int64.", element) }
            return value
        }
        guard let value = Int64(text) else {
            throw error("Expected an integer as Value of a member.", element)
        }
        return value
    }

    mutating func readTypeDefinition(
        _ element: XMLNode, _ namespace: String
    ) throws -> TypeDefinitionDefinition {
        let name = try required("UnderlyingType", of: element)
        guard let primitive = PrimitiveType(name: name) else {
            throw error("Expected a primitive type as UnderlyingType, found \(name).", element)
        }
        var definition = TypeDefinitionDefinition(
            namespace: namespace, name: try identifier(element), underlyingType: primitive,
            facets: try readFacets(element, over: TypeFacetValues()))
        for child in element.children("Annotation") {
            try readAnnotation(child, into: &definition.annotations)
        }
        keepForeignAttributes(of: element, in: &definition.annotations)
        return definition
    }

    // MARK: - Type references

    /// The type that `Type` and the facet attributes of an element describe.
    mutating func readType(_ element: XMLNode) throws -> TypeReference {
        let name: String
        if let attribute = element.attribute("Type") {
            name = attribute
        } else if let nested = element.child("TypeRef")?.attribute("Type") {
            name = nested
        } else {
            throw error("Expected the attribute Type of \(element.name.qualifiedName).", element)
        }
        let resolved = try resolveType(name, element)
        var facets = try readFacets(element, over: resolved.facets)
        if options.hasVariableScaleByDefault, facets.scale == nil,
            resolved.kind == .primitive(.decimal)
        {
            facets.scale = .variable
        }
        if options.hasVariableSRIDByDefault, facets.srid == nil,
            case .primitive(let type) = resolved.kind, type.isGeospatial
        {
            facets.srid = TypeFacetValues.variableSRID
        }
        return TypeReference(
            resolved.kind, isCollection: resolved.isCollection,
            isNullable: try boolean("Nullable", of: element, default: true), facets: facets,
            typeDefinition: resolved.typeDefinition)
    }

    mutating func resolveType(_ name: String, _ element: XMLNode) throws -> ResolvedType {
        if let cached = typeCache[name] { return cached }
        let resolved: ResolvedType
        if name.hasPrefix("Collection("), name.hasSuffix(")") {
            var item = try resolveItem(String(name.dropFirst(11).dropLast()), element)
            item.isCollection = true
            resolved = item
        } else {
            resolved = try resolveItem(name, element)
        }
        typeCache[name] = resolved
        return resolved
    }

    private mutating func resolveItem(
        _ name: String, _ element: XMLNode
    ) throws -> ResolvedType {
        if let primitive = PrimitiveType(name: name), name.hasPrefix("Edm.") || !name.contains(".")
        {
            return ResolvedType(
                kind: .primitive(primitive), isCollection: false,
                typeDefinition: primitive.name == name || "Edm.\(primitive.name)" == name
                    ? nil : name)
        }
        if name == "Edm.Float" {
            diagnose("Edm.Float is read as Edm.Double.", element)
            return ResolvedType(kind: .primitive(.double), isCollection: false)
        }
        if Self.abstractTypes.contains(name) {
            return ResolvedType(
                kind: .primitive(.untyped), isCollection: false, typeDefinition: name)
        }
        if let (qualified, kind) = kind(named: name) {
            guard let index = typeDefinitionIndex[qualified] else {
                return ResolvedType(kind: kind, isCollection: false)
            }
            return ResolvedType(
                kind: kind, isCollection: false, typeDefinition: qualified,
                facets: graph.typeDefinitions[index].facets)
        }
        let qualified = unaliased(name)
        let namespace = String(qualified.split(separator: ".").dropLast().joined(separator: "."))
        guard
            namespace == "Edm" || includedNamespaces.contains(namespace)
                || namespace.hasPrefix("Org.OData.")
        else {
            throw error("Expected a defined type, found \(name).", element)
        }
        diagnose(
            "Type \(qualified) is not described here; its values are untyped.", element)
        return ResolvedType(
            kind: .primitive(.untyped), isCollection: false, typeDefinition: qualified)
    }

    private static let abstractTypes: Set<String> = [
        "Edm.EntityType", "Edm.ComplexType", "Edm.AnnotationPath", "Edm.ModelElementPath",
    ]

    mutating func readFacets(_ element: XMLNode, over base: TypeFacetValues) throws
        -> TypeFacetValues
    {
        var facets = base
        guard element.has(.facet) else { return facets }
        hasFacets = true
        for attribute in element.attributes where attribute.name.namespace.isEmpty {
            let text = attribute.value
            switch attribute.name.localName {
            case "MaxLength":
                facets.maxLength =
                    text.lowercased() == "max" ? .max : try number(text, "MaxLength", element)
            case "Precision": facets.precision = try number(text, "Precision", element)
            case "Scale":
                switch text.lowercased() {
                case "variable": facets.scale = .variable
                case "floating": facets.scale = .floating
                default: facets.scale = .fixed(try number(text, "Scale", element))
                }
            case "SRID":
                facets.srid =
                    text.lowercased() == "variable"
                    ? TypeFacetValues.variableSRID : try number(text, "SRID", element)
            case "Unicode": facets.isUnicode = try boolean(text, "Unicode", element)
            case "FixedLength": facets.isFixedLength = try boolean(text, "FixedLength", element)
            default: continue
            }
        }
        return facets
    }

    private func number(_ text: String, _ name: String, _ element: XMLNode) throws -> Int {
        guard let value = Int(text), value >= 0 else {
            throw error(
                "Expected a number as \(name) of \(element.name.qualifiedName).", element)
        }
        return value
    }
}
