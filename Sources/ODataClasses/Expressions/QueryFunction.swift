import ODataModel
import ODataQuery

/// The functions that queries may call (URL Conventions 4.01, sections 5.1.1.5 to 5.1.1.11); subclasses add functions
/// that are not canonical.
open class QueryFunction: ObjectBase, @unchecked Sendable {
    // Immutable.
    private final let function: Function?
    private final let text: String
    private final let operation: DataMethod?

    /// A function that is not canonical.
    public override convenience init() { self.init(nil, "custom") }

    package init(_ function: Function?, _ name: String) {
        self.function = function
        text = name
        operation = nil
        super.init()
    }

    private init(_ method: DataMethod) {
        function = nil
        text = method.qualifiedName
        operation = method
        super.init()
    }

    /// A function of a service, which conditions may call where it is composable (URL Conventions 4.01, section 5.1.1.2).
    public static func of(_ method: DataMethod) -> QueryFunction { QueryFunction(method) }

    /// The function of a service that is called; nil for canonical functions.
    open var method: DataMethod? { operation }

    package final var canonical: Function? { function }

    /// The call with these operands: canonical by its name, otherwise as that of a service or of a store.
    open func call(_ arguments: DataValue...) -> QueryValue {
        let operands = arguments.map(\.queryExpression)
        return QueryExpression(
            function.map { .call($0, operands) } ?? .custom(name: name, arguments: operands))
    }

    /// The name as a URL spells it.
    open var name: String { text }

    /// A number that stands for the function; 0 for one that is not canonical.
    open var code: Int {
        function.flatMap { Function.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
    }

    /// How many arguments the function takes at least.
    open var minArity: Int { function?.arity.lowerBound ?? operation?.parameters.length ?? 0 }

    /// How many arguments the function takes at most.
    open var maxArity: Int {
        function?.arity.upperBound ?? operation?.parameters.length ?? Int.max
    }

    /// The name of the function.
    open override func toString() -> String { text }

    /// The canonical function with this code; nil when there is none.
    public static func forCode(_ code: Int) -> QueryFunction? {
        guard Function.allCases.indices.contains(code - 1) else { return nil }
        let function = Function.allCases[code - 1]
        return QueryFunction(function, function.rawValue)
    }

    /// The canonical function with this name; nil when there is none.
    public static func forName(_ name: String) -> QueryFunction? {
        Function(rawValue: name).map { QueryFunction($0, name) }
    }

    package static func value(_ function: Function, _ arguments: DataValue...) -> QueryValue {
        QueryExpression(.call(function, arguments.map(\.queryExpression)))
    }

    package static func filter(_ function: Function, _ arguments: DataValue...) -> QueryFilter {
        QueryFilter(.call(function, arguments.map(\.queryExpression)))
    }

    /// A condition that a function of the service, or of an offline store, decides.
    package static func customFilter(_ name: String, _ arguments: [DataValue] = []) -> QueryFilter {
        QueryFilter(.custom(name: name, arguments: arguments.map(\.queryExpression)))
    }
}

/// Canonical functions with explicit operands.
extension QueryFunction {
    /// A call of a function that is not canonical.
    public static func custom(_ name: String, _ arguments: DataValue...) -> QueryValue {
        QueryExpression(.custom(name: name, arguments: arguments.map(\.queryExpression)))
    }

    /// The value as one of another type.
    public static func asType(_ type: DataType, value: DataValue) -> QueryValue {
        QueryValue.wrap(value).asType(type)
    }

    /// Holds where the value has the type.
    public static func isType(_ type: DataType, value: DataValue) -> QueryFilter {
        QueryValue.wrap(value).isType(type)
    }

    /// The part of the text from `start` on, at most `length` characters of it.
    public static func substring(_ value: DataValue, start: Int, length: Int? = nil) -> QueryValue {
        QueryValue.wrap(value).substring(start, length)
    }

    /// The function `ceiling` of its operands.
    public static func ceiling(_ first: DataValue) -> QueryValue { value(.ceiling, first) }

    /// The function `concat` of its operands.
    public static func concat(_ first: DataValue, _ second: DataValue) -> QueryValue {
        value(.concat, first, second)
    }

    /// The function `contains` of its operands.
    public static func contains(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.contains, first, second)
    }

    /// The function `date` of its operands.
    public static func date(_ first: DataValue) -> QueryValue { value(.date, first) }

    /// The function `day` of its operands.
    public static func day(_ first: DataValue) -> QueryValue { value(.day, first) }

    /// The function `endsWith` of its operands.
    public static func endsWith(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.endsWith, first, second)
    }

    /// The function `floor` of its operands.
    public static func floor(_ first: DataValue) -> QueryValue { value(.floor, first) }

    /// The function `fractionalSeconds` of its operands.
    public static func fractionalSeconds(_ first: DataValue) -> QueryValue {
        value(.fractionalSeconds, first)
    }

    /// The function `geoDistance` of its operands.
    public static func geoDistance(_ first: DataValue, _ second: DataValue) -> QueryValue {
        value(.geoDistance, first, second)
    }

    /// The function `geoIntersects` of its operands.
    public static func geoIntersects(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.geoIntersects, first, second)
    }

    /// The function `geoLength` of its operands.
    public static func geoLength(_ first: DataValue) -> QueryValue { value(.geoLength, first) }

    /// The function `hour` of its operands.
    public static func hour(_ first: DataValue) -> QueryValue { value(.hour, first) }

    /// The function `indexOf` of its operands.
    public static func indexOf(_ first: DataValue, _ second: DataValue) -> QueryValue {
        value(.indexOf, first, second)
    }

    /// The function `maxDateTime` of its operands.
    public static func maxDateTime() -> QueryValue { value(.maxDateTime) }

    /// The function `minDateTime` of its operands.
    public static func minDateTime() -> QueryValue { value(.minDateTime) }

    /// The function `minute` of its operands.
    public static func minute(_ first: DataValue) -> QueryValue { value(.minute, first) }

    /// The function `month` of its operands.
    public static func month(_ first: DataValue) -> QueryValue { value(.month, first) }

    /// The function `now` of its operands.
    public static func now() -> QueryValue { value(.now) }

    /// The function `round` of its operands.
    public static func round(_ first: DataValue) -> QueryValue { value(.round, first) }

    /// The function `second` of its operands.
    public static func second(_ first: DataValue) -> QueryValue { value(.second, first) }

    /// The function `startsWith` of its operands.
    public static func startsWith(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.startsWith, first, second)
    }

    /// The function `stringLength` of its operands.
    public static func stringLength(_ first: DataValue) -> QueryValue { value(.length, first) }

    /// The function `time` of its operands.
    public static func time(_ first: DataValue) -> QueryValue { value(.time, first) }

    /// The function `toLower` of its operands.
    public static func toLower(_ first: DataValue) -> QueryValue { value(.toLower, first) }

    /// The function `toUpper` of its operands.
    public static func toUpper(_ first: DataValue) -> QueryValue { value(.toUpper, first) }

    /// The function `totalOffsetMinutes` of its operands.
    public static func totalOffsetMinutes(_ first: DataValue) -> QueryValue {
        value(.totalOffsetMinutes, first)
    }

    /// The function `trim` of its operands.
    public static func trim(_ first: DataValue) -> QueryValue { value(.trim, first) }

    /// The function `year` of its operands.
    public static func year(_ first: DataValue) -> QueryValue { value(.year, first) }

    /// Holds where the text matches the regular expression (section 5.1.1.7.1).
    public static func matchesPattern(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.matchesPattern, first, second)
    }

    /// Holds where every member of the second collection is in the first (section 5.1.1.6.1).
    public static func hasSubset(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.hasSubset, first, second)
    }

    /// Holds where the second collection can be made of the first by leaving out members (section 5.1.1.6.2).
    public static func hasSubsequence(_ first: DataValue, _ second: DataValue) -> QueryFilter {
        filter(.hasSubsequence, first, second)
    }

    /// The length of the duration in seconds (section 5.1.1.8.13).
    public static func totalSeconds(_ first: DataValue) -> QueryValue {
        value(.totalSeconds, first)
    }

    /// Holds where the instance has the property (Data Aggregation 4.0, section 3.2.4).
    public static func isDefined(_ first: PropertyPath) -> QueryFilter {
        filter(.isDefined, first)
    }

    /// A call of a function that is not canonical.
    public static func custom(_ name: String, _ arguments: DataValueList) -> QueryValue {
        QueryExpression(.custom(name: name, arguments: arguments.map(\.queryExpression)))
    }

    /// All canonical functions by name.
    public static var functionMap: QueryFunctionMap {
        QueryFunctionMap(
            entries: Function.allCases.map { ($0.rawValue, QueryFunction($0, $0.rawValue)) })
    }
}

/// A map from names to functions.
open class QueryFunctionMap: TypedMap<QueryFunction>, @unchecked Sendable {}
