import ODataModel
import ODataText

/// The `if` of a JSON batch request (JSON Format 4.01, section 19.1): comparisons of values from earlier answers with
/// literals, such as `$r1/Status eq 'open' and $r2/$count gt 3`, joined by `and` and `or`.
package struct JSONBatchCondition: Sendable, Hashable {
    private enum Operand: Sendable, Hashable {
        /// A member of the body of an answer, by id and path.
        case value(id: String, path: [String])
        case literal(Scalar)
    }

    private struct Comparison: Sendable, Hashable {
        var left: Operand
        var operation: String
        var right: Operand
    }

    /// Alternatives, each of which has to hold as a whole.
    private var alternatives: [[Comparison]] = []

    /// - Throws: `notImplemented` for expressions beyond that form.
    package init(parsing text: String) throws {
        var words = Self.words(text)[...]
        var current: [Comparison] = []
        while !words.isEmpty {
            guard words.count >= 3, Self.operations.contains(words[words.startIndex + 1]) else {
                throw Self.unsupported
            }
            current.append(
                Comparison(
                    left: try Self.operand(words[words.startIndex]),
                    operation: words[words.startIndex + 1],
                    right: try Self.operand(words[words.startIndex + 2])))
            words = words.dropFirst(3)
            switch words.popFirst() {
            case nil: break
            case "and"?: if words.isEmpty { throw Self.unsupported }
            case "or"?:
                if words.isEmpty { throw Self.unsupported }
                alternatives.append(current)
                current = []
            default: throw Self.unsupported
            }
        }
        guard !current.isEmpty else { throw Self.unsupported }
        alternatives.append(current)
    }

    private static let operations: Set<String> = ["eq", "ne", "gt", "ge", "lt", "le"]

    private static var unsupported: ODataError {
        ODataError(
            .notImplemented, "Expected comparisons joined by and and or as a condition.",
            status: 501)
    }

    /// Words, string literals kept whole.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func operand(_ word: String) throws -> Operand {
        if word.hasPrefix("$") {
            let parts = word.dropFirst().split(separator: "/").map(String.init)
            guard let id = parts.first else { throw unsupported }
            return .value(id: id, path: Array(parts.dropFirst()))
        }
        if word == "null" { return .literal(.null) }
        if word == "true" || word == "false" { return .literal(.boolean(word == "true")) }
        if let text = Literal.unquoted(word) { return .literal(.string(text)) }
        if let number = Lexical.scalar(word, as: .decimal) { return .literal(number) }
        return .literal(.string(word))
    }

    /// Whether it is true for these bodies; a comparison with what is not there is not.
    package func isTrue(_ body: (String) -> JSONValue?) -> Bool {
        alternatives.contains { $0.allSatisfy { Self.holds($0, body) } }
    }

    private static func holds(_ comparison: Comparison, _ body: (String) -> JSONValue?) -> Bool {
        guard let left = value(comparison.left, body), let right = value(comparison.right, body)
        else { return false }
        if left == .null || right == .null {
            return comparison.operation == "eq"
                ? left == right : comparison.operation == "ne" && left != right
        }
        guard let order = order(left, right) else { return comparison.operation == "ne" }
        switch comparison.operation {
        case "eq": return order == 0
        case "ne": return order != 0
        case "gt": return order > 0
        case "ge": return order >= 0
        case "lt": return order < 0
        default: return order <= 0
        }
    }

    private static func value(_ operand: Operand, _ body: (String) -> JSONValue?) -> Scalar? {
        switch operand {
        case .literal(let scalar): return scalar
        case .value(let id, let path):
            guard var current = body(id) else { return nil }
            if path.isEmpty, let inner = current["value"] { current = inner }
            for name in path {
                guard let next = current[name] else { return nil }
                current = next
            }
            switch current {
            case .null: return .null
            case .boolean(let flag): return .boolean(flag)
            case .number(let text): return Lexical.scalar(text, as: .decimal)
            case .string(let text): return .string(text)
            default: return nil
            }
        }
    }

    /// Negative, zero or positive; nil for values that do not compare.
    private static func order(_ left: Scalar, _ right: Scalar) -> Int? {
        switch (left, right) {
        case (.string(let one), .string(let other)):
            one == other
                ? 0 : one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars) ? -1 : 1
        case (.boolean(let one), .boolean(let other)): one == other ? 0 : one ? 1 : -1
        case (.decimal(let one), .decimal(let other)): one == other ? 0 : one < other ? -1 : 1
        default: nil
        }
    }
}
