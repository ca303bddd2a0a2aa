import ODataModel
import ODataQuery
import ODataText

/// What an expression is evaluated for: a row as it is, with what `$compute` added, or an instance that `$apply` made,
/// which has nothing but ``values`` by path.
struct OracleItem: Sendable {
    var row: OracleRow?
    var values: [String: OracleValue] = [:]
}

/// Evaluates expression trees over rows in memory by the words of URL Conventions 4.01, section 5.1.1, and calls nothing
/// of the library that evaluates or compiles.
///
/// Null logic is three-valued: with the literal null `eq` and `ne` answer, with any other null a comparison gives null.
struct OracleEvaluator {
    typealias Tree = ODataQuery.Expression

    var item: OracleItem
    /// The member of a collection that a filter of `$count` is evaluated for; nil outside of one.
    private var member: OracleValue?
    private var variables: [String: OracleValue] = [:]

    /// The instances that `$these` stands for.
    private var these: [OracleItem]

    init(_ item: OracleItem, these: [OracleItem] = []) {
        self.item = item
        self.these = these
    }

    init(_ row: OracleRow) { self.init(OracleItem(row: row)) }

    func value(_ tree: Tree) throws -> OracleValue {
        switch tree {
        case .literal(let scalar, _): return try OracleReading.value(scalar)
        case .enumeration(_, let members): return .flags(try Self.flags(members))
        case .path(let path): return try value(at: path)
        case .unary(.not, let operand):
            return Self.truth(try truth(operand).map { !$0 })
        case .unary(.negate, let operand): return try OracleArithmetic.negated(value(operand))
        case .binary(let symbol, let left, let right): return try value(symbol, left, right)
        case .isIn(let operand, let members): return try value(operand, in: members)
        case .call(.case, let arguments):
            for index in stride(from: 0, to: arguments.count - 1, by: 2)
            where try truth(arguments[index]) == true {
                return try value(arguments[index + 1])
            }
            return .null
        case .call(let function, let arguments):
            return try OracleFunctions.value(function, try arguments.map(value))
        case .cast(let operand?, let type): return try OracleFunctions.cast(value(operand), type)
        case .isOf(let operand, let type):
            let found = try operand.map(value) ?? member ?? item.row.map(OracleValue.row) ?? .null
            return .truth(Self.isOf(found, type))
        case .lambda(let symbol, let path, let variable, let predicate):
            return .truth(try holds(symbol, path, variable, predicate))
        case .count(let path, let filter): return .whole(Int64(try count(path, filter)))
        case .json(let text): return try OracleCollections.read(text)
        case .aggregate(let path, let term): return try aggregate(path, term)
        default: throw Self.unknown()
        }
    }

    /// Section 3.2.1.4: over the input of the step, or over the members of a collection.
    private func aggregate(_ path: ExpressionPath, _ term: AggregateTerm) throws -> OracleValue {
        guard path.root != .these else { return try OracleApply.aggregate(term, these) }
        let members = try members(path).map { member -> OracleItem in
            guard case .row(let row) = member else { throw Self.unknown() }
            return OracleItem(row: row)
        }
        return try OracleApply.aggregate(term, members)
    }

    static func unknown() -> ODataError {
        ODataError(.notImplemented, "Expected an expression that the oracle knows.")
    }

    /// Nil is unknown.
    func truth(_ tree: Tree) throws -> Bool? {
        switch try value(tree) {
        case .truth(let value): return value
        case .null: return nil
        default: throw OracleArithmetic.misfit()
        }
    }

    private static func truth(_ value: Bool?) -> OracleValue {
        value.map(OracleValue.truth) ?? .null
    }

    // MARK: Operators

    private func value(
        _ symbol: BinaryOperator, _ left: Tree, _ right: Tree
    ) throws -> OracleValue {
        switch symbol {
        case .and:
            switch (try truth(left), try truth(right)) {
            case (false?, _), (_, false?): return .truth(false)
            case (true?, true?): return .truth(true)
            default: return .null
            }
        case .or:
            switch (try truth(left), try truth(right)) {
            case (true?, _), (_, true?): return .truth(true)
            case (false?, false?): return .truth(false)
            default: return .null
            }
        case .eq, .ne, .gt, .ge, .lt, .le: return try compared(symbol, left, right)
        case .has:
            guard case .flags(let whole) = try value(left), case .flags(let part) = try value(right)
            else { return .null }
            return .truth(whole & part == part)
        default: return try OracleArithmetic.value(symbol, value(left), value(right))
        }
    }

    private func compared(
        _ symbol: BinaryOperator, _ left: Tree, _ right: Tree
    ) throws -> OracleValue {
        let (a, b) = (try value(left), try value(right))
        if Self.isNull(left) || Self.isNull(right) {
            switch symbol {
            case .eq: return .truth(a.isNull && b.isNull)
            case .ne: return .truth(!(a.isNull && b.isNull))
            default: return .null
            }
        }
        if a.isNull || b.isNull { return .null }
        switch (symbol, OracleValue.relation(a, b)) {
        case (.eq, let found): return .truth(found == .equal)
        case (.ne, let found): return .truth(found != .equal)
        case (.gt, .greater), (.ge, .greater), (.ge, .equal), (.lt, .less), (.le, .less),
            (.le, .equal):
            return .truth(true)
        default: return .truth(false)
        }
    }

    private static func isNull(_ tree: Tree) -> Bool {
        if case .literal(.null, _) = tree { true } else { false }
    }

    /// A chain of `eq`: null on either side is unknown.
    private func value(_ operand: Tree, in members: [Tree]) throws -> OracleValue {
        let wanted = try value(operand)
        if wanted.isNull { return .null }
        var meetsNull = false
        for member in members {
            let candidate = try value(member)
            if candidate.isNull {
                meetsNull = true
            } else if OracleValue.relation(wanted, candidate) == .equal {
                return .truth(true)
            }
        }
        return meetsNull ? .null : .truth(false)
    }

    static func flags(_ members: String) throws -> Int64 {
        var value: Int64 = 0
        for name in members.split(separator: ",") {
            guard let bit = OracleData.grades[String(name)] else { throw unknown() }
            value |= bit
        }
        return value
    }

    // MARK: Collections

    /// `any` is true when the predicate is true for a member, `all` when it is true for every one; never null.
    private func holds(
        _ symbol: LambdaOperator, _ path: ExpressionPath, _ variable: String, _ predicate: Tree?
    ) throws -> Bool {
        let members = try members(path)
        guard let predicate else { return !members.isEmpty }
        var inner = self
        for member in members {
            inner.variables[variable] = member
            let isTrue = try inner.truth(predicate) == true
            if isTrue != (symbol == .all) { return symbol == .any }
        }
        return symbol == .all
    }

    private func count(_ path: ExpressionPath, _ filter: Tree?) throws -> Int {
        let members = try members(path)
        guard let filter else { return members.count }
        var inner = self
        var count = 0
        for member in members {
            inner.member = member
            if try inner.truth(filter) == true { count += 1 }
        }
        return count
    }

    private func members(_ path: ExpressionPath) throws -> [OracleValue] {
        switch try value(at: path) {
        case .list(let members): return members
        case .null: return []
        default: throw Self.unknown()
        }
    }

    // MARK: Paths

    /// The value at the end of a path; behind null everything is null (section 5.1.1.15).
    private func value(at path: ExpressionPath) throws -> OracleValue {
        var current: OracleValue
        switch path.root {
        case .variable(let name): current = variables[name] ?? .null
        case .this: current = member ?? .null
        case .it:
            if let member {
                current = member
            } else if let row = item.row {
                if !item.values.isEmpty, path.segments.count == 1,
                    case .property(let name) = path.segments[0], let found = item.values[name]
                {
                    return found
                }
                current = .row(row)
            } else {
                return item.values[path.propertyNames?.joined(separator: "/") ?? ""] ?? .null
            }
        default: throw Self.unknown()
        }
        for segment in path.segments {
            switch segment {
            case .property(let name): current = try Self.step(current, name)
            case .typeCast(let type):
                if case .list(let members) = current {
                    current = .list(members.filter { Self.isOf($0, type) })
                } else if !Self.isOf(current, type) {
                    current = .null
                }
            default: throw Self.unknown()
            }
            if current.isNull { return .null }
        }
        return current
    }

    private static func step(_ value: OracleValue, _ name: String) throws -> OracleValue {
        switch value {
        case .row(let row):
            if let found = row.values[name] { return found }
            if let rows = row.many[name] { return .list(rows.map(OracleValue.row)) }
            return row.one[name].map(OracleValue.row) ?? .null
        case .record(let members): return members[name] ?? .null
        default: throw unknown()
        }
    }

    static func isOf(_ value: OracleValue, _ type: String) -> Bool {
        guard case .row(let row) = value else { return false }
        let name = type.dropFirst(5)
        return row.type == name || row.base == name
    }
}
