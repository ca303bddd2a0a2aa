import ODataModel
import ODataText

/// Types of paths (URL Conventions 4.01, section 5.1.1.15).
extension ExpressionChecker {
    /// The type at the end of `path`; nil where the model does not tell.
    ///
    /// - Parameter isSelection: A path of `$select` or `$expand`, which may go through collections.
    /// - Throws: `unknownName` for a property or type that is not defined.
    func type(of path: ExpressionPath, isSelection: Bool = false) throws -> TypeReference? {
        var segments = path.segments[...]
        var current: TypeReference?
        switch path.root {
        case .it:
            if case .property(let name)? = segments.first,
                let property = shape.dynamicProperty(name)
            {
                guard segments.count > 1, let type = property.type else { return property.type }
                current = type
                _ = segments.popFirst()
                break
            }
            try checkKept(path)
            current = shape.isOpen ? nil : item
        case .this:
            current = item
        case .these:
            current = item
            current?.isCollection = true
        case .variable(let name):
            guard let type = variables[name] else {
                guard let alias = path.rootAlias else {
                    throw ODataError(
                        .unknownName, "Expected a lambda variable, found \(name).", at: .path(name))
                }
                _ = try type(ofAlias: alias)
                return nil
            }
            current = type
        case .root:
            guard let type = try rootType(&segments) else { return nil }
            current = type
        }
        for segment in segments {
            guard let type = current else { return nil }
            if type.isCollection, !isSelection, !crossesCollections {
                try checkCollection(segment, type, path)
            }
            current = try step(segment, type, path)
        }
        return current
    }

    /// - Throws: `unknownName` for a property that grouping or aggregation left behind.
    private func checkKept(_ path: ExpressionPath) throws {
        guard shape.kept != nil, let first = path.segments.first else { return }
        // What a function gives is no property of the instance.
        if case .function = first { return }
        let names = path.memberNames
        guard shape.keeps(names) else {
            throw ODataError(
                .unknownName,
                "Expected a property that the steps of $apply keep or make, found "
                    + "\(names.joined(separator: "/")).",
                at: .path(text(path)))
        }
    }

    private func rootType(
        _ segments: inout ArraySlice<ExpressionPath.Segment>
    ) throws -> TypeReference? {
        guard case .property(let name)? = segments.popFirst() else { return nil }
        guard let id = graph.entitySet(named: name) else {
            throw ODataError(
                .unknownName, "Expected an entity set or singleton, found \(name).",
                at: .path("$root/\(name)"))
        }
        return TypeReference(
            .structure(graph[id].type), isCollection: !graph[id].isSingleton)
    }

    /// Behind a collection only a key, a cast or a function may stand.
    private func checkCollection(
        _ segment: ExpressionPath.Segment, _ type: TypeReference, _ path: ExpressionPath
    ) throws {
        if case .property = segment {
            throw mismatch("any, all or $count after a collection", type, text(path))
        }
    }

    private func step(
        _ segment: ExpressionPath.Segment, _ type: TypeReference, _ path: ExpressionPath
    ) throws -> TypeReference? {
        switch segment {
        case .property(let name):
            guard let structure = type.structure else {
                guard type.primitive == .untyped else {
                    throw mismatch("a structured type in front of \(name)", type, text(path))
                }
                return nil
            }
            guard let slot = graph[structure].slot(named: name) else {
                guard graph[structure].isOpen else {
                    throw ODataError(
                        .unknownName,
                        "Expected a property of \(graph[structure].qualifiedName), found \(name).",
                        at: .path(text(path)))
                }
                return nil
            }
            return graph[structure].properties[slot].type
        case .typeCast(let name):
            guard let target = graph.structure(named: name) else {
                throw ODataError(
                    .unknownName, "Expected a type, found \(name).", at: .path(text(path)))
            }
            if let structure = type.structure, !graph.isA(target, structure),
                !graph.isA(structure, target)
            {
                throw mismatch("a type derived from \(graph.name(of: type))", nil, text(path))
            }
            var cast = type
            cast.kind = .structure(target)
            return cast
        case .key:
            var entity = type
            entity.isCollection = false
            return entity
        case .function(let name, _):
            return graph.operations(named: name).first { $0.isBound && !$0.isAction }?.returnType
        case .filter(let condition):
            var inner = self
            inner.outerItem = outerItem ?? item
            inner.shape = AppliedShape(item: type)
            _ = try inner.condition(condition, "$filter")
            return type
        case .annotation:
            return nil
        }
    }
}
