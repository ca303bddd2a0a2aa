import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Deltas of a filtered view: what leaves it is removed, what enters it is changed, and of all else nothing is said.
@Suite struct ServiceAccessDeltaTests {
    private static let track = ["Prefer: odata.track-changes"]

    private func link(_ fixture: ServiceFixture, _ url: String = "/Tools", as user: String = "mia")
        throws -> String
    {
        try #require(fixture.send("GET \(url)", as: user, Self.track).deltaLink)
    }

    @Test(arguments: ["/Tools", "/Tools?$filter=Id lt 100", "/Tools?$select=Title"])
    func whatLeavesIsRemovedAndWhatEntersIsChanged(_ url: String) throws {
        let fixture = try AccessFixture.service()
        let link = try link(fixture, url)
        try fixture.sql(
            """
            UPDATE Tools SET OwnerId = 2 WHERE Id = 1;
            UPDATE Tools SET Title = 'Jack plane' WHERE Id = 2;
            UPDATE Tools SET OwnerId = 1 WHERE Id = 3;
            UPDATE Tools SET Price = 1 WHERE Id = 4;
            INSERT INTO Tools (Id, Title, OwnerId) VALUES (5, 'of Mia', 1), (6, 'of Noah', 2);
            DELETE FROM Tools WHERE Id = 6;
            """)
        let delta = fixture.send(follow(link), as: "mia")
        let items = delta.items
        #expect(items.count == 4, "\(delta.text)")
        #expect(items[0].contains("deletedEntity") && items[0].contains("Tools(1)"))
        #expect(items[0].contains("\"changed\""))
        #expect(items[1].contains("Jack plane") && items[2].contains("hammer"))
        #expect(items[3].contains("of Mia"))
        #expect(!delta.text.contains("Tools(4)") && !delta.text.contains("Noah"))
        #expect(fixture.send(follow(delta.deltaLink), as: "mia").items.isEmpty)
    }

    @Test func whatWasNeverInViewIsNotRemoved() throws {
        let fixture = try AccessFixture.service()
        let link = try link(fixture)
        try fixture.sql(
            "UPDATE Tools SET Picture = x'01' WHERE Id = 3; DELETE FROM Tools WHERE Id IN (3, 4)")
        let delta = fixture.send(follow(link), as: "mia")
        #expect(delta.items.isEmpty, "\(delta.text)")
        try fixture.sql("DELETE FROM Tools WHERE Id = 1")
        #expect(fixture.send(follow(link), as: "mia").items.first?.contains("\"deleted\"") == true)
    }

    @Test func aTokenOfAnotherViewIsNotKnown() throws {
        let fixture = try AccessFixture.service()
        let link = try link(fixture)
        #expect(fixture.send(follow(link), as: "mia").status == 200)
        #expect(fixture.send(follow(link), as: "noah").status == 410)
        #expect(fixture.send(follow(link), as: "kim").status == 410)
        #expect(fixture.send(follow(link), as: "gus").status == 403)
        #expect(fixture.send(follow(link)).status == 401)
        let all = try self.link(fixture, as: "kim")
        #expect(fixture.send(follow(all), as: "mia").status == 410)
    }

    @Test func aViewThatOthersTellIsNotTracked() throws {
        let fixture = try AccessFixture.service()
        #expect(fixture.send("GET /Loans", as: "mia", Self.track).deltaLink == nil)
        let answer = fixture.send("GET /Loans", as: "mia", Self.track)
        #expect(answer.headers["Preference-Applied"] == nil)
        #expect(try link(fixture, "/Loans", as: "kim").contains("deltatoken"))
    }

    @Test func pagesOfADeltaShowTheSame() throws {
        let fixture = try AccessFixture.service()
        let link = try link(fixture)
        try fixture.sql("UPDATE Tools SET Weight = 9; UPDATE Tools SET OwnerId = 2 WHERE Id = 2")
        let page = fixture.send(follow(link), as: "mia", ["Prefer: odata.maxpagesize=2"])
        #expect(page.deltaLink == nil && page.nextLink != nil)
        let rest = fixture.send(follow(page.nextLink), as: "mia", ["Prefer: odata.maxpagesize=2"])
        let text = page.text + rest.text
        #expect(
            text.contains("Saw") && text.contains("Tools(2)") && !text.contains("hammer")
                && !text.contains("Drill"))
        #expect(fixture.send(follow(page.nextLink), as: "noah").status == 410)
    }
}
