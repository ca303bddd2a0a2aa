import ODataGrammar

/// Draws numbers from a seed: the same seed draws the same texts on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// Texts that a rule derives, drawn at random, and mutations of them.
struct Derivation {
    private let grammar: Grammar
    /// The depth of the flattest derivation of each node.
    private let heights: [Int]
    private var random: SeededGenerator
    private static let highest = 1 << 20

    init(_ grammar: Grammar, seed: UInt64) {
        self.grammar = grammar
        random = SeededGenerator(seed: seed)
        heights = Self.heights(grammar)
    }

    private static func heights(_ grammar: Grammar) -> [Int] {
        var heights = Array(repeating: highest, count: grammar.nodes.count)
        var isChanging = true
        while isChanging {
            isChanging = false
            for (index, node) in grammar.nodes.enumerated() {
                let height: Int =
                    switch node.form {
                    case .text, .range: 0
                    case .encodedLetter: highest
                    case .alternatives(let children): children.map { heights[$0] }.min() ?? highest
                    case .sequence(let children): children.map { heights[$0] }.max() ?? 0
                    case .repetition(let child, let minimum, _): minimum == 0 ? 0 : heights[child]
                    case .rule(let rule): min(highest, heights[grammar.roots[rule]] + 1)
                    }
                if height < heights[index] {
                    heights[index] = height
                    isChanging = true
                }
            }
        }
        return heights
    }

    /// A text that the rule derives; rules stand in each other at most `depth` times where the grammar lets them.
    mutating func text(of rule: String, depth: Int) -> [UInt8] {
        guard let number = grammar.rule(named: rule) else { return [] }
        var bytes: [UInt8] = []
        write(grammar.roots[number], depth, &bytes)
        return bytes
    }

    private mutating func write(_ node: Int, _ depth: Int, _ bytes: inout [UInt8]) {
        switch grammar.nodes[node].form {
        case .text(let text, let isCaseSensitive):
            let isUpper = !isCaseSensitive && Int.random(in: 0..<24, using: &random) == 0
            bytes += isUpper ? text.map { (97...122).contains($0) ? $0 ^ 32 : $0 } : text
        case .range(let low, let high): bytes.append(.random(in: low...high, using: &random))
        case .encodedLetter: break
        case .rule(let rule):
            // Names are short, and few: what is long tells nothing more.
            if grammar.rules[rule] == "odataIdentifier" {
                bytes += Array(
                    Self.names[Int.random(in: 0..<Self.names.count, using: &random)].utf8)
            } else {
                write(grammar.roots[rule], depth - 1, &bytes)
            }
        case .alternatives(let children):
            let lowest = children.map { heights[$0] }.min() ?? 0
            let open = children.filter { heights[$0] <= max(depth, lowest) }
            write(open.randomElement(using: &random) ?? children[0], depth, &bytes)
        case .sequence(let children):
            for child in children { write(child, depth, &bytes) }
        case .repetition(let child, let minimum, let maximum):
            var count = minimum
            while count < min(maximum, minimum + 3), heights[child] <= depth,
                Bool.random(using: &random)
            { count += 1 }
            for _ in 0..<count { write(child, depth, &bytes) }
        }
    }

    private static let names = ["A", "b1", "_c", "Name", "a", "x9"]
    private static let alphabet = Array("abN_019'\"()/$@,;:=&?*+-. %TZeE{}[]!#".utf8)

    private mutating func letter() -> UInt8 {
        Self.alphabet[Int.random(in: 0..<Self.alphabet.count, using: &random)]
    }

    /// The text with one to three bytes or pieces left out, put in, doubled or exchanged.
    mutating func mutation(of text: [UInt8]) -> [UInt8] {
        var bytes = text
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 1...4, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(letter(), at: place)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3 where place < bytes.count:
                bytes[place] = letter()
            default:
                let other = Int.random(in: 0...bytes.count, using: &random)
                let piece = Array(bytes[place..<end])
                bytes.insert(contentsOf: piece, at: other)
            }
        }
        return bytes
    }
}
