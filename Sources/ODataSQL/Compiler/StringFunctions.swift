import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// Functions on strings: characters compared one by one, no patterns and no folding of case.
    func stringFunction(_ function: Function, _ terms: [SQLTerm]) throws -> SQLTerm {
        if function == .substring { return try substring(terms) }
        if function == .length, try rendered(terms[0]).kind == .binary {
            return SQLTerm("length(\(terms[0].sql))", .integer)
        }
        let texts = try terms.map(text)
        let text = texts[0]
        switch function {
        case .length: return SQLTerm(dialect.length(text), .integer)
        case .concat: return SQLTerm("(\(text) || \(texts[1]))", .string)
        case .contains:
            return SQLTerm("\(dialect.position(of: texts[1], in: text)) > 0", .boolean)
        case .indexOf:
            return SQLTerm("(\(dialect.position(of: texts[1], in: text)) - 1)", .integer)
        case .startsWith: return SQLTerm(startsWith(terms, texts), .boolean)
        case .endsWith: return SQLTerm(endsWith(terms[1], texts), .boolean)
        case .toLower: return SQLTerm(dialect.lower(text), .string)
        case .toUpper: return SQLTerm(dialect.upper(text), .string)
        case .trim:
            return SQLTerm("trim(\(text), \(argument: .text(Self.whiteSpace)))", .string)
        case .replace:
            return SQLTerm(dialect.replacing(texts[1], with: texts[2], in: text), .string)
        case .matchesPattern:
            return SQLTerm(try dialect.matches(text, terms[1], texts[1]), .boolean)
        default: throw Self.notImplemented("the function \(function.rawValue)")
        }
    }

    private func text(_ term: SQLTerm) throws -> SQLText {
        let term = try rendered(term)
        switch term.kind {
        case .string: return term.sql
        case .null: return "NULL"
        case .enumerationLiteral(_, let members): return SQLText(argument: .text(members))
        default: throw Self.invalid("Expected a string, found another type.")
        }
    }

    /// With a constant prefix a range, which an index can serve.
    private func startsWith(_ terms: [SQLTerm], _ texts: [SQLText]) -> SQLText {
        if case .literal(.string(let prefix)) = terms[1].kind, case .string = terms[0].kind,
            let end = Self.end(ofPrefix: prefix)
        {
            return "(\(texts[0]) >= \(texts[1]) AND \(texts[0]) < \(argument: .text(end)))"
        }
        return "\(dialect.characters(of: texts[0], "1", dialect.length(texts[1]))) = \(texts[1])"
    }

    /// The least text above every text with this prefix: its last character replaced by the next one.
    static func end(ofPrefix prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // Surrogates are no characters: the one after U+D7FF is U+E000.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }

    private func endsWith(_ suffix: SQLTerm, _ texts: [SQLText]) -> SQLText {
        let comparison = dialect.ends(texts[0], with: texts[1])
        if case .literal(.string(let text)) = suffix.kind {
            return text.isEmpty ? Self.constant(true, unlessNull: texts[0]) : comparison
        }
        return
            "CASE WHEN \(texts[1]) = '' THEN \(Self.constant(true, unlessNull: texts[0])) "
            + "ELSE \(comparison) END"
    }

    private func substring(_ terms: [SQLTerm]) throws -> SQLTerm {
        let text = try text(terms[0])
        let start = try number(terms[1])
        guard start.isInteger else { throw Self.invalid("Expected an integer in substring().") }
        var constant: Int64?
        if case .literal(.integer(let value)) = terms[1].kind, value >= 0 { constant = value }
        let length = terms.count == 3 ? try number(terms[2]) : nil
        guard length?.isInteger ?? true else {
            throw Self.invalid("Expected an integer in substring().")
        }
        return SQLTerm(
            dialect.substring(text, from: start.sql, constant: constant, length: length?.sql),
            .string)
    }

    /// The characters with the property White_Space of Unicode.
    private static let whiteSpace =
        " \t\n\u{B}\u{C}\r\u{85}\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}"
        + "\u{2007}\u{2008}\u{2009}\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}"
}
