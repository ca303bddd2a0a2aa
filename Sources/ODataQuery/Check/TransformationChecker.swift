import ODataModel
import ODataText

/// Checks the steps of `$apply`, gives their literals types and follows the shape of the instances
/// (Data Aggregation 4.0, section 3).
struct TransformationChecker {
    let graph: MetadataGraph
    let aliases: AliasExpansion

    /// Checks `steps` one behind the other; returns the shape of what the last one gives.
    func check(_ steps: inout [Transformation], _ shape: AppliedShape) throws -> AppliedShape {
        var shape = shape
        for index in steps.indices { shape = try check(&steps[index], shape) }
        return shape
    }

    func checker(_ shape: AppliedShape) -> ExpressionChecker {
        ExpressionChecker(graph: graph, shape: shape, aliases: aliases)
    }

    private func check(
        _ step: inout Transformation, _ shape: AppliedShape
    ) throws -> AppliedShape {
        let checker = checker(shape)
        switch step {
        case .identity, .search, .skip, .top:
            return shape
        case .filter(let condition):
            step = .filter(try checker.condition(condition, "filter"))
            return shape
        case .compute(var items):
            let result = try checker.check(compute: &items)
            step = .compute(items)
            return result
        case .orderBy(var items):
            try checker.check(order: &items, "orderby")
            step = .orderBy(items)
            return shape
        case .ranked(let method, let amount, let value):
            step = try check(ranked: method, amount, value, checker)
            return shape
        case .aggregate(let terms):
            return try check(aggregate: terms, shape, &step)
        case .groupBy(let groupings, let inner):
            return try check(groupings, inner, shape, &step)
        case .concat(let sequences):
            return try check(concat: sequences, shape, &step)
        case .expand, .addNested, .nest, .join:
            return try check(nesting: &step, shape)
        case .relatives, .traverse:
            try check(hierarchical: &step, shape)
            return shape
        case .custom(let name, let arguments):
            guard !graph.operations(named: name).isEmpty else {
                throw ODataError(
                    .unknownName, "Expected a transformation, found \(name).", at: .path(name))
            }
            step = .custom(name: name, arguments: arguments)
            var result = shape
            result.kept = nil
            result.isOpen = true
            return result
        }
    }

    private func check(
        ranked method: RankedMethod, _ amount: Expression, _ value: Expression,
        _ checker: ExpressionChecker
    ) throws -> Transformation {
        let (first, amountType) = try checker.check(amount)
        if let amountType, !amountType.isNumeric {
            throw checker.mismatch("a number for \(method.rawValue)", amountType, method.rawValue)
        }
        let (second, type) = try checker.check(value)
        let place = checker.place(value, method.rawValue)
        if let type {
            if method.measure != .count, !type.isNumeric {
                throw checker.mismatch("a number for \(method.rawValue)", type, place)
            }
            if type.isCollection || type.structure != nil {
                throw checker.mismatch("a primitive value", type, place)
            }
        }
        return .ranked(method, amount: first, by: second)
    }

    private func check(
        concat sequences: [[Transformation]], _ shape: AppliedShape, _ step: inout Transformation
    ) throws -> AppliedShape {
        var sequences = sequences
        var result: AppliedShape?
        for index in sequences.indices {
            let one = try check(&sequences[index], shape)
            result = result.map { $0.union(one) } ?? one
        }
        step = .concat(sequences)
        return result ?? shape
    }

    // MARK: Groups

    private func check(
        _ groupings: [GroupingTerm], _ inner: [Transformation], _ shape: AppliedShape,
        _ step: inout Transformation
    ) throws -> AppliedShape {
        let checker = checker(shape)
        var groupings = groupings
        var grouped: [ExpressionPath] = []
        var nodes: [[String]] = []
        for index in groupings.indices {
            switch groupings[index] {
            case .path(let path): grouped.append(path)
            case .rollup(let paths, _): grouped += try leveled(paths, shape)
            case .rollupRecursive(let hierarchy, var steps):
                try check(hierarchy, shape)
                _ = try check(nodes: hierarchy, &steps)
                groupings[index] = .rollupRecursive(hierarchy, steps)
                _ = try checker.type(of: hierarchy.node, isSelection: true)
                nodes += try kept(of: hierarchy, shape)
            }
        }
        for path in grouped {
            let type = try checker.type(of: path, isSelection: true)
            // Groupings are single values (Data Aggregation 4.0, section 3.2.3.1).
            guard let type, type.isCollection else { continue }
            throw checker.mismatch("a single value to group by", type, checker.text(path))
        }
        var inner = inner
        var result = try inner.isEmpty ? AppliedShape(nothingOf: shape) : check(&inner, shape)
        step = .groupBy(groupings, inner)
        let names = grouped.map(\.memberNames) + nodes
        if let kept = result.kept { result.kept = names + kept.filter { !names.contains($0) } }
        for path in names {
            guard let name = path.first, let property = shape.dynamicProperty(name),
                result.dynamicProperty(name) == nil
            else { continue }
            result.add(name, property.type)
        }
        return result
    }

    /// The levels of a leveled hierarchy that the model names, or the paths themselves.
    private func leveled(
        _ paths: [ExpressionPath], _ shape: AppliedShape
    ) throws -> [ExpressionPath] {
        guard paths.count == 1, let names = paths[0].propertyNames, names.count == 1,
            let type = shape.item.structure, graph[type].slot(named: names[0]) == nil,
            let levels = graph.leveledHierarchy(names[0], of: type)
        else { return paths }
        return levels
    }

    private func check(
        aggregate terms: [AggregateTerm], _ shape: AppliedShape, _ step: inout Transformation
    ) throws -> AppliedShape {
        var result = AppliedShape(nothingOf: shape)
        var terms = terms
        let checker = checker(shape)
        for index in terms.indices {
            let type = try checker.check(&terms[index])
            guard let name = terms[index].name else { continue }
            guard result.dynamicProperty(name) == nil else {
                throw ODataError(
                    .invalidQuery, "Expected each alias once, found \(name) again.",
                    at: .path(name))
            }
            result.add(name, type)
        }
        step = .aggregate(terms)
        return result
    }
}

extension AppliedShape {
    /// The shape without any property.
    fileprivate init(nothingOf shape: AppliedShape) {
        self.init(item: shape.item)
        kept = []
    }
}

extension ExpressionPath {
    /// The names of the properties on the path; casts are left out.
    package var memberNames: [String] {
        segments.compactMap { if case .property(let name) = $0 { name } else { nil } }
    }
}

extension MetadataGraph {
    private static let aggregationNamespace = "Org.OData.Aggregation.V1."

    /// The paths of `Aggregation.LeveledHierarchy#name` (Data Aggregation 4.0, section 5.4); nil when it is not there.
    package func leveledHierarchy(_ name: String, of type: StructureID) -> [ExpressionPath]? {
        let term = Self.aggregationNamespace + "LeveledHierarchy"
        guard let annotation = self[type].annotations.first(term: term, qualifier: name),
            case .collection(let items) = annotation.value
        else { return nil }
        return items.compactMap { item -> ExpressionPath? in
            switch item {
            case .path(_, let text), .string(let text): ExpressionPath(text)
            default: nil
            }
        }
    }

    /// The type of `Aggregation.CustomAggregate#name` on the type, its sets or the container (Data Aggregation 4.0,
    /// section 4.3): nil when there is none, a nil type when its type is not known.
    package func customAggregate(_ name: String, of type: StructureID?) -> TypeReference?? {
        guard let found = customAggregateAnnotation(name, of: type) else { return nil }
        guard case .string(let text) = found.value else { return .some(nil) }
        return .some(self.type(named: text))
    }

    func customAggregateAnnotation(
        _ name: String, of type: StructureID?
    ) -> AnnotationDefinition? {
        let term = Self.aggregationNamespace + "CustomAggregate"
        var places = containers.map(\.annotations)
        if let type {
            places.append(self[type].annotations)
            places += entitySets.filter { isA(type, $0.type) }.map(\.annotations)
        }
        return places.lazy.compactMap { $0.first(term: term, qualifier: name) }.first
    }
}
