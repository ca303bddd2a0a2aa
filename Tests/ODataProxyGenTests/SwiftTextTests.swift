import ODataProxyGen
import Testing

/// Text of a document stays text: it ends no literal and no comment.
@Suite struct SwiftTextTests {
    private static let hostile = [
        "\"", "\\", "\\(1)", "\n", "\r", "\r\n", "\u{2028}", "\u{85}", "\u{0}", "\"\"\"", "*/", "`",
        "\\\"; fatalError() //", "\u{202E}", "a\u{301}", "#\"", "\t",
    ]

    @Test func literalsAreReadAsTheTextTheyWereMadeOf() throws {
        for text in Self.hostile + [Self.hostile.joined(), Self.hostile.reversed().joined()] {
            let literal = SwiftText.literal(text)
            #expect(!literal.contains { $0.isNewline })
            #expect(try LiteralReader.read(literal) == text)
            #expect(try LiteralReader.read(SwiftText.longLiteral(text)) == text)
        }
    }

    @Test func commentsStayOnTheirLine() {
        for text in Self.hostile {
            let comment = SwiftText.comment("a" + text + "b")
            #expect(!comment.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!comment.contains { $0.isNewline })
            #expect(comment.hasPrefix("a") && comment.hasSuffix("b"))
        }
        #expect(SwiftText.comment("  one\n\n two ") == "one two")
        #expect(SwiftText.comment(String(repeating: "x", count: 5_000)).count == 201)
    }
}

/// Reads a literal by the rules of the language.
private enum LiteralReader {
    struct Unexpected: Error { var text: String }

    static func read(_ literal: String) throws -> String {
        let scalars = Array(literal.unicodeScalars)
        let isLong = literal.hasPrefix("\"\"\"\n")
        var position = isLong ? 4 : 1
        let end = scalars.count - (isLong ? 4 : 1)
        var result = String.UnicodeScalarView()
        while position < end {
            let scalar = scalars[position]
            position += 1
            guard scalar == "\\" else {
                guard scalar != "\"", isLong || scalar != "\n", scalar != "\r" else {
                    throw Unexpected(text: literal)
                }
                result.append(scalar)
                continue
            }
            let kind = scalars[position]
            position += 1
            switch kind {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "\\", "\"": result.append(kind)
            case "u":
                guard let close = scalars[position...].firstIndex(of: "}") else {
                    throw Unexpected(text: literal)
                }
                let digits = String(String.UnicodeScalarView(scalars[(position + 1)..<close]))
                guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value)
                else { throw Unexpected(text: literal) }
                result.append(scalar)
                position = close + 1
            default: throw Unexpected(text: literal)
            }
        }
        return String(result)
    }
}
