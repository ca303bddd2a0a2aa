import ODataModel
import ODataQuery

/// A condition that a query's results meet (URL Conventions 4.01, section 5.1.2): a Boolean expression.
open class QueryFilter: DataValue, @unchecked Sendable {
    // Immutable.
    package final let expression: Expression
    /// The document that functions of the service are looked up in.
    private final let model: MetadataModel?

    package init(_ expression: Expression, in model: MetadataModel? = nil) {
        self.expression = expression
        self.model = model
        super.init()
    }

    /// The condition that a Boolean value states: a filter itself, a Boolean property or path, a literal.
    open class func from(_ value: DataValue) -> QueryFilter {
        (value as? QueryFilter) ?? QueryFilter(value.queryExpression)
    }

    /// Holds where both conditions hold.
    open func and(_ other: DataValue) -> QueryFilter {
        QueryFilter(.binary(.and, expression, other.queryExpression))
    }

    /// Holds where one of the conditions holds.
    open func or(_ other: DataValue) -> QueryFilter {
        QueryFilter(.binary(.or, expression, other.queryExpression))
    }

    /// Holds where the condition is false.
    open func not() -> QueryFilter { QueryFilter(.unary(.not, expression)) }

    /// The condition as a tree of calls whose leaves are paths and values.
    open var value: DataValue { QueryCall.tree(expression, in: model) }

    /// The condition as URL text in V4 notation, not percent-encoded.
    open override func toString() -> String { expression.displayText }

    /// Equal when the expressions are.
    open override func equals(_ other: AnyObject?) -> Bool {
        expression == (other as? QueryFilter)?.expression
    }

    /// Hashes the expression.
    open override func hash(into hasher: inout Hasher) { hasher.combine(expression) }

    /// Holds where both conditions hold.
    public static func && (left: QueryFilter, right: QueryFilter) -> QueryFilter { left.and(right) }

    /// Holds where one of the conditions holds.
    public static func || (left: QueryFilter, right: QueryFilter) -> QueryFilter { left.or(right) }

    /// Holds where the condition is false.
    public static prefix func ! (filter: QueryFilter) -> QueryFilter { filter.not() }
}

/// A reference to a parameter alias (URL Conventions 4.01, section 5.3).
open class QueryAlias: DataValue, @unchecked Sendable {
    // Immutable.
    /// The name without `@`.
    public final let name: String

    /// The alias with this name; a leading `@` is dropped.
    public init(name: String) {
        self.name = name.hasPrefix("@") ? String(name.dropFirst()) : name
        super.init()
    }

    /// The name with `@`.
    open override func toString() -> String { "@\(name)" }

    /// Equal when the names are.
    open override func equals(_ other: AnyObject?) -> Bool { name == (other as? QueryAlias)?.name }

    /// Hashes the name.
    open override func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
