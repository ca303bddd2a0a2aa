import ConformanceData
import Foundation
import ODataGrammar
import ODataQuery
import ODataText
import Testing

/// The reader of URLs beside the published grammar: what the grammar derives is read, but for what is listed here.
struct ReaderAgreementTests {
    /// Why the reader refuses what the grammar derives.
    private enum Reason: String, CaseIterable {
        /// Section 2 of URL Conventions 4.01 decodes to UTF-8; `pct-encoded` is any byte.
        case encoding = "not UTF-8 after decoding"
        /// Section 5.1 of URL Conventions 4.01: no option more than once; aliases have one value.
        case repetition = "an option or alias twice"
        /// `primitivePathExpr` and `keyPathLiteral` derive nothing behind a slash; no segment is empty (section 4).
        case emptySegment = "nothing behind a slash"
        /// `pchar` and `qchar-no-AMP-EQ` hold what separates and encloses; URLs are split first (section 2).
        case separator = "a separator inside a value"
        /// A plus in the query part is a space for senders of forms.
        case plus = "a plus where a word stands"
        /// The comment at `searchWord` excludes parentheses, encoded or not.
        case searchWord = "a parenthesis in a search word"
        /// The nodes of a hierarchy are a path, not a test or a number (Data Aggregation 4.0, section 5.5).
        case hierarchyNodes = "nodes that are no path"
    }

    private static func reason(_ text: String, _ error: ODataError) -> Reason? {
        let message = error.message
        if message.contains("UTF-8") { return .encoding }
        if message.hasSuffix(" once.") || message.hasPrefix("Expected one of $") {
            return .repetition
        }
        if message.contains("a path segment") || message.hasPrefix("Expected the name of an annot")
        {
            return .emptySegment
        }
        if message.hasPrefix("Expected a collection of nodes") { return .hierarchyNodes }
        if message.contains("a search term"), text.contains("+") { return .plus }
        if text.lowercased().contains("search"), text.contains("%28") || text.contains("%29") {
            return .searchWord
        }
        if text.contains("&") || text.contains("'") || text.contains("@") { return .separator }
        return nil
    }

    private static let rules = [
        "odataUri", "odataRelativeUri", "resourcePath", "queryOptions", "systemQueryOption",
        "filter", "orderby", "expand", "select", "search", "compute", "apply", "applyExpr",
        "commonExpr", "boolCommonExpr", "primitiveLiteral", "stringLiteral", "durationLiteral",
        "dateTimeOffsetLiteral", "timeOfDayLiteral", "enumLiteral", "methodCallExpr", "isofExpr",
        "castExpr", "notExpr", "firstMemberExpr", "propertyPathExpr", "anyExpr", "allExpr",
        "keyPredicate", "functionParameter", "searchExpr", "geographyPolygon", "geometryMultiPoint",
    ]

    @Test(arguments: [UInt64(1), 2, 3])
    func whatTheGrammarDerivesIsRead(_ seed: UInt64) throws {
        let grammar = try Grammar.odata.get()
        var (texts, agreed, open) = (0, 0, 0)
        var listed: [Reason: Int] = [:]
        var surprises: [String] = []
        for rule in Self.rules {
            var derivation = Derivation(grammar, seed: seed &* 1000 &+ UInt64(texts))
            for number in 0..<30 {
                let bytes = derivation.text(of: rule, depth: 6 + number % 7)
                guard bytes.count < 600 else { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                texts += 1
                do {
                    try URLParser.check(rule: rule, text: text)
                    agreed += 1
                } catch let error as ODataError where error.code == .notImplemented {
                    open += 1
                } catch let error as ODataError {
                    guard let reason = Self.reason(text, error) else {
                        surprises.append("\(rule) | \(text.debugDescription) | \(error)")
                        continue
                    }
                    listed[reason, default: 0] += 1
                }
            }
        }
        print(
            "Derived from \(Self.rules.count) rules, seed \(seed): \(texts) texts, \(agreed) read, \(open) read and not carried out"
        )
        for reason in Reason.allCases where listed[reason] != nil {
            print("  \(listed[reason, default: 0]) \(reason.rawValue)")
        }
        #expect(surprises.isEmpty)
        #expect(agreed + open > texts * 9 / 10)
    }

    /// Texts near those of a rule, and whether the grammar derives each.
    private static func mutations(
        of rule: String, _ grammar: Grammar, seed: UInt64, count: Int, depths: Int
    ) -> [(text: String, derives: Bool)] {
        var derivation = Derivation(grammar, seed: seed)
        return (0..<count).compactMap { number in
            let bytes = derivation.text(of: rule, depth: 5 + number % depths)
            guard bytes.count < 300,
                let text = String(validating: derivation.mutation(of: bytes), as: UTF8.self)
            else { return nil }
            return (text, accepts { try Recogniser.check(text, rule: rule, grammar: grammar) })
        }
    }

    /// Texts near those of the grammar: the check of a rule says of each what the grammar says, or refuses it for a reason.
    @Test(arguments: [UInt64(4), 5])
    func mutationsAreCheckedAsTheGrammarSays(_ seed: UInt64) throws {
        let grammar = try Grammar.odata.get()
        var (texts, agreed, refused) = (0, 0, 0)
        var surprises: [String] = []
        for rule in grammar.rules {
            for (text, derives) in Self.mutations(
                of: rule, grammar, seed: seed &* 1000 &+ UInt64(texts), count: 6, depths: 4)
            {
                texts += 1
                let passes = Self.accepts { try RuleCheck.check(rule: rule, text: text) }
                if derives == passes { agreed += 1 } else { refused += 1 }
                if passes, !derives { surprises.append("\(rule) | \(text.debugDescription)") }
            }
        }
        print(
            "Mutations over \(grammar.rules.count) rules, seed \(seed): \(texts) texts, \(agreed) as the grammar says, \(refused) refused beyond it"
        )
        #expect(surprises.isEmpty)
        #expect(refused * 50 < texts)
    }

    /// Texts near those of the grammar, given to the reader of URLs alone: what it makes of each against what the grammar says.
    ///
    /// The insides of durations, dates, shapes and enumerations are read as the grammar has them. What the reader refuses
    /// though the grammar derives it are segments that only a key of any text would explain (`keyPathLiteral`) and that
    /// look like calls, counts or qualified names. What it takes on purpose is ``lenient``.
    private static let references = "sridLiteral"
    private static var longReference: Regex<Substring> { /SRID=[0-9]{6,9}(?:;|%3B)/ }

    /// Rules whose texts the reader takes though the grammar does not, and why; the check of a rule asks the grammar as well.
    private static let lenient: [String: String] = [
        references: "services write 900913 and the like, the grammar has five digits",
        "odataUri": "names of hosts are left to who connects to them (RFC 3986, section 3.2.2)",
        "odataRelativeUri":
            "options that nobody knows are custom ones (section 5.2); fragments are not sent",
        "queryOptions": "options that nobody knows are custom ones",
        "systemQueryOption": "options that nobody knows are custom ones",
    ]

    @Test(arguments: [UInt64(6), 7])
    func mutationsAreReadAsTheGrammarSays(_ seed: UInt64) throws {
        let grammar = try Grammar.odata.get()
        var (texts, agreed) = (0, 0)
        var beyond: [String: Int] = [:]
        var short: [String] = []
        for rule in Self.rules {
            for (text, derives) in Self.mutations(
                of: rule, grammar, seed: seed &* 1000 &+ UInt64(texts), count: 40, depths: 5)
            {
                texts += 1
                do {
                    try URLParser.check(rule: rule, text: text)
                    if derives {
                        agreed += 1
                    } else if text.contains(Self.longReference) {
                        beyond[Self.references, default: 0] += 1
                    } else {
                        beyond[rule, default: 0] += 1
                    }
                } catch let error as ODataError {
                    if !derives || error.code == .notImplemented {
                        agreed += 1
                    } else if Self.reason(text, error) == nil {
                        short.append("\(rule) | \(text.debugDescription) | \(error)")
                    }
                }
            }
        }
        print(
            "Mutations read by the reader alone, seed \(seed): \(texts) texts, \(agreed) as the grammar says"
        )
        let strict = beyond.filter { Self.lenient[$0.key] == nil }
        let onPurpose = beyond.values.reduce(0, +) - strict.values.reduce(0, +)
        for (rule, reason) in Self.lenient.sorted(by: { $0.key < $1.key }) {
            print("  \(beyond[rule, default: 0]) of \(rule) on purpose: \(reason)")
        }
        let byRule = strict.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print("  read beyond it: \(byRule.joined(separator: ", "))")
        for line in short { print("  refused short of it: \(line)") }
        #expect((agreed + onPurpose) * 50 > texts * 48)
        #expect(strict.values.reduce(0, +) * 50 < texts)
        #expect(short.count * 100 < texts)
        // What has a rule of its own in the grammar is read as strictly as there.
        for rule in [
            "filter", "expand", "select", "compute", "apply", "applyExpr", "anyExpr",
            "geographyPolygon", "geometryMultiPoint", "durationLiteral", "enumLiteral",
            "primitiveLiteral", "keyPredicate",
        ] {
            #expect(beyond[rule] == nil, "\(rule)")
        }
    }

    @Test(arguments: [
        ("durationLiteral", "duration'P4DT1H2.5S'", true), ("durationLiteral", "'PT'", true),
        ("durationLiteral", "duration'PT4-PT4S'", false), ("durationLiteral", "'P20D2'", false),
        ("commonExpr", "duration'P7DT2M8S' eq A", true),
        ("commonExpr", "duration'P7DT2S8M' eq A", false),
        ("enumLiteral", "A.b'Red,4'", true), ("enumLiteral", "A.b'Red,,4'", false),
        ("enumLiteral", "A.b'3R'", false),
        ("geographyPolygon", "geography'SRID=0;Polygon((NaN 1 2,3 4))'", true),
        ("geographyPolygon", "geography'SRID=0;Polygn((NaN 1 2,3 4))'", false),
        ("geographyPolygon", "geography'SRID=0;Polygon((NaN 1 2,3))'", false),
        ("geometryMultiPoint", "geometry'SRID=7;MultiPoint((INF 1e999),(0 1))'", true),
        ("geometryMultiPoint", "geometry'SRID=7;MultiPoint((INF 1e999)(0 1))'", false),
        ("timeOfDayLiteral", "23:59", true), ("timeOfDayLiteral", "2359", false),
        ("dateTimeOffsetLiteral", "2019-02-03T04:05Z", true),
        ("dateTimeOffsetLiteral", "2019-02-03", false), ("binaryLiteral", "binary'Zg=='", true),
        ("binaryLiteral", "'Zg=='", false), ("propertyPathExpr", "A/B", true),
        ("propertyPathExpr", "-A/B", false), ("propertyPathExpr", "@A", false),
        ("filter", "$filter=geo.length(G) gt 1 and G eq geography'SRID=0;Point(+1 NaN)'", true),
        ("filter", "$filter=A eq 2024-02-31", true), ("filter", "$filter=A eq 2024-13-01", false),
    ])
    func theReaderAloneKnowsTheFormOfLiterals(
        _ rule: String, _ text: String, _ isForm: Bool
    ) throws {
        let grammar = try Grammar.odata.get()
        #expect(
            Self.accepts { try Recogniser.check(text, rule: rule, grammar: grammar) } == isForm)
        #expect(Self.accepts { try URLParser.check(rule: rule, text: text) } == isForm)
    }

    private static func accepts(_ check: () throws -> Void) -> Bool {
        do {
            try check()
            return true
        } catch {
            return false
        }
    }

    @Test(arguments: [
        ("expand", "$expand=$value"), ("expand", "$expand=*,$value"),
        ("timeOfDayLiteral", "23:59:60"), ("filter", "$filter=at le 2016-12-31T23:59:60Z"),
        ("levels", "$levels=max"), ("levels", "$levels=40"),
        ("applyExpr", "traverse($root/Nodes,H,ID,preorder,filter(Name ne 'a'),Name desc)"),
        ("applyExpr", "descendants($root/Nodes,H,ID,filter(ID eq 1),topcount(3,Name),keep start)"),
        ("filter", "$filter=not\ttrue"), ("filter", "$filter=A in -B"),
        ("filter", "$filter=a(b=[1]) eq 1"),
        ("filter", "$filter=Items/$count($search=blue) gt 1"), ("search", "$search='as it was'"),
        ("resourcePath", "Orders/$query"), ("odataUri", "HTTPS://h/Orders"),
        ("context", "#Orders(1)/Items"),
        ("header", "OData-Error:{\"code\":\"a\"}"), ("preference", "maxpagesize = 5"),
        ("IPv6address", "::1"),
        ("booleanValue", "true"), ("boolean", "TRUE"), ("byteValue", "255"),
    ])
    func languageOfTheTextIsAccepted(_ rule: String, _ text: String) throws {
        try RuleCheck.check(rule: rule, text: text)
    }

    @Test(arguments: [
        ("levels", "$levels=04"), ("levels", "$levels=0"), ("timeOfDayLiteral", "23:59:61"),
        ("byte", "256"),
        ("expand", "$expand=$val"), ("search", "$search=a(b)"), ("search", "$search='a"),
        ("applyExpr", "traverse($root/Nodes,H,ID,inorder)"), ("preference", "maxpagesize=0"),
        ("IPv6address", "1::2::3"), ("odataUri", "ftp://h/Orders"), ("expandItem", "A($levels=00)"),
    ])
    func nothingBesideItIs(_ rule: String, _ text: String) {
        #expect(throws: ODataError.self) { try RuleCheck.check(rule: rule, text: text) }
    }
}
