import ODataModel
import ODataQuery
import ODataText

/// Checks a text against a rule of the OData ABNF, as `odata check-uri --rule` does.
package enum RuleCheck {
    /// True when there is a rule of this name.
    package static func knows(_ rule: String) throws -> Bool {
        let grammar = try Grammar.odata.get()
        return grammar.rule(named: formerNames[rule] ?? rule) != nil
    }

    /// The text is what the grammar derives, and what the reader of URLs makes something of where it reads such a part.
    ///
    /// V2 has no grammar of this kind: there the reader alone is asked.
    ///
    /// - Throws: `invalidQuery`, `invalidValue` or `malformedText` where the text does not match, with its place;
    ///   `notImplemented` for a rule that is not known.
    package static func check(
        rule: String, text: String, graph: MetadataGraph? = nil, dialect: Dialect = .v401
    ) throws {
        let grammar = try Grammar.odata.get()
        guard let number = grammar.rule(named: formerNames[rule] ?? rule) else {
            throw ODataError(.notImplemented, "Expected a rule of the OData ABNF.")
        }
        let name = grammar.rules[number]
        var isRead = true
        do {
            try URLParser.check(rule: name, text: text, graph: graph, dialect: dialect)
        } catch let error as ODataError where error.code == .notImplemented {
            isRead = false
        }
        if isRead, dialect.usesTypedLiterals { return }
        do {
            try Recogniser.check(text, rule: name, grammar: grammar)
        } catch let error as ODataError where isRead && error.code == .limitExceeded {
            // Longer or deeper than the grammar is followed: the reader has bounds of its own.
            return
        }
    }

    /// What versions 4.0 and 4.01 of the ABNF called the rules of values before they had one name.
    private static let formerNames: [String: String] = [
        "nullValue": "null", "booleanValue": "boolean", "guidValue": "guid", "dateValue": "date",
        "byteValue": "byte", "dateTimeOffsetValueInUrl": "dateTimeOffsetLiteral",
        "timeOfDayValueInUrl": "timeOfDayLiteral", "string": "stringLiteral",
        "duration": "durationLiteral", "binary": "binaryLiteral", "enum": "enumLiteral",
    ]
}
