import ODataQuery
import ODataServer
import ODataWorld
import ODataWire
import ODataText
import Testing

@Suite struct ServicePagingTests {
    private func ids(_ answer: ResponseMessage) -> [String] {
        (answer.json["value"]?.array ?? []).compactMap { $0["Id"]?.number }
    }

    /// Follows next links to the end; returns the ids of each page.
    private func pages(_ fixture: ServiceFixture, _ line: String, _ headers: [String]) -> [[String]]
    {
        var pages: [[String]] = []
        var line = line
        while pages.count < 20 {
            let answer = fixture.send(line, headers)
            #expect(answer.status == 200, "\(answer.text)")
            pages.append(ids(answer))
            guard let next = answer.nextLink else { return pages }
            line = follow(next)
        }
        return pages
    }

    @Test(
        arguments: [
            ("GET /Tools", [["1", "2"], ["3", "4"]]),
            ("GET /Tools?$orderby=Title", [["4", "3"], ["2", "1"]]),
            ("GET /Tools?$orderby=Price", [["3", "2"], ["1", "4"]]),
            ("GET /Tools?$orderby=Price%20desc", [["4", "1"], ["2", "3"]]),
            ("GET /Tools?$orderby=Lent,Weight%20desc", [["4", "1"], ["3", "2"]]),
            ("GET /Tools?$top=3", [["1", "2"], ["3"]]),
            ("GET /Tools?$top=3&$skip=1", [["2", "3"], ["4"]]),
            ("GET /Tools?$select=Title&$orderby=Weight", [["2", "3"], ["1", "4"]]),
            ("GET /Tools?$orderby=length(Title)", [["1", "2"], ["4", "3"]]),
            ("GET /Tools?$orderby=Owner/Name", [["4", "1"], ["2", "3"]]),
            ("GET /Tools?$filter=Id%20gt%201", [["2", "3"], ["4"]]),
            ("GET /Members(1)/Tools", [["1", "2"]]),
            ("GET /Tools?$top=0", [[]]),
        ]) func pagesJoinToTheWholeResult(line: String, expected: [[String]]) throws
    {
        let fixture = try ServiceFixture()
        #expect(pages(fixture, line, ["Prefer: odata.maxpagesize=2"]) == expected)
    }

    @Test func thePageSizeIsHonouredUpToTheMaximumAndSaid() throws {
        let fixture = try ServiceFixture { configuration in
            configuration.defaultPageSize = 3
            configuration.maximumPageSize = 3
        }
        let asked = fixture.send("GET /Tools", ["Prefer: odata.maxpagesize=100"])
        #expect(ids(asked).count == 3)
        #expect(asked.headers["Preference-Applied"] == "odata.maxpagesize=3")
        #expect(ids(fixture.send("GET /Tools")).count == 3)
        #expect(fixture.send("GET /Tools").headers["Preference-Applied"] == nil)
    }

    @Test func changesBetweenPagesNeitherRepeatNorSkipRows() throws {
        let fixture = try ServiceFixture()
        let first = fixture.send("GET /Tools", ["Prefer: odata.maxpagesize=2"])
        try fixture.sql(
            "DELETE FROM Tools WHERE Id = 1; INSERT INTO Tools (Id, Title) VALUES (9, 'New')")
        let rest = pages(fixture, follow(first.nextLink), ["Prefer: odata.maxpagesize=2"])
        #expect(rest == [["3", "4"], ["9"]])
    }

    @Test func aTokenOfAnotherQueryIsRefused() throws {
        let fixture = try ServiceFixture()
        let first = fixture.send("GET /Tools", ["Prefer: odata.maxpagesize=1"])
        let next = try #require(first.nextLink)
        let moved = next.replacing("/Tools?", with: "/Tools?$orderby=Title&")
        #expect(fixture.send("GET " + moved).status == 400)
    }

    @Test func theCountComesOnTheFirstPage() throws {
        let fixture = try ServiceFixture()
        let first = fixture.send("GET /Tools?$count=true", ["Prefer: odata.maxpagesize=3"])
        #expect(first.json["@odata.count"]?.number == "4")
        #expect(fixture.send(follow(first.nextLink)).json["@odata.count"] == nil)
    }

    @Test(
        arguments: [
            ("$expand=Tools", ["1", "2", "3", "4", "5"]),
            ("$expand=Tools($select=Title;$orderby=Weight%20desc)", ["5", "4", "3", "2", "1"]),
            ("$expand=Tools($top=3)", ["1", "2", "3"]),
            ("$expand=Tools($top=2)", ["1", "2"]),
            ("$expand=Tools($filter=Id%20ne%202;$skip=1)", ["3", "4", "5"]),
        ]) func aLongExpandedCollectionGoesOnBehindALink(options: String, expected: [String]) throws
    {
        let fixture = try ServiceFixture { $0.nestedPageSize = 2 }
        try fixture.sql(
            "DELETE FROM Tools; INSERT INTO Tools (Id, Title, Weight, OwnerId) VALUES"
                + " (1, 'a', 1, 1), (2, 'b', 2, 1), (3, 'c', 3, 1), (4, 'd', 4, 1), (5, 'e', 5, 1)")
        for line in ["GET /Members?\(options)", "GET /Members(1)?\(options)"] {
            let answer = fixture.send(line)
            #expect(answer.status == 200, "\(answer.text)")
            let member = answer.json["value"]?.array?.first ?? answer.json
            var found = (member["Tools"]?.array ?? []).compactMap { $0["Id"]?.number }
            #expect(found.count == 2)
            if let rest = member["Tools@odata.nextLink"]?.string {
                found += pages(fixture, follow(rest), ["Prefer: odata.maxpagesize=1"]).flatMap {
                    $0
                }
            }
            #expect(found == expected)
        }
    }

    @Test func collectionsBelowExpandedEntitiesHaveLinksOfTheirOwn() throws {
        let fixture = try ServiceFixture { $0.nestedPageSize = 1 }
        let answer = fixture.send("GET /Members?$expand=Tools($expand=Loans)&$top=1")
        let tool = answer.json["value"]?.array?.first?["Tools"]?.array?.first
        let days = (tool?["Loans"]?.array ?? []).compactMap { $0["Day"]?.string }
        #expect(days == ["2031-05-02"])
        let rest = fixture.send(follow(tool?["Loans@odata.nextLink"]?.string))
        #expect(rest.items.count == 1 && rest.text.contains("2031-05-09"), "\(rest.text)")
    }
}
