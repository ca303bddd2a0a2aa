import ODataModel
import ODataText

// The `sap:` attributes of V2 and V3 documents, said once more in the terms of V4 (Core, Capabilities, Validation,
// Measures), so that one reader of annotations serves all versions. The attributes themselves stay; a term that the
// document gives itself is left alone.

extension CSDLBuilder {
    mutating func mapServiceAttributes() {
        guard graph.version < .v4, !options.ignoresXMLAnnotations, !options.ignoresAnnotations
        else { return }
        for index in graph.schemas.indices {
            if let text = graph.schemas[index].annotations.text("sap:schema-version") {
                graph.schemas[index].annotations.add("Core.SchemaVersion", .string(text))
            }
        }
        for index in graph.structures.indices { mapStructure(index) }
        for index in graph.operations.indices {
            graph.operations[index].annotations.describe()
            for parameter in graph.operations[index].parameters.indices {
                graph.operations[index].parameters[parameter].annotations.describe()
            }
        }
        for index in graph.entitySets.indices { mapSet(index) }
        for index in graph.containers.indices {
            guard let text = graph.containers[index].annotations.text("sap:supported-formats")
            else { continue }
            let formats = text.split(separator: " ").map { AnnotationExpression.string(String($0)) }
            graph.containers[index].annotations.add(
                "Capabilities.SupportedFormats", .collection(formats))
        }
    }

    private mutating func mapStructure(_ index: Int) {
        graph.structures[index].annotations.describe()
        let units = graph.structures[index].properties.filter {
            $0.annotations.text("sap:semantics") == "currency-code"
        }.map(\.name)
        for slot in graph.structures[index].properties.indices {
            var property = graph.structures[index].properties[slot]
            property.annotations.describe()
            let isUpdatable = property.annotations.flag("sap:updatable") ?? true
            let isCreatable = property.annotations.flag("sap:creatable") ?? true
            if !isUpdatable, !property.isNavigation {
                property.annotations.add(isCreatable ? "Core.Immutable" : "Core.Computed", .none)
            }
            if let pattern = property.annotations.text("sap:validation-regexp") {
                property.annotations.add("Validation.Pattern", .string(pattern))
            }
            if let unit = property.annotations.text("sap:unit") {
                let isCurrency = units.contains(unit)
                property.annotations.add(
                    isCurrency ? "Measures.ISOCurrency" : "Measures.Unit",
                    .path(kind: "Path", text: unit))
            }
            if property.annotations.flag("sap:variable-scale") == true,
                property.type.primitive == .decimal
            {
                property.type.facets.scale = .floating
            }
            graph.structures[index].properties[slot] = property
        }
    }

    private mutating func mapSet(_ index: Int) {
        var set = graph.entitySets[index]
        set.annotations.describe()
        let flag = { (name: String) in set.annotations.flag("sap:\(name)") }
        var terms: [(String, AnnotationExpression)] = []
        let forbid = { (attribute: String, term: String, property: String) in
            if flag(attribute) == false {
                terms.append((term, .properties([(property, .boolean(false))])))
            }
        }
        forbid("creatable", "Capabilities.InsertRestrictions", "Insertable")
        forbid("updatable", "Capabilities.UpdateRestrictions", "Updatable")
        forbid("deletable", "Capabilities.DeleteRestrictions", "Deletable")
        forbid("countable", "Capabilities.CountRestrictions", "Countable")
        forbid("addressable", "Capabilities.ReadRestrictions", "Readable")
        if flag("pageable") == false {
            terms.append(("Capabilities.TopSupported", .boolean(false)))
            terms.append(("Capabilities.SkipSupported", .boolean(false)))
        } else if flag("topable") == false {
            terms.append(("Capabilities.TopSupported", .boolean(false)))
        }
        if let searchable = flag("searchable") {
            let value = AnnotationExpression.properties([("Searchable", .boolean(searchable))])
            terms.append(("Capabilities.SearchRestrictions", value))
        }
        if let tracking = flag("change-tracking") {
            let value = AnnotationExpression.properties([("Supported", .boolean(tracking))])
            terms.append(("Capabilities.ChangeTracking", value))
        }
        let properties = graph[set.type].properties
        if let restrictions = filterRestrictions(properties, isRequired: flag("requires-filter")) {
            terms.append(("Capabilities.FilterRestrictions", restrictions))
        }
        let unsortable = properties.filter { $0.annotations.flag("sap:sortable") == false }
        if !unsortable.isEmpty {
            let value = AnnotationExpression.properties([
                ("NonSortableProperties", .paths(unsortable.map(\.name)))
            ])
            terms.append(("Capabilities.SortRestrictions", value))
        }
        for (term, value) in terms { set.annotations.add(term, value) }
        graph.entitySets[index] = set
    }

    private func filterRestrictions(
        _ properties: [PropertyDefinition], isRequired: Bool?
    ) -> AnnotationExpression? {
        var parts: [(String, AnnotationExpression)] = []
        let names = { (attribute: String, value: Bool) in
            properties.filter { !$0.isNavigation && $0.annotations.flag(attribute) == value }
                .map(\.name)
        }
        let unfilterable = names("sap:filterable", false)
        if !unfilterable.isEmpty { parts.append(("NonFilterableProperties", .paths(unfilterable))) }
        let needed = names("sap:required-in-filter", true)
        if !needed.isEmpty { parts.append(("RequiredProperties", .paths(needed))) }
        let words = [
            "single-value": "SingleValue", "multi-value": "MultiValue", "interval": "SingleRange",
        ]
        let restrictions = properties.compactMap { property -> AnnotationExpression? in
            guard let text = property.annotations.text("sap:filter-restriction"),
                let word = words[text]
            else { return nil }
            return .properties([
                ("Property", .path(kind: "PropertyPath", text: property.name)),
                ("AllowedExpressions", .string(word)),
            ])
        }
        if !restrictions.isEmpty {
            parts.append(("FilterExpressionRestrictions", .collection(restrictions)))
        }
        if isRequired == true { parts.append(("RequiresFilter", .boolean(true))) }
        return parts.isEmpty ? nil : .properties(parts)
    }

    /// `Documentation` of V2 and V3 is the description.
    func readDocumentation(_ element: XMLNode, into annotations: inout [AnnotationDefinition]) {
        guard graph.version < .v4, !options.ignoresAnnotations else { return }
        for (name, term) in [
            ("Summary", "Core.Description"), ("LongDescription", "Core.LongDescription"),
        ] {
            guard let text = element.child(name)?.text, !text.isEmpty else { continue }
            annotations.add(term, .string(text))
        }
    }
}

extension AnnotationExpression {
    fileprivate static func properties(
        _ values: [(String, AnnotationExpression)]
    ) -> AnnotationExpression {
        .record(type: nil, properties: values.map { AnnotationDefinition(term: $0, value: $1) })
    }

    fileprivate static func paths(_ names: [String]) -> AnnotationExpression {
        .collection(names.map { .path(kind: "PropertyPath", text: $0) })
    }
}

extension [AnnotationDefinition] {
    /// The text of an annotation whose value is one.
    fileprivate func text(_ term: String) -> String? {
        guard case .string(let text)? = first(term: term)?.value, !text.isEmpty else { return nil }
        return text
    }

    /// Adds an annotation with a term of OASIS, written with the customary alias, unless there is one.
    fileprivate mutating func add(_ name: String, _ value: AnnotationExpression) {
        let parts = name.split(separator: ".")
        let term = "Org.OData.\(parts[0]).V1.\(parts[1])"
        guard first(term: term) == nil else { return }
        append(AnnotationDefinition(term: term, value: value))
    }

    /// The description is the longer text where there are two.
    fileprivate mutating func describe() {
        guard let text = text("sap:quickinfo") ?? text("sap:label") else { return }
        add("Core.Description", .string(text))
    }
}
