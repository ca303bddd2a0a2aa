import Foundation
import ODataText
import Synchronization

/// A regular expression with a bound on what they may cost: a pattern such as `(a+)+$` tries the ways through a text one
/// by one, and their number doubles with each character.
package struct TextPattern: Sendable {
    private let expression: NSRegularExpression

    /// Nil for a text that is no regular expression.
    package init?(_ pattern: String) {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
        self.expression = expression
    }

    /// True when some part of the text matches.
    ///
    /// - Throws: `limitExceeded` (400) for a match that takes too many steps.
    package func matches(_ text: String) throws -> Bool {
        var (isFound, reports) = (false, 0)
        expression.enumerateMatches(
            in: text, options: .reportProgress, range: NSRange(text.startIndex..., in: text)
        ) { match, _, stop in
            isFound = match != nil
            reports += 1
            if isFound || reports > Self.maximumReports { stop.pointee = true }
        }
        guard isFound || reports <= Self.maximumReports else {
            throw Self.tooCostly(
                "Expected a pattern that takes fewer steps; pattern too complex.")
        }
        return isFound
    }

    /// A report comes after so many steps of the matcher that 500 of them take about a tenth of a second.
    private static let maximumReports = 500
}

// MARK: Patterns of queries

extension TextPattern {
    /// Rows of a query have one pattern in common, as a rule.
    private static let last = Mutex<(text: String, pattern: TextPattern?)>(("", nil))

    /// True when some part of the text matches; nil for a pattern that is none.
    ///
    /// - Throws: `limitExceeded` (400) for a pattern that is too long, and for a match that takes too many steps.
    static func matches(_ text: String, _ pattern: String) throws -> Bool? {
        guard pattern.utf8.count <= maximumPatternBytes else {
            throw tooCostly(
                "Expected a pattern of at most \(maximumPatternBytes) bytes; pattern too complex.")
        }
        return try compiled(pattern)?.matches(text)
    }

    private static func compiled(_ text: String) -> TextPattern? {
        last.withLock { last in
            if last.text != text || last.pattern == nil {
                last = (text, TextPattern(text))
            }
            return last.pattern
        }
    }

    private static func tooCostly(_ message: String) -> ODataError {
        ODataError(.limitExceeded, message, status: 400)
    }

    private static let maximumPatternBytes = 1_000
}
