import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds what can be mutated in a source.
///
/// What a compiler would refuse is found too, where only types tell: who builds takes it out again.
final class MutantFinder: SyntaxVisitor {
    private(set) var mutants: [Mutant] = []
    private let source: [UInt8]

    /// The mutants of a source, in the order of the text.
    static func mutants(in text: String) -> [Mutant] {
        let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: text)) { _ in }
        let finder = MutantFinder(Array(text.utf8))
        finder.walk(tree)
        return finder.mutants.sorted {
            ($0.range.lowerBound, -$0.range.upperBound)
                < ($1.range.lowerBound, -$1.range.upperBound)
        }
    }

    private init(_ source: [UInt8]) {
        self.source = source
        super.init(viewMode: .sourceAccurate)
    }

    // MARK: What is left alone

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    /// What one platform compiles the other does not.
    override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    // MARK: What is mutated

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        findRemoval(of: node)
        return .visitChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        findCondition(node)
        return .visitChildren
    }

    override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
        findRemoval(of: node)
        return .visitChildren
    }

    override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        // A condition as a whole is negated already.
        if node.operator.text == "!", node.parent?.is(ConditionElementSyntax.self) == false {
            negate(ExprSyntax(node), as: .operator)
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        findOperator(node)
        return .visitChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let isTrue = node.literal.text == "true"
        if node.parent?.is(ConditionElementSyntax.self) == false {
            add(
                .literal, node, [.text(isTrue ? "!mutant(" : "mutant("), .number, .text(")")],
                after: isTrue ? "false" : "true")
        }
        return .visitChildren
    }

    // MARK: Parts

    func negate(_ condition: ExprSyntax, as kind: Mutant.Kind = .condition) {
        add(
            kind, condition,
            [.text("mutant("), .number, .text(", not: "), whole(condition), .text(")")],
            after: "!(\(line(condition)))")
    }

    func add(
        _ kind: Mutant.Kind, _ node: some SyntaxProtocol, _ pieces: [Mutant.Piece],
        before: String? = nil, after: String
    ) {
        mutants.append(
            Mutant(
                kind: kind, range: range(node), pieces: pieces, owner: owner(of: Syntax(node)),
                before: before ?? line(node), after: after))
    }

    func range(_ node: some SyntaxProtocol) -> Range<Int> {
        node.positionAfterSkippingLeadingTrivia
            .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
    }

    func whole(_ node: some SyntaxProtocol) -> Mutant.Piece { .source(range(node)) }

    /// The text of a node in one line.
    func line(_ node: some SyntaxProtocol) -> String {
        let text = String(decoding: source[range(node)], as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func owner(of node: Syntax) -> Int {
        var place = node
        while let parent = place.parent {
            if place.is(CodeBlockItemSyntax.self) || place.is(ConditionElementSyntax.self)
                || place.is(MemberBlockItemSyntax.self)
            {
                break
            }
            place = parent
        }
        // The condition of an `if` begins after the statement that it is in, so that no two owners begin together.
        return place.positionAfterSkippingLeadingTrivia.utf8Offset
    }
}
