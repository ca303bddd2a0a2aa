import ODataModel
import ODataText

/// Checks the options of `$crossjoin(A,B)`, whose instances have one navigation property for each entity set, named as the
/// set is (URL Conventions 4.01, section 4.15).
struct CrossJoinChecker {
    let graph: MetadataGraph
    let aliases: AliasExpansion

    /// - Throws: `unknownName` for paths that do not begin with one of the sets, and what ``OptionsChecker`` throws.
    func check(_ query: inout Query, _ sets: [EntitySetID]) throws {
        let names = Set(sets.map { graph[$0].name })
        // Steps of `$apply` make other instances; who carries them out checks them.
        guard query.apply.isEmpty, query.compute.isEmpty else { return }
        var shape = AppliedShape(item: TypeReference(.primitive(.untyped)))
        shape.kept = []
        for set in sets { shape.add(graph[set].name, TypeReference(.structure(graph[set].type))) }
        let checker = ExpressionChecker(graph: graph, shape: shape, aliases: aliases)
        var known: Set<String> = []
        if let filter = query.filter {
            try requirePaths(in: filter, from: names, &known)
            query.filter = try checker.condition(filter, "$filter")
        }
        for item in query.orderBy { try requirePaths(in: item.expression, from: names, &known) }
        try checker.check(order: &query.orderBy, "$orderby")
        for item in query.select { _ = try set(of: item.path, among: sets) }
        for index in query.expand.indices where !query.expand[index].isStar {
            let set = try set(of: query.expand[index].path, among: sets)
            try OptionsChecker(graph: graph, aliases: aliases).check(
                &query.expand[index].options, of: TypeReference(.structure(graph[set].type)))
        }
    }

    /// Values of aliases are looked at once, wherever they stand.
    private func requirePaths(
        in expression: Expression, from names: Set<String>, _ known: inout Set<String>
    ) throws {
        switch expression {
        case .path(let path), .lambda(_, let path, _, _), .count(let path, _),
            .aggregate(let path, _):
            try require(path, from: names)
        case .alias(let name):
            if let value = aliases.values[name], known.insert(name).inserted {
                try requirePaths(in: value, from: names, &known)
            }
        default: break
        }
        // What filters the members of a collection begins at these.
        if case .count(_, .some) = expression { return }
        for part in expression.parts { try requirePaths(in: part, from: names, &known) }
    }

    private func require(_ path: ExpressionPath, from names: Set<String>) throws {
        guard path.root == .it else { return }
        if case .property(let name)? = path.segments.first, names.contains(name) { return }
        throw ODataError(
            .unknownName, "Expected a path that begins with an entity set of the cross join.",
            at: .path(path.propertyNames?.joined(separator: "/") ?? "path"))
    }

    /// The set that an item of `$select` or `$expand` names.
    private func set(of path: ExpressionPath, among sets: [EntitySetID]) throws -> EntitySetID {
        let names = path.propertyNames ?? []
        guard names.count == 1, let set = sets.first(where: { graph[$0].name == names[0] }) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the cross join.",
                at: .path(names.joined(separator: "/")))
        }
        return set
    }
}
