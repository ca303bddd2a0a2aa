import ODataModel
import ODataText

/// Checks a query against a model and gives its literals the types of what they meet (URL Conventions 4.01,
/// section 5.1; V2 URI conventions, section 4).
package enum QueryChecker {
    /// - Throws: `unknownName` for what the model does not define, `invalidQuery` for operands, operators and options that
    ///   do not fit, `invalidValue` for keys and arguments of the wrong type; each says where and what was expected.
    package static func check(_ query: inout Query, graph: MetadataGraph) throws {
        let aliases = try AliasExpansion(query.aliases)
        let resource = try checkPath(&query, aliases, graph)
        if case .crossjoin(let sets) = resource.kind {
            return try CrossJoinChecker(graph: graph, aliases: aliases).check(&query, sets)
        }
        guard let type = resource.type else { return }
        let checker = OptionsChecker(graph: graph, aliases: aliases)
        var options = NestedOptions(query)
        var item = type
        item.isCollection = false
        try checker.check(&options, of: item)
        query.filter = options.filter
        query.orderBy = options.orderBy
        query.select = options.select
        query.expand = options.expand
        query.compute = options.compute
        query.apply = options.apply
    }

    /// What the instances look like that the other options of a checked query see, and that its answer holds: the shape
    /// behind `$apply` and `$compute`; nil where the resource has no type.
    package static func shape(of query: Query, graph: MetadataGraph) throws -> AppliedShape? {
        guard let type = try ResourceResolver.resolve(query.path, in: graph).type else {
            return nil
        }
        return try shape(of: NestedOptions(query), item: type, aliases: query.aliases, graph: graph)
    }

    /// As ``shape(of:graph:)``, for the options of an expand item over entities of type `item`.
    package static func shape(
        of options: NestedOptions, item: TypeReference, aliases: [String: Expression],
        graph: MetadataGraph
    ) throws -> AppliedShape {
        var options = options
        let aliases = try AliasExpansion(aliases)
        let transformations = TransformationChecker(graph: graph, aliases: aliases)
        let shape = try transformations.check(&options.apply, AppliedShape(item: item))
        return try ExpressionChecker(graph: graph, shape: shape, aliases: aliases)
            .check(compute: &options.compute)
    }

    /// Checks one filter or order expression for entities of `type`; returns it with typed literals.
    package static func check(
        _ expression: Expression, of type: StructureID, graph: MetadataGraph
    ) throws -> Expression {
        let checker = try ExpressionChecker(
            graph: graph, item: TypeReference(.structure(type)), aliases: AliasExpansion())
        return try checker.check(expression).expression
    }

    /// Resolves the path segment by segment, typing keys and arguments on the way.
    private static func checkPath(
        _ query: inout Query, _ aliases: AliasExpansion, _ graph: MetadataGraph
    ) throws -> ResolvedResource {
        var walk = ResourceWalk(graph: graph, aliases: query.aliases)
        for (index, segment) in query.path.segments.enumerated() {
            let before = walk.result
            try walk.step(segment)
            switch segment {
            case .key(let values):
                guard let type = before.structure,
                    graph[type].key.count == 1 || values.first?.name != nil
                else { continue }
                query.path.segments[index] = .key(typed(values, type, graph))
            case .operation(let name, let arguments):
                guard case .operation(let position, _)? = walk.result.steps.last else { continue }
                query.path.segments[index] = .operation(
                    name, try typed(arguments, graph.operations[position], graph))
            case .filter(let expression):
                guard let type = before.structure else { continue }
                let checker = ExpressionChecker(
                    graph: graph, item: TypeReference(.structure(type)), aliases: aliases)
                query.path.segments[index] = .filter(try checker.condition(expression, "$filter"))
            default:
                continue
            }
        }
        try walk.end()
        return walk.result
    }

    private static func typed(
        _ values: [KeyValue], _ type: StructureID, _ graph: MetadataGraph
    ) -> [KeyValue] {
        values.map { value in
            let property = graph[type].key.first { value.name == nil || $0.name == value.name }
            guard let property, let target = graph.type(ofPath: property.path, in: type) else {
                return value
            }
            return KeyValue(
                name: value.name, value: typed(value.value, target, graph) ?? value.value)
        }
    }

    private static func typed(
        _ arguments: [NamedArgument], _ operation: OperationDefinition, _ graph: MetadataGraph
    ) throws -> [NamedArgument] {
        try arguments.map { argument in
            guard let parameter = operation.parameters.first(where: { $0.name == argument.name })
            else {
                throw ODataError(
                    .unknownName,
                    "Expected a parameter of \(operation.qualifiedName), found \(argument.name).",
                    at: .path(operation.name))
            }
            guard argument.value.isLiteral, !parameter.type.isCollection else { return argument }
            guard let value = typed(argument.value, parameter.type, graph) else {
                throw ODataError(
                    .invalidValue,
                    "Expected a value of \(graph.name(of: parameter.type)) for \(argument.name).",
                    at: .path(operation.name))
            }
            return NamedArgument(name: argument.name, value: value)
        }
    }

    private static func typed(
        _ value: Expression, _ type: TypeReference, _ graph: MetadataGraph
    ) -> Expression? {
        guard let scalar = LiteralConversion(graph: graph).scalar(value, as: type) else {
            return nil
        }
        if case .enumeration(let id) = type.kind {
            guard case .literal(.string(let members), _) = value else { return value }
            return .enumeration(type: graph[id].qualifiedName, members: members)
        }
        return .literal(scalar, type.primitive)
    }
}

/// Checks the options of one level and, through `$expand`, of those below it.
struct OptionsChecker {
    let graph: MetadataGraph
    let aliases: AliasExpansion

    func check(_ options: inout NestedOptions, of item: TypeReference) throws {
        let known = try aliases.with(options.aliases)
        let applied = try TransformationChecker(graph: graph, aliases: known)
            .check(&options.apply, AppliedShape(item: item))
        var checker = ExpressionChecker(graph: graph, shape: applied, aliases: known)
        checker.shape = try checker.check(compute: &options.compute)
        if let filter = options.filter {
            options.filter = try checker.condition(filter, "$filter")
        }
        try checker.check(order: &options.orderBy, "$orderby")
        guard let structure = item.structure else { return }
        for index in options.select.indices {
            try check(&options.select[index], in: structure, checker)
        }
        for index in options.expand.indices {
            try check(&options.expand[index], in: structure, checker)
        }
    }

    private func check(
        _ item: inout SelectTerm, in structure: StructureID, _ checker: ExpressionChecker
    ) throws {
        if item.path.segments.count == 1 {
            switch item.path.segments[0] {
            case .typeCast(let name) where isOperation(name): return
            case .property(let name) where checker.shape.dynamicProperty(name) != nil: return
            case .function, .annotation: return
            default: break
            }
        }
        let type = try checker.type(of: item.path, isSelection: true)
        guard var options = item.options, var type else { return }
        type.isCollection = false
        try check(&options, of: type)
        item.options = options
    }

    private func isOperation(_ name: String) -> Bool {
        name.hasSuffix(".*") || !graph.operations(named: name).isEmpty
    }

    private func check(
        _ item: inout ExpandTerm, in structure: StructureID, _ checker: ExpressionChecker
    ) throws {
        guard !item.isStar else { return }
        if case .annotation? = item.path.segments.first { return }
        guard var type = try checker.type(of: item.path, isSelection: true) else { return }
        guard let target = type.structure, graph[target].kind == .entity else {
            guard type.primitive == .stream else {
                throw checker.mismatch(
                    "a navigation property", type, "$expand=\(checker.text(item.path))")
            }
            return
        }
        type.isCollection = false
        try check(&item.options, of: type)
    }
}

extension Expression {
    var isLiteral: Bool {
        switch self {
        case .literal, .enumeration: true
        default: false
        }
    }
}
