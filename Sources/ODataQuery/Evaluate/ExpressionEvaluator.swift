import ODataModel
import ODataText

/// Evaluates expressions over values in memory (URL Conventions 4.01, section 5.1.1): the meaning that SQL is compared
/// against, and what filters lists.
///
/// Null logic is three-valued: comparison with the literal null answers, any other operand that is null gives null, and
/// a condition holds only when it is true.
package struct ExpressionEvaluator {
    package typealias CustomFunction =
        @Sendable (String, [ODataValue], ODataValue) throws
        -> ODataValue

    package let graph: MetadataGraph
    package var aliases: [String: Expression] = [:]
    /// What `now()` answers.
    package var now: OffsetDateTime?
    /// Functions that are not canonical, given the name, the arguments and `$it`.
    package var custom: CustomFunction?
    /// Collections that `$root` paths begin with, by set name.
    package var root: [String: [StructureValue]] = [:]

    /// What lambda variables and other names that begin a path stand for.
    package var variables: [String: ODataValue] = [:]
    /// Whether text is compared with a number or an instant as the value it spells, for JSON without a model.
    package var readsText = false

    var item: ODataValue = .null
    private var depth = 0

    package init(graph: MetadataGraph) {
        self.graph = graph
    }

    /// True when the condition is true for `value`; false and null are not.
    package func holds(_ condition: Expression, for value: StructureValue) throws -> Bool {
        try evaluate(condition, for: .structure(value)) == .scalar(.boolean(true))
    }

    /// The value of the expression with `value` as `$it`.
    package func evaluate(_ expression: Expression, for value: ODataValue) throws -> ODataValue {
        var evaluator = self
        evaluator.item = value
        return try evaluator.value(expression)
    }

    func value(_ expression: Expression) throws -> ODataValue {
        switch expression {
        case .literal(let scalar, _):
            return .scalar(scalar)
        case .enumeration(let name, let members):
            guard let name, let id = graph.enumeration(named: name),
                let value = graph[id].value(of: members)
            else { return .scalar(.string(members)) }
            return .scalar(.integer(value))
        case .path(let path):
            return try value(at: path)
        case .unary(let symbol, let operand):
            return try value(symbol, operand)
        case .binary(let symbol, let left, let right):
            return try value(symbol, left, right)
        case .isIn(let operand, let members):
            return try value(operand, in: members)
        case .call(let function, let arguments):
            return try value(function, arguments)
        case .cast(let operand, let type):
            return try cast(try operand.map { try value($0) } ?? item, type)
        case .isOf(let operand, let type):
            return .scalar(.boolean(try isOf(try operand.map { try value($0) } ?? item, type)))
        case .lambda(let symbol, let path, let variable, let predicate):
            return try value(symbol, path, variable, predicate)
        case .count(let path, let filter):
            return try count(path, filter)
        case .aggregate:
            throw unsupported("aggregate")
        case .alias(let name):
            return try alias(name)
        case .json(let text):
            return try json(text)
        case .custom(let name, let arguments):
            guard let custom else { throw unsupported(name) }
            return try custom(name, try arguments.map { try value($0) }, item)
        }
    }

    func unsupported(_ name: String) -> ODataError {
        ODataError(.notImplemented, "Expected a function that is evaluated here, found \(name).")
    }

    private func alias(_ name: String) throws -> ODataValue {
        guard let expression = aliases[name] else { return .null }
        guard depth < 16 else {
            throw ODataError(
                .invalidQuery, "Expected aliases that do not name each other.",
                at: .path("@\(name)")
            )
        }
        var inner = self
        inner.depth += 1
        return try inner.value(expression)
    }

    // MARK: Logic

    /// Nil is the third truth value.
    func truth(_ expression: Expression) throws -> Bool? {
        switch try value(expression) {
        case .scalar(.boolean(let value)): return value
        case .scalar(.null): return nil
        default:
            if isOpen(expression) { return nil }
            throw ODataError(.invalidQuery, "Expected a Boolean operand.")
        }
    }

    private func value(_ symbol: UnaryOperator, _ operand: Expression) throws -> ODataValue {
        switch symbol {
        case .not: return .truth(try truth(operand).map { !$0 })
        case .negate:
            return try fitting([operand]) {
                .scalar(try Arithmetic.negated(try scalar(operand)))
            }
        }
    }

    func scalar(_ expression: Expression) throws -> Scalar {
        switch try value(expression) {
        case .scalar(let scalar): return scalar
        default: throw ODataError(.invalidQuery, "Expected a primitive operand.")
        }
    }

    private func value(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> ODataValue {
        switch symbol {
        case .and:
            let first = try truth(left)
            if first == false { return .truth(false) }
            let second = try truth(right)
            return .truth(second == false ? false : first == nil || second == nil ? nil : true)
        case .or:
            let first = try truth(left)
            if first == true { return .truth(true) }
            let second = try truth(right)
            return .truth(second == true ? true : first == nil || second == nil ? nil : false)
        case .eq, .ne, .gt, .ge, .lt, .le:
            return .truth(try compare(symbol, left, right))
        case .has:
            guard case .integer(let value) = try scalar(left),
                case .integer(let flags) = try scalar(right)
            else { return .null }
            return .truth(value & flags == flags)
        case .add, .sub, .mul, .div, .divby, .mod:
            return try fitting([left, right]) {
                .scalar(try Arithmetic.value(symbol, try scalar(left), try scalar(right)))
            }
        }
    }

    private func compare(
        _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
    ) throws -> Bool? {
        let known = try value(left)
        let second = try operand(right, like: known)
        let first = left.isJSON || left.isAlias ? try operand(left, like: second) : known
        if left.isNull || right.isNull {
            let isEqual = first.isNull && second.isNull
            return symbol == .eq ? isEqual : symbol == .ne ? !isEqual : nil
        }
        if first.isNull || second.isNull { return nil }
        guard let a = first.scalar, let b = second.scalar else {
            let isSame = Self.areSame(first, second)
            return symbol == .eq ? isSame : symbol == .ne ? !isSame : nil
        }
        guard a.isOfKind(b) || readsText else {
            return symbol == .eq ? false : symbol == .ne ? true : nil
        }
        guard readsText else { return Self.compare(symbol, a, b) }
        let (x, y) = (Self.read(a, like: b), Self.read(b, like: a))
        guard x.comparesWith(y) else { return symbol == .eq ? false : symbol == .ne ? true : nil }
        return Self.compare(symbol, x, y)
    }

    /// What text spells in the type of the other operand; the text itself where it spells nothing there.
    private static func read(_ scalar: Scalar, like other: Scalar) -> Scalar {
        guard case .string(let text) = scalar, let type = other.spelledType else { return scalar }
        return Lexical.scalar(text, as: type) ?? scalar
    }

    static func compare(_ symbol: BinaryOperator, _ a: Scalar, _ b: Scalar) -> Bool {
        if a.isNaN || b.isNaN { return symbol == .ne }
        if a.isDouble || b.isDouble, let x = Arithmetic.double(a), let y = Arithmetic.double(b) {
            // A double makes the other number a double (section 5.1.1.2).
            return compare(symbol, x, y)
        }
        let (first, second) = (ComparableScalar(a), ComparableScalar(b))
        switch symbol {
        case .eq: return first == second
        case .ne: return first != second
        case .gt: return second < first
        case .ge: return !(first < second)
        case .lt: return first < second
        default: return !(second < first)
        }
    }

    private static func compare(_ symbol: BinaryOperator, _ a: Double, _ b: Double) -> Bool {
        switch symbol {
        case .eq: a == b
        case .ne: a != b
        case .gt: a > b
        case .ge: a >= b
        case .lt: a < b
        default: a <= b
        }
    }

    private func value(_ operand: Expression, in members: [Expression]) throws -> ODataValue {
        let first = try value(operand)
        guard !first.isNull else { return .null }
        var candidates = try members.map { try self.operand($0, like: first) }
        if candidates.count == 1, first.list == nil {
            let list = try self.operand(members[0], like: .list([first]))
            if let found = list.list { candidates = found }
        }
        var meetsNull = false
        for candidate in candidates {
            if candidate.isNull {
                meetsNull = true
            } else if let a = first.scalar, let b = candidate.scalar {
                let (x, y) = readsText ? (Self.read(a, like: b), Self.read(b, like: a)) : (a, b)
                if Self.compare(.eq, x, y) { return .truth(true) }
            } else if Self.areSame(first, candidate) {
                return .truth(true)
            }
        }
        return .truth(meetsNull ? nil : false)
    }

    // MARK: Collections

    private func value(
        _ symbol: LambdaOperator, _ path: ExpressionPath, _ variable: String,
        _ predicate: Expression?
    ) throws -> ODataValue {
        let members = try collection(path)
        guard let predicate else { return .truth(!members.isEmpty) }
        var inner = self
        for member in members {
            inner.variables[variable] = member
            // Null is not true: any and all answer true or false (section 5.1.1.13).
            let holds = try inner.truth(predicate) == true
            if holds == (symbol == .any) { return .truth(symbol == .any) }
        }
        return .truth(symbol == .all)
    }

    private func count(_ path: ExpressionPath, _ filter: Expression?) throws -> ODataValue {
        let members = try collection(path)
        guard let filter else { return .scalar(.integer(Int64(members.count))) }
        var inner = self
        let kept = try members.filter { member in
            inner.item = member
            return try inner.truth(filter) == true
        }
        return .scalar(.integer(Int64(kept.count)))
    }

    private func collection(_ path: ExpressionPath) throws -> [ODataValue] {
        let found = try value(at: path)
        if found.isNull { return [] }
        guard let members = found.list else {
            throw ODataError(.invalidQuery, "Expected a collection.")
        }
        return members
    }
}

extension ODataValue {
    static func truth(_ value: Bool?) -> ODataValue {
        value.map { .scalar(.boolean($0)) } ?? .null
    }
}

extension Scalar {
    /// The type whose values JSON spells as text; nil for text itself and for Booleans.
    fileprivate var spelledType: PrimitiveType? {
        switch self {
        case .integer, .decimal: .decimal
        case .double: .double
        case .binary: .binary
        case .guid: .guid
        case .date: .date
        case .timeOfDay: .timeOfDay
        case .dateTimeOffset: .dateTimeOffset
        case .duration: .duration
        default: nil
        }
    }

    /// Whether one is less than, equal to or greater than the other, and not only of another kind.
    fileprivate func comparesWith(_ other: Scalar) -> Bool {
        switch (self, other) {
        case (.boolean, .boolean), (.string, .string): true
        case (.integer, _), (.decimal, _), (.double, _):
            [.decimal, .double].contains(other.spelledType)
        default: spelledType != nil && spelledType == other.spelledType
        }
    }

    /// Whether values of the two are ordered by more than their kind.
    fileprivate func isOfKind(_ other: Scalar) -> Bool {
        switch (self, other) {
        case (.boolean, .boolean), (.string, .string), (.binary, .binary), (.guid, .guid),
            (.date, .date), (.timeOfDay, .timeOfDay), (.dateTimeOffset, .dateTimeOffset),
            (.dateTime, .dateTime), (.duration, .duration), (.geo, .geo):
            true
        default: Arithmetic.double(self) != nil && Arithmetic.double(other) != nil
        }
    }

    var isDouble: Bool { if case .double = self { true } else { false } }

    var isNaN: Bool {
        if case .double(let value) = self { value.isNaN } else { false }
    }
}

extension Expression {
    fileprivate var isJSON: Bool { if case .json = self { true } else { false } }
    fileprivate var isAlias: Bool { if case .alias = self { true } else { false } }
    var isNull: Bool { if case .literal(.null, _) = self { true } else { false } }
}
