import ODataText

/// A grammar in ABNF (RFC 5234 and RFC 7405), ready for ``Recogniser``.
package struct Grammar: Sendable {
    /// What a node of the grammar derives.
    package enum Form: Sendable {
        /// These bytes; letters in any case unless `isCaseSensitive`.
        case text([UInt8], isCaseSensitive: Bool)
        case range(UInt8, UInt8)
        case alternatives([Int])
        case sequence([Int])
        /// Between `minimum` and `maximum` times the node.
        case repetition(Int, minimum: Int, maximum: Int)
        /// What the rule of this number derives.
        case rule(Int)
        /// A percent-encoded character that Unicode counts among the letters or, unless it leads, the digits and marks.
        case encodedLetter(isLeading: Bool)
    }

    /// A form with what is known of all it derives.
    package struct Node: Sendable {
        package var form: Form
        /// True when the empty text is among them.
        package var isNullable = false
        /// The bytes with which they begin.
        package var first = ByteSet()
    }

    package internal(set) var nodes: [Node] = []
    /// The names of the rules, by number.
    package internal(set) var rules: [String] = []
    /// The node of each rule.
    package internal(set) var roots: [Int] = []

    /// The number of the rule with this name; case counts only where two names differ by nothing else.
    package func rule(named name: String) -> Int? {
        if let exact = rules.firstIndex(of: name) { return exact }
        let folded = name.lowercased()
        let found = rules.indices.filter { rules[$0].lowercased() == folded }
        return found.count == 1 ? found[0] : nil
    }

    /// Grows what is nullable and what comes first until nothing changes.
    mutating func complete() {
        var isChanging = true
        while isChanging {
            isChanging = false
            for index in nodes.indices {
                let (isNullable, first) = known(nodes[index].form)
                if isNullable != nodes[index].isNullable || first != nodes[index].first {
                    nodes[index].isNullable = isNullable
                    nodes[index].first = first
                    isChanging = true
                }
            }
        }
    }

    private func known(_ form: Form) -> (isNullable: Bool, first: ByteSet) {
        var first = ByteSet()
        switch form {
        case .text(let bytes, let isCaseSensitive):
            guard let byte = bytes.first else { return (true, first) }
            first.insert(byte)
            if !isCaseSensitive { first.insert(byte.otherCase) }
            return (false, first)
        case .range(let low, let high):
            for byte in low...high { first.insert(byte) }
            return (false, first)
        case .alternatives(let children):
            for child in children { first.formUnion(nodes[child].first) }
            return (children.contains { nodes[$0].isNullable }, first)
        case .sequence(let children):
            for child in children {
                first.formUnion(nodes[child].first)
                guard nodes[child].isNullable else { return (false, first) }
            }
            return (true, first)
        case .repetition(let child, let minimum, _):
            return (minimum == 0 || nodes[child].isNullable, nodes[child].first)
        case .rule(let rule):
            return (nodes[roots[rule]].isNullable, nodes[roots[rule]].first)
        case .encodedLetter:
            first.insert(UInt8(ascii: "%"))
            return (false, first)
        }
    }
}

/// A set of bytes.
package struct ByteSet: Sendable, Equatable {
    private var words: SIMD4<UInt64> = .zero

    package mutating func insert(_ byte: UInt8) {
        words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
    }

    package mutating func formUnion(_ other: ByteSet) {
        words |= other.words
    }

    package func contains(_ byte: UInt8) -> Bool {
        words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1
    }
}

extension UInt8 {
    /// The same letter in the other case; any other byte itself.
    var otherCase: UInt8 {
        switch self {
        case 0x41...0x5A, 0x61...0x7A: self ^ 32
        default: self
        }
    }
}
