import Foundation
import ODataText
import Synchronization

/// Regular expressions with a bound on what they may cost: a pattern such as `(a+)+$` tries the ways through a text one
/// by one, and their number doubles with each character.
enum TextPattern {
    /// Rows of a query have one pattern in common, as a rule.
    private static let last = Mutex<(pattern: String, expression: NSRegularExpression?)>(("", nil))

    /// True when some part of the text matches; nil for a pattern that is none.
    ///
    /// - Throws: `limitExceeded` (400) for a pattern that is too long, and for a match that takes too many steps.
    static func matches(_ text: String, _ pattern: String) throws -> Bool? {
        guard pattern.utf8.count <= maximumPatternBytes else {
            throw tooCostly(
                "Expected a pattern of at most \(maximumPatternBytes) bytes; pattern too complex.")
        }
        guard let expression = expression(pattern) else { return nil }
        var (isFound, reports) = (false, 0)
        expression.enumerateMatches(
            in: text, options: .reportProgress, range: NSRange(text.startIndex..., in: text)
        ) { match, _, stop in
            isFound = match != nil
            reports += 1
            if isFound || reports > maximumReports { stop.pointee = true }
        }
        guard isFound || reports <= maximumReports else {
            throw tooCostly("Expected a pattern that takes fewer steps; pattern too complex.")
        }
        return isFound
    }

    private static func expression(_ pattern: String) -> NSRegularExpression? {
        last.withLock { last in
            if last.pattern != pattern || last.expression == nil {
                last = (pattern, try? NSRegularExpression(pattern: pattern))
            }
            return last.expression
        }
    }

    private static func tooCostly(_ message: String) -> ODataError {
        ODataError(.limitExceeded, message, status: 400)
    }

    private static let maximumPatternBytes = 1_000
    /// A report comes after so many steps of the matcher that 500 of them take about a tenth of a second.
    private static let maximumReports = 500
}
