import ErrorFixture
import ODataGrammar
import ODataText
import Testing

struct GrammarTests {
    private func derives(_ text: String, _ rules: String, rule: String = "a") throws -> Bool {
        let grammar = try Grammar(reading: [rules])
        do {
            try Recogniser.check(text, rule: rule, grammar: grammar)
            return true
        } catch let error as ODataError where error.code == .invalidQuery {
            return false
        }
    }

    @Test(arguments: [
        (#"a = "x" / "xy""#, "xy", true),
        (#"a = "x""#, "X", true),
        (#"a = %s"x""#, "X", false),
        (#"a = %x41-43"#, "B", true),
        (#"a = %x41-43"#, "D", false),
        (#"a = 2*3"x""#, "x", false),
        (#"a = 2*3"x""#, "xxx", true),
        (#"a = 2*3"x""#, "xxxx", false),
        (#"a = 2"x""#, "xx", true),
        (#"a = *"x" "x""#, "xxx", true),
        (#"a = [ "x" ] "xy""#, "xy", true),
        (#"a = *1( b ":" ) b"# + "\n" + #"b = 1*4"1""#, "11:1", true),
        (#"a = "(" [ a ] ")""#, "((()))", true),
        (#"a = "(" [ a ] ")""#, "((())", false),
        (#"a = "x""# + "\n" + #"a =/ "y""#, "y", true),
    ])
    func allDerivationsAreLookedAt(_ rules: String, _ text: String, _ expected: Bool) throws {
        #expect(try derives(text, rules) == expected)
    }

    @Test func theFailureIsWhereNoDerivationGoesOn() throws {
        let grammar = try Grammar.odata.get()
        #expect(
            failure { try Recogniser.check("$filter=a eq (b", rule: "filter", grammar: grammar) }
                == Failure(.invalidQuery, at: .offset(15)))
        #expect(
            failure { try Recogniser.check("x", rule: "nothing", grammar: grammar) }
                == Failure(.notImplemented, "Expected a rule of the OData ABNF."))
    }

    @Test func deepAndLongTextsEndWithALimit() throws {
        let grammar = try Grammar.odata.get()
        let deep = String(repeating: "(", count: 2_000) + "a" + String(repeating: ")", count: 2_000)
        #expect(
            failure { try Recogniser.check(deep, rule: "commonExpr", grammar: grammar) }?.code
                == ODataError.Code.limitExceeded.description)
        let long = String(repeating: "a", count: 5_000)
        #expect(
            failure { try Recogniser.check(long, rule: "segment", grammar: grammar) }
                == Failure(.limitExceeded, at: .offset(4_096)))
    }

    @Test(arguments: ["%C3%BCber", "a%C3%BC", "_%D7%90", "a%CC%81"])
    func lettersOfAnyScriptStandInIdentifiers(_ text: String) throws {
        try Recogniser.check(text, rule: "odataIdentifier", grammar: Grammar.odata.get())
    }

    @Test(arguments: ["%20a", "%CC%81a", "a%C3", "a%C3%28", "\u{fc}ber"])
    func nothingElseDoes(_ text: String) throws {
        let grammar = try Grammar.odata.get()
        #expect(
            failure { try Recogniser.check(text, rule: "odataIdentifier", grammar: grammar) }?.code
                == ODataError.Code.invalidQuery.description)
    }

    @Test(arguments: [
        "a", "a = b", "a = \"x", "a = ( \"x\"", "a = %y41", "a = \"x\"\na = \"y\"", "a = %x43-41",
    ])
    func whatIsNoGrammarIsRefused(_ text: String) {
        #expect(
            failure { _ = try Grammar(reading: [text]) }?.code
                == ODataError.Code.malformedText.description)
    }

    @Test func theGrammarOfODataHasAllItsRules() throws {
        let grammar = try Grammar.odata.get()
        #expect(grammar.rules.count == 535)
        for rule in grammar.rules { #expect(try RuleCheck.knows(rule), "\(rule)") }
    }
}
