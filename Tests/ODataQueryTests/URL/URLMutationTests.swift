import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Random and mutated text never traps: what is no URL gives a typed error with a place inside the text.
@Suite struct URLMutationTests {
    private static let seeds = [
        "Tools?$filter=Price gt 10 and contains(Title,'saw')&$orderby=Title desc,Id&$top=5",
        "Tools(7)/Loans(ToolId=7,Day=2031-05-01)/Member?$select=Id,Name",
        "Tools?$expand=Loans($filter=Open eq true;$levels=max;$expand=Member($select=Name))",
        "Tools?$apply=groupby((Title,rollup(Size/Height,Title)),aggregate(Price with sum as T))",
        "Tools?$search=saw AND NOT (\"a b\" OR band)&$compute=Price mul 2 as P&$count=true",
        "Tools?$filter=Loans/any(l:l/Open and l/Day gt 2031-05-01) or Tags/$count gt 2",
        "Tools?$filter=Made gt 2031-05-01T08:30:00.25Z and Span lt duration'P1DT2H'",
        "Tools?$filter=geo.distance(Place,geography'SRID=4326;Point(8.6 49.3)') lt 5e3",
        "Best(limit=@l)?@l=5&$filter=Colour has Ns.Colour'Red,Blue' and Id in (1,2,3)",
        "$crossjoin(Tools,Members)?$filter=Tools/Owner/Id eq Members/Id",
        "Tools/Ns.PowerTool(3)/Watts/$value", "$entity?$id=Tools(7)", "Tools/$count?$search=a",
        "Tools?$filter=Price gt $these/aggregate(Price with average)&x=%C3%A9&$format=json",
        "Tools(guid'01234567-89ab-cdef-0123-456789abcdef')?$filter=A eq 2.5M and B eq X'4AFF'",
        "Tools?$filter=case(Id eq 1:'a',true:'b') eq 'a' and Tags eq [\"a\",{\"b\":1}]",
        "Tools?$apply=concat(topcount(2,Price),descendants($root/Tools,P,Id,identity,keep start))",
    ]

    private static let pieces = [
        "(", ")", "'", "''", "%", "%2", "%2F", "%FF", "/", "?", "&", "=", ",", ";", ":", " ", "$",
        "@", "\"", "\\", "[", "]", "{", "}", "not ", " eq ", " and ", "-", "-INF", "NaN", "null",
        "$filter=", "$expand=", "any(", "é", "\u{0}", "9223372036854775808", "1e999", "$it/",
        "aggregate(", "rollup(", " with ", " as ", "in (", "guid'", "duration'P", "T", ".",
    ]

    private func attempt(_ text: String, _ graph: MetadataGraph, _ dialect: Dialect) {
        for model in [nil, graph] {
            do {
                var query = try URLParser.parse(text, graph: model, dialect: dialect)
                guard let model else { continue }
                try QueryChecker.check(&query, graph: model)
                _ = try URLWriter.text(query, graph: model, dialect: dialect)
            } catch let error as ODataError {
                if case .offset(let offset)? = error.location {
                    #expect(offset >= 0 && offset <= text.utf8.count, "\(text)")
                }
                #expect(!error.message.isEmpty)
            } catch {
                Issue.record("Expected a typed error, found \(error): \(text)")
            }
        }
    }

    @Test(arguments: 0..<24)
    func mutatedURLsAreReadOrRefused(_ seed: Int) throws {
        let graph = try ToolModel.graph()
        var random = SeededGenerator(seed: UInt64(seed + 7_000))
        for _ in 0..<150 {
            let start = try #require(Self.seeds.randomElement(using: &random))
            var bytes = Array(start.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where place < bytes.count: bytes.remove(at: place)
                case 1 where place < bytes.count:
                    bytes[place] = UInt8.random(in: 32...126, using: &random)
                case 2:
                    let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
                    bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
                case 3: bytes.removeSubrange(place..<min(bytes.count, place + 5))
                default:
                    let piece = Self.pieces.randomElement(using: &random) ?? ""
                    bytes.insert(contentsOf: Array(piece.utf8), at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            for dialect in [Dialect.v401, .v4, .v2] { attempt(text, graph, dialect) }
        }
    }

    @Test(arguments: 0..<8)
    func randomTextIsReadOrRefused(_ seed: Int) throws {
        let graph = try ToolModel.graph()
        var random = SeededGenerator(seed: UInt64(seed + 9_000))
        for _ in 0..<300 {
            var text = Bool.random(using: &random) ? "Tools?$filter=" : ""
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                if Bool.random(using: &random) {
                    text += Self.pieces.randomElement(using: &random) ?? ""
                } else {
                    text.unicodeScalars.append(
                        Unicode.Scalar(UInt8.random(in: 0...255, using: &random)))
                }
            }
            attempt(text, graph, Bool.random(using: &random) ? .v401 : .v2)
        }
    }

    @Test(
        arguments: [
            ("(", .limitExceeded, 64),
            ("not ", .limitExceeded, 255),
            ("-", .limitExceeded, 64),
            ("A/any(x:", .limitExceeded, 512),
            ("concat(", .limitExceeded, 153),
            ("[", .limitExceeded, 64),
            ("{\"a\":", .limitExceeded, 316),
            ("cast(", .limitExceeded, 160),
            ("A in (", .limitExceeded, 384),
            ("case(true:", .limitExceeded, 214),
            ("A/$count($filter=", .limitExceeded, 1088),
            ("A/$filter(", .limitExceeded, 640),
            ("x/", .invalidQuery, 128),
            ("f(a=", .limitExceeded, 126),
        ] as [(String, ODataError.Code, Int)])
    func nestingIsBounded(_ open: String, _ code: ODataError.Code, _ offset: Int) throws {
        for count in [100, 10_000] {
            let text = String(repeating: open, count: count)
            #expect(
                failure { try URLParser.parseExpression(text, dialect: .v401) }
                    == Failure(code, at: .offset(offset)))
        }
    }

    @Test func nestedExpansionsAreBounded() throws {
        let text = "A?$expand=" + String(repeating: "B($expand=", count: 5_000)
        #expect(
            failure { try URLParser.parse(text, dialect: .v401) }
                == Failure(.limitExceeded, at: .offset(652)))
        let paths = "A?$expand=" + String(repeating: "B/", count: 50_000) + "C"
        #expect(
            failure { try URLParser.parse(paths, dialect: .v2) }
                == Failure(.invalidQuery, at: .offset(138)))
    }

    @Test func longFlatFiltersAreFine() throws {
        let terms = (0..<5_000).map { "Id eq \($0)" }.joined(separator: " or ")
        let query = try URLParser.parse("Tools?$filter=\(terms)", dialect: .v401)
        let text = try URLWriter.text(query, dialect: .v401)
        #expect(try URLParser.parse(text, dialect: .v401) == query)
    }
}
