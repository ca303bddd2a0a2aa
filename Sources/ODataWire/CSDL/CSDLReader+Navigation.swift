import ODataModel
import ODataText

// Navigation properties, and the associations by which V2 and V3 describe them.

extension CSDLBuilder {
    struct Association {
        struct End {
            var role: String
            var type: StructureID
            var multiplicity: String
            var onDelete: NavigationDefinition.OnDelete?
        }

        var ends: [End]
        var dependentRole: String?
        /// Dependent property and the principal property it equals.
        var constraints: [ReferentialConstraint] = []
    }

    /// A V2 navigation property, remembered until sets and partners are known.
    struct Relationship {
        var structure: Int
        var name: String
        var association: String
        var fromRole: String
        var toRole: String
    }

    struct AssociationSet {
        var association: String
        var container: String
        /// Role and set name of each end.
        var ends: [(role: String, set: String)]
    }

    mutating func readAssociations(_ schema: XMLNode) throws {
        let namespace = try required("Namespace", of: schema)
        for element in schema.children("Association") {
            let name = "\(namespace).\(try required("Name", of: element))"
            guard associations[name] == nil else {
                throw error("Expected one association named \(name), found two.", element)
            }
            let ends = try element.children("End").compactMap(readEnd)
            if ends.count < element.children("End").count {
                brokenAssociations.insert(name)
                diagnose("Association \(name) names an undefined type and is ignored.", element)
                continue
            }
            guard ends.count == 2 else {
                throw error("Expected two ends of \(name), found \(ends.count).", element)
            }
            var association = Association(ends: ends)
            if let constraint = element.child("ReferentialConstraint"),
                let principal = constraint.child("Principal"),
                let dependent = constraint.child("Dependent")
            {
                let referenced = principal.children("PropertyRef").compactMap {
                    $0.attribute("Name")
                }
                let own = dependent.children("PropertyRef").compactMap { $0.attribute("Name") }
                guard referenced.count == own.count else {
                    throw error(
                        "Expected as many dependent as principal properties in \(name).",
                        constraint)
                }
                association.dependentRole = dependent.attribute("Role")
                association.constraints = zip(own, referenced).map {
                    ReferentialConstraint(property: $0, referencedProperty: $1)
                }
            }
            associations[name] = association
        }
    }

    private func readEnd(_ element: XMLNode) throws -> Association.End? {
        guard let (typeName, kind) = kind(named: try required("Type", of: element)),
            case .structure(let type) = kind
        else { return nil }
        let multiplicity = element.attribute("Multiplicity") ?? "*"
        guard ["0..1", "1", "*"].contains(multiplicity) else {
            throw error("Expected 0..1, 1 or * as Multiplicity.", element)
        }
        let role = element.attribute("Role") ?? String(typeName.split(separator: ".").last ?? "")
        let action = element.child("OnDelete")?.attribute("Action")
        return Association.End(
            role: role, type: type, multiplicity: multiplicity,
            onDelete: action.flatMap(NavigationDefinition.OnDelete.init(rawValue:)))
    }

    mutating func readNavigation(
        _ element: XMLNode, structure: Int
    ) throws -> PropertyDefinition? {
        let name = try identifier(element)
        var property: PropertyDefinition
        if element.attribute("Type") != nil {
            property = PropertyDefinition(name: name, type: try readType(element))
            guard property.type.structure != nil else {
                diagnose("The type that \(name) leads to is unknown, so it is left out.", element)
                return nil
            }
            // Whether a collection may be missing is not for the document to say (CSDL 4.01, section 8.2).
            if property.type.isCollection { property.type.isNullable = true }
            property.navigation = NavigationDefinition(
                partner: element.attribute("Partner"),
                containsTarget: try boolean("ContainsTarget", of: element, default: false))
        } else {
            guard let read = try readRelationship(element, name: name, structure: structure) else {
                return nil
            }
            property = read
        }
        for child in element.children {
            switch child.name.localName {
            case "ReferentialConstraint":
                guard let own = child.attribute("Property"),
                    let referenced = child.attribute("ReferencedProperty")
                else {
                    diagnose("A ReferentialConstraint names no properties and is ignored.", child)
                    continue
                }
                var constraint = ReferentialConstraint(
                    property: own, referencedProperty: referenced)
                try readAnnotations(of: child, into: &constraint.annotations)
                property.navigation?.referentialConstraints.append(constraint)
            case "OnDelete":
                property.navigation?.onDelete = child.attribute("Action")
                    .flatMap(NavigationDefinition.OnDelete.init(rawValue:))
                var annotations: [AnnotationDefinition] = []
                try readAnnotations(of: child, into: &annotations)
                property.navigation?.onDeleteAnnotations = annotations
            case "Annotation": try readAnnotation(child, into: &property.annotations)
            case "Documentation": readDocumentation(child, into: &property.annotations)
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        keepForeignAttributes(of: element, in: &property.annotations)
        return property
    }

    private mutating func readRelationship(
        _ element: XMLNode, name: String, structure: Int
    ) throws -> PropertyDefinition? {
        guard let written = element.attribute("Relationship") else {
            diagnose("The type that \(name) leads to is not said, so it is left out.", element)
            return nil
        }
        let relationship = unaliased(written)
        if brokenAssociations.contains(relationship) {
            diagnose("The type that \(name) leads to is unknown, so it is left out.", element)
            return nil
        }
        guard let association = associations[relationship] else {
            throw error("Expected a defined association, found \(relationship).", element)
        }
        let fromRole = try required("FromRole", of: element)
        let toRole = try required("ToRole", of: element)
        guard let from = association.ends.first(where: { $0.role == fromRole }),
            let to = association.ends.first(where: { $0.role == toRole })
        else {
            throw error("Expected roles of \(relationship), found others.", element)
        }
        relationships.append(
            Relationship(
                structure: structure, name: name, association: relationship, fromRole: fromRole,
                toRole: toRole))
        let type = TypeReference(
            .structure(to.type), isCollection: to.multiplicity == "*",
            isNullable: to.multiplicity != "1")
        return PropertyDefinition(
            name: name, type: type,
            navigation: NavigationDefinition(
                containsTarget: try boolean("ContainsTarget", of: element, default: false),
                referentialConstraints: association.dependentRole == fromRole
                    ? association.constraints : [],
                onDelete: from.onDelete))
    }

    // MARK: - Partners and sets

    /// Names the partners that V2 only implies: the navigation property back over the same association.
    mutating func pairNavigations() {
        var byEnd: [String: Relationship] = [:]
        for relationship in relationships {
            byEnd["\(relationship.association)|\(relationship.fromRole)"] = relationship
        }
        for relationship in relationships {
            guard let back = byEnd["\(relationship.association)|\(relationship.toRole)"],
                back.structure != relationship.structure || back.name != relationship.name,
                let index = graph.structures[relationship.structure].properties.firstIndex(
                    where: { $0.name == relationship.name })
            else { continue }
            graph.structures[relationship.structure].properties[index].navigation?.partner =
                back.name
        }
    }

    /// Turns association sets into bindings of the navigation properties that they are about.
    mutating func bindAssociationSets() {
        var byAssociation: [String: [Relationship]] = [:]
        for relationship in relationships {
            byAssociation[relationship.association, default: []].append(relationship)
        }
        for associationSet in associationSets {
            for relationship in byAssociation[associationSet.association] ?? [] {
                guard
                    let from = associationSet.ends.first(where: {
                        $0.role == relationship.fromRole
                    }),
                    let to = associationSet.ends.first(where: { $0.role == relationship.toRole }),
                    let source = graph.entitySet(named: "\(associationSet.container)/\(from.set)")
                else { continue }
                bind(relationship, from: source, to: to.set)
            }
        }
    }

    private mutating func bind(
        _ relationship: Relationship, from source: EntitySetID, to target: String
    ) {
        let declaring = StructureID(relationship.structure)
        let type = graph[source].type
        let path: String
        if graph.isA(type, declaring) {
            path = relationship.name
        } else if graph.isA(declaring, type) {
            path = "\(graph[declaring].qualifiedName)/\(relationship.name)"
        } else {
            return
        }
        guard graph[source].target(of: path) == nil else { return }
        graph.entitySets[source.index].bindings.append(
            NavigationBinding(path: path, target: target))
    }
}
