import ODataModel
import ODataText

/// Writes a graph as a CSDL JSON document (CSDL JSON 4.01).
package enum CSDLJSONWriter {
    /// The document as a JSON value with its members in the order of the model.
    package static func value(_ graph: MetadataGraph) -> JSONValue {
        CSDLJSONTree(graph: graph).document()
    }

    /// The document as text, without white space.
    package static func json(_ graph: MetadataGraph) -> String { value(graph).text }
}

struct CSDLJSONTree {
    typealias Member = JSONObject.Member

    let graph: MetadataGraph
    let types: AnnotationTypes

    init(graph: MetadataGraph) {
        self.graph = graph
        types = AnnotationTypes(graph)
    }

    func document() -> JSONValue {
        let version =
            switch graph.version {
            case .v1, .v2: "2.0"
            case .v3: "3.0"
            default: CSDLWriter.versionText(graph)
            }
        var members = [member("$Version", .string(version))]
        if let container = graph.defaultContainer {
            members.append(member("$EntityContainer", .string(container.qualifiedName)))
        }
        if !graph.references.isEmpty {
            let references = graph.canonicalReferences.map { reference in
                member(reference.uri, .object(JSONObject(includes(reference))))
            }
            members.append(member("$Reference", .object(JSONObject(references))))
        }
        let schemas = CSDLWriter.namespaces(of: graph)
        for (position, schema) in schemas.enumerated() {
            members.append(
                member(
                    schema.namespace,
                    .object(JSONObject(content(schema, isLast: position == schemas.count - 1)))))
        }
        return .object(JSONObject(members))
    }

    func member(_ name: String, _ value: JSONValue) -> Member { Member(name: name, value: value) }

    private func includes(_ reference: MetadataGraph.Reference) -> [Member] {
        var result: [Member] = []
        let items = reference.includes.map { include in
            var members = [member("$Namespace", .string(include.namespace))]
            if let alias = include.alias { members.append(member("$Alias", .string(alias))) }
            members += self.annotations(include.annotations)
            return JSONValue.object(JSONObject(members))
        }
        if !items.isEmpty { result.append(member("$Include", .array(items))) }
        let annotations = reference.annotationIncludes.map { include in
            var members = [member("$TermNamespace", .string(include.termNamespace))]
            if let target = include.targetNamespace {
                members.append(member("$TargetNamespace", .string(target)))
            }
            if let qualifier = include.qualifier {
                members.append(member("$Qualifier", .string(qualifier)))
            }
            return JSONValue.object(JSONObject(members))
        }
        if !annotations.isEmpty {
            result.append(member("$IncludeAnnotations", .array(annotations)))
        }
        return result + self.annotations(reference.annotations)
    }

    private func content(_ schema: MetadataGraph.Schema, isLast: Bool) -> [Member] {
        var members: [Member] = []
        if let alias = schema.alias { members.append(member("$Alias", .string(alias))) }
        members += annotations(schema.annotations)
        for type in graph.enumerations where type.namespace == schema.namespace {
            members.append(enumeration(type))
        }
        for type in graph.typeDefinitions where type.namespace == schema.namespace {
            members.append(
                member(
                    type.name,
                    object(
                        [
                            member("$Kind", .string("TypeDefinition")),
                            member("$UnderlyingType", .string("Edm.\(type.underlyingType.name)")),
                        ] + facets(type.facets, isDecimal: type.underlyingType == .decimal)
                            + annotations(type.annotations))))
        }
        for type in graph.structures where type.namespace == schema.namespace {
            members.append(structure(type))
        }
        members += operations(schema.namespace)
        for term in graph.terms where term.namespace == schema.namespace {
            members.append(self.term(term))
        }
        for container in graph.containers
        where CSDLWriter.containerNamespace(container.qualifiedName) == schema.namespace {
            members.append(self.container(container))
        }
        if isLast, !graph.targetedAnnotations.isEmpty {
            let targets = graph.targetedAnnotations.map {
                member($0.target, object(annotations($0.annotations)))
            }
            members.append(member("$Annotations", object(targets)))
        }
        return members
    }

    func object(_ members: [Member]) -> JSONValue { .object(JSONObject(members)) }

    // MARK: - Types

    private func enumeration(_ type: EnumerationDefinition) -> Member {
        var members = [member("$Kind", .string("EnumType"))]
        if type.underlyingType != .int32 {
            members.append(
                member("$UnderlyingType", .string("Edm.\(type.underlyingType.name)")))
        }
        if type.isFlags { members.append(member("$IsFlags", .boolean(true))) }
        members += annotations(type.annotations)
        for value in type.members {
            members.append(member(value.name, .number(String(value.value))))
            members += annotations(value.annotations, of: value.name)
        }
        return member(type.name, object(members))
    }

    private func structure(_ type: StructureDefinition) -> Member {
        let base = type.baseID.map { graph[$0] }
        var members = [
            member("$Kind", .string(type.kind == .entity ? "EntityType" : "ComplexType"))
        ]
        if let base { members.append(member("$BaseType", .string(base.qualifiedName))) }
        if type.isAbstract { members.append(member("$Abstract", .boolean(true))) }
        if type.isOpen, !(base?.isOpen ?? false) {
            members.append(member("$OpenType", .boolean(true)))
        }
        if type.hasStream, !(base?.hasStream ?? false) {
            members.append(member("$HasStream", .boolean(true)))
        }
        let key = CSDLWriter.ownKey(type, in: graph).map { property -> JSONValue in
            guard let alias = property.alias else { return .string(property.path) }
            return object([member(alias, .string(property.path))])
        }
        if !key.isEmpty { members.append(member("$Key", .array(key))) }
        members += annotations(type.annotations)
        for property in type.properties.dropFirst(type.inheritedCount) {
            members.append(self.property(property))
        }
        return member(type.name, object(members))
    }

    private func property(_ property: PropertyDefinition) -> Member {
        var members: [Member] = []
        if let navigation = property.navigation {
            members.append(member("$Kind", .string("NavigationProperty")))
            members += type(property.type, isNavigation: true)
            if let partner = navigation.partner {
                members.append(member("$Partner", .string(partner)))
            }
            if navigation.containsTarget {
                members.append(member("$ContainsTarget", .boolean(true)))
            }
            if !navigation.referentialConstraints.isEmpty {
                let pairs = navigation.referentialConstraints.flatMap { pair in
                    [member(pair.property, .string(pair.referencedProperty))]
                        + annotations(pair.annotations, of: pair.property)
                }
                members.append(member("$ReferentialConstraint", object(pairs)))
            }
            if let action = navigation.onDelete {
                members.append(member("$OnDelete", .string(action.rawValue)))
                members += annotations(navigation.onDeleteAnnotations, of: "$OnDelete")
            }
        } else {
            members += type(property.type)
            if let value = property.defaultValue {
                members.append(member("$DefaultValue", defaultValue(value, of: property.type)))
            }
        }
        return member(property.name, object(members + annotations(property.annotations)))
    }

    /// The default as its type writes values in JSON (CSDL JSON 4.01, section 7.3.7): numbers and Booleans are no strings.
    func defaultValue(_ text: String, of type: TypeReference) -> JSONValue {
        guard !type.isCollection, let primitive = type.primitive else { return .string(text) }
        switch primitive {
        case .boolean where text == "true" || text == "false": return .boolean(text == "true")
        case .byte, .sbyte, .int16, .int32, .int64, .decimal, .double, .single:
            // What JSON has no number for (INF, 007) keeps its text.
            return (try? JSONValue(parsing: text))?.number == text ? .number(text) : .string(text)
        default: return .string(text)
        }
    }

    /// `$Collection`, `$Type`, `$Nullable` and facets; a missing type is Edm.String, missing nullability is false.
    func type(_ type: TypeReference, isNavigation: Bool = false) -> [Member] {
        var members: [Member] = []
        if type.isCollection { members.append(member("$Collection", .boolean(true))) }
        var item = type
        item.isCollection = false
        let name = graph.typeName(item)
        if name != "Edm.String" { members.append(member("$Type", .string(name))) }
        if type.isNullable, !(isNavigation && type.isCollection) {
            members.append(member("$Nullable", .boolean(true)))
        }
        return members + facets(type.facets, isDecimal: type.primitive == .decimal)
    }

    /// Scale is 0 when absent in XML and variable when absent in JSON.
    private func facets(_ facets: TypeFacetValues, isDecimal: Bool) -> [Member] {
        var members: [Member] = []
        if let length = facets.maxLength, length != .max {
            members.append(member("$MaxLength", .number(String(length))))
        }
        if let precision = facets.precision {
            members.append(member("$Precision", .number(String(precision))))
        }
        switch facets.scale {
        case .fixed(let digits): members.append(member("$Scale", .number(String(digits))))
        case .floating: members.append(member("$Scale", .string("floating")))
        case .variable: break
        case nil: if isDecimal { members.append(member("$Scale", .number("0"))) }
        }
        if let srid = facets.srid {
            members.append(
                member(
                    "$SRID",
                    .string(srid == TypeFacetValues.variableSRID ? "variable" : String(srid))))
        }
        if facets.isUnicode == false { members.append(member("$Unicode", .boolean(false))) }
        if facets.isFixedLength == true {
            members.append(member("@edm.FixedLength", .boolean(true)))
        }
        return members
    }
}
