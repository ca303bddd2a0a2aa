import Testing

@testable import Mutation

@Suite struct SampleTests {
    private let text = """
        func f(_ list: [Int]) -> Int {
            guard list.count > 1, let first = list.first else { return 0 }
            let kept = list.filter { value in
                if value == first { return false }
                return value < 3 || value > 7
            }
            note(kept.count)
            return kept.isEmpty ? first : kept[0] + kept.count
        }
        """

    @Test func mutantsInsideOfOthersAreWrittenInBothOfTheirPlaces() throws {
        let text = "x = a && b.contains { c in\n    d(c)\n    return c < 1\n}"
        let mutants = MutantFinder.mutants(in: text)
        let outer = try #require(mutants.first { $0.after.contains("||") })
        let inner = try #require(mutants.first { $0.before == "d(c)" })
        #expect(
            Rendering(text, [(1, outer), (2, inner)]).text == """
                x = (mutant(1) ? a || b.contains { c in
                    if !mutant(2) { d(c) }
                    return c < 1
                } : a && b.contains { c in
                    if !mutant(2) { d(c) }
                    return c < 1
                })
                """)
    }

    @Test func eachStatementHasOneAtMost() {
        let (sources, mutants) = Sample(of: [("A.swift", text)], count: 100, seed: 3)
            .written(without: [])
        #expect(mutants.map(\.number) == Array(1...mutants.count))
        let found = sources[0].text.matches(of: /mutant\((\d+)/).map { $0.1 }
        #expect(Set(found).count == mutants.count)
        // Two conditions, what the closure does, three statements.
        #expect(mutants.count >= 6)
    }

    @Test func aSeedSaysWhatIsDrawnAndALargerSampleBeginsWithTheSmallerOne() {
        func drawn(_ count: Int, _ seed: UInt64) -> [String] {
            Sample(of: [("A.swift", text)], count: count, seed: seed).written(without: [])
                .mutants.map { "\($0.line) \($0.kind) \($0.before) \($0.after)" }
        }
        #expect(drawn(4, 1) == drawn(4, 1))
        #expect(Array(drawn(6, 1).prefix(4)) == drawn(4, 1))
        #expect(drawn(4, 1) != drawn(4, 2))
    }

    @Test func whatIsLeftOutIsAsItWas() {
        let sample = Sample(of: [("A.swift", text)], count: 100, seed: 3)
        let all = sample.written(without: [])
        let (sources, mutants) = sample.written(without: Set(1...100))
        #expect(sources[0].text == text)
        #expect(mutants.count == all.mutants.count)
        #expect(mutants.allSatisfy { $0.span == nil })
    }

    @Test func spansAreTheLinesOfTheStatementInTheMutatedText() throws {
        let text = "let a = 1\nlet b = c\n    && d\n    && e\nf()\n"
        let mutants = MutantFinder.mutants(in: text).filter { $0.kind == .operator }
        let written = Rendering(text, [(4, mutants[0])]).text
        #expect(SwitchLines.spans(in: written)[4] == 2...6)
        #expect(written.split(separator: "\n").count == 7)
    }
}
