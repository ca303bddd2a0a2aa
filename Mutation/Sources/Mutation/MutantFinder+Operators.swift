import SwiftSyntax

extension MutantFinder {
    private static let opposites = [
        "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
        "+": "-", "-": "+",
    ]
    private static let comparisons: Set = ["<", "<=", ">", ">=", "==", "!="]

    /// Bounds, operators, defaults, and the numbers that something is compared with.
    func findOperator(_ node: InfixOperatorExprSyntax) {
        guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return
        }
        if let opposite = Self.opposites[sign], sign != "+" || !isText(ExprSyntax(node)) {
            let kind: Mutant.Kind =
                opposite.hasPrefix(sign) || sign.hasPrefix(opposite)
                ? .bound : .operator
            replace(node, kind, by: opposite)
        }
        switch sign {
        case "..<": replace(node, .bound, by: "...", in: "Range")
        case "...": replace(node, .bound, by: "..<", in: "ClosedRange")
        case "??": replaceDefault(node)
        default: break
        }
        if Self.comparisons.contains(sign) {
            move(node.rightOperand, sign, isRight: true)
            move(node.leftOperand, sign, isRight: false)
        }
    }

    /// `(mutant(1) ? a <= b : a < b)`
    private func replace(
        _ node: InfixOperatorExprSyntax, _ kind: Mutant.Kind, by sign: String,
        in type: String? = nil
    ) {
        let operands = [
            whole(node.leftOperand), between(node.leftOperand, node.operator), .text(sign),
            between(node.operator, node.rightOperand), whole(node.rightOperand),
        ]
        let opening: [Mutant.Piece] = type.map { [.text($0 + "(")] } ?? []
        let closing: [Mutant.Piece] = type == nil ? [] : [.text(")")]
        let line = "\(line(node.leftOperand)) \(sign) \(line(node.rightOperand))"
        add(
            kind, node,
            [.text("(mutant("), .number, .text(") ? ")] + opening + operands + closing
                + [.text(" : "), whole(node), .text(")")],
            after: line)
    }

    /// What stands between two parts: at least a space where there is anything.
    private func between(_ left: ExprSyntax, _ right: ExprSyntax) -> Mutant.Piece {
        .source(range(left).upperBound..<range(right).lowerBound)
    }

    /// `(mutant(1) ? nil : a) ?? b`
    private func replaceDefault(_ node: InfixOperatorExprSyntax) {
        let value = node.leftOperand
        add(
            .operator, value,
            [.text("(mutant("), .number, .text(") ? nil : "), whole(value), .text(")")],
            before: line(node), after: "nil ?? \(line(node.rightOperand))")
    }

    /// A number next to the one that something is compared with, on the side that the other bound does not reach.
    private func move(_ operand: ExprSyntax, _ sign: String, isRight: Bool) {
        guard let literal = operand.as(IntegerLiteralExprSyntax.self),
            let number = Int(literal.literal.text)
        else { return }
        let isDown = sign.hasPrefix(isRight ? "<" : ">") != sign.hasSuffix("=")
        let isEquality = sign == "==" || sign == "!="
        let moved = number + (isDown && !isEquality ? -1 : 1)
        add(
            .bound, operand,
            [.text("(mutant("), .number, .text(") ? \(moved) : "), whole(operand), .text(")")],
            before: operand.parent.map { line($0) },
            after: isRight ? "… \(sign) \(moved)" : "\(moved) \(sign) …")
    }

    /// Whether a sum joins texts or lists, which nothing is taken away from.
    private func isText(_ expression: ExprSyntax) -> Bool {
        if expression.is(StringLiteralExprSyntax.self) || expression.is(ArrayExprSyntax.self) {
            return true
        }
        guard let sum = expression.as(InfixOperatorExprSyntax.self),
            sum.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
        else { return false }
        return isText(sum.leftOperand) || isText(sum.rightOperand)
    }
}
