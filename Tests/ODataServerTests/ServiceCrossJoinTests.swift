import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// `$crossjoin(…)` (URL Conventions 4.01, section 4.15): instances with one entity of each set.
@Suite struct ServiceCrossJoinTests {
    private static let context =
        #""@odata.context":"http://h/$metadata#Collection(Edm.ComplexType)""#

    /// What a path reads, as it stands inside an instance.
    private static func entity(_ url: String, _ fixture: ServiceFixture) -> String {
        let members = (fixture.send("GET " + url).json.object?.members ?? []).filter {
            $0.name != "@odata.context"
        }
        return "{" + members.map { "\"\($0.name)\":\($0.value.text)" }.joined(separator: ",") + "}"
    }

    @Test func setsThatAreNotExpandedAreLinks() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /$crossjoin(Members,Tags)")
        let rows = ["1", "2"].flatMap { id in
            ["'a%2Fb'", "'%C3%BC'"].map { name in
                #"{"Members@odata.navigationLink":"http://h/Members(\#(id))","#
                    + #""Tags@odata.navigationLink":"http://h/Tags(\#(name))"}"#
            }
        }
        #expect(
            answer.text == "{\(Self.context),\"value\":[\(rows.joined(separator: ","))]}",
            "\(answer.text)")
        for link in ["http://h/Members(2)", "http://h/Tags('%C3%BC')"] {
            #expect(fixture.send("GET " + link).status == 200)
        }
        let short = fixture.send("GET /$crossjoin(Members)", ["OData-MaxVersion: 4.01"])
        #expect(
            short.text
                == #"{"@context":"http://h/$metadata#Collection(Edm.ComplexType)","value":["#
                + #"{"Members@navigationLink":"http://h/Members(1)"},"#
                + #"{"Members@navigationLink":"http://h/Members(2)"}]}"#, "\(short.text)")
        #expect(fixture.send("HEAD /$crossjoin(Members,Tags)").status == 200)
        #expect(fixture.send("GET /%24crossjoin(Members,Tags)").text == answer.text)
    }

    @Test func expandedSetsStandInTheInstances() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tools SET Price = 13 WHERE Id = 1")
        let answer = fixture.send(
            "GET /$crossjoin(Tools,Members)?$filter=Tools/OwnerId eq Members/Id&$expand=Tools,Members"
        )
        let pairs = [("1", "1"), ("2", "1"), ("3", "2")].map { tool, member in
            "{\"Tools\":\(Self.entity("/Tools(\(tool))", fixture)),"
                + "\"Members\":\(Self.entity("/Members(\(member))", fixture))}"
        }
        #expect(answer.items == pairs, "\(answer.text)")
        let all = fixture.send(
            "GET /$crossjoin(Tools,Members)?$filter=Tools/OwnerId eq Members/Id&$expand=*")
        #expect(all.items == pairs)
    }

    @Test func expandedSetsTakeSelectAndExpand() throws {
        let fixture = try ServiceFixture()
        let options =
            "$filter=Members/Id eq Loans/ToolId and Loans/Note ne null"
            + "&$expand=Members($select=Name;$expand=Tools($select=Title))"
        let answer = fixture.send("GET /$crossjoin(Loans,Members)?\(options)")
        let loan = "http://h/Loans(ToolId=1,Day=2031-05-02)"
        let item = answer.json["value"]?.array?.first
        #expect(answer.items.count == 2 && item?["Loans@odata.navigationLink"]?.string == loan)
        let member = Self.entity("/Members(1)?$select=Name&$expand=Tools($select=Title)", fixture)
        #expect(item?["Members"]?.text == member, "\(answer.text)")
        let references = fixture.send("GET /$crossjoin(Members,Tags)?$expand=Members/$ref&$top=1")
        #expect(
            references.items == [
                #"{"Members":{"@odata.id":"http://h/Members(1)"},"#
                    + #""Tags@odata.navigationLink":"http://h/Tags('a%2Fb')"}"#
            ])
    }

    @Test func selectTellsWhichLinksAreShown() throws {
        let fixture = try ServiceFixture()
        let line =
            "GET /$crossjoin(Members,Tags,Tools)?$top=1&$select=Tags&$expand=Members($select=Id)"
        let item = fixture.send(line, ["Accept: application/json;odata.metadata=none"])
        #expect(
            item.items == [
                #"{"Members":{"Id":1},"Tags@odata.navigationLink":"http://h/Tags('a%2Fb')"}"#
            ], "\(item.text)")
        let links = fixture.send("GET /$crossjoin(Members,Tags)?$top=1&$select=*")
        #expect(links.json["value"]?.array?.first?.object?.members.count == 2)
    }

    @Test func expandedCollectionsGoOnBehindALink() throws {
        let fixture = try ServiceFixture { $0.nestedPageSize = 1 }
        let answer = fixture.send(
            "GET /$crossjoin(Tags,Members)?$filter=Members/Id eq 1&$expand=Members($expand=Tools)")
        #expect(answer.items.count == 2)
        for item in answer.json["value"]?.array ?? [] {
            #expect(item["Members"]?["Tools"]?.array?.count == 1)
            let rest = fixture.send(follow(item["Members"]?["Tools@odata.nextLink"]?.string))
            #expect(rest.items.count == 1 && rest.text.contains("Plane"), "\(rest.text)")
        }
    }

    @Test func countsAreThoseBeforePaging() throws {
        let fixture = try ServiceFixture()
        let page = fixture.send("GET /$crossjoin(Members,Tools)?$count=true&$top=3&$skip=1")
        #expect(page.json["@odata.count"]?.text == "8" && page.items.count == 3)
        #expect(page.nextLink == nil)
        let joined = fixture.send(
            "GET /$crossjoin(Members,Tools)?$count=true&$top=0&$filter=Tools/Owner/Name eq Members/Name"
        )
        #expect(joined.json["@odata.count"]?.text == "3" && joined.items.isEmpty)
        let raw = fixture.send(
            "GET /$crossjoin(Members,Tools)/$count?$filter=Tools/OwnerId eq Members/Id")
        #expect(raw.text == "3" && raw.headers["Content-Type"] == "text/plain")
    }

    @Test func changesBetweenPagesNeitherRepeatNorSkipInstances() throws {
        let fixture = try ServiceFixture()
        let line = "GET /$crossjoin(Tools,Members)?$orderby=Members/Name desc&$count=true"
        let first = fixture.send(line, ["Prefer: odata.maxpagesize=3"])
        #expect(first.headers["Preference-Applied"] == "odata.maxpagesize=3")
        #expect(Self.links(first) == [["1", "2"], ["2", "2"], ["3", "2"]])
        try fixture.sql(
            "DELETE FROM Loans; DELETE FROM Tools WHERE Id = 1;"
                + "INSERT INTO Tools (Id, Title) VALUES (9, 'New')")
        var (rest, next) = ([[String]](), first.nextLink)
        while let link = next, rest.count < 20 {
            let answer = fixture.send(follow(link), ["Prefer: odata.maxpagesize=3"])
            #expect(answer.json["@odata.count"] == nil)
            rest += Self.links(answer)
            next = answer.nextLink
        }
        #expect(
            rest == [["4", "2"], ["9", "2"], ["2", "1"], ["3", "1"], ["4", "1"], ["9", "1"]])
        let foreign = follow(first.nextLink).replacing("%20desc", with: "")
            .replacing(" desc", with: "")
        #expect(foreign != follow(first.nextLink) && fixture.send(foreign).status == 400)
    }

    /// The keys that the links of each instance name.
    static func links(_ answer: ResponseMessage) -> [[String]] {
        (answer.json["value"]?.array ?? []).map { item in
            (item.object?.members ?? []).map { member in
                let text = member.value.string ?? "none"
                return String(text.drop { $0 != "(" }.dropFirst().dropLast())
            }
        }
    }

    @Test(
        arguments: [
            ("GET /$crossjoin(Tools,Nothing)", 404), ("GET /$crossjoin(Tools,Tools)", 400),
            ("GET /$crossjoin()", 400), ("GET /$crossjoin", 400),
            ("GET /$crossjoin(Tools,Members)/Tools", 400),
            ("GET /$crossjoin(Tools,Members)(1)", 400),
            ("GET /$crossjoin(Tools,Members)/$ref", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=Title eq 'Saw'", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=Loans/ToolId eq 1", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=Tools/Nothing eq 1", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=Tools/Title", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=@p&@p=Title eq 'Saw'", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=isdefined(Title)", 400),
            ("GET /$crossjoin(Tools,Members)?$filter=Tools/Title gt Members/Id", 400),
            ("GET /$crossjoin(Tools,Loans)?$filter=Tools/Loans/any(l:Day eq 2031-05-02)", 400),
            ("GET /$crossjoin(Tools,Members)?$orderby=Title", 400),
            ("GET /$crossjoin(Tools,Members)?$orderby=Tools", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Loans", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools/Owner", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools/$count", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools($filter=Id eq 1)", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools($top=1)", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools($levels=2)", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools($select=Nothing)", 400),
            ("GET /$crossjoin(Tools,Members)?$expand=Tools($compute=Id add 1 as Next)", 501),
            ("GET /$crossjoin(Tools,Members)?$select=Tools/Title", 400),
            ("GET /$crossjoin(Tools,Members)?$select=Title", 400),
            ("GET /$crossjoin(Tools,Members)?$search=Saw", 501),
            ("GET /$crossjoin(Tools,Members)?$compute=Tools/Id add 1 as Next", 501),
            ("GET /$crossjoin(Tools,Members)?$apply=aggregate($count as N)", 501),
            ("GET /$crossjoin(Tools,Members)?$skiptoken=x", 400),
            ("GET /$crossjoin(Tools,Members)?$deltatoken=x", 400),
            ("POST /$crossjoin(Tools,Members)", 405), ("DELETE /$crossjoin(Tools,Members)", 405),
        ]) func whatIsNotDefinedIsRefused(line: String, status: Int) throws
    {
        let answer = try ServiceFixture().send(line)
        #expect(answer.status == status, "\(line) \(answer.text)")
        #expect(answer.json["error"]?["message"]?.string?.isEmpty == false)
    }

    @Test func pathsMayGoAnywhereFromASet() throws {
        let fixture = try ServiceFixture()
        for (filter, expected) in [
            ("Tools/Loans/any(l:l/Day eq 2031-07-01 and l/ToolId gt Members/Id)", [["2", "1"]]),
            ("Tools/Loans/$count gt Members/Id", [["1", "1"]]),
            ("Tools/Owner/Name eq Members/Name and Members/Tools/$count eq 1", [["3", "2"]]),
            ("Tools/OwnerId add 1 eq Members/Id and @p", [["1", "2"]]),
            ("Tools/Id in (3,4) and Members/Since eq null", [["3", "2"], ["4", "2"]]),
            ("contains(Tools/Title,'ane') and not (Members/Id eq 2)", [["2", "1"]]),
        ] as [(String, [[String]])] {
            let alias = filter.contains("@p") ? "&@p=Tools/Title eq 'Saw'" : ""
            let answer = fixture.send("GET /$crossjoin(Tools,Members)?$filter=\(filter)\(alias)")
            #expect(Self.links(answer) == expected, "\(filter) \(answer.text)")
        }
    }

    @Test func moreSetsThanEightAreRefused() throws {
        let tables = (1...9).map { "CREATE TABLE T\($0) (Id INTEGER PRIMARY KEY);" }.joined()
        let fixture = try ServiceFixture(schema: tables)
        let names = (1...9).map { "T\($0)" }
        let most = fixture.send("GET /$crossjoin(\(names.prefix(8).joined(separator: ",")))")
        #expect(most.status == 200 && most.items.isEmpty)
        let tooMany = fixture.send("GET /$crossjoin(\(names.joined(separator: ",")))")
        #expect(tooMany.status == 400 && tooMany.text.contains("limitExceeded"), "\(tooMany.text)")
    }

    @Test func rowsWithoutAKeyAreInNoInstance() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("INSERT INTO Tags VALUES (NULL, 'lost')")
        let answer = fixture.send("GET /$crossjoin(Tags,Members)?$count=true&$expand=Tags")
        #expect(answer.json["@odata.count"]?.text == "4" && answer.items.count == 4)
    }

    @Test func batchesTakeThem() throws {
        let fixture = try ServiceFixture()
        let body =
            #"{"requests":[{"id":"1","method":"GET","url":"$crossjoin(Tags,Members)?$top=1"}]}"#
        let answer = fixture.send("POST /$batch", body: body)
        let inner = answer.json["responses"]?.array?.first?["body"]
        #expect(inner?["value"]?.array?.count == 1, "\(answer.text)")
    }
}
