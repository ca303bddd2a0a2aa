import SwiftSyntax

extension MutantFinder {
    /// Calls that decide nothing, or that only say what has gone wrong for good.
    private static let kept: Set = [
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
        "reserveCapacity", "withExtendedLifetime", "init",
    ]
    private static let changing: Set = [
        "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "<<=", ">>=", "&+=", "&-=",
    ]

    /// Conditions of `if`, `guard` and `while`: the opposite, or never; of a `guard` also always.
    func findCondition(_ node: ConditionElementSyntax) {
        switch node.condition {
        case .expression(let condition):
            // Without an end nothing is learnt but that it does not end.
            if condition.is(BooleanLiteralExprSyntax.self) { return }
            negate(condition)
            if node.parent?.parent?.is(GuardStmtSyntax.self) == true {
                add(
                    .removed, condition,
                    [
                        .text("(mutant("), .number, .text(") ? true : ("), whole(condition),
                        .text("))"),
                    ], before: "guard \(line(condition))", after: "guard true")
            }
        case .matchingPattern, .optionalBinding:
            add(
                .binding, node.condition,
                [.text("!mutant("), .number, .text("), "), whole(node.condition)], after: "false")
        case .availability: return
        }
    }

    /// An `if` that only leaves: it never does.
    func findRemoval(of node: IfExprSyntax) {
        guard node.elseBody == nil, let last = node.body.statements.last,
            let leaving = last.item.as(StmtSyntax.self),
            leaving.is(ReturnStmtSyntax.self) || leaving.is(ThrowStmtSyntax.self)
                || leaving.is(ContinueStmtSyntax.self) || leaving.is(BreakStmtSyntax.self)
        else { return }
        add(
            .removed, node.conditions,
            [.text("!mutant("), .number, .text("), "), whole(node.conditions)],
            before: "if \(line(node.conditions)) { … \(line(leaving)) }", after: "")
    }

    /// Calls whose value nobody uses, and assignments.
    func findRemoval(of node: CodeBlockItemSyntax) {
        guard case .expr(let expression) = node.item else { return }
        var inner = expression
        while true {
            if let tried = inner.as(TryExprSyntax.self) {
                inner = tried.expression
            } else if let awaited = inner.as(AwaitExprSyntax.self) {
                inner = awaited.expression
            } else {
                break
            }
        }
        if let call = inner.as(FunctionCallExprSyntax.self) {
            let name =
                call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
                ?? line(call.calledExpression)
            guard !Self.kept.contains(name), !isValue(node) else { return }
        } else if let change = inner.as(InfixOperatorExprSyntax.self) {
            // What is not set in an initialiser does not compile, mostly.
            guard isAssignment(change), !isInInitializer(node) else { return }
        } else {
            return
        }
        add(
            .removed, node.item,
            [.text("if !mutant("), .number, .text(") { "), whole(node.item), .text(" }")],
            after: "")
    }

    private func isAssignment(_ node: InfixOperatorExprSyntax) -> Bool {
        node.operator.is(AssignmentExprSyntax.self)
            || node.operator.as(BinaryOperatorExprSyntax.self)
                .map { Self.changing.contains($0.operator.text) } ?? false
    }

    private func isInInitializer(_ node: CodeBlockItemSyntax) -> Bool {
        var place = Syntax(node)
        while let parent = place.parent {
            if parent.is(FunctionDeclSyntax.self) || parent.is(ClosureExprSyntax.self) {
                return false
            }
            if parent.is(InitializerDeclSyntax.self) { return true }
            place = parent
        }
        return false
    }

    /// Whether a statement may be the value of what it stands in, being the only one there.
    private func isValue(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
            let place = list.parent
        else { return false }
        if place.is(ClosureExprSyntax.self) || place.is(AccessorBlockSyntax.self) { return true }
        if place.is(SwitchCaseSyntax.self) {
            return place.parent?.parent.map(isValueOfBranch) ?? false
        }
        guard let owner = place.parent else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) {
            return function.signature.returnClause != nil
        }
        if owner.is(AccessorDeclSyntax.self) { return true }
        return owner.is(IfExprSyntax.self) ? isValueOfBranch(owner) : false
    }

    /// Whether an `if` or `switch` may be a value, and so each of its branches.
    private func isValueOfBranch(_ node: Syntax) -> Bool {
        guard let parent = node.parent else { return false }
        if parent.is(IfExprSyntax.self) { return isValueOfBranch(parent) }
        if let item = parent.as(CodeBlockItemSyntax.self) { return isValue(item) }
        if let item = parent.parent?.as(CodeBlockItemSyntax.self),
            parent.is(ExpressionStmtSyntax.self)
        {
            return isValue(item)
        }
        return true
    }
}
