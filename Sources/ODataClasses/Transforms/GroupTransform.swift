import ODataModel
import ODataQuery

/// Groups instances by values and runs steps in each group (Data Aggregation 4.0, section 3.2.3).
open class GroupTransform: TransformValue, @unchecked Sendable {
    // Immutable.

    /// Groups by these paths; without further steps one instance for each combination is kept.
    public static func by(_ paths: PropertyPath...) -> GroupTransform {
        GroupTransform([.groupBy(paths.map { .path($0.expressionPath) }, [])])
    }

    /// Groups by all of these paths, then by all but the last, and so on to the first alone.
    public static func byRollup(_ paths: PropertyPath...) -> GroupTransform {
        GroupTransform([
            .groupBy([.rollup(paths.map(\.expressionPath), includesAll: false)], [])
        ])
    }

    private var parts: ([GroupingTerm], [Transformation]) {
        if case .groupBy(let groupings, let inner)? = steps.first {
            (groupings, inner)
        } else {
            ([], [])
        }
    }

    /// The same groups, and those of a roll-up of these paths beside them.
    open func rollup(_ paths: PropertyPath...) -> GroupTransform {
        let (groupings, inner) = parts
        let rollup = GroupingTerm.rollup(paths.map(\.expressionPath), includesAll: false)
        return GroupTransform([.groupBy(groupings + [rollup], inner)])
    }

    /// The same groups, with these steps run in each, behind those there are.
    open func apply(_ values: TransformValue...) -> GroupTransform { applying(values) }

    /// The same groups, with these aggregates made in each.
    open func aggregate(_ values: AggregateValue...) -> GroupTransform { applying(values) }

    final func applying(_ values: [TransformValue]) -> GroupTransform {
        let (groupings, inner) = parts
        let before = inner.isEmpty ? [] : [TransformValue(inner)]
        return GroupTransform([.groupBy(groupings, TransformValue.joined(before + values))])
    }

    /// The paths that are grouped by, those of roll-ups included.
    open var groupPaths: PropertyPathList {
        PropertyPathList.fromArray(
            parts.0.flatMap { grouping -> [ExpressionPath] in
                switch grouping {
                case .path(let path): [path]
                case .rollup(let paths, _): paths
                case .rollupRecursive(let hierarchy, _): [hierarchy.node]
                }
            }.map { DataPath.of($0, in: nil) })
    }

    /// The steps that run in each group.
    open var transformValues: TransformValueList {
        TransformValueList.fromArray(parts.1.map { TransformValue.of($0) })
    }
}

/// Keeps instances by rank: as many as a number says, or as many as make up a sum or a percentage
/// (Data Aggregation 4.0, section 3.3).
open class AmountTransform: TransformValue, @unchecked Sendable {
    // Immutable.
    package static func step(
        _ method: RankedMethod, _ amount: DataValue, _ value: QueryValue
    ) -> Transformation {
        .ranked(method, amount: amount.queryExpression, by: value.queryExpression)
    }

    /// How much is kept.
    open var amount: QueryValue {
        if case .ranked(_, let amount, _)? = steps.first {
            QueryExpression(amount)
        } else {
            QueryExpression(.literal(.null, nil))
        }
    }

    /// What instances are ranked by.
    open var value: QueryValue {
        if case .ranked(_, _, let value)? = steps.first {
            QueryExpression(value)
        } else {
            QueryExpression(.literal(.null, nil))
        }
    }
}

/// Keeps the instances with the greatest values.
open class TopTransform: AmountTransform, @unchecked Sendable {
    /// As many as `amount` says.
    public static func count(_ amount: Int, _ value: QueryValue) -> TopTransform {
        TopTransform([step(.topCount, IntValue.of(amount), value)])
    }

    /// As few as have together at least `amount`.
    public static func sum(_ amount: DataValue, _ value: QueryValue) -> TopTransform {
        TopTransform([step(.topSum, amount, value)])
    }

    /// As few as have together at least this percentage of all.
    public static func percent(_ amount: DataValue, _ value: QueryValue) -> TopTransform {
        TopTransform([step(.topPercent, amount, value)])
    }
}

/// Keeps the instances with the smallest values.
open class BottomTransform: AmountTransform, @unchecked Sendable {
    /// As many as `amount` says.
    public static func count(_ amount: Int, _ value: QueryValue) -> BottomTransform {
        BottomTransform([step(.bottomCount, IntValue.of(amount), value)])
    }

    /// As few as have together at least `amount`.
    public static func sum(_ amount: DataValue, _ value: QueryValue) -> BottomTransform {
        BottomTransform([step(.bottomSum, amount, value)])
    }

    /// As few as have together at least this percentage of all.
    public static func percent(_ amount: DataValue, _ value: QueryValue) -> BottomTransform {
        BottomTransform([step(.bottomPercent, amount, value)])
    }
}
