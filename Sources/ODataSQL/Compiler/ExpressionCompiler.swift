import ODataModel
import ODataQuery
import ODataText

/// Compiles expressions against rows of a mapping, collecting the joins that their paths need.
package struct ExpressionCompiler: Sendable {
    let mapping: SchemaMapping
    var options: CompilerOptions
    let aliases: [String: Expression]
    /// The FROM clauses that are open, outermost first.
    var scopes: [Scope] = []
    /// The scope that paths without a variable start from.
    var itScope = 0
    /// The rows of a cross join by the names of their sets, which paths begin with.
    var crossJoined: [String: RowCursor] = [:]
    /// Paths go on behind collections: a row stands for itself once for each related one, as aggregates want it.
    var crossesCollections = false
    /// The collections that were crossed, each with the row it starts from.
    var crossings: [Crossing] = []
    /// What `$these` stands for; nil where there is no set of rows.
    var input: InputRows?
    /// Aggregates in expressions are made of the group at hand, as definitions of custom aggregates want it.
    var aggregatesGroup = false
    /// How many definitions of custom aggregates are open.
    var definitionDepth = 0
    /// The nodes that `rollupnode` stands for, by position.
    var rollups: [RowCursor] = []
    var aliasCount = 0
    private var depth = 0

    /// A FROM clause: a row that paths start from, and the joins they made.
    struct Scope: Sendable {
        var variable: String?
        var cursor: RowCursor
        var joins: [Join] = []
    }

    struct Crossing: Sendable, Hashable {
        var fromAlias: String
        var path: String
    }

    /// A to-one navigation followed from a row.
    struct Join: Sendable {
        var fromAlias: String
        var path: String
        var alias: String
        var table: TableMapping
        var sql: SQLText
    }

    init(mapping: SchemaMapping, options: CompilerOptions, aliases: [String: Expression] = [:]) {
        self.mapping = mapping
        self.options = options
        self.aliases = aliases
    }

    var graph: MetadataGraph { mapping.graph }
    var dialect: SQLDialect { options.dialect }

    mutating func makeAlias(_ prefix: String = "t") -> String {
        defer { aliasCount += 1 }
        return "\(prefix)\(aliasCount)"
    }

    /// A Boolean expression as an SQL condition with OData's three-valued logic, which is SQL's.
    mutating func condition(_ expression: Expression) throws -> SQLText {
        let term = try compile(expression)
        switch term.kind {
        case .boolean: return term.sql
        case .open: return try openCondition(term)
        case .null: return "NULL"
        case .literal(.boolean(let value)): return SQLText(truth: value)
        default: throw Self.invalid("Expected a Boolean expression, found another type.")
        }
    }

    /// Any expression as a term.
    mutating func compile(_ expression: Expression) throws -> SQLTerm {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) nested expressions.",
                status: 400)
        }
        switch expression {
        case .literal(.null, _): return SQLTerm("NULL", .null)
        case .literal(let scalar, _): return SQLTerm(SQLText(), .literal(scalar))
        case .enumeration(let type, let members):
            return SQLTerm(SQLText(), .enumerationLiteral(type: type, members: members))
        case .path(let path): return try term(for: path)
        case .unary(let operation, let operand): return try unary(operation, operand)
        case .binary(let operation, let left, let right):
            return try binary(operation, left, right)
        case .isIn(let operand, let list): return try membership(of: operand, in: list)
        case .call(let function, let arguments): return try call(function, arguments)
        case .cast(let operand, let type):
            return try openCast(operand, type) ?? cast(operand, to: type)
        case .isOf(let operand, let type):
            return try openTest(operand, type) ?? isOf(operand, type)
        case .lambda(let operation, let path, let variable, let predicate):
            return try lambda(operation, path, variable: variable, predicate: predicate)
        case .count(let path, let filter): return try count(path, filter: filter)
        case .aggregate(let path, let term): return try aggregate(path, term)
        case .alias(let name):
            guard let value = aliases[name] else { return SQLTerm("NULL", .null) }
            return try compile(value)
        case .json(let text): return try json(text)
        case .custom(let name, let arguments): return try custom(name, arguments)
        }
    }

    private mutating func unary(
        _ operation: UnaryOperator, _ operand: Expression
    ) throws -> SQLTerm {
        switch operation {
        case .not: return SQLTerm("NOT (\(try condition(operand)))", .boolean)
        case .negate: return try negated(compile(operand))
        }
    }

    private mutating func binary(
        _ operation: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> SQLTerm {
        switch operation {
        case .and, .or:
            // A long chain leans to the left: it is walked, not recursed into.
            var operands = [right]
            var rest = left
            while case .binary(operation, let first, let second) = rest {
                operands.append(second)
                rest = first
            }
            operands.append(rest)
            var conditions: [SQLText] = []
            for operand in operands.reversed() {
                conditions.append("(\(try condition(operand)))")
            }
            return SQLTerm(conditions.joined(operation == .and ? " AND " : " OR "), .boolean)
        case .eq, .ne, .gt, .ge, .lt, .le:
            if let same = try structures(operation, left, right) { return same }
            let comparison = try compare(operation, operand(left), operand(right))
            return SQLTerm(comparison, .boolean)
        case .has: return try has(compile(left), compile(right))
        case .add, .sub, .mul, .div, .divby, .mod:
            return try arithmetic(operation, compile(left), compile(right))
        }
    }

    /// An operand of a comparison: a condition in parentheses, for in SQL all comparisons bind alike.
    mutating func operand(_ expression: Expression) throws -> SQLTerm {
        var term = try compile(expression)
        if case .path = expression { return term }
        if term.kind == .boolean { term.sql = "(\(term.sql))" }
        return term
    }

    static func invalid(_ message: String, at place: String? = nil) -> ODataError {
        ODataError(.invalidQuery, message, at: place.map { .path($0) }, status: 400)
    }

    static func notImplemented(_ what: String, at place: String? = nil) -> ODataError {
        ODataError(
            .notImplemented, "Expected a query that the database can answer, found \(what).",
            at: place.map { .path($0) }, status: 501)
    }

    static let maximumDepth = 100
}
