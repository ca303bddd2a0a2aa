import ODataModel
import ODataText

/// Types of aggregates (Data Aggregation 4.0, sections 3.1.3 and 3.2.1).
extension ExpressionChecker {
    /// The type of the aggregate over instances of this checker's shape; its literals get their types.
    func check(_ term: inout AggregateTerm) throws -> TypeReference? {
        var type: TypeReference?
        switch term.value {
        case .count(let path):
            if !path.segments.isEmpty { _ = try self.type(of: path, isSelection: true) }
            type = TypeReference(.primitive(.int64))
        case .expression(let expression, let method):
            var inner = self
            inner.crossesCollections = true
            var (checked, operand) = try inner.check(expression)
            operand?.isCollection = false
            type = try result(of: method, operand, place(expression, method.name))
            term.value = .expression(checked, method)
        case .custom(let path):
            type = try customAggregate(path)
        }
        for from in term.from {
            for path in from.groupings { _ = try self.type(of: path, isSelection: true) }
            guard let method = from.method else { continue }
            type = try result(of: method, type, method.name)
        }
        return type
    }

    private func result(
        of method: AggregationMethod, _ operand: TypeReference?, _ place: String
    ) throws -> TypeReference? {
        switch method {
        case .countDistinct: return TypeReference(.primitive(.int64))
        case .custom: return nil
        case .min, .max:
            guard let operand else { return nil }
            guard operand.structure == nil, operand.primitive?.isGeospatial != true,
                operand.primitive != .stream
            else { throw mismatch("an ordered value for \(method.name)", operand, place) }
            var result = operand
            result.isNullable = true
            return result
        case .sum, .average:
            guard let operand else { return nil }
            guard operand.isNumeric || operand.primitive == .duration else {
                throw mismatch("a number for \(method.name)", operand, place)
            }
            let type: PrimitiveType =
                switch operand.primitive {
                case .decimal: .decimal
                case .single, .double: .double
                case .duration: .duration
                default: method == .sum ? .int64 : .double
                }
            return TypeReference(.primitive(type))
        }
    }

    /// The type of an aggregate that the model declares for the type at the end of the path.
    private func customAggregate(_ path: ExpressionPath) throws -> TypeReference? {
        guard case .property(let name)? = path.segments.last else { return nil }
        var owner: TypeReference? = item
        if path.segments.count > 1 {
            let parent = ExpressionPath(root: path.root, Array(path.segments.dropLast()))
            owner = try type(of: parent, isSelection: true)
            guard owner != nil else { return nil }
        }
        if let type = graph.customAggregate(name, of: owner?.structure) { return type }
        throw ODataError(
            .invalidQuery,
            "Expected with and a method behind \(name), which is no custom aggregate.",
            at: .path(text(path)))
    }

    /// `path/aggregate(…)`: the path leads to a collection, over whose members the aggregate is made.
    func check(_ path: ExpressionPath, _ term: AggregateTerm) throws -> Typed {
        var term = term
        var inner = self
        if path.root != .these || !path.segments.isEmpty {
            var outer = self
            outer.crossesCollections = true
            guard var type = try outer.type(of: path) else {
                return (.aggregate(path, term), nil)
            }
            type.isCollection = false
            inner = ExpressionChecker(
                graph: graph, shape: AppliedShape(item: type), aliases: aliases)
            inner.variables = variables
            inner.outerItem = outerItem ?? item
        }
        let type = try inner.check(&term)
        return (.aggregate(path, term), type)
    }

    // MARK: Shared with other clauses

    /// Types computed items one behind the other; returns the shape with them.
    func check(compute items: inout [ComputeItem]) throws -> AppliedShape {
        var checker = self
        for index in items.indices {
            let alias = items[index].alias
            // A computed property has a name of its own (URL Conventions 4.01, section 5.1.3.1).
            if let structure = shape.item.structure, graph[structure].slot(named: alias) != nil {
                throw ODataError(
                    .invalidQuery,
                    "Expected a name that \(graph[structure].qualifiedName) does not declare, "
                        + "found \(alias).", at: .path(alias))
            }
            let (expression, type) = try checker.check(items[index].expression)
            items[index].expression = expression
            checker.shape.add(items[index].alias, type)
        }
        return checker.shape
    }

    func check(order items: inout [OrderItem], _ place: String) throws {
        for index in items.indices {
            let (expression, type) = try check(items[index].expression)
            if let type, type.isCollection || type.structure != nil {
                throw mismatch("a primitive value", type, place)
            }
            items[index].expression = expression
        }
    }
}
