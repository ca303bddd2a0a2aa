import ODataModel
import ODataText

/// `$apply` as text (Data Aggregation 4.0, section 3).
extension ExpressionWriter {
    mutating func write(apply steps: [Transformation]) throws {
        for (index, step) in steps.enumerated() {
            if index > 0 { structure("/") }
            try write(deeper: step)
        }
    }

    mutating func write(step: Transformation) throws {
        switch step {
        case .identity: structure("identity")
        case .aggregate(let terms):
            try call("aggregate", terms) { try $0.write(aggregate: $1) }
        case .groupBy(let groupings, let steps):
            structure("groupby(")
            try call("", groupings) { try $0.write(grouping: $1) }
            try rest(steps)
            structure(")")
        case .concat(let sequences):
            try call("concat", sequences) { try $0.write(apply: $1) }
        case .compute(let items):
            try call("compute", items) { try $0.write(compute: $1) }
        case .filter(let condition):
            structure("filter(")
            try write(condition)
            structure(")")
        case .search(let search):
            structure("search(")
            write(search: search)
            structure(")")
        case .orderBy(let items):
            try call("orderby", items) { try $0.write(order: $1) }
        case .skip(let count): data("skip(\(count))")
        case .top(let count): data("top(\(count))")
        case .ranked(let method, let amount, let value):
            try call(method.rawValue, [amount, value]) { try $0.write($1) }
        case .expand, .addNested, .nest, .join: try write(nesting: step)
        case .relatives, .traverse: try write(hierarchical: step)
        case .custom(let name, let arguments):
            data(name)
            try write(arguments: arguments)
        }
    }

    /// `name(item,item)`.
    mutating func call<Item>(
        _ name: String, _ items: [Item], _ write: (inout ExpressionWriter, Item) throws -> Void
    ) throws {
        data(name)
        structure("(")
        for (index, item) in items.enumerated() {
            if index > 0 { structure(",") }
            try write(&self, item)
        }
        structure(")")
    }

    /// `,steps` where there are any.
    private mutating func rest(_ steps: [Transformation]) throws {
        guard !steps.isEmpty else { return }
        structure(",")
        try write(apply: steps)
    }

    mutating func write(compute item: ComputeItem) throws {
        try write(item.expression)
        structure(" as ")
        data(item.alias)
    }

    mutating func write(order item: OrderItem) throws {
        try write(item.expression)
        if item.isDescending { structure(" desc") }
    }

    mutating func write(aggregate term: AggregateTerm) throws {
        switch term.value {
        case .expression(let expression, let method):
            try write(expression)
            structure(" with ")
            data(method.name)
        case .count(let path): try write(count: path, nil)
        case .custom(let path): try write(path)
        }
        for from in term.from {
            structure(" from ")
            for (index, path) in from.groupings.enumerated() {
                if index > 0 { structure(",") }
                try write(path)
            }
            guard let method = from.method else { continue }
            structure(" with ")
            data(method.name)
        }
        guard let alias = term.alias else { return }
        structure(" as ")
        data(alias)
    }

    private mutating func write(grouping: GroupingTerm) throws {
        switch grouping {
        case .path(let path): try write(path)
        case .rollup(let paths, let includesAll):
            structure("rollup(")
            if includesAll { structure(paths.isEmpty ? "$all" : "$all,") }
            for (index, path) in paths.enumerated() {
                if index > 0 { structure(",") }
                try write(path)
            }
            structure(")")
        case .rollupRecursive(let hierarchy, let steps):
            structure("rolluprecursive(")
            try write(hierarchy)
            try rest(steps)
            structure(")")
        }
    }

    // MARK: Nested instances

    private mutating func write(nesting step: Transformation) throws {
        switch step {
        case .expand(let term): try write(expand: term)
        case .nest(let terms): try call("nest", terms) { try $0.write(nested: $1) }
        case .addNested(let path, let terms):
            structure("addnested(")
            try write(path)
            for term in terms {
                structure(",")
                try write(nested: term)
            }
            structure(")")
        case .join(let path, let alias, let steps, let isOuter):
            structure(isOuter ? "outerjoin(" : "join(")
            try write(path)
            structure(" as ")
            data(alias)
            try rest(steps)
            structure(")")
        default: break
        }
    }

    private mutating func write(nested term: NestedTerm) throws {
        try write(apply: term.steps)
        structure(" as ")
        data(term.alias)
    }

    private mutating func write(expand term: ExpandTerm) throws {
        structure("expand(")
        try write(term.path)
        if let filter = term.options.filter {
            structure(",filter(")
            try write(filter)
            structure(")")
        }
        for inner in term.options.expand {
            structure(",")
            try write(expand: inner)
        }
        structure(")")
    }

    // MARK: Hierarchies

    private mutating func write(_ hierarchy: HierarchyReference) throws {
        try write(hierarchy.nodes)
        structure(",")
        data(hierarchy.qualifier)
        structure(",")
        try write(hierarchy.node)
    }

    private mutating func write(hierarchical step: Transformation) throws {
        switch step {
        case .relatives(let term):
            structure(term.isAncestors ? "ancestors(" : "descendants(")
            try write(term.hierarchy)
            try rest(term.start)
            if let distance = term.maximumDistance { data(",\(distance)") }
            if term.keepsStart { structure(",keep start") }
        case .traverse(let term):
            structure("traverse(")
            try write(term.hierarchy)
            structure(term.isPreorder ? ",preorder" : ",postorder")
            for item in term.orderBy {
                structure(",")
                try write(order: item)
            }
        default: return
        }
        structure(")")
    }
}
