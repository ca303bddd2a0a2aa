import ODataModel
import ODataQuery

/// A query value that stands for an expression: what functions and arithmetic give.
package final class QueryExpression: QueryValue, @unchecked Sendable {
    // Immutable.
    package let expression: Expression

    package init(_ expression: Expression) {
        self.expression = expression
        super.init()
    }

    /// The expression as URL text.
    package override func toString() -> String { expression.displayText }

    package override func equals(_ other: AnyObject?) -> Bool {
        expression == (other as? QueryExpression)?.expression
    }

    package override func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}

extension Expression {
    /// The text for people; V4 notation without percent-encoding.
    package var displayText: String {
        (try? URLWriter.expressionText(self, dialect: .v401)) ?? ""
    }
}

extension DataValue {
    /// What the value means inside a query: a path, an expression, or a literal whose type its counterpart decides.
    package final var queryExpression: Expression {
        if let value = self as? QueryExpression { return value.expression }
        if let filter = self as? QueryFilter { return filter.expression }
        if let alias = self as? QueryAlias { return .alias(alias.name) }
        if let call = self as? QueryFunctionCall { return call.expression }
        if let call = self as? QueryOperatorCall { return call.expression }
        if let path = self as? PropertyPath { return .path(path.expressionPath) }
        if let member = self as? EnumValue {
            return .enumeration(type: member.enumType.qualifiedName, members: member.name)
        }
        if let list = self as? ListBase { return .json(list.toString()) }
        guard let scalar = scalarValue() else { return .json(toString()) }
        switch scalar {
        case .boolean: return .literal(scalar, .boolean)
        case .string: return .literal(scalar, .string)
        default: return .literal(scalar, nil)
        }
    }

    /// The meaning of an optional value: null when there is none.
    package static func queryExpression(_ value: DataValue?) -> Expression {
        value?.queryExpression ?? .literal(.null, nil)
    }
}

extension PropertyPath {
    /// The path as expressions write it.
    package final var expressionPath: ExpressionPath {
        var root = ExpressionPath.Root.it
        var segments: [ExpressionPath.Segment] = []
        for segment in toPath().segments {
            if case .lambda(let name) = segment {
                root = ExpressionPath.Root(variable: name)
                segments = []
            } else if case .property(let property) = segment {
                segments.append(.property(property.name))
            } else if case .dynamic(let name) = segment {
                segments.append(.property(name))
            } else if case .cast(let type) = segment {
                segments.append(.typeCast(type.qualifiedName))
            } else if case .key(let key) = segment {
                segments.append(.key(key.keyValues))
            } else if case .index(let index) = segment {
                segments.append(
                    .key([KeyValue(name: nil, value: .literal(.integer(Int64(index)), nil))]))
            }
        }
        return ExpressionPath(root: root, segments)
    }
}

extension ExpressionPath.Root {
    /// The root that a variable stands for; names with `$` are those of URL Conventions 4.01, section 5.1.1.14.
    init(variable name: String) {
        switch name {
        case "$it": self = .it
        case "$this": self = .this
        case "$these": self = .these
        case "$root": self = .root
        default: self = .variable(name)
        }
    }
}
