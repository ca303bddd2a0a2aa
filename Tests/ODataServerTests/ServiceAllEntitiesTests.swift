import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// `$all` (URL Conventions 4.01, section 4.16): the entities of all sets and singletons.
@Suite struct ServiceAllEntitiesTests {
    /// The entity-ids of an answer, relative to the service.
    static func ids(_ answer: ResponseMessage) -> [String] {
        (answer.json["value"]?.array ?? []).map { item in
            let id = item["@odata.id"]?.string ?? item["@id"]?.string ?? "none"
            return id.replacing("http://h/", with: "").replacing("http://localhost/", with: "")
        }
    }

    private static let everything = [
        "Loans(ToolId=1,Day=2031-05-02)", "Loans(ToolId=1,Day=2031-05-09)",
        "Loans(ToolId=2,Day=2031-07-01)", "Members(1)", "Members(2)", "Tags('a%2Fb')",
        "Tags('%C3%BC')", "Tools(1)", "Tools(2)", "Tools(3)", "Tools(4)", "Cheap(2)",
    ]

    @Test func eachEntitySaysWhatItIs() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /$all")
        #expect(
            answer.json["@odata.context"]?.string == "http://h/$metadata#Collection(Edm.EntityType)"
        )
        #expect(Self.ids(answer) == Self.everything, "\(answer.text)")
        for item in answer.json["value"]?.array ?? [] {
            let id = item["@odata.id"]?.string ?? "none"
            let own = fixture.send("GET " + id)
            let members = (own.json.object?.members ?? []).map { "\($0.name): \($0.value.text)" }
            let here = (item.object?.members ?? []).filter {
                $0.name != "@odata.type" && $0.name != "@odata.id"
            }.map { "\($0.name): \($0.value.text)" }
            // Its own context is that of the entity read alone, and so is all else.
            #expect(here == members, "\(id)")
            #expect(item["@odata.type"]?.string?.hasPrefix("#Ws.") == true)
        }
        let bare = fixture.send("GET /$all", ["Accept: application/json;odata.metadata=none"])
        #expect(!bare.text.contains("@odata"), "\(bare.text)")
        let short = fixture.send("GET /$all", ["OData-MaxVersion: 4.01"])
        #expect(Self.ids(short) == Self.everything && !short.text.contains("odata."))
        #expect(fixture.send("HEAD /$all").status == 200)
    }

    @Test(arguments: [1, 2, 3, 5, 11, 12, 100]) func pagesJoinToTheWhole(size: Int) throws {
        let fixture = try ServiceFixture()
        for (options, expected) in [
            ("", Self.everything), ("?$skip=4", Array(Self.everything.dropFirst(4))),
            ("?$top=7&$skip=3", Array(Self.everything[3..<10])), ("?$top=0", []),
            ("?$skip=12", []), ("?$top=4", Array(Self.everything.prefix(4))),
        ] {
            var (found, next, pages) = ([String](), String?.some("/$all" + options), 0)
            while let line = next, pages < 30 {
                let answer = fixture.send("GET " + line, ["Prefer: odata.maxpagesize=\(size)"])
                let page = Self.ids(answer)
                #expect(page.count <= size && answer.status == 200, "\(answer.text)")
                found += page
                (next, pages) = (answer.nextLink, pages + 1)
            }
            #expect(found == expected, "\(options)")
            #expect(pages == max(1, (expected.count + size - 1) / size), "\(options)")
        }
    }

    @Test func changesBetweenPagesNeitherRepeatNorSkipEntities() throws {
        let fixture = try ServiceFixture()
        let prefer = ["Prefer: odata.maxpagesize=5"]
        let first = fixture.send("GET /$all?$count=true", prefer)
        #expect(first.json["@odata.count"]?.text == "12")
        try fixture.sql(
            "UPDATE Tools SET OwnerId = NULL; DELETE FROM Members WHERE Id = 1;"
                + "INSERT INTO Members VALUES (7, 'Ida', NULL)")
        let second = fixture.send(follow(first.nextLink), prefer)
        #expect(
            Self.ids(second) == [
                "Members(7)", "Tags('a%2Fb')", "Tags('%C3%BC')", "Tools(1)", "Tools(2)",
            ])
        #expect(second.json["@odata.count"] == nil)
        let foreign = follow(first.nextLink).replacing("$count=true", with: "$count=false")
        #expect(fixture.send(foreign).status == 400)
    }

    @Test func countsAreThoseOfAllSets() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /$all/$count").text == "12")
        let page = fixture.send("GET /$all?$count=true&$top=1&$skip=9")
        #expect(page.json["@odata.count"]?.text == "12")
        #expect(fixture.send("GET /$all/$count?$filter=isof(Ws.Tools)").text == "4")
        #expect(fixture.send("GET /$all/Ws.Loans/$count").text == "3")
    }

    @Test(
        arguments: [
            ("isof(Ws.Members)", ["Members(1)", "Members(2)"]),
            ("isof($it,Ws.Members) and true", ["Members(1)", "Members(2)"]),
            ("Ws.Tools/Price gt 10", ["Tools(1)", "Tools(4)"]),
            (
                "Ws.Tools/Price gt 10 or Ws.Loans/Note eq 'long'",
                ["Loans(ToolId=2,Day=2031-07-01)", "Tools(1)", "Tools(4)"]
            ),
            ("Ws.Tools/Owner/Name eq 'Noah'", ["Tools(3)"]),
            (
                "contains(Ws.Tools/Title,'a') or startswith(Ws.Members/Name,'M')",
                ["Members(1)", "Tools(1)", "Tools(2)", "Tools(3)"]
            ),
            ("not (Ws.Tools/Id gt 0) and isof(Ws.Tools)", []),
            ("(Ws.Tools/Id add 1) in (2,3)", ["Tools(1)", "Tools(2)"]),
            ("Ws.Tools/Title eq @t", ["Tools(1)"]), ("false", []),
            ("isof(Ws.Tags) and Ws.Tools/Id eq null", ["Tags('a%2Fb')", "Tags('%C3%BC')"]),
        ]) func propertiesStandBehindTypes(filter: String, expected: [String]) throws
    {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /$all?$filter=\(filter)&@t='Saw'")
        #expect(Self.ids(answer) == expected, "\(filter) \(answer.text)")
    }

    @Test func aTypeNarrowsThem() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "GET /$all/Ws.Tools?$filter=Price gt 1&$orderby=Price desc&$select=Title"
                + "&$expand=Owner($select=Name)", ["Prefer: odata.maxpagesize=2"])
        #expect(Self.ids(answer) == ["Tools(4)", "Tools(1)"], "\(answer.text)")
        let item = answer.json["value"]?.array?.last
        #expect(
            item?["@odata.context"]?.string == "http://h/$metadata#Tools(Title,Owner(Name))/$entity"
        )
        #expect(item?["Owner"]?["Name"]?.string == "Mia" && item?["Price"] == nil)
        let rest = fixture.send(follow(answer.nextLink), ["Prefer: odata.maxpagesize=2"])
        #expect(Self.ids(rest) == ["Tools(2)"] && rest.nextLink == nil)
    }

    @Test func singletonsAndDerivedTypesAreAmongThem() throws {
        let fixture = try ModelFixture()
        let all = fixture.send("GET /$all")
        let ids = Self.ids(all)
        #expect(
            ids == [
                "People(1)", "People(2)", "Books('a')", "Books('b')",
                "Tags(00000000-0000-0000-0000-00000000000a)", "Desk",
            ], "\(all.text)")
        let items = all.json["value"]?.array ?? []
        #expect(items.last?["@odata.context"]?.string?.hasSuffix("$metadata#Desk") == true)
        #expect(items[1]["@odata.type"]?.string == "#Lib.Employee")
        let employees = fixture.send("GET /$all/Lib.Employee?$filter=Salary gt 1")
        #expect(Self.ids(employees) == ["People(2)"], "\(employees.text)")
        let cast = fixture.send("GET /$all?$filter=Lib.Employee/Salary gt 1 or isof(Lib.Desk)")
        #expect(Self.ids(cast) == ["People(2)", "Desk"], "\(cast.text)")
        var (found, next) = ([String](), String?.some("/$all"))
        while let line = next, found.count < 20 {
            let page = fixture.send("GET " + line, ["Prefer: odata.maxpagesize=1"])
            found += Self.ids(page)
            next = page.nextLink
        }
        #expect(found == ids)
        #expect(Self.ids(fixture.send("GET /$all?$skip=5")) == ["Desk"])
    }

    @Test func searchLooksIntoEveryIndex() throws {
        let fixture = try ModelFixture()
        #expect(Self.ids(fixture.send("GET /$all?$search=First")) == ["Books('a')"])
        #expect(
            Self.ids(fixture.send("GET /$all?$search=Ada OR old")) == [
                "People(1)", "Tags(00000000-0000-0000-0000-00000000000a)",
            ])
        #expect(fixture.send("GET /$all/$count?$search=Second").text == "1")
        #expect(try ServiceFixture().send("GET /$all?$search=Saw").status == 501)
    }

    @Test(
        arguments: [
            ("GET /$all/Ws.Nothing", 404), ("GET /$all(1)", 400), ("GET /$all/$ref", 400),
            ("GET /$all/Title", 400), ("GET /$all/Ws.Tools(1)", 501),
            ("GET /$all?$filter=Title eq 'Saw'", 400),
            ("GET /$all?$filter=Ws.Nothing/Title eq 'Saw'", 400),
            ("GET /$all?$filter=Ws.Tools/Nothing eq 'Saw'", 400),
            ("GET /$all?$filter=Ws.Tools/Title", 400), ("GET /$all?$filter=Ws.Tools eq null", 400),
            ("GET /$all?$filter=@p&@p=Title eq 'Saw'", 501),
            ("GET /$all?$filter=Ws.Tools/Loans/any(l:l/ToolId eq 1)", 501),
            ("GET /$all?$orderby=Ws.Tools/Title", 501), ("GET /$all?$select=Title", 400),
            ("GET /$all?$expand=Owner", 400), ("GET /$all?$expand=*", 501),
            ("GET /$all?$compute=1 as One", 501), ("GET /$all?$apply=aggregate($count as N)", 501),
            ("GET /$all/Ws.Tools?$filter=Name eq 'x'", 400), ("GET /$all?$skiptoken=x", 400),
            ("GET /$all?$deltatoken=x", 400), ("POST /$all", 405), ("PATCH /$all/Ws.Tools", 405),
        ]) func whatIsNotDefinedIsRefused(line: String, status: Int) throws
    {
        let answer = try ServiceFixture().send(line)
        #expect(answer.status == status, "\(line) \(answer.text)")
        #expect(answer.json["error"]?["message"]?.string?.isEmpty == false)
    }

    @Test func hiddenSetsAreNotAmongThem() throws {
        let fixture = try ServiceFixture { $0.tables.excluded = ["Tools", "Cheap", "Loans"] }
        #expect(
            Self.ids(fixture.send("GET /$all"))
                == ["Members(1)", "Members(2)", "Tags('a%2Fb')", "Tags('%C3%BC')"])
        #expect(fixture.send("GET /$crossjoin(Members,Tools)").status == 404)
    }
}
