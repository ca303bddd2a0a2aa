/// Text of the document in the generated code: none of it may end the literal or the comment that it stands in.
package enum SwiftText {
    /// A string literal with the quotes.
    package static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result + "\""
    }

    /// The lines of a string literal over several lines, quotes included, which stand at the start of their lines.
    package static func longLiteral(_ text: String) -> String {
        var result = "\"\"\"\n"
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &result)
            }
        }
        return result + "\n\"\"\""
    }

    /// One line for a comment, cut where it is long.
    package static func comment(_ text: String) -> String {
        var result = ""
        var isBlank = true
        for scalar in text.unicodeScalars.prefix(4 * maximumComment) {
            if isVisible(scalar) {
                result.unicodeScalars.append(scalar)
                isBlank = false
            } else if !isBlank {
                result += " "
                isBlank = true
            }
        }
        if result.hasSuffix(" ") { result.removeLast() }
        return result.count > maximumComment ? result.prefix(maximumComment) + "…" : result
    }

    /// Characters of a document in one comment.
    package static let maximumComment = 200

    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "\\": result += "\\\\"
        case "\"": result += "\\\""
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if isVisible(scalar) || scalar == " " {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
    }

    /// False for blanks, controls, line and paragraph separators, and what turns the direction of text.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned,
            .surrogate, .privateUse:
            return false
        default: return true
        }
    }
}
