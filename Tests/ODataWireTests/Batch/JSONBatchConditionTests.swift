import ErrorFixture
import ODataModel
import ODataText
import ODataWire
import Testing

/// Conditions of JSON batch requests (JSON Format 4.01, section 19.1).
@Suite struct JSONBatchConditionTests {
    private static let tool = #"""
        {"@odata.etag":"W/\"3\"","Name":"x y","Count":3,"Price":12.50,"Stock":"9007199254740993",
        "Open":true,"Size":{"Height":20},"Empty":null,"Made":"2031-05-01T08:30:00Z","Tags":["a","b"]}
        """#
    private static let page = #"""
        {"@odata.count":7,"value":[{"Id":1,"Price":5},{"Id":2,"Price":9}]}
        """#

    private func holds(_ text: String) throws -> Bool {
        let answers = try [
            "a": JSONBatchCondition.Answer(succeeded: true, body: JSONValue(parsing: Self.tool)),
            "p-1": JSONBatchCondition.Answer(succeeded: true, body: JSONValue(parsing: Self.page)),
            "7": JSONBatchCondition.Answer(succeeded: true, body: .number("4")),
            "f": JSONBatchCondition.Answer(
                succeeded: false, body: JSONValue(parsing: #"{"error":{"code":"E1"}}"#)),
            "g": JSONBatchCondition.Answer(succeeded: true),
        ]
        return try JSONBatchCondition(parsing: text).isTrue(
            after: answers, now: OffsetDateTime("2031-06-01T00:00:00Z"))
    }

    @Test(arguments: [
        ("$a/Name eq 'x y'", true), ("$a/Name ne 'x y'", false), ("$a/Count gt 2.5", true),
        ("$a/Count lt 3 or $a/Open eq true", true), ("$a/Count lt 3 and $a/Open eq true", false),
        ("$a/Size/Height ge 20", true), ("$a/None eq null", true), ("$a/Empty eq null", true),
        ("$a/None gt 1", false), ("not ($a/None gt 1)", false), ("$7 gt 3", true),
        ("$7 eq 4 and $a/Price eq 12.5", true),
    ])
    func valuesOfAnswersAreCompared(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(arguments: [
        ("$a/$succeeded", true), ("$f/$succeeded", false), ("not $f/$succeeded", true),
        ("$a/$succeeded and not ($f/$succeeded or $f/error/code eq 'E2')", true),
        ("$f/$succeeded eq false and $f/error/code eq 'E1'", true), ("$g/$succeeded", true),
        ("$unknown/$succeeded", false), ("not $unknown/$succeeded", false), ("true", true),
        ("null", false),
    ])
    func successIsAsked(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(arguments: [
        ("contains(tolower($a/Name),'x')", true), ("length($a/Name) add 1 eq 4", true),
        ("($a/Count mul 2) in (5,6)", true), ("-$a/Count lt 0", true),
        ("$p-1/value/$count eq 2", true), ("$p-1/value/any(t:t/Price gt 8)", true),
        ("$p-1/value/all(t:t/Price gt 8)", false),
        ("$p-1/value/$count($filter=Price gt 8) eq 1", true), ("$p-1/@odata.count ge 7", true),
        ("$a/Tags/any(t:t eq 'b')", true), ("$a/@odata.etag eq 'W/\"3\"'", true),
        ("$a/Open", true), ("case($a/Open:$7 eq 4,true:false)", true),
        ("year(cast($a/Made,Edm.DateTimeOffset)) eq 2031", true),
    ])
    func everyOperatorAndFunctionIsAtHand(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(arguments: [
        ("$a/Made lt 2031-05-01T09:30:00+01:00", false), ("$a/Made lt now()", true),
        ("$a/Made eq 2031-05-01T10:30:00+02:00", true), ("$a/Stock eq 9007199254740993", true),
        ("$a/Stock in (1,9007199254740993)", true), ("$a/Name gt 5", false),
        ("not ($a/Name lt 5)", false), ("$a/Open ne 1", true),
    ])
    func textIsReadAsTheOtherOperand(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(arguments: [
        ("", Failure(.invalidQuery, at: .offset(0))),
        ("$", Failure(.invalidQuery, at: .offset(0))),
        ("$/x", Failure(.invalidQuery, at: .offset(0))),
        ("$a eq", Failure(.invalidQuery, at: .offset(5))),
        ("$a eq 1 and", Failure(.invalidQuery, at: .offset(11))),
        ("$a has", Failure(.invalidQuery, at: .offset(3))),
        ("$a/Name", Failure(.invalidQuery, "Expected a condition that is true or false.")),
        ("$a/Name and true", Failure(.invalidQuery, "Expected a Boolean operand.")),
        ("$a", Failure(.invalidQuery, "Expected a condition that is true or false.")),
        ("$a/$other", Failure(.invalidQuery, at: .offset(3))),
        (
            "Ns.custom($a)",
            Failure(.notImplemented, "Expected a function that is evaluated here, found Ns.custom.")
        ),
        (
            "$a/Name add 1 eq 2",
            Failure(.invalidQuery, "Expected numbers, or a date and a duration.")
        ),
        ("$a/Count/Deep eq 1", Failure(.invalidQuery, at: .path("Deep"))),
    ])
    func whatIsNoConditionIsRefused(text: String, refused: Failure) {
        #expect(failure { try holds(text) } == refused)
    }

    @Test func conditionsAreBounded() {
        let long = String(repeating: "$a/$succeeded and ", count: 5_000) + "true"
        let error = #expect(throws: ODataError.self) { try JSONBatchCondition(parsing: long) }
        #expect(error?.message == "Expected a condition of at most 65536 bytes.")
        #expect(error?.code == .limitExceeded)
        let deep = String(repeating: "(", count: 1_000)
        #expect(
            failure { try JSONBatchCondition(parsing: deep) }
                == Failure(.limitExceeded, at: .offset(64)))
        let wide = String(repeating: "$a/$succeeded and ", count: 3_000) + "true"
        #expect(throws: Never.self) { try holds(wide) }
    }
}
