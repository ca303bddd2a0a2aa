import ErrorFixture
import ModelFixture
import ODataModel
import ODataQuery
import ODataText
import Testing

/// URL in, the same URL out: parser and writer agree on each notation.
@Suite struct URLTextTests {
    @Test(arguments: [
        "Tools",
        "Tools(7)",
        "Tools('It''s%20a%20%2F%26%2B')",
        "Loans(ToolId=7,Day=2031-05-01)",
        "Tools(7)/Owner",
        "Tools(7)/Size/Height",
        "Tools(7)/Title/$value",
        "Tools/$count",
        "Tools(7)/Owner/$ref",
        "Tools(7)/Ns.PowerTool",
        "Tools(7)/Ns.PowerTool/Watts",
        "Tools(7)/Ns.Reserve(day=2031-05-01,by='a')",
        "TheBestTool()",
        "$crossjoin(Tools,Loans)",
        "Loans(ToolId=@k,Day=@d)?@d=2031-05-01&@k=7",
        "Tools?$filter=Price%20gt%2010%20and%20contains(Title,'saw')",
        "Tools?$filter=Title%20eq%20'a%26b%3Dc%2Bd%23e%25'",
        "Tools?$filter=not%20(Price%20gt%2010%20or%20Price%20lt%202)",
        "Tools?$filter=(Price%20add%202)%20mul%203%20eq%20-Price%20sub%20-4",
        "Tools?$filter=Price%20sub%20(2%20sub%201)%20gt%200",
        "Tools?$filter=Colour%20has%20Ns.Colour'Red,Blue'",
        "Tools?$filter=Id%20in%20(1,2,3)",
        "Tools?$filter=Title%20in%20Owner/Names",
        "Tools?$filter=Loans/any(l:l/Open%20eq%20true%20and%20l/Title%20eq%20$it/Title)",
        "Tools?$filter=Loans/any()%20and%20Loans/all(l:l/Open%20eq%20false)",
        "Tools?$filter=Loans/$count%20gt%203",
        "Tools?$filter=Loans/$count($filter=Open%20eq%20true)%20gt%203",
        "Tools?$filter=Made%20lt%202031-05-01T08:30:00Z%20and%20At%20eq%2008:30:00.25",
        "Tools?$filter=Id%20eq%2001234567-89ab-cdef-0123-456789abcdef",
        "Tools?$filter=Span%20eq%20duration'P1DT2H'",
        "Tools?$filter=cast(Price,Edm.String)%20eq%20'1'%20and%20isof(Ns.PowerTool)",
        "Tools?$filter=Title%20eq%20@t&@t='saw'",
        "Tools?$filter=Tags/any(t:t%20eq%20'x')",
        "Tools?$filter=Price/@Ns.Currency%20eq%20'EUR'",
        "Tools?$filter=sap.islocal()",
        "Tools?$filter=City%20eq%20$root/Members(1)/City",
        "Tools?$filter=endswith($it,'.com')",
        "Tools?$orderby=Title%20desc,Id",
        "Tools?$skip=4&$top=2&$count=true",
        "Tools?$select=*",
        "Tools?$select=Title,Size/Height",
        "Tools?$select=Tags($filter=$this%20ne%20'x';$top=2)",
        "Tools?$expand=Owner,Loans($filter=Open%20eq%20true;$orderby=Day;$top=5;$count=true;"
            + "$expand=Member;$levels=max)",
        "Tools?$expand=Owner/$ref,Loans/$count($filter=Open%20eq%20true),*",
        "Tools?$search=saw%20AND%20NOT%20band",
        "Tools?$compute=Price%20mul%202%20as%20Twice",
        "Tools?$skiptoken=a%26b&$format=json&sap-client=100",
        "Tools?$filter=case(Price%20gt%200:1,true:0)%20eq%201",
        "Tools?$filter=Price%20eq%20null%20or%20Weight%20eq%20INF",
        "Tools?@c=%5B%22red%22,%7B%22a%22:1%7D%5D",
    ])
    func v4TextComesBackAsItWas(_ text: String) throws {
        let query = try URLParser.parse(text, dialect: .v401)
        #expect(try URLWriter.text(query, dialect: .v401) == text)
    }

    @Test(arguments: [
        "Tools(7L)",
        "Loans(ToolId=7,Day=datetime'2031-05-01T00%3A00%3A00')",
        "Tools(guid'01234567-89ab-cdef-0123-456789abcdef')",
        "Tools(7)/$links/Owner",
        "Tools/$count",
        "Tools?$filter=Price%20gt%2010M%20and%20substringof('saw',Title)",
        "Tools?$filter=Weight%20lt%2064L%20and%20At%20eq%20time'PT8H30M'",
        "Tools?$filter=isof('Ns.PowerTool')",
        "Tools?$inlinecount=allpages",
        "Tools?$select=Title,Owner/Name&$expand=Owner",
        "Tools?$select=*,Owner/Name,Loans&$expand=Owner,Loans",
        "Tools?$expand=Owner,Loans/Member",
        "Tools?!deltatoken='x1'",
        "Tools?search=saw",
        "TopTools?count=5",
    ])
    func v2TextComesBackAsItWas(_ text: String) throws {
        let query = try URLParser.parse(text, dialect: .v2)
        #expect(try URLWriter.text(query, dialect: .v2) == text)
    }

    @Test func v2NestsPathsOfExpandAndSelect() throws {
        let query = try URLParser.parse(
            "Tools?$expand=Owner,Loans/Member&$select=Title,Loans/Member/Name", dialect: .v2)
        #expect(
            try URLWriter.text(query, dialect: .v4)
                == "Tools?$select=Title&$expand=Owner,Loans($expand=Member($select=Name))")
    }

    @Test func inBecomesAlternativesInV2() throws {
        let query = try URLParser.parse("Tools?$filter=Id in (1,2) and A eq 1", dialect: .v401)
        #expect(
            try URLWriter.text(query, dialect: .v2)
                == "Tools?$filter=(Id%20eq%201%20or%20Id%20eq%202)%20and%20A%20eq%201")
    }

    @Test func nestedOptionsHaveNoNotationInV2() throws {
        let query = try URLParser.parse("Tools?$expand=Loans($top=1)", dialect: .v4)
        #expect(
            failure { try URLWriter.text(query, dialect: .v2) }
                == Failure(.invalidQuery, at: .path("Loans")))
    }

    @Test func argumentsOfAFunctionImportAreOptionsInV2() throws {
        let value = NamedArgument(name: "name", value: .literal(.string("a b"), .string))
        let query = Query(path: ResourcePath([.operation("Find", [value])]))
        #expect(try URLWriter.text(query, dialect: .v2) == "Find?name='a%20b'")
        #expect(try URLWriter.text(query, dialect: .v4) == "Find(name='a%20b')")
    }

    @Test func optionsOfAFunctionImportAreItsArgumentsInV2() throws {
        let graph = try ToolModel.graph()
        var query = try URLParser.parse("Best?limit=3&x=1", graph: graph, dialect: .v2)
        #expect(query.customOptions == [CustomOption(name: "x", value: "1")])
        try QueryChecker.check(&query, graph: graph)
        #expect(try URLWriter.text(query, graph: graph, dialect: .v2) == "Best?limit=3L&x=1")
        #expect(try URLWriter.text(query, graph: graph, dialect: .v4) == "Best(limit=3)?x=1")
    }

    @Test(arguments: [
        "Tools?%24filter=%28Name%20ne%20%27zz%27%29", "Tools?$filter=(Name+ne+'zz')",
        "Tools?$filter=Name ne 'zz'",
    ])
    func whatOtherClientsEncodeIsDecodedOnce(_ text: String) throws {
        let query = try URLParser.parse(text, dialect: .v4)
        #expect(try URLWriter.text(query, dialect: .v4) == "Tools?$filter=Name%20ne%20'zz'")
    }

    @Test func keysMayBeEncodedWhole() throws {
        let query = try URLParser.parse("Members%28%27O%27%27Neil%27%29", dialect: .v4)
        #expect(try URLWriter.text(query, dialect: .v4) == "Members('O''Neil')")
    }

    @Test func namesOfOptionsAndOperatorsAreFreeInV401() throws {
        let query = try URLParser.parse("Tools?Filter=Id Eq 1 OR Contains(A,'b')", dialect: .v401)
        #expect(
            try URLWriter.text(query, dialect: .v401)
                == "Tools?$filter=Id%20eq%201%20or%20contains(A,'b')")
        let strict = try URLParser.parse("Tools?filter=x", dialect: .v4)
        #expect(strict.customOptions == [CustomOption(name: "filter", value: "x")])
    }
}
