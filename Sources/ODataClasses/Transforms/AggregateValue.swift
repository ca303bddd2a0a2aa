import ODataModel
import ODataQuery

/// Aggregates of a set of instances, as one step (Data Aggregation 4.0, section 3.2.1).
open class AggregateValue: TransformValue, @unchecked Sendable {
    // Immutable.

    /// The step that makes these aggregates.
    public static func of(_ expressions: AggregateExpression...) -> AggregateValue {
        AggregateValue([.aggregate(expressions.map(\.term))])
    }

    /// The step that makes these aggregates and others.
    open func and(_ other: AggregateValue) -> AggregateValue {
        AggregateValue(TransformValue.joined([self, other]))
    }

    /// The aggregates.
    open var expressions: AggregateExpressionList {
        guard case .aggregate(let terms)? = steps.first else { return [] }
        return AggregateExpressionList.fromArray(terms.map { AggregateExpression($0) })
    }
}

/// One aggregate with the name of the property that holds it.
open class AggregateExpression: DataValue, @unchecked Sendable {
    // Immutable.
    package final let term: AggregateTerm

    package init(_ term: AggregateTerm) {
        self.term = term
        super.init()
    }

    /// The aggregate of a value by a method.
    public static func of(
        _ value: QueryValue, _ method: AggregateMethod, _ alias: String
    ) -> AggregateExpression {
        AggregateExpression(
            AggregateTerm(.expression(value.queryExpression, method.method), alias: alias))
    }

    /// How many instances there are.
    public static func count(alias: String) -> AggregateExpression {
        AggregateExpression(AggregateTerm(.count(ExpressionPath([])), alias: alias))
    }

    /// How many related instances there are.
    public static func count(_ path: PropertyPath, alias: String) -> AggregateExpression {
        AggregateExpression(AggregateTerm(.count(path.expressionPath), alias: alias))
    }

    /// An aggregate that the service defines by name, under that name or another (section 4.3 of the text).
    public static func custom(_ path: PropertyPath, alias: String? = nil) -> AggregateExpression {
        AggregateExpression(AggregateTerm(.custom(path.expressionPath), alias: alias))
    }

    /// The name of the property that holds the aggregate; nil for a custom one under its own name.
    open var alias: String? { term.alias }

    /// What is aggregated; nil for counts and custom aggregates.
    open var value: QueryValue? {
        if case .expression(let expression, _) = term.value {
            QueryExpression(expression)
        } else {
            nil
        }
    }

    /// How it is aggregated; nil for counts and custom aggregates.
    open var method: AggregateMethod? {
        if case .expression(_, let method) = term.value { AggregateMethod(method) } else { nil }
    }

    /// The aggregate, made for groups first and then from what they gave.
    open func addFrom(_ from: AggregateFrom) -> AggregateExpression {
        var term = term
        term.from.append(from.from)
        return AggregateExpression(term)
    }

    /// The groups that the aggregate is made for first.
    open var aggregateFromList: AggregateFromList {
        AggregateFromList.fromArray(term.from.map { AggregateFrom($0) })
    }

    /// The aggregate as URL text, not percent-encoded.
    open override func toString() -> String {
        (try? URLWriter.plainText(of: term)) ?? ""
    }

    /// Equal when the terms are.
    open override func equals(_ other: AnyObject?) -> Bool {
        term == (other as? AggregateExpression)?.term
    }

    /// Hashes the term.
    open override func hash(into hasher: inout Hasher) { hasher.combine(term) }
}

/// Aggregates, in order.
open class AggregateExpressionList: ValueList<AggregateExpression>, @unchecked Sendable {}

/// How values become one (Data Aggregation 4.0, section 3.1.3).
open class AggregateMethod: ObjectBase, @unchecked Sendable {
    // Immutable.
    package final let method: AggregationMethod

    package init(_ method: AggregationMethod) {
        self.method = method
        super.init()
    }

    /// The sum of the numbers.
    public static let sum = AggregateMethod(.sum)
    /// The mean of the numbers.
    public static let average = AggregateMethod(.average)
    /// The smallest value.
    public static let minimum = AggregateMethod(.min)
    /// The greatest value.
    public static let maximum = AggregateMethod(.max)
    /// How many different values there are.
    public static let countDistinct = AggregateMethod(.countDistinct)

    /// A method that the service defines, by qualified name.
    public static func custom(_ name: String) -> AggregateMethod { AggregateMethod(.custom(name)) }

    /// The name as a URL spells it.
    open var name: String { method.name }

    /// The name.
    open override func toString() -> String { name }
}

/// Groups for which an aggregate is made first (Data Aggregation 4.0, section 3.2.1.3).
open class AggregateFrom: DataValue, @unchecked Sendable {
    // Immutable.
    package final let from: AggregationFrom

    package init(_ from: AggregationFrom) {
        self.from = from
        super.init()
    }

    /// Groups by these paths, whose values the method then makes one of.
    public static func of(_ paths: PropertyPath..., method: AggregateMethod) -> AggregateFrom {
        AggregateFrom(AggregationFrom(paths.map(\.expressionPath), method: method.method))
    }

    /// Equal when paths and method are.
    open override func equals(_ other: AnyObject?) -> Bool {
        from == (other as? AggregateFrom)?.from
    }

    /// Hashes paths and method.
    open override func hash(into hasher: inout Hasher) { hasher.combine(from) }
}

/// Groups, in order.
open class AggregateFromList: ValueList<AggregateFrom>, @unchecked Sendable {}

/// Aggregates of a value.
extension QueryValue {
    /// The sum of the values, in a property of this name.
    public final func sum(_ alias: String) -> AggregateValue { aggregate(.sum, alias) }

    /// The mean of the values, in a property of this name.
    public final func average(_ alias: String) -> AggregateValue { aggregate(.average, alias) }

    /// The smallest value, in a property of this name.
    public final func minimum(_ alias: String) -> AggregateValue { aggregate(.minimum, alias) }

    /// The greatest value, in a property of this name.
    public final func maximum(_ alias: String) -> AggregateValue { aggregate(.maximum, alias) }

    /// How many different values there are, in a property of this name.
    public final func countDistinct(_ alias: String) -> AggregateValue {
        aggregate(.countDistinct, alias)
    }

    /// The aggregate by a method, in a property of this name.
    public final func aggregate(_ method: AggregateMethod, _ alias: String) -> AggregateValue {
        .of(.of(self, method, alias))
    }
}
