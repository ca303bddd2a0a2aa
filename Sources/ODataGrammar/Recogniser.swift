import ODataText

/// Says whether a rule of a ``Grammar`` derives a text.
///
/// Every way to derive it is looked at: for each rule and place the ends of all that it derives there are kept, so that
/// the work stays polynomial for any grammar. A rule that meets itself at the same place derives nothing new there.
package struct Recogniser {
    /// Nodes that are looked at for one text.
    package static let maximumSteps = 20_000_000
    /// Nodes inside each other.
    package static let maximumDepth = 2_500
    /// Bytes of a text.
    package static let maximumLength = 4_096

    private let grammar: Grammar
    private let bytes: [UInt8]
    /// For each rule and place the number of its ends in `found`; 0 when it was not looked at.
    private var memory: [Int32]
    private var found: [[Int32]] = [[]]
    private var steps = 0
    private var depth = 0
    /// The place to which some derivation came, and what was looked for there.
    private var furthest = 0
    private var wanted: [Int] = []

    private init(_ grammar: Grammar, _ bytes: [UInt8]) {
        self.grammar = grammar
        self.bytes = bytes
        memory = Array(repeating: 0, count: grammar.rules.count * (bytes.count + 1))
    }

    /// - Throws: `invalidQuery` with the offset at which no derivation goes on, `limitExceeded` for a text that is too long
    ///   or too deep, `notImplemented` when the grammar has no such rule.
    package static func check(_ text: String, rule name: String, grammar: Grammar) throws {
        guard let rule = grammar.rule(named: name) else {
            throw ODataError(.notImplemented, "Expected a rule of the OData ABNF.")
        }
        let bytes = Array(text.utf8)
        guard bytes.count <= maximumLength else {
            throw ODataError(
                .limitExceeded, "Expected at most \(maximumLength) bytes.",
                at: .offset(maximumLength))
        }
        var recogniser = Recogniser(grammar, bytes)
        let ends = try recogniser.ends(ofRule: rule, at: 0)
        guard ends.last == Int32(bytes.count) else {
            throw recogniser.failure(grammar.rules[rule], ends.last.map(Int.init) ?? 0)
        }
    }

    private func failure(_ rule: String, _ end: Int) -> ODataError {
        let place = max(furthest, end)
        var names: [String] = end == place ? ["the end"] : []
        for node in wanted where place == furthest {
            switch grammar.nodes[node].form {
            case .text(let bytes, _): names.append("'\(String(decoding: bytes, as: UTF8.self))'")
            case .rule(let rule): names.append(grammar.rules[rule])
            default: break
            }
        }
        let list = names.isEmpty ? "another character" : names.prefix(6).joined(separator: ", ")
        return ODataError(.invalidQuery, "Expected \(list) in \(rule).", at: .offset(place))
    }

    // MARK: Ends, in ascending order

    private mutating func ends(ofRule rule: Int, at start: Int) throws -> [Int32] {
        let place = rule * (bytes.count + 1) + start
        if memory[place] > 0 { return found[Int(memory[place]) - 1] }
        memory[place] = 1
        let ends = try ends(of: grammar.roots[rule], at: start)
        if ends.isEmpty { return ends }
        found.append(ends)
        memory[place] = Int32(found.count)
        return ends
    }

    private mutating func ends(of node: Int, at start: Int) throws -> [Int32] {
        let known = grammar.nodes[node]
        if !known.isNullable, start == bytes.count || !known.first.contains(bytes[start]) {
            return want(node, at: start)
        }
        steps += 1
        depth += 1
        defer { depth -= 1 }
        guard steps < Self.maximumSteps, depth < Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected a text that is nested less deeply.", at: .offset(start))
        }
        switch known.form {
        case .text(let text, let isCaseSensitive):
            return matches(text, isCaseSensitive, at: start)
                ? [Int32(start + text.count)] : want(node, at: start)
        case .range: return [Int32(start + 1)]
        case .encodedLetter(let isLeading):
            guard let end = EncodedLetter.end(in: bytes, at: start, isLeading: isLeading) else {
                return want(node, at: start)
            }
            return [Int32(end)]
        case .rule(let rule): return try ends(ofRule: rule, at: start)
        case .alternatives(let children):
            var all: [Int32] = []
            for child in children { all.merge(try ends(of: child, at: start)) }
            return all
        case .sequence(let children):
            var reached = [Int32(start)]
            for child in children where !reached.isEmpty {
                reached = try ends(of: child, after: reached)
            }
            return reached
        case .repetition(let child, let minimum, let maximum):
            return try repeated(child, minimum, maximum, at: start)
        }
    }

    private mutating func ends(of node: Int, after starts: [Int32]) throws -> [Int32] {
        if starts.count == 1 { return try ends(of: node, at: Int(starts[0])) }
        var all: [Int32] = []
        for start in starts { all.merge(try ends(of: node, at: Int(start))) }
        return all
    }

    private mutating func repeated(
        _ node: Int, _ minimum: Int, _ maximum: Int, at start: Int
    ) throws -> [Int32] {
        var edge = [Int32(start)]
        var count = 0
        while count < minimum, !edge.isEmpty {
            edge = try ends(of: node, after: edge)
            count += 1
        }
        var all = edge
        while count < maximum, !edge.isEmpty {
            let next = try ends(of: node, after: edge)
            edge = next.filter { !all.has($0) }
            all.merge(edge)
            count += 1
        }
        return all
    }

    private func matches(_ text: [UInt8], _ isCaseSensitive: Bool, at start: Int) -> Bool {
        guard start + text.count <= bytes.count else { return false }
        for (index, byte) in text.enumerated() {
            let met = bytes[start + index]
            guard met == byte || !isCaseSensitive && met == byte.otherCase else { return false }
        }
        return true
    }

    private mutating func want(_ node: Int, at place: Int) -> [Int32] {
        if place > furthest {
            furthest = place
            wanted = []
        }
        if place == furthest, wanted.count < 12 { wanted.append(node) }
        return []
    }
}

extension [Int32] {
    /// True when it is among them; they are in ascending order.
    fileprivate func has(_ value: Int32) -> Bool {
        guard let last, value <= last else { return false }
        return self[place(of: value)] == value
    }

    /// Adds `others`, both in ascending order.
    fileprivate mutating func merge(_ others: [Int32]) {
        if isEmpty {
            self = others
            return
        }
        for other in others where !has(other) {
            if other > self[count - 1] {
                append(other)
            } else {
                insert(other, at: place(of: other))
            }
        }
    }

    /// The first index whose element is not smaller.
    private func place(of value: Int32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
