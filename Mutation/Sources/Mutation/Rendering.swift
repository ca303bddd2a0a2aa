import SwiftParser
import SwiftSyntax

/// A source with switches for some of its mutants.
struct Rendering {
    private let source: [UInt8]
    private let chosen: [(number: Int, mutant: Mutant)]

    init(_ text: String, _ chosen: [(number: Int, mutant: Mutant)]) {
        source = Array(text.utf8)
        self.chosen = chosen.sorted {
            ($0.mutant.range.lowerBound, -$0.mutant.range.upperBound)
                < ($1.mutant.range.lowerBound, -$1.mutant.range.upperBound)
        }
    }

    var text: String { String(decoding: bytes(0..<source.count, inside: nil), as: UTF8.self) }

    /// A part of the source, with the mutants that lie in it; of one that is being written itself, with those inside.
    private func bytes(_ range: Range<Int>, inside outer: Int?) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = range.lowerBound
        let first = outer.map { $0 + 1 } ?? 0
        for index in first..<chosen.endIndex {
            let (number, mutant) = chosen[index]
            if mutant.range.lowerBound >= range.upperBound { break }
            // Those inside of one that was written have been written with it.
            guard mutant.range.lowerBound >= place, mutant.range.upperBound <= range.upperBound
            else { continue }
            bytes += source[place..<mutant.range.lowerBound]
            for piece in mutant.pieces {
                switch piece {
                case .text(let text): bytes += text.utf8
                case .number: bytes += String(number).utf8
                case .source(let part): bytes += self.bytes(part, inside: index)
                }
            }
            place = mutant.range.upperBound
        }
        return bytes + source[place..<range.upperBound]
    }
}

/// Where the switches of a mutated source are: the lines of the statement around each.
final class SwitchLines: SyntaxVisitor {
    private var spans: [Int: ClosedRange<Int>] = [:]
    private let converter: SourceLocationConverter

    static func spans(in text: String) -> [Int: ClosedRange<Int>] {
        let tree = Parser.parse(source: text)
        let finder = SwitchLines(SourceLocationConverter(fileName: "", tree: tree))
        finder.walk(tree)
        return finder.spans
    }

    private init(_ converter: SourceLocationConverter) {
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        guard node.calledExpression.trimmedDescription == "mutant",
            let first = node.arguments.first, let number = Int(first.expression.trimmedDescription)
        else { return .visitChildren }
        var place = Syntax(node)
        while let parent = place.parent, !place.is(CodeBlockItemSyntax.self),
            !place.is(MemberBlockItemSyntax.self)
        {
            place = parent
        }
        let lines = line(place.positionAfterSkippingLeadingTrivia)...line(place.endPosition)
        let known = spans[number] ?? lines
        spans[number] =
            min(known.lowerBound, lines.lowerBound)...max(known.upperBound, lines.upperBound)
        return .visitChildren
    }

    private func line(_ position: AbsolutePosition) -> Int {
        converter.location(for: position).line
    }
}
