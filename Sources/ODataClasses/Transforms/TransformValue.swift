import ODataModel
import ODataQuery

/// A step, or several steps, of `$apply` (Data Aggregation 4.0, section 3): instances in, instances out.
open class TransformValue: DataValue, @unchecked Sendable {
    // Immutable.
    package final let steps: [Transformation]

    package init(_ steps: [Transformation]) {
        self.steps = steps
        super.init()
    }

    /// The steps as URL text, not percent-encoded.
    open override func toString() -> String {
        (try? URLWriter.plainText(of: steps)) ?? ""
    }

    /// Equal when the steps are.
    open override func equals(_ other: AnyObject?) -> Bool {
        steps == (other as? TransformValue)?.steps
    }

    /// Hashes the steps.
    open override func hash(into hasher: inout Hasher) { hasher.combine(steps) }

    /// The steps one behind the other; aggregates side by side become one step.
    static func joined(_ values: [TransformValue]) -> [Transformation] {
        var result: [Transformation] = []
        for value in values {
            if value is AggregateValue, case .aggregate(let terms)? = result.last,
                case .aggregate(let more)? = value.steps.first
            {
                result[result.count - 1] = .aggregate(terms + more)
            } else {
                result += value.steps
            }
        }
        return result
    }

    /// The object for a step.
    static func of(_ step: Transformation) -> TransformValue {
        switch step {
        case .identity: IdentityTransform()
        case .aggregate: AggregateValue([step])
        case .groupBy: GroupTransform([step])
        case .concat: ConcatTransform([step])
        case .compute: ComputeTransform([step])
        case .filter: FilterTransform([step])
        case .search: SearchTransform([step])
        case .expand: ExpandTransform([step])
        case .ranked(let method, _, _):
            method.isTop ? TopTransform([step]) : BottomTransform([step])
        default: TransformValue([step])
        }
    }
}

/// Steps, in order.
open class TransformValueList: ValueList<TransformValue>, @unchecked Sendable {}

/// Keeps the instances that meet a condition (section 3.3.1 of the text named above).
open class FilterTransform: TransformValue, @unchecked Sendable {
    /// Keeps the instances that meet the condition.
    public static func of(_ filter: QueryFilter) -> FilterTransform {
        FilterTransform([.filter(filter.expression)])
    }

    /// The condition.
    open var filter: QueryFilter {
        if case .filter(let condition)? = steps.first {
            QueryFilter(condition)
        } else {
            QueryFilter(.literal(.boolean(true), .boolean))
        }
    }
}

/// Keeps the instances that match a text.
open class SearchTransform: TransformValue, @unchecked Sendable {
    /// Keeps the instances that match the text.
    public static func of(_ text: String) -> SearchTransform {
        SearchTransform([.search(SearchExpression(text: text))])
    }

    /// The text.
    open var searchText: String {
        if case .search(let search)? = steps.first { search.text } else { "" }
    }
}

/// Gives the instances as they are.
open class IdentityTransform: TransformValue, @unchecked Sendable {
    /// Gives the instances as they are.
    public init() { super.init([.identity]) }
}

/// Gives the results of several sequences of steps, one behind the other.
open class ConcatTransform: TransformValue, @unchecked Sendable {
    /// The results of these sequences; a value with several steps is one sequence.
    public static func of(_ sequences: TransformValue...) -> ConcatTransform {
        ConcatTransform([.concat(sequences.map(\.steps))])
    }

    /// The sequences.
    open var sequences: TransformValueList {
        guard case .concat(let sequences)? = steps.first else { return [] }
        return TransformValueList.fromArray(sequences.map { TransformValue($0) })
    }
}

/// Adds computed properties.
open class ComputeTransform: TransformValue, @unchecked Sendable {
    /// Adds a property named `alias` that holds the value.
    public static func of(_ value: QueryValue, _ alias: String) -> ComputeTransform {
        ComputeTransform([.compute([ComputeItem(value.queryExpression, alias: alias)])])
    }

    /// Adds another property beside these.
    open func and(_ value: QueryValue, _ alias: String) -> ComputeTransform {
        guard case .compute(let items)? = steps.first else { return .of(value, alias) }
        return ComputeTransform([
            .compute(items + [ComputeItem(value.queryExpression, alias: alias)])
        ])
    }
}

/// Adds expanded entities; their query may filter and expand further.
open class ExpandTransform: TransformValue, @unchecked Sendable {
    /// Adds what the item expands.
    public static func of(_ item: ExpandItem) -> ExpandTransform {
        ExpandTransform([.expand(item.term)])
    }
}
