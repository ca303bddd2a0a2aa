import ODataModel
import ODataText

/// Operators and precedence (URL Conventions 4.01, sections 5.1.1.1 to 5.1.1.4).
extension QueryTextParser {
    /// `commonExpr`: an operand and what operators join to it.
    mutating func expression() throws -> Expression {
        try nested { parser in
            parser.scanner.skipSpaces()
            return try parser.operators(binding: 0)
        }
    }

    /// As ``expression()``, for an item of a list, which is a level already.
    mutating func listedExpression() throws -> Expression {
        scanner.skipSpaces()
        return try operators(binding: 0)
    }

    private mutating func operators(binding minimum: Int) throws -> Expression {
        var chain = OperatorChain(try unary())
        while let (symbol, start) = nextOperator(), symbol.precedence >= minimum {
            scanner.position = start + symbol.rawValue.utf8.count
            guard scanner.skipSpaces() || scanner.isNext("(") else {
                throw scanner.expected("a space")
            }
            let right = try operators(binding: symbol.precedence + 1)
            guard chain.append(symbol, right, limit: limits.maximumChain) else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(limits.maximumChain) operators in a row; use parentheses.",
                    at: .offset(scanner.text.sourceOffset(start)))
            }
        }
        return chain.expression
    }

    /// The binary operator after the spaces at the cursor, and where its name starts; the cursor does not move.
    private func nextOperator() -> (BinaryOperator, Int)? {
        var ahead = scanner
        let hasSpace = ahead.skipSpaces()
        guard hasSpace || isAfterParenthesis else { return nil }
        let start = ahead.position
        let length = ahead.identifierLength()
        guard length > 0, length <= 5 else { return nil }
        let word = folded(ahead.take(length))
        guard let symbol = BinaryOperator(rawValue: word), symbol != .has else { return nil }
        guard symbol != .divby || !dialect.usesTypedLiterals else { return nil }
        return (symbol, start)
    }

    var isAfterParenthesis: Bool {
        scanner.position > 0
            && scanner.text.bytes[scanner.position - 1] == UInt8(ascii: ")")
    }

    /// Behind `in` no further `in` belongs to the operand.
    private mutating func unary(isMember: Bool = false) throws -> Expression {
        scanner.skipSpaces()
        if scanner.isNext("-"), !startsNegativeLiteral {
            scanner.position += 1
            return .unary(.negate, try nested { try $0.unary() })
        }
        let length = scanner.identifierLength()
        if length == 3, [32, 9, UInt8(ascii: "(")].contains(scanner.peek(3)) {
            let start = scanner.position
            if folded(scanner.take(3)) == "not" {
                return .unary(.not, try nested { try $0.unary() })
            }
            scanner.position = start
        }
        return isMember ? try primary() : try postfix(try primary())
    }

    /// `has` and `in`, which bind as tightly as a path (sections 5.1.1.1.10 and 5.1.1.1.11).
    private mutating func postfix(_ operand: Expression) throws -> Expression {
        var result = operand
        var links = 0
        while true {
            let start = scanner.position
            guard scanner.skipSpaces() || isAfterParenthesis else { return result }
            let length = scanner.identifierLength()
            let word = length == 2 || length == 3 ? folded(scanner.take(length)) : ""
            guard word == "has" || word == "in", scanner.skipSpaces() || scanner.isNext("(") else {
                scanner.position = start
                return result
            }
            links += 1
            guard links <= limits.maximumChain else { throw scanner.expected("fewer operators") }
            if word == "has" {
                result = .binary(.has, result, try primary())
            } else {
                result = .isIn(result, try members())
            }
        }
    }

    /// The right side of `in`: a list in parentheses or brackets, or an expression that is a collection.
    private mutating func members() throws -> [Expression] {
        if scanner.isNext("(") {
            return try list { try $0.operators(binding: 0) }
        }
        if scanner.isNext("[") {
            return try list("[", "]") { try $0.jsonElement() }
        }
        return [try unary(isMember: true)]
    }
}

/// Operators of one level, folded to the left; long chains of `and` or `or`, which are associative in three-valued
/// logic, are balanced so that thousands of terms do not make a tree as deep.
private struct OperatorChain {
    private var head: Expression
    private var symbol: BinaryOperator?
    private var operands: [Expression] = []
    private var links = 0

    init(_ first: Expression) {
        head = first
    }

    /// False when the chain would get longer than `limit`.
    mutating func append(_ next: BinaryOperator, _ right: Expression, limit: Int) -> Bool {
        if next == .and || next == .or {
            if symbol != next {
                head = expression
                symbol = next
                operands = []
                links += 1
            }
            operands.append(right)
        } else {
            head = .binary(next, expression, right)
            symbol = nil
            operands = []
            links += 1
        }
        return links <= limit
    }

    var expression: Expression {
        guard let symbol else { return head }
        guard operands.count > 16 else {
            return operands.reduce(head) { .binary(symbol, $0, $1) }
        }
        return balanced([head] + operands, symbol)
    }

    private func balanced(_ terms: [Expression], _ symbol: BinaryOperator) -> Expression {
        var level = terms
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { index in
                index + 1 < level.count
                    ? .binary(symbol, level[index], level[index + 1]) : level[index]
            }
        }
        return level[0]
    }
}

extension BinaryOperator {
    /// Rank of the operator; higher binds tighter (URL Conventions 4.01, section 5.1.1.17).
    package var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .eq, .ne: 3
        case .gt, .ge, .lt, .le: 4
        case .add, .sub: 5
        case .mul, .div, .divby, .mod: 6
        case .has: 8
        }
    }

    /// Rank of `not` and of the sign.
    package static let unaryPrecedence = 7
}
