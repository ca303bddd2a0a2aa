import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// Aliases that name each other come to what they are in each other's places; nobody works at more than that allows.
@Suite struct AliasExpansionTests {
    private func checked(_ text: String) throws -> Query {
        let graph = try ToolModel.graph()
        var query = try URLParser.parse(text, graph: graph, dialect: .v401)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// `@a0` doubles `@a1`, and so on, down to a path: two to the power of `levels` places of it.
    private func doubling(_ levels: Int) -> String {
        (0..<levels).map { "&@a\($0)=concat(@a\($0 + 1),@a\($0 + 1))" }.joined()
            + "&@a\(levels)=Title"
    }

    @Test(arguments: [
        "Tools?$filter=contains(@a,'x')&@a=concat(@a,'y')",
        "Tools?$filter=Id eq @a&@a=@a",
        "Tools?$filter=Id eq @a&@a=@b add 1&@b=-@c&@c=@a add 2",
        "Tools?$filter=true&@a=length(@b)&@b=concat(@a,'y')",
        "Tools?$filter=@a&@a=Loans/any(l:l/Open and @a)",
        "Tools?$filter=@a&@a=Loans/$count($filter=@a) gt 1",
        "Tools?$expand=Loans($filter=@a;@a=not @a)",
        "Best(limit=@a)?@a=@a",
    ])
    func anAliasThatContainsItselfIsRefused(_ text: String) throws {
        let error = #expect(throws: ODataError.self) { try checked(text) }
        #expect(error?.code == .invalidQuery, "\(text)")
        #expect(error?.message == "Expected an alias that does not contain itself.", "\(text)")
    }

    @Test func aliasesMayNameEachOther() throws {
        for text in [
            "Tools?$filter=Title eq @a&@a=@b&@b=concat(@c,@c)&@c='x'",
            "Tools?$filter=contains(@a0,'x')" + doubling(12),
            "Tools?$filter=Id eq @a&@a=@nobody",
        ] {
            #expect(throws: Never.self) { try checked(text) }
        }
        let error = #expect(throws: ODataError.self) {
            try checked("Tools?$filter=Price gt @a&@a=@b&@b=Title")
        }
        #expect(error?.message == "Expected Edm.Decimal, found Edm.String.")
    }

    @Test func whatAliasesComeToIsCountedBeforeItIsMade() throws {
        let error = #expect(throws: ODataError.self) {
            try checked("Tools?$filter=contains(@a0,'x')" + doubling(40))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.location == .path("@a0"))
        #expect(
            error?.message
                == "Expected aliases that come to at most 10000 expressions, found 2199023255551.")
    }

    @Test func allPlacesOfAQueryCountTogether() throws {
        let uses = Array(repeating: "contains(@a0,'x')", count: 3).joined(separator: " and ")
        let error = #expect(throws: ODataError.self) {
            try checked("Tools?$filter=\(uses)" + doubling(11))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.hasSuffix("found 12285.") == true)
        let long = String(repeating: "x", count: 100_000)
        let text = #expect(throws: ODataError.self) {
            try checked("Tools?$filter=Title in (@a,@b)&@a=concat(@b,@b)&@b='\(long)'")
        }
        #expect(text?.code == .limitExceeded)
    }

    @Test(arguments: [1, -1])
    func aLongChainOfAliasesIsRefused(_ step: Int) throws {
        let chain = (3_000..<6_000).map { "&@a\($0)=@a\($0 + step)" }.joined()
        let error = #expect(throws: ODataError.self) {
            try checked("Tools?$filter=Title eq @a3000" + chain)
        }
        #expect(error?.code == .limitExceeded)
    }
}
