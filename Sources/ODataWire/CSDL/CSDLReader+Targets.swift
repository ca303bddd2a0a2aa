import ODataModel
import ODataText

// Annotations written apart from their target (CSDL 4.01, section 14.2.1), and checks across the whole model.

extension CSDLBuilder {
    mutating func readTarget(_ element: XMLNode) throws {
        guard !options.ignoresAnnotations else { return }
        let qualifier = element.attribute("Qualifier")
        var annotations: [AnnotationDefinition] = []
        for child in element.children {
            guard child.name.localName == "Annotation" else {
                diagnose("Element \(child.name.qualifiedName) is ignored.", child)
                continue
            }
            try readAnnotation(child, into: &annotations)
        }
        if let qualifier {
            for index in annotations.indices where annotations[index].qualifier == nil {
                annotations[index].qualifier = qualifier
            }
        }
        pendingTargets.append(
            PendingTarget(
                target: unaliasedTarget(try required("Target", of: element)),
                annotations: annotations))
    }

    private func unaliasedTarget(_ target: String) -> String {
        guard let open = target.firstIndex(of: "(") else { return unaliasedPath(target) }
        let close = target.lastIndex(of: ")") ?? target.endIndex
        let parameters = target[target.index(after: open)..<max(close, target.index(after: open))]
            .split(separator: ",").map { parameter in
                parameter.hasPrefix("Collection(") && parameter.hasSuffix(")")
                    ? "Collection(" + unaliased(String(parameter.dropFirst(11).dropLast())) + ")"
                    : unaliased(String(parameter))
            }
        return unaliased(String(target[..<open])) + "(" + parameters.joined(separator: ",")
            + target[close...]
    }

    mutating func applyTargets() throws {
        for pending in pendingTargets where !apply(pending.annotations, to: pending.target) {
            graph.targetedAnnotations.append(
                .init(target: pending.target, annotations: pending.annotations))
        }
    }

    /// Gives the annotations to the element that the path names; false when no element keeps them.
    private mutating func apply(_ annotations: [AnnotationDefinition], to target: String) -> Bool {
        if target.contains("(") { return applyToOverload(annotations, target) }
        let slash = target.firstIndex(of: "/")
        let head = slash.map { String(target[..<$0]) } ?? target
        let rest = slash.map { String(target[target.index(after: $0)...]) }
        switch kinds[head] {
        case .structure(let id):
            guard let rest else {
                graph.structures[id.index].annotations += annotations
                return true
            }
            guard
                let slot = graph.structures[id.index].properties
                    .firstIndex(where: { $0.name == rest })
            else { return false }
            graph.structures[id.index].properties[slot].annotations += annotations
            return true
        case .enumeration(let id):
            guard let rest else {
                graph.enumerations[id.index].annotations += annotations
                return true
            }
            guard
                let index = graph.enumerations[id.index].members
                    .firstIndex(where: { $0.name == rest })
            else { return false }
            graph.enumerations[id.index].members[index].annotations += annotations
            return true
        case .primitive:
            guard rest == nil, let index = typeDefinitionIndex[head] else { return false }
            graph.typeDefinitions[index].annotations += annotations
            return true
        case nil: return applyToContainer(annotations, head, rest)
        }
    }

    private mutating func applyToContainer(
        _ annotations: [AnnotationDefinition], _ head: String, _ rest: String?
    ) -> Bool {
        if let index = graph.containers.firstIndex(where: { $0.qualifiedName == head }) {
            guard let rest else {
                graph.containers[index].annotations += annotations
                return true
            }
            if let set = graph.entitySets.firstIndex(where: {
                $0.container == head && $0.name == rest
            }) {
                graph.entitySets[set].annotations += annotations
                return true
            }
            guard
                let operation = graph.operationImports.firstIndex(where: {
                    $0.container == head && $0.name == rest
                })
            else { return false }
            graph.operationImports[operation].annotations += annotations
            return true
        }
        if rest == nil,
            let index = graph.terms.firstIndex(where: { "\($0.namespace).\($0.name)" == head })
        {
            graph.terms[index].annotations += annotations
            return true
        }
        let overloads = graph.operations.indices.filter {
            graph.operations[$0].qualifiedName == head
        }
        return applyToOperations(annotations, overloads, rest)
    }

    private mutating func applyToOverload(
        _ annotations: [AnnotationDefinition], _ target: String
    ) -> Bool {
        guard let open = target.firstIndex(of: "("), let close = target.lastIndex(of: ")") else {
            return false
        }
        let name = target[..<open]
        let types = target[target.index(after: open)..<close].split(separator: ",").map(String.init)
        let after = target[target.index(after: close)...]
        let rest = after.hasPrefix("/") ? String(after.dropFirst()) : nil
        let overloads = graph.operations.indices.filter { index in
            let operation = graph.operations[index]
            guard operation.qualifiedName == name else { return false }
            let written =
                operation.isAction
                ? Array(operation.parameters.prefix(operation.isBound ? 1 : 0))
                : operation.parameters
            return written.map { graph.typeName($0.type) } == types
        }
        return applyToOperations(annotations, overloads, rest)
    }

    private mutating func applyToOperations(
        _ annotations: [AnnotationDefinition], _ overloads: [Int], _ rest: String?
    ) -> Bool {
        var isApplied = false
        for index in overloads {
            guard let rest else {
                graph.operations[index].annotations += annotations
                isApplied = true
                continue
            }
            if rest == "$ReturnType" {
                graph.operations[index].returnAnnotations += annotations
                isApplied = true
                continue
            }
            guard
                let parameter = graph.operations[index].parameters
                    .firstIndex(where: { $0.name == rest })
            else { continue }
            graph.operations[index].parameters[parameter].annotations += annotations
            isApplied = true
        }
        return isApplied
    }

    // MARK: - Checks

    /// Base types exist, do not run in circles and have the right kind; keys name declared properties.
    mutating func checkStructures() throws {
        for index in graph.structures.indices {
            guard let baseName = graph.structures[index].baseType else { continue }
            guard let (name, kind) = kind(named: baseName), case .structure(let base) = kind else {
                let namespace = baseName.split(separator: ".").dropLast().joined(separator: ".")
                guard includedNamespaces.contains(namespace) || namespace.hasPrefix("Org.OData.")
                else {
                    throw error(
                        "Expected a defined base type, found \(baseName).",
                        at: structureOffsets[index])
                }
                graph.diagnostics.append(
                    "\(places.location(structureOffsets[index])): Base type \(baseName) is in a document that is not read."
                )
                graph.structures[index].baseType = nil
                continue
            }
            graph.structures[index].baseType = name
            guard graph.structures[base.index].kind == graph.structures[index].kind else {
                throw error(
                    "Expected a base type of the same kind, found \(baseName).",
                    at: structureOffsets[index])
            }
        }
        for index in graph.structures.indices { try checkInheritance(of: index) }
    }

    private func checkInheritance(of index: Int) throws {
        var line: [Int] = []
        var current: Int? = index
        while let position = current {
            guard line.count < 64 else {
                throw error(
                    "Expected base types without a cycle and at most 64 deep.",
                    at: structureOffsets[index])
            }
            line.append(position)
            current = baseIndex(of: position)
        }
        let keys = graph.structures[index].key
        // Looked for one by one, many would take many times as long; few are found before a set of all names is made.
        let names =
            keys.count > 8
            ? Set(line.flatMap { graph.structures[$0].properties.map(\.name) }) : nil
        for key in keys {
            let root = key.path.split(separator: "/").first.map(String.init) ?? ""
            let isDeclared =
                names?.contains(root)
                ?? line.contains { position in
                    graph.structures[position].properties.contains { $0.name == root }
                }
            guard isDeclared else {
                throw error(
                    "Expected a key of declared properties, found \(key.path).",
                    at: structureOffsets[index])
            }
        }
    }

    private func baseIndex(of position: Int) -> Int? {
        guard let name = graph.structures[position].baseType, case .structure(let id) = kinds[name]
        else { return nil }
        return id.index
    }

    /// `Core.OptimisticConcurrency` names the properties that an ETag is computed from.
    mutating func markConcurrencyTokens() {
        let term = "Org.OData.Core.V1.OptimisticConcurrency"
        var found = graph.entitySets.map { ($0.type.index, $0.annotations) }
        found += graph.structures.enumerated().map { ($0.offset, $0.element.annotations) }
        for (structure, annotations) in found {
            guard case .collection(let items) = annotations.first(term: term)?.value else {
                continue
            }
            for case .path(_, let path) in items { markToken(path, of: structure) }
        }
    }

    private mutating func markToken(_ path: String, of structure: Int) {
        var current: Int? = structure
        while let position = current {
            let slot = graph.structures[position].properties.firstIndex { $0.name == path }
            if let slot {
                graph.structures[position].properties[slot].isConcurrencyToken = true
                hasConcurrencyTokens = true
                return
            }
            current = baseIndex(of: position)
        }
    }
}
