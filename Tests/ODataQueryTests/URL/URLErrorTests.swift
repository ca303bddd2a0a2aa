import ErrorFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// What does not parse says what was expected, and where, in bytes of the text that came in.
@Suite struct URLErrorTests {
    @Test(arguments: [
        ("Tools(", 6, "an expression"),
        ("Tools(1", 7, "',' or ')'"),
        ("Tools//Owner", 6, "a path segment"),
        ("Customers('O%27Neil')", 15, "',' or ')'"),
        ("Categories('Smartphone/Tablet')", 22, "%2F for a slash in a value"),
        ("Tools(1;2)", 7, "',' or ')'"),
        ("Tools/$count/x", 12, "the end of the path"),
        ("Tools?$filter=", 14, "an expression"),
        ("Tools?$filter=A eq", 18, "a space"),
        ("Tools?$filter=A eq ", 19, "an expression"),
        ("Tools?$filter=A%20eq%20'x", 25, "a closing quote"),
        ("Tools?$filter=A foo 1", 16, "an operator, ',' or the end of the option"),
        ("Tools?$filter=any()", 17, "a collection in front of any or all"),
        ("Tools?$filter =1", 13, "a system query option"),
        ("Tools?$top=x", 11, "a number"),
        ("Tools?$top=-1", 11, "a number"),
        ("Tools?$orderby=A down", 17, "asc, desc or an operator"),
        ("Tools?$expand=Owner/$ref($levels=4)", 25, "one of"),
        ("Tools?$search=\"blue", 19, "a closing double quote"),
        ("Tools?$filter=4. eq 4", 16, "a digit"),
        ("Tools?$filter=D eq 2012-09-03T24", 30, "a time of day"),
        ("Tools?$filter=A eq Ns.C'R''d'", 23, "members of an enumeration"),
    ])
    func theOffsetAndTheExpectationAreNamed(_ text: String, _ offset: Int, _ what: String) {
        let error = #expect(throws: ODataError.self) { try URLParser.parse(text, dialect: .v4) }
        #expect(error?.location == .offset(offset))
        #expect(error?.message.contains(what) == true, "\(text): \(String(describing: error))")
        #expect(error?.code == .invalidQuery)
    }

    @Test func aBrokenEscapeIsNamed() {
        #expect(
            failure { try URLParser.parse("Tools('%4')", dialect: .v4) }
                == Failure(.malformedText, at: .offset(7)))
        #expect(
            failure { try URLParser.parse("Tools('%FF')", dialect: .v4) }
                == Failure(.malformedText, at: .offset(0)))
    }

    @Test func depthIsBounded() {
        let deep = String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
        for (text, offset) in [(deep, 78), (String(repeating: "not ", count: 5_000) + "A", 269)] {
            #expect(
                failure { try URLParser.parse("Tools?$filter=" + text, dialect: .v4) }
                    == Failure(.limitExceeded, at: .offset(offset)))
        }
    }

    @Test func lengthIsBounded() {
        var limits = URLLimits()
        limits.maximumLength = 10
        #expect(
            failure { try URLParser.parse("Tools?$filter=A eq 1", dialect: .v4, limits: limits) }
                == Failure(.limitExceeded, at: .offset(10)))
    }

    @Test func aThousandAlternativesMakeAShallowTree() throws {
        let terms = (0..<5_000).map { "Id eq \($0)" }.joined(separator: " or ")
        let query = try URLParser.parse("Tools?$filter=" + terms, dialect: .v4)
        func depth(_ expression: ODataQuery.Expression?) -> Int {
            guard case .binary(_, let left, let right)? = expression else { return 0 }
            return 1 + max(depth(left), depth(right))
        }
        #expect(depth(query.filter) < 20)
    }

    @Test func eachOptionStandsOnce() {
        #expect(
            failure { try URLParser.parse("Tools?$top=1&$top=2", dialect: .v4) }
                == Failure(.invalidQuery, at: .offset(13)))
    }
}
