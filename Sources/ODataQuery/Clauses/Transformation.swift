import ODataModel

/// One step of `$apply` (Data Aggregation 4.0, section 3): a set of instances in, a set of instances out.
package indirect enum Transformation: Sendable, Hashable {
    case identity
    /// One instance with an alias for each term.
    case aggregate([AggregateTerm])
    /// One instance for each combination of the groupings; the steps run once in each group, none of them keeps only
    /// the groupings.
    case groupBy([GroupingTerm], [Transformation])
    /// The results of several sequences, one behind the other.
    case concat([[Transformation]])
    case compute([ComputeItem])
    case filter(Expression)
    case search(SearchExpression)
    case orderBy([OrderItem])
    case skip(Int)
    case top(Int)
    /// `topcount`, `bottomsum` and their like.
    case ranked(RankedMethod, amount: Expression, by: Expression)
    /// `expand(path,filter(…),expand(…))`; filter and expansions are in the options of the term.
    case expand(ExpandTerm)
    /// `addnested(path,steps as Alias,…)`.
    case addNested(ExpressionPath, [NestedTerm])
    /// `nest(steps as Alias,…)`.
    case nest([NestedTerm])
    /// `join(path as Alias,steps)`, or `outerjoin`.
    case join(ExpressionPath, alias: String, [Transformation], isOuter: Bool)
    /// `ancestors(…)` and `descendants(…)`.
    case relatives(RelativesTerm)
    /// `traverse(…)`.
    case traverse(TraverseTerm)
    /// A transformation of the service, by qualified name.
    case custom(name: String, arguments: [NamedArgument])
}

/// How `topcount` and its like choose instances (Data Aggregation 4.0, section 3.3).
package enum RankedMethod: String, Sendable, Hashable, CaseIterable {
    case topCount = "topcount", topSum = "topsum", topPercent = "toppercent"
    case bottomCount = "bottomcount", bottomSum = "bottomsum", bottomPercent = "bottompercent"

    package var isTop: Bool { self == .topCount || self == .topSum || self == .topPercent }

    package enum Measure: Sendable, Hashable { case count, sum, percent }

    package var measure: Measure {
        switch self {
        case .topCount, .bottomCount: .count
        case .topSum, .bottomSum: .sum
        case .topPercent, .bottomPercent: .percent
        }
    }
}

/// One value that instances are grouped by (Data Aggregation 4.0, section 3.2.3).
package enum GroupingTerm: Sendable, Hashable {
    case path(ExpressionPath)
    /// `rollup(a,b,c)`: groups by a, b, c, then by a, b, then by a; `includesAll` (`$all` in front) adds the grand
    /// total.
    case rollup([ExpressionPath], includesAll: Bool)
    /// `rolluprecursive(…)` along a hierarchy of instances.
    case rollupRecursive(HierarchyReference, [Transformation])
}

/// One value that `aggregate` makes (Data Aggregation 4.0, section 3.2.1).
package struct AggregateTerm: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case expression(Expression, AggregationMethod)
        /// `path/$count`; an empty path counts the instances.
        case count(ExpressionPath)
        /// An aggregate that the service defines by name.
        case custom(ExpressionPath)
    }

    package var value: Value
    /// Aggregation of the values that groups had, innermost first.
    package var from: [AggregationFrom]
    /// The name of the result; nil for a custom aggregate under its own name and inside expressions.
    package var alias: String?

    package init(_ value: Value, from: [AggregationFrom] = [], alias: String?) {
        self.value = value
        self.from = from
        self.alias = alias
    }

    /// The name of the property that holds the result; nil where there is none.
    package var name: String? {
        if let alias { return alias }
        guard case .custom(let path) = value, case .property(let name)? = path.segments.last else {
            return nil
        }
        return name
    }
}

/// How values become one (Data Aggregation 4.0, section 3.1.3).
package enum AggregationMethod: Sendable, Hashable {
    case sum, min, max, average, countDistinct
    /// A method that the service defines, by qualified name.
    case custom(String)

    /// The name as a URL spells it.
    package var name: String {
        switch self {
        case .sum: "sum"
        case .min: "min"
        case .max: "max"
        case .average: "average"
        case .countDistinct: "countdistinct"
        case .custom(let name): name
        }
    }

    /// The standard method with this name; nil for another.
    package init?(standard name: String) {
        switch name {
        case "sum": self = .sum
        case "min": self = .min
        case "max": self = .max
        case "average": self = .average
        case "countdistinct": self = .countDistinct
        default: return nil
        }
    }
}

/// `from a,b with method` (Data Aggregation 4.0, section 3.2.1.3): the value is made for each combination of the
/// groupings first, then `method` makes one of these values; nil only for custom aggregates.
package struct AggregationFrom: Sendable, Hashable {
    package var groupings: [ExpressionPath]
    package var method: AggregationMethod?

    package init(_ groupings: [ExpressionPath], method: AggregationMethod?) {
        self.groupings = groupings
        self.method = method
    }
}

/// A sequence of steps whose result gets a name.
package struct NestedTerm: Sendable, Hashable {
    package var steps: [Transformation]
    package var alias: String

    package init(_ steps: [Transformation], alias: String) {
        self.steps = steps
        self.alias = alias
    }
}

/// A recursive hierarchy (Data Aggregation 4.0, section 5.1): its nodes, its qualifier, and where the input has the
/// node's identifier.
package struct HierarchyReference: Sendable, Hashable {
    package var nodes: ExpressionPath
    package var qualifier: String
    package var node: ExpressionPath

    package init(nodes: ExpressionPath, qualifier: String, node: ExpressionPath) {
        self.nodes = nodes
        self.qualifier = qualifier
        self.node = node
    }
}

/// `ancestors(…)` or `descendants(…)` (Data Aggregation 4.0, section 6.1).
package struct RelativesTerm: Sendable, Hashable {
    package var isAncestors: Bool
    package var hierarchy: HierarchyReference
    /// What the start nodes are.
    package var start: [Transformation]
    package var maximumDistance: Int?
    package var keepsStart: Bool

    package init(
        isAncestors: Bool, hierarchy: HierarchyReference, start: [Transformation],
        maximumDistance: Int? = nil, keepsStart: Bool = false
    ) {
        self.isAncestors = isAncestors
        self.hierarchy = hierarchy
        self.start = start
        self.maximumDistance = maximumDistance
        self.keepsStart = keepsStart
    }
}

/// `traverse(…)` (Data Aggregation 4.0, section 6.2).
package struct TraverseTerm: Sendable, Hashable {
    package var hierarchy: HierarchyReference
    package var isPreorder: Bool
    package var orderBy: [OrderItem]

    package init(hierarchy: HierarchyReference, isPreorder: Bool, orderBy: [OrderItem] = []) {
        self.hierarchy = hierarchy
        self.isPreorder = isPreorder
        self.orderBy = orderBy
    }
}
