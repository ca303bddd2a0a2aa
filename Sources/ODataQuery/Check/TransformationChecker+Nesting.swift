import ODataModel
import ODataText

/// Steps that add nested instances or follow hierarchies (Data Aggregation 4.0, sections 3.4 to 3.6 and 6).
extension TransformationChecker {
    func check(nesting step: inout Transformation, _ shape: AppliedShape) throws -> AppliedShape {
        var result = shape
        switch step {
        case .expand(var term):
            try check(expand: &term, shape)
            step = .expand(term)
        case .addNested(let path, var terms):
            let source = try collection(path, shape)
            for index in terms.indices {
                result.add(
                    terms[index].alias,
                    try nested(&terms[index].steps, source, isCollection: true))
            }
            step = .addNested(path, terms)
        case .nest(var terms):
            result = AppliedShape(item: shape.item)
            result.kept = []
            for index in terms.indices {
                var steps = terms[index].steps
                let inner = try check(&steps, shape)
                terms[index].steps = steps
                var type = shape.item
                type.isCollection = true
                result.add(terms[index].alias, inner.isUnchanged ? type : nil)
            }
            step = .nest(terms)
        case .join(let path, let alias, var steps, let isOuter):
            let source = try collection(path, shape)
            result.add(alias, try nested(&steps, source, isCollection: false))
            step = .join(path, alias: alias, steps, isOuter: isOuter)
        default:
            break
        }
        return result
    }

    /// The item type of a collection that a path leads to; nil where the model does not tell.
    private func collection(
        _ path: ExpressionPath, _ shape: AppliedShape
    ) throws -> TypeReference? {
        let checker = checker(shape)
        guard var type = try checker.type(of: path, isSelection: true) else { return nil }
        guard type.isCollection, type.structure != nil else {
            throw checker.mismatch("a collection of entities", type, checker.text(path))
        }
        type.isCollection = false
        return type
    }

    /// Checks steps over nested instances; their type when they keep it.
    private func nested(
        _ steps: inout [Transformation], _ source: TypeReference?, isCollection: Bool
    ) throws -> TypeReference? {
        guard var type = source else { return nil }
        let inner = try check(&steps, AppliedShape(item: type))
        type.isCollection = isCollection
        return inner.isUnchanged ? type : nil
    }

    private func check(expand term: inout ExpandTerm, _ shape: AppliedShape) throws {
        let checker = checker(shape)
        guard var type = try checker.type(of: term.path, isSelection: true) else { return }
        guard let structure = type.structure, graph[structure].kind == .entity else {
            throw checker.mismatch("a navigation property", type, checker.text(term.path))
        }
        type.isCollection = false
        let inner = AppliedShape(item: type)
        if let filter = term.options.filter {
            term.options.filter = try self.checker(inner).condition(filter, "filter")
        }
        for index in term.options.expand.indices {
            try check(expand: &term.options.expand[index], inner)
        }
    }

    // MARK: Hierarchies

    /// The node's identifier must be a property of the input; the nodes must be known instances.
    func check(_ hierarchy: HierarchyReference, _ shape: AppliedShape) throws {
        let checker = checker(shape)
        _ = try checker.type(of: hierarchy.node, isSelection: true)
        guard let type = try checker.type(of: hierarchy.nodes, isSelection: true) else { return }
        guard type.isCollection, type.structure != nil else {
            throw checker.mismatch(
                "a collection of nodes", type, checker.text(hierarchy.nodes))
        }
    }

    /// What a node adds to what `rolluprecursive` makes of its rows: all its properties where rows are nodes or have the
    /// node behind a navigation property, else its identifier.
    func kept(
        of hierarchy: HierarchyReference, _ shape: AppliedShape
    ) throws -> [[String]] {
        let path = hierarchy.node.memberNames
        guard
            let type = try checker(shape).type(of: hierarchy.nodes, isSelection: true)?.structure,
            let node = graph.recursiveHierarchy(hierarchy.qualifier, of: type)?.node.memberNames,
            let item = shape.item.structure, Array(path.suffix(node.count)) == node
        else { return [path] }
        let prefix = Array(path.dropLast(node.count))
        if prefix.isEmpty {
            return graph.isA(item, type) ? graph[type].properties.map { [$0.name] } : [path]
        }
        let end = graph.type(ofPath: prefix.joined(separator: "/"), in: item)?.structure
        return end.map { graph.isA($0, type) } == true ? [prefix] : [path]
    }

    /// Checks steps over the nodes of a hierarchy.
    func check(
        nodes hierarchy: HierarchyReference, _ steps: inout [Transformation]
    ) throws -> AppliedShape? {
        guard
            let root = graph.entitySets.first.map({
                AppliedShape(item: TypeReference(.structure($0.type)))
            }),
            let type = try checker(root).type(of: hierarchy.nodes, isSelection: true)
        else { return nil }
        return try check(&steps, AppliedShape(item: type))
    }

    func check(hierarchical step: inout Transformation, _ shape: AppliedShape) throws {
        switch step {
        case .relatives(var term):
            try check(term.hierarchy, shape)
            _ = try check(&term.start, shape)
            step = .relatives(term)
        case .traverse(var term):
            try check(term.hierarchy, shape)
            if let type = try checker(shape).type(of: term.hierarchy.nodes, isSelection: true) {
                try checker(AppliedShape(item: type)).check(order: &term.orderBy, "traverse")
            }
            step = .traverse(term)
        default:
            break
        }
    }
}
