import ErrorFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// `$apply` and `$search` from text to text, and where they go wrong.
@Suite struct ApplyTextTests {
    private func written(_ steps: [Transformation]) throws -> String {
        var query = Query(path: ResourcePath())
        query.apply = steps
        let text = try URLWriter.optionsText(query, dialect: .v401)
        return String(text.dropFirst("$apply=".count)).replacing("%20", with: " ")
    }

    @Test(arguments: [
        "identity", "filter(Price gt 1)/skip(2)/top(3)", "orderby(Price desc,Title)",
        "search(saw AND NOT band)", "groupby((Title,Owner/Name))",
        "groupby((rollup(A,B),rollup($all,C)),aggregate($count as N))",
        "aggregate(Price with sum as T,Price mul 2 with Ns.Median as M,Forecast)",
        "aggregate(Price with sum from Title,Owner/Name with max as T)",
        "concat(identity,topcount(2,Price)/aggregate($count as N))",
        "bottompercent(50,Price)", "compute(Price mul 2 as P,year(Made) as Y)",
        "expand(Loans,filter(Open),expand(Member))",
        "addnested(Loans,filter(Open)/top(1) as A,identity as B)", "nest(groupby((Title)) as T)",
        "join(Loans as L)", "outerjoin(Loans as L,filter(Open))",
        "ancestors($root/Tools,Parts,Id,filter(Id eq 1),2,keep start)",
        "descendants($root/Tools,Parts,Id,identity)",
        "traverse($root/Tools,Parts,Id,postorder,Title desc)", "Ns.Trim(limit=3)",
        "groupby((rolluprecursive($root/Tools,Parts,Id,filter(Id eq 1))))",
    ])
    func stepsComeBackAsTheyWere(_ text: String) throws {
        #expect(try written(try URLParser.parseApply(text)) == text)
    }

    @Test(arguments: [
        ("filter(Price gt 1", 17, "')'"), ("groupby(Title)", 8, "'('"),
        ("groupby(())", 9, "a property to group by"),
        ("aggregate(Price)", 0, ""), ("aggregate(Price with total as T)", 21, "sum, min"),
        ("aggregate(Price with sum)", 24, "as and a name"), ("concat(identity)", 0, "two"),
        ("unknown(1)", 0, "a transformation"), ("top(x)", 4, "a number"),
        ("identity/", 9, "a transformation"), ("groupby((Ns.Tool))", 16, "'/'"),
        ("expand(Loans,top(1))", 13, "filter or expand"),
    ])
    func errorsSayWhereAndWhat(_ text: String, _ offset: Int, _ expected: String) throws {
        guard !expected.isEmpty else {
            // A name alone may be an aggregate of the service: the model decides.
            #expect(try written(try URLParser.parseApply(text)) == text)
            return
        }
        let error = #expect(throws: ODataError.self) { try URLParser.parseApply(text) }
        #expect(error?.code == .invalidQuery)
        #expect(error?.location == .offset(offset), "\(text)")
        #expect(error?.message.contains(expected) == true, "\(text): \(error?.message ?? "")")
    }

    @Test(arguments: [
        ("saw", SearchExpression.term("saw")),
        ("a b", .and(.term("a"), .term("b"))), ("a AND b", .and(.term("a"), .term("b"))),
        ("a OR b c", .or(.term("a"), .and(.term("b"), .term("c")))),
        ("NOT a b", .and(.not(.term("a")), .term("b"))),
        ("(a OR b) c", .and(.or(.term("a"), .term("b")), .term("c"))),
        (#""a \"b\" OR c""#, .phrase(#"a "b" OR c"#)), ("OR", .phrase("OR")),
        ("a and b", .and(.and(.term("a"), .term("and")), .term("b"))),
        ("NOT NOT a", .not(.not(.term("a")))), ("it's", .term("it's")),
    ])
    func searchTextsAreTrees(_ text: String, _ expected: SearchExpression) throws {
        #expect(try URLParser.parseSearch(text) == expected)
        #expect(try URLParser.parseSearch(expected.text) == expected)
    }

    @Test func searchesOfV2AreWords() throws {
        var query = Query(entitySet: "Tools")
        query.search = SearchExpression(text: "fine saw")
        #expect(try URLWriter.text(query, dialect: .v2) == "Tools?search=fine%20saw")
        #expect(try URLWriter.text(query, dialect: .v4) == "Tools?$search=fine%20AND%20saw")
        #expect(SearchExpression(text: "(a") == .phrase("(a"))
    }

    @Test(arguments: [
        ("concat(", Failure(.limitExceeded, at: .offset(224))),
        ("groupby((A),", Failure(.limitExceeded, at: .offset(753))),
        ("addnested(L,", Failure(.limitExceeded, at: .offset(766))),
        ("compute((", Failure(.limitExceeded, at: .offset(196))),
        ("filter(not ", Failure(.invalidQuery, at: .offset(18))),
    ])
    func depthIsBounded(_ open: String, _ refused: Failure) {
        let text = String(repeating: open, count: 5_000)
        #expect(failure { try URLParser.parseApply(text) } == refused)
        #expect(
            failure {
                try URLParser.parseApply(String(repeating: "identity/", count: 5_000) + "identity")
            } == Failure(.limitExceeded, at: .offset(576)))
        #expect(
            failure {
                try URLParser.parseSearch(String(repeating: "(", count: 9_000) + "a")
            } == Failure(.limitExceeded, at: .offset(65)))
        #expect(
            failure {
                try URLParser.parseSearch(String(repeating: "a ", count: 9_000) + "a")
            } == Failure(.limitExceeded, at: .offset(400)))
    }
}
