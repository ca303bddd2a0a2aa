import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// `$all` and `$crossjoin(…)` show what the client sees of each set. Mia has member 1 and the tools 1 and 2.
@Suite struct ServiceAccessVirtualTests {
    @Test func aCrossJoinHasWhatIsInViewOnEachSide() throws {
        let fixture = try AccessFixture.service()
        let links = { (line: String, user: String) in
            ServiceCrossJoinTests.links(fixture.send("GET " + line, as: user))
        }
        #expect(links("/$crossjoin(Tools,Members)", "mia") == [["1", "1"], ["2", "1"]])
        #expect(links("/$crossjoin(Tools,Members)", "noah") == [["3", "2"]])
        #expect(links("/$crossjoin(Tools,Members)", "eve") == [])
        #expect(links("/$crossjoin(Tools,Members)", "kim").count == 8)
        let count = fixture.send("GET /$crossjoin(Members,Tags)/$count", as: "mia")
        #expect(count.text == "2")
        // What stands out of view neither filters nor orders.
        #expect(
            links("/$crossjoin(Tools,Tags)?$filter=Tools/Owner/Name eq 'Noah'", "mia") == [])
        let owners = fixture.send(
            "GET /$crossjoin(Tags,Members)?$expand=Members($expand=Tools)", as: "noah")
        #expect(owners.items.count == 2 && !owners.text.contains("Plane"), "\(owners.text)")
    }

    @Test func aSetThatMayNotBeReadIsRefusedInACrossJoin() throws {
        let fixture = try AccessFixture.service()
        #expect(fixture.send("GET /$crossjoin(Tags)", as: "gus").status == 200)
        for line in [
            "/$crossjoin(Tags,Tools)", "/$crossjoin(Tools)", "/$crossjoin(Tags,Tools)/$count",
        ] {
            #expect(fixture.send("GET " + line, as: "gus").status == 403, "\(line)")
        }
        // Carl may read tools, but not whose they are.
        for option in [
            "$filter=Tools/Owner/Name eq 'Mia'", "$orderby=Tools/Owner/Name",
            "$expand=Tools($expand=Owner)",
        ] {
            let answer = fixture.send("GET /$crossjoin(Tools)?\(option)", as: "carl")
            #expect(answer.status == 403, "\(option) \(answer.text)")
        }
        #expect(fixture.send("GET /$crossjoin(Tools)").status == 401)
    }

    @Test func allEntitiesAreThoseInView() throws {
        let fixture = try AccessFixture.service()
        #expect(
            ServiceAllEntitiesTests.ids(fixture.send("GET /$all", as: "mia")) == [
                "Loans(ToolId=1,Day=2031-05-02)", "Loans(ToolId=1,Day=2031-05-09)",
                "Loans(ToolId=2,Day=2031-07-01)", "Members(1)", "Tags('a%2Fb')", "Tags('%C3%BC')",
                "Tools(1)", "Tools(2)",
            ])
        #expect(
            ServiceAllEntitiesTests.ids(fixture.send("GET /$all", as: "gus"))
                == ["Tags('a%2Fb')", "Tags('%C3%BC')"])
        #expect(fixture.send("GET /$all/$count", as: "gus").text == "2")
        #expect(fixture.send("GET /$all/Ws.Tools/$count", as: "noah").text == "1")
        #expect(fixture.send("GET /$all/Ws.Tools/$count", as: "gus").text == "0")
        #expect(fixture.send("GET /$all").status == 401)
        let filtered = fixture.send("GET /$all?$filter=Ws.Tools/Owner/Name ne null", as: "carl")
        #expect(filtered.status == 403, "\(filtered.text)")
    }
}
