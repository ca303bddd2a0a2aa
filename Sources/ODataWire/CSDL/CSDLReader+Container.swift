import ODataModel
import ODataText

// Entity containers and what stands in them (CSDL 4.01, section 13).

extension CSDLBuilder {
    mutating func readContainer(_ element: XMLNode, _ namespace: String) throws {
        let name = "\(namespace).\(try identifier(element))"
        guard !graph.containers.contains(where: { $0.qualifiedName == name }) else {
            throw error("Expected one entity container named \(name), found two.", element)
        }
        var isDefault = graph.containers.isEmpty
        if let text = element.attribute("IsDefaultEntityContainer", in: Self.metadataNamespace) {
            // One container is the default; the first that says so.
            let saysSo = try boolean(text, "IsDefaultEntityContainer", element)
            isDefault = saysSo && !hasDefaultContainer
            hasDefaultContainer = hasDefaultContainer || saysSo
            if isDefault {
                for index in graph.containers.indices { graph.containers[index].isDefault = false }
            }
        }
        var container = MetadataGraph.Container(
            qualifiedName: name, extends: element.attribute("Extends").map { unaliased($0) },
            isDefault: isDefault)
        var names: Set<String> = []
        for child in element.children {
            switch child.name.localName {
            case "EntitySet", "Singleton":
                let setName = try identifier(child)
                guard names.insert(setName).inserted else {
                    throw error("Expected one entity set named \(setName), found two.", child)
                }
                if let set = try readEntitySet(child, name) { graph.entitySets.append(set) }
            case "FunctionImport", "ActionImport":
                if child.attribute("Function") != nil || child.attribute("Action") != nil {
                    try readImport(child, name)
                } else {
                    try readServiceOperation(child, namespace, name)
                }
            case "AssociationSet": try readAssociationSet(child, name)
            case "Annotation": try readAnnotation(child, into: &container.annotations)
            case "Documentation": readDocumentation(child, into: &container.annotations)
            default:
                if Self.edmNamespaces.contains(child.name.namespace) {
                    diagnose("Element \(child.name.qualifiedName) is ignored.", child)
                }
            }
        }
        keepForeignAttributes(of: element, in: &container.annotations)
        graph.containers.append(container)
    }

    private mutating func readEntitySet(
        _ element: XMLNode, _ container: String
    ) throws -> EntitySetDefinition? {
        let isSingleton = element.name.localName == "Singleton"
        let typeName = try required(isSingleton ? "Type" : "EntityType", of: element)
        guard let (_, kind) = kind(named: typeName), case .structure(let type) = kind else {
            guard options.leavesOutUndefinedSets || mayBeElsewhere(typeName) else {
                throw error("Expected a defined entity type, found \(typeName).", element)
            }
            let name = try identifier(element)
            graph.undefinedSets.append(
                MetadataGraph.UndefinedSet(
                    name: name, container: container, type: unaliased(typeName),
                    isSingleton: isSingleton))
            diagnose(
                "\(name) is of \(typeName), which is not described here, and is left out.",
                element)
            return nil
        }
        var set = EntitySetDefinition(
            name: try identifier(element), container: container, type: type,
            isSingleton: isSingleton,
            isNullable: try boolean("Nullable", of: element, default: false),
            isIncludedInServiceDocument: try boolean(
                "IncludeInServiceDocument", of: element, default: true))
        for child in element.children {
            switch child.name.localName {
            case "NavigationPropertyBinding":
                set.bindings.append(
                    NavigationBinding(
                        path: unaliasedPath(try required("Path", of: child)),
                        target: bindingTarget(try required("Target", of: child), container)))
            case "Annotation": try readAnnotation(child, into: &set.annotations)
            case "Documentation": readDocumentation(child, into: &set.annotations)
            default: diagnose("Element \(child.name.qualifiedName) is ignored.", child)
            }
        }
        keepForeignAttributes(of: element, in: &set.annotations)
        return set
    }

    /// True when the name is of a namespace that a reference brings, and no schema here defines.
    private func mayBeElsewhere(_ typeName: String) -> Bool {
        let namespace = unaliased(typeName).split(separator: ".").dropLast().joined(separator: ".")
        return includedNamespaces.contains(namespace)
            && !graph.schemas.contains { $0.namespace == namespace }
    }

    /// Resolves the aliases of the type casts in a path.
    func unaliasedPath(_ path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return path }
        guard path.utf8.contains(UInt8(ascii: "/")) else { return unaliased(path) }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { unaliased(String($0)) }.joined(separator: "/")
    }

    /// `Schema.Container/Set` of the same container is `Set`.
    private func bindingTarget(_ target: String, _ container: String) -> String {
        let resolved = unaliasedPath(target)
        return resolved.hasPrefix(container + "/")
            ? String(resolved.dropFirst(container.utf8.count + 1)) : resolved
    }

    private mutating func readImport(_ element: XMLNode, _ container: String) throws {
        let isAction = element.attribute("Action") != nil
        var definition = OperationImportDefinition(
            name: try identifier(element), container: container,
            operation: unaliased(try required(isAction ? "Action" : "Function", of: element)),
            isAction: isAction,
            entitySet: element.attribute("EntitySet").map { bindingTarget($0, container) },
            isIncludedInServiceDocument: try boolean(
                "IncludeInServiceDocument", of: element, default: false))
        for child in element.children("Annotation") {
            try readAnnotation(child, into: &definition.annotations)
        }
        keepForeignAttributes(of: element, in: &definition.annotations)
        graph.operationImports.append(definition)
    }

    private mutating func readAssociationSet(_ element: XMLNode, _ container: String) throws {
        let association = unaliased(try required("Association", of: element))
        guard !brokenAssociations.contains(association) else { return }
        guard let definition = associations[association] else {
            throw error("Expected a defined association, found \(association).", element)
        }
        var ends: [(role: String, set: String)] = []
        for (position, end) in element.children("End").prefix(2).enumerated() {
            let role = end.attribute("Role") ?? definition.ends[position].role
            ends.append((role, try required("EntitySet", of: end)))
        }
        associationSets.append(
            AssociationSet(association: association, container: container, ends: ends))
    }
}
