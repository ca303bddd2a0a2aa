import ODataModel
import ODataQuery
import ODataSQL

/// A query with marks in place of the values that its key or filter compares with, so that queries that differ in
/// nothing else are equal and share one compiled form.
///
/// Only whole values that are compared with a property are taken: how they are compared must not depend on them.
struct SharedQuery {
    /// The query with the marks.
    private(set) var query: Query
    private(set) var values: [SQLArgument] = []
    private(set) var marks: [SQLArgument] = []
    private let variant: Int64

    /// Nil for queries that compare with nothing that can be shared.
    ///
    /// - Parameter variant: 0 or 1: marks of another variant are other marks.
    init?(_ query: Query, variant: Int64 = 0) {
        self.query = query
        self.variant = variant
        for position in query.path.segments.indices {
            guard case .key(var key) = query.path.segments[position] else { continue }
            for part in key.indices {
                if let marked = mark(key[part].value) { key[part].value = marked }
            }
            self.query.path.segments[position] = .key(key)
        }
        if let filter = query.filter { self.query.filter = marked(filter, depth: 0) }
        if values.isEmpty { return nil }
    }

    private mutating func marked(_ test: Expression, depth: Int) -> Expression {
        guard depth < Self.maximumDepth, values.count < Self.maximumValues else { return test }
        switch test {
        case .unary(.not, let inner): return .unary(.not, marked(inner, depth: depth + 1))
        case .binary(let operation, let left, let right):
            switch operation {
            case .and, .or:
                let first = marked(left, depth: depth + 1)
                return .binary(operation, first, marked(right, depth: depth + 1))
            case .eq, .ne, .gt, .ge, .lt, .le:
                if case .path = left, let value = mark(right) {
                    return .binary(operation, left, value)
                }
                if case .path = right, let value = mark(left) {
                    return .binary(operation, value, right)
                }
                return test
            default: return test
            }
        default: return test
        }
    }

    /// The mark for a literal; nil for what is none or may be special.
    private mutating func mark(_ expression: Expression) -> Expression? {
        guard case .literal(let scalar, let type) = expression,
            let kind = SharedKind(scalar)
        else { return nil }
        let position = Int64(values.count)
        switch (kind, scalar) {
        case (.text, .string(let text)):
            let mark = "\u{1}mark\(variant).\(position)"
            values.append(.text(text))
            marks.append(.text(mark))
            return .literal(.string(mark), type)
        case (_, .integer(let value)):
            let mark = kind.base + variant * Int64(Self.maximumValues) + position
            values.append(.integer(value))
            marks.append(.integer(mark))
            return .literal(.integer(mark), type)
        default: return nil
        }
    }

    private static let maximumValues = 32
    private static let maximumDepth = 32
}

/// Values that are shared among themselves: a mark fits every type that the value fits.
enum SharedKind: Sendable, Hashable {
    case short, int, long, text

    init?(_ scalar: Scalar) {
        switch scalar {
        case .integer(let value):
            self =
                Int16(exactly: value) != nil ? .short : Int32(exactly: value) != nil ? .int : .long
        case .string(let text) where !text.isEmpty: self = .text
        default: return nil
        }
    }

    fileprivate var base: Int64 {
        switch self {
        case .short: 0x5EED
        case .int: 0x5EED_0DA7
        case .long, .text: 0x5EED_0DA7_A5EE_D000
        }
    }
}

/// The compiled form of a ``SharedQuery``: where its statements take the values.
final class SharedPlan: Sendable {
    private let query: PreparedQuery
    /// By argument: the position of the value, or nil where the argument is always the same.
    private let rows: [Int?]
    private let count: [Int?]
    /// True when the value is all that there is to bind, as of reads by key.
    private let takesOneValue: Bool
    /// Where the row statement takes the first value.
    private let firstPlaces: [Int32]

    /// From the plans for both variants of marks; nil unless they differ in the marks alone.
    init?(
        _ first: SharedQuery, _ second: SharedQuery, _ mapping: SchemaMapping,
        _ compile: (Query) throws -> QueryPlan
    ) {
        guard let plan = try? compile(first.query), let other = try? compile(second.query),
            plan.shape == other.shape, plan.result == other.result,
            plan.structure == other.structure, plan.expands.count == other.expands.count,
            zip(plan.expands, other.expands).allSatisfy({ Self.areEqual($0, $1) }),
            let rows = Self.positions(plan.statement, other.statement, first, second),
            let count = Self.positions(plan.countStatement, other.countStatement, first, second)
        else { return nil }
        self.rows = rows
        self.count = count
        takesOneValue = rows == [0] && count.isEmpty && plan.countStatement == nil
        firstPlaces = rows.indices.filter { rows[$0] == 0 }.map { Int32($0 + 1) }
        query = PreparedQuery(plan, mapping: mapping)
    }

    /// The query with these values.
    func bound(_ values: [SQLArgument]) -> BoundQuery {
        var bound = BoundQuery(query)
        bound.keyPlaces = firstPlaces
        if takesOneValue {
            bound.arguments = values
            return bound
        }
        bound.arguments = Self.arguments(query.plan.statement, rows, values)
        bound.countArguments = Self.arguments(query.plan.countStatement, count, values)
        return bound
    }

    private static func arguments(
        _ statement: SQLStatement?, _ positions: [Int?], _ values: [SQLArgument]
    ) -> [SQLArgument]? {
        guard var arguments = statement?.arguments else { return nil }
        for index in positions.indices {
            if let position = positions[index] { arguments[index] = values[position] }
        }
        return arguments
    }

    private static func areEqual(_ left: ExpandPlan, _ right: ExpandPlan) -> Bool {
        left.statement == right.statement && left.countStatement == right.countStatement
            && left.shape == right.shape && left.joined == right.joined
            && left.children.count == right.children.count
            && zip(left.children, right.children).allSatisfy { areEqual($0, $1) }
    }

    /// Nil unless the statements differ in the marks alone and take each of them.
    private static func positions(
        _ left: SQLStatement?, _ right: SQLStatement?, _ first: SharedQuery, _ second: SharedQuery
    ) -> [Int?]? {
        guard let left, let right else { return left == nil && right == nil ? [] : nil }
        guard left.text == right.text, left.arguments.count == right.arguments.count else {
            return nil
        }
        var positions: [Int?] = []
        for (one, two) in zip(left.arguments, right.arguments) {
            if one == two {
                positions.append(nil)
            } else if let position = first.marks.firstIndex(of: one),
                second.marks[position] == two
            {
                positions.append(position)
            } else {
                return nil
            }
        }
        return first.marks.indices.allSatisfy { positions.contains($0) } ? positions : nil
    }
}
