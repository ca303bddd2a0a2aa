import ODataModel

/// A filter, order or compute expression (URL Conventions 4.01, section 5.1.1), one tree for V2 and V4.
package indirect enum Expression: Sendable, Hashable {
    /// A literal; the type is the one it was written as or checked to be, nil while undecided.
    case literal(Scalar, PrimitiveType?)
    /// An enumeration literal: qualified type name (nil when written without) and member names or a number.
    case enumeration(type: String?, members: String)
    /// A property path, relative to `$it` or to a lambda variable.
    case path(ExpressionPath)
    case unary(UnaryOperator, Expression)
    case binary(BinaryOperator, Expression, Expression)
    /// `left in (…)`; an empty list is never true.
    case isIn(Expression, [Expression])
    case call(Function, [Expression])
    /// `cast(expression, type)` and `isof(expression, type)`; nil stands for `$it`.
    case cast(Expression?, type: String)
    case isOf(Expression?, type: String)
    /// `path/any(variable:predicate)`; a nil predicate asks whether the collection has members.
    case lambda(LambdaOperator, ExpressionPath, variable: String, predicate: Expression?)
    /// `path/$count`, optionally filtered.
    case count(ExpressionPath, filter: Expression?)
    /// `path/aggregate(…)`, `$these/aggregate(…)` (Data Aggregation 4.0, section 3.2.1.4).
    case aggregate(ExpressionPath, AggregateTerm)
    /// A parameter alias `@name`.
    case alias(String)
    /// A collection or structure written as JSON text.
    case json(String)
    /// A function defined by the service, or by an offline extension such as `sap.islocal()`.
    case custom(name: String, arguments: [Expression])
}

/// A path inside an expression.
package struct ExpressionPath: Sendable, Hashable {
    package enum Root: Sendable, Hashable {
        /// The instance the expression is evaluated for; `$it` written or implied.
        case it
        /// The members of a collection that a nested expression addresses (4.01).
        case this
        /// All instances of the collection that an expression is evaluated in (Data Aggregation 4.0, section 3.2.1.4).
        case these
        /// A lambda variable.
        case variable(String)
        /// `$root`.
        case root
    }

    package enum Segment: Sendable, Hashable {
        /// A structural, navigation or dynamic property.
        case property(String)
        /// A qualified type name.
        case typeCast(String)
        /// A key after a collection, as in `$root/Orders(1)`.
        case key([KeyValue])
        /// A bound function with its arguments.
        case function(String, [NamedArgument])
        /// `$filter(condition)` behind a collection (4.01).
        case filter(Expression)
        /// An instance annotation `@Ns.Term`.
        case annotation(String)
    }

    package var root: Root
    package var segments: [Segment]

    package init(root: Root = .it, _ segments: [Segment]) {
        self.root = root
        self.segments = segments
    }

    /// A path of property names separated by `/`.
    package init(_ properties: String) {
        self.init(properties.split(separator: "/").map { .property(String($0)) })
    }

    /// The property names joined by `/`; nil when the path has anything but properties.
    package var propertyNames: [String]? {
        var names: [String] = []
        for segment in segments {
            guard case .property(let name) = segment else { return nil }
            names.append(name)
        }
        return names
    }
}

/// A named argument of a function in a path.
package struct NamedArgument: Sendable, Hashable {
    package var name: String
    package var value: Expression

    package init(name: String, value: Expression) {
        self.name = name
        self.value = value
    }
}

/// One part of a key predicate; `name` is nil in the short form of a single key.
package struct KeyValue: Sendable, Hashable {
    package var name: String?
    package var value: Expression
    /// It stands in a segment of its own, as each value of a key with several may (URL Conventions 4.01, section 4.3.6).
    package var isSegment: Bool

    package init(name: String?, value: Expression, isSegment: Bool = false) {
        self.name = name
        self.value = value
        self.isSegment = isSegment
    }
}

package enum UnaryOperator: String, Sendable, Hashable {
    case not
    case negate = "-"
}

package enum BinaryOperator: String, Sendable, Hashable, CaseIterable {
    case or, and, eq, ne, gt, ge, lt, le, has, add, sub, mul, div, divby, mod
}

package enum LambdaOperator: String, Sendable, Hashable {
    case any, all
}

/// The canonical functions (URL Conventions 4.01, section 5.1.1.5 and following; V2 spells `contains` as
/// `substringof` with its arguments swapped, which the URL layer maps).
package enum Function: String, Sendable, Hashable, CaseIterable {
    case concat, contains, endsWith = "endswith", indexOf = "indexof", length, startsWith =
        "startswith"
    case substring, matchesPattern, toLower = "tolower", toUpper = "toupper", trim, replace
    case hasSubset = "hassubset", hasSubsequence = "hassubsequence"
    case year, month, day, hour, minute, second, fractionalSeconds = "fractionalseconds", date, time
    case totalOffsetMinutes = "totaloffsetminutes", totalSeconds = "totalseconds"
    case now, minDateTime = "mindatetime", maxDateTime = "maxdatetime"
    case ceiling, floor, round
    case geoDistance = "geo.distance", geoIntersects = "geo.intersects", geoLength = "geo.length"
    case `case`
    /// True for a property that the instance has (Data Aggregation 4.0, section 3.2.4).
    case isDefined = "isdefined"
}
