import ODataModel

/// A whole request for data as a value: the resource and the query options (URL Conventions 4.01, section 5).
///
/// `DataQuery` of the API wraps one; URL and SQL writers, the service and the engine read it.
package struct Query: Sendable, Hashable {
    package var path: ResourcePath
    package var filter: Expression?
    package var orderBy: [OrderItem] = []
    package var skip: Int?
    package var top: Int?
    /// Empty means all structural properties, unless ``selectsAll``.
    package var select: [SelectTerm] = []
    /// `$select=*`.
    package var selectsAll = false
    package var expand: [ExpandTerm] = []
    /// `$count=true` (V2 `$inlinecount=allpages`).
    package var includesCount = false
    package var search: SearchExpression?
    /// Applied before filter and order, behind ``apply``.
    package var compute: [ComputeItem] = []
    /// The steps of `$apply`, which come before all other options; empty when absent.
    package var apply: [Transformation] = []
    /// The options of Temporal Data.
    package var period: [PeriodTerm] = []
    package var skipToken: String?
    package var deltaToken: String?
    package var format: String?
    /// Parameter aliases by name without `@`.
    package var aliases: [String: Expression] = [:]
    /// Options that are not OData's, in order.
    package var customOptions: [CustomOption] = []
    /// The page size to prefer (`Prefer: odata.maxpagesize`); not part of the URL.
    package var pageSize: Int?

    package init(path: ResourcePath) {
        self.path = path
    }

    /// A query for a whole entity set.
    package init(entitySet: String) {
        self.init(path: ResourcePath([.entitySet(entitySet)]))
    }
}

/// The path of a request (URL Conventions 4.01, section 4), split and decoded, not yet resolved.
package struct ResourcePath: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        /// The first segment: an entity set, a singleton, or an operation import without parentheses.
        case entitySet(String)
        case key([KeyValue])
        /// A structural or navigation property.
        case property(String)
        case typeCast(String)
        /// A bound or imported function or action, arguments in parentheses.
        case operation(String, [NamedArgument])
        case count
        case value
        case ref
        /// V2 `$links`.
        case links
        case metadata
        case batch
        case all
        case crossjoin([String])
        /// `$entity`, the entity-id being in ``Query/customOptions`` under `$id`.
        case entity
        /// `$filter(expression)` and `$each` (4.01).
        case filter(Expression)
        case each
    }

    package var segments: [Segment]

    package init(_ segments: [Segment] = []) {
        self.segments = segments
    }
}

package struct OrderItem: Sendable, Hashable {
    package var expression: Expression
    package var isDescending: Bool

    package init(_ expression: Expression, isDescending: Bool = false) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

/// One item of `$select`: a path, or `*`, or `Namespace.*`.
package struct SelectTerm: Sendable, Hashable {
    package var path: ExpressionPath
    /// Nested options (4.01).
    package var options: NestedOptions?

    package init(_ path: ExpressionPath, options: NestedOptions? = nil) {
        self.path = path
        self.options = options
    }
}

/// One item of `$expand` (URL Conventions 4.01, section 5.1.3).
package struct ExpandTerm: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case entities
        /// `/$ref`
        case references
        /// `/$count`
        case count
    }

    package var path: ExpressionPath
    package var kind: Kind
    package var options: NestedOptions
    /// `$expand=*`.
    package var isStar: Bool
    /// The name under which `addnested` puts the rows, in place of the navigation property; never in a URL.
    package var alias: String?

    package init(
        _ path: ExpressionPath, kind: Kind = .entities, options: NestedOptions = NestedOptions(),
        isStar: Bool = false
    ) {
        self.path = path
        self.kind = kind
        self.options = options
        self.isStar = isStar
    }
}

/// The options inside the parentheses of an expand or select item.
package struct NestedOptions: Sendable, Hashable {
    package var filter: Expression?
    package var orderBy: [OrderItem] = []
    package var skip: Int?
    package var top: Int?
    package var select: [SelectTerm] = []
    package var selectsAll = false
    package var expand: [ExpandTerm] = []
    package var includesCount = false
    package var search: SearchExpression?
    package var compute: [ComputeItem] = []
    package var apply: [Transformation] = []
    package var period: [PeriodTerm] = []
    /// `$levels`; `Int.max` stands for `max`.
    package var levels: Int?
    /// Parameter aliases that hold inside these options only (4.01), by name without `@`.
    package var aliases: [String: Expression] = [:]

    package init() {}

    package var isEmpty: Bool { self == NestedOptions() }
}

package struct ComputeItem: Sendable, Hashable {
    package var expression: Expression
    package var alias: String

    package init(_ expression: Expression, alias: String) {
        self.expression = expression
        self.alias = alias
    }
}

package struct CustomOption: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
