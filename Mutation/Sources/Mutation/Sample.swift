import SwiftParser
import SwiftSyntax

/// Mutants of several sources, drawn with a seed.
public struct Sample: Sendable {
    /// The path of a source, from the root of the package, and its text.
    public typealias Source = (file: String, text: String)

    /// How many there were to draw from.
    public let candidates: Int
    private let sources: [Source]
    private let drawn: [(source: Int, mutant: Mutant)]

    /// - Parameter count: how many are drawn at most; of those with one owner only one is.
    public init(of sources: [Source], count: Int, seed: UInt64) {
        self.sources = sources
        var all: [(source: Int, mutant: Mutant)] = []
        for (index, source) in sources.enumerated() {
            all += MutantFinder.mutants(in: source.text).map { (index, $0) }
        }
        candidates = all.count
        // By keys, because the order that `shuffle` makes of the same numbers is not promised.
        var generator = SplitMix(state: seed)
        let keyed = all.map { (key: generator.next(), found: $0) }
        var owners: Set<[Int]> = []
        var drawn: [(source: Int, mutant: Mutant)] = []
        for (_, candidate) in keyed.sorted(by: { $0.key < $1.key })
        where drawn.count < count {
            let owner = [candidate.source, candidate.mutant.owner]
            if owners.insert(owner).inserted { drawn.append(candidate) }
        }
        self.drawn = drawn
    }

    /// The sources with a switch for each mutant but those without, and the list of all that were drawn.
    public func written(without: Set<Int>) -> (sources: [Source], mutants: [DrawnMutant]) {
        var chosen: [[(number: Int, mutant: Mutant)]] = Array(repeating: [], count: sources.count)
        for (index, (source, mutant)) in drawn.enumerated() where !without.contains(index + 1) {
            chosen[source].append((index + 1, mutant))
        }
        let texts = zip(sources, chosen).map { source, chosen in
            chosen.isEmpty ? source.text : Rendering(source.text, chosen).text
        }
        let spans = texts.map(SwitchLines.spans)
        let lines = sources.map { LineStarts($0.text) }
        let mutants = drawn.enumerated().map { index, found in
            DrawnMutant(
                number: index + 1, file: sources[found.source].file,
                line: lines[found.source].line(of: found.mutant.range.lowerBound),
                kind: found.mutant.kind.rawValue, before: found.mutant.before,
                after: found.mutant.after,
                span: spans[found.source][index + 1].map { [$0.lowerBound, $0.upperBound] })
        }
        return (zip(sources, texts).map { ($0.file, $1) }, mutants)
    }
}

/// Numbers that are the same for the same seed on every machine.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Where the lines of a text begin.
private struct LineStarts {
    private let starts: [Int]

    init(_ text: String) {
        starts = [0] + text.utf8.enumerated().filter { $0.element == 10 }.map { $0.offset + 1 }
    }

    /// From 1 on.
    func line(of place: Int) -> Int { starts.firstIndex { $0 > place } ?? starts.count }
}
