import ODataModel
import ODataQuery

/// The operators of query expressions (URL Conventions 4.01, section 5.1.1.1 and following).
open class QueryOperator: ObjectBase, @unchecked Sendable {
    // Immutable.
    private final let text: String
    private final let rank: Int
    private final let operands: Int
    private final let number: Int

    package init(_ name: String, code: Int, arity: Int, priority: Int) {
        text = name
        number = code
        operands = arity
        rank = priority
        super.init()
    }

    /// The name as a URL spells it.
    open var name: String { text }

    /// A number that stands for the operator.
    open var code: Int { number }

    /// How many operands the operator takes.
    open var arity: Int { operands }

    /// The rank of the operator; higher binds tighter.
    open var priority: Int { rank }

    /// The name of the operator.
    open override func toString() -> String { text }

    /// The operator with this code; nil when there is none.
    public static func forCode(_ code: Int) -> QueryOperator? { table.first { $0.code == code } }

    /// The operator with this name; nil when there is none.
    public static func forName(_ name: String) -> QueryOperator? { table.first { $0.name == name } }

    /// The operator `add`.
    public static let add = QueryOperator("add", code: QueryOperatorCode.add, arity: 2, priority: 5)
    /// The operator `sub`.
    public static let subtract = QueryOperator(
        "sub", code: QueryOperatorCode.subtract, arity: 2, priority: 5)
    /// The operator `mul`.
    public static let multiply = QueryOperator(
        "mul", code: QueryOperatorCode.multiply, arity: 2, priority: 6)
    /// The operator `div`.
    public static let divide = QueryOperator(
        "div", code: QueryOperatorCode.divide, arity: 2, priority: 6)
    /// The operator `mod`.
    public static let modulo = QueryOperator(
        "mod", code: QueryOperatorCode.modulo, arity: 2, priority: 6)
    /// The operator `-`.
    public static let negate = QueryOperator(
        "-", code: QueryOperatorCode.negate, arity: 1, priority: 7)
    /// The operator `eq`.
    public static let equal = QueryOperator(
        "eq", code: QueryOperatorCode.equal, arity: 2, priority: 3)
    /// The operator `ne`.
    public static let notEqual = QueryOperator(
        "ne", code: QueryOperatorCode.notEqual, arity: 2, priority: 3)
    /// The operator `gt`.
    public static let greaterThan = QueryOperator(
        "gt", code: QueryOperatorCode.greaterThan, arity: 2, priority: 4)
    /// The operator `ge`.
    public static let greaterEqual = QueryOperator(
        "ge", code: QueryOperatorCode.greaterEqual, arity: 2, priority: 4)
    /// The operator `lt`.
    public static let lessThan = QueryOperator(
        "lt", code: QueryOperatorCode.lessThan, arity: 2, priority: 4)
    /// The operator `le`.
    public static let lessEqual = QueryOperator(
        "le", code: QueryOperatorCode.lessEqual, arity: 2, priority: 4)
    /// The operator `and`.
    public static let and = QueryOperator("and", code: QueryOperatorCode.and, arity: 2, priority: 2)
    /// The operator `or`.
    public static let or = QueryOperator("or", code: QueryOperatorCode.or, arity: 2, priority: 1)
    /// The operator `not`.
    public static let not = QueryOperator("not", code: QueryOperatorCode.not, arity: 1, priority: 7)
    /// The operator `has`.
    public static let has = QueryOperator("has", code: QueryOperatorCode.has, arity: 2, priority: 8)
    /// The operator `any`.
    public static let any = QueryOperator("any", code: QueryOperatorCode.any, arity: 2, priority: 9)
    /// The operator `all`.
    public static let all = QueryOperator("all", code: QueryOperatorCode.all, arity: 2, priority: 9)

    private static let table: [QueryOperator] = [
        add, subtract, multiply, divide, modulo, negate, equal, notEqual, greaterThan, greaterEqual,
        lessThan, lessEqual, and, or, not, has, any, all,
    ]

    /// All operators by name.
    public static var operatorMap: QueryOperatorMap {
        QueryOperatorMap(entries: table.map { ($0.name, $0) })
    }
}

/// A map from names to operators.
open class QueryOperatorMap: TypedMap<QueryOperator>, @unchecked Sendable {}

/// The codes of the operators.
public enum QueryOperatorCode {
    /// The operator `add`.
    public static let add = 1
    /// The operator `sub`.
    public static let subtract = 2
    /// The operator `mul`.
    public static let multiply = 3
    /// The operator `div`.
    public static let divide = 4
    /// The operator `mod`.
    public static let modulo = 5
    /// The operator `-`.
    public static let negate = 6
    /// The operator `eq`.
    public static let equal = 7
    /// The operator `ne`.
    public static let notEqual = 8
    /// The operator `gt`.
    public static let greaterThan = 9
    /// The operator `ge`.
    public static let greaterEqual = 10
    /// The operator `lt`.
    public static let lessThan = 11
    /// The operator `le`.
    public static let lessEqual = 12
    /// The operator `and`.
    public static let and = 13
    /// The operator `or`.
    public static let or = 14
    /// The operator `not`.
    public static let not = 15
    /// The operator `has`.
    public static let has = 16
    /// The operator `any`.
    public static let any = 17
    /// The operator `all`.
    public static let all = 18
}
