import ODataQuery
import ODataServer
import ODataWorld
import ODataWire
import ODataText
import Testing

@Suite struct ServiceDeltaTests {
    private let track = ["Prefer: odata.track-changes"]

    @Test func aTrackedReadEndsInADeltaLinkAndSaysSo() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /Tools?$select=Title", track)
        #expect(answer.headers["Preference-Applied"] == "odata.track-changes")
        let link = try #require(answer.deltaLink)
        #expect(link.hasPrefix("http://h/Tools?$deltatoken="))
        let nothing = fixture.send(follow(link))
        #expect(nothing.items.isEmpty)
        #expect(nothing.deltaLink != nil)
        #expect(nothing.json["@odata.context"]?.string == "http://h/$metadata#Tools(Title)/$delta")
    }

    @Test func onlyTheLastPageCarriesTheLinkAndItReachesBackToTheFirst() throws {
        let fixture = try ServiceFixture()
        let first = fixture.send("GET /Tools", ["Prefer: odata.track-changes,odata.maxpagesize=2"])
        #expect(first.deltaLink == nil)
        try fixture.sql("UPDATE Tools SET Title = 'Fret saw' WHERE Id = 1")
        let last = fixture.send(follow(first.nextLink), ["Prefer: odata.maxpagesize=2"])
        #expect(last.nextLink == nil)
        let delta = fixture.send(follow(last.deltaLink))
        #expect(delta.items.count == 1)
        #expect(delta.json["value"]?.array?.first?["Title"]?.string == "Fret saw")
    }

    @Test func changesComeInBothSpellings() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Tags", track).deltaLink
        try fixture.sql(
            "INSERT INTO Tags VALUES ('new', NULL); DELETE FROM Tags WHERE Name = 'a/b';"
                + "UPDATE Tags SET Remark = 'x' WHERE Name = 'ü'")
        #expect(
            fixture.send(follow(link)).items == [
                #"{"@odata.etag":"W/\"1\"","Name":"new","Remark":null}"#,
                #"{"@odata.context":"$metadata#Tags/$deletedEntity","id":"Tags('a%2Fb')","reason":"deleted"}"#,
                #"{"@odata.etag":"W/\"3\"","Name":"ü","Remark":"x"}"#,
            ])
        let new = fixture.send(follow(link), ["OData-MaxVersion: 4.01"])
        #expect(new.items[1] == #"{"@removed":{"reason":"deleted"},"Name":"a/b"}"#)
        #expect(new.json["@deltaLink"] != nil)
    }

    @Test func rowsThatLeaveTheFilterAreRemovedAsChanged() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Tools?$filter=Price%20gt%208&$select=Title", track).deltaLink
        try fixture.sql(
            """
            UPDATE Tools SET Price = 5 WHERE Id = 1;
            UPDATE Tools SET Price = 8.5 WHERE Id = 2;
            UPDATE Tools SET Title = 'Hammer' WHERE Id = 3;
            DELETE FROM Tools WHERE Id = 4;
            INSERT INTO Tools (Id, Title, Price) VALUES (5, 'Cheap', 1), (6, 'Dear', 100);
            """)
        #expect(
            fixture.send(follow(link)).items == [
                #"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(1)","reason":"changed"}"#,
                #"{"@odata.etag":"W/\"2\"","Id":2,"Title":"Plane"}"#,
                #"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(4)","reason":"deleted"}"#,
                #"{"@odata.etag":"W/\"6\"","Id":6,"Title":"Dear"}"#,
            ])
    }

    @Test func whatCameAndWentInBetweenIsNotMentioned() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Tools", track).deltaLink
        try fixture.sql(
            "INSERT INTO Tools (Id, Title) VALUES (9, 'x'); DELETE FROM Tools WHERE Id = 9")
        #expect(fixture.send(follow(link)).items.isEmpty)
    }

    /// A row that came with a later page was not there where the delta begins, and the client has it.
    @Test func whatCameWithALaterPageAndWentIsRemoved() throws {
        let fixture = try ServiceFixture()
        let small = ["Prefer: odata.track-changes,odata.maxpagesize=2"]
        let first = fixture.send("GET /Tools?$filter=Price%20gt%201", small)
        try fixture.sql("INSERT INTO Tools (Id, Title, Price) VALUES (90, 'Brief', 5)")
        let last = fixture.send(follow(first.nextLink), ["Prefer: odata.maxpagesize=100"])
        #expect(last.items.contains { $0.contains("Brief") })
        try fixture.sql(
            """
            DELETE FROM Tools WHERE Id = 90; INSERT INTO Tools (Id, Title, Price) VALUES (91, 'x', 5);
            DELETE FROM Tools WHERE Id = 91
            """)
        #expect(
            fixture.send(follow(last.deltaLink)).items == [
                #"{"@odata.context":"$metadata#Tools/$deletedEntity","id":"Tools(90)","reason":"deleted"}"#
            ])
    }

    @Test func rowsNamedByNumbersOfAnyLengthComeInTheOrderOfTheirChanges() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE Notes (Id BIGINT PRIMARY KEY, Text TEXT);
                INSERT INTO Notes VALUES (1, 'a'), (2, 'b'), (70000, 'c'), (5000000000, 'd');
                """)
        let link = fixture.send("GET /Notes", track).deltaLink
        try fixture.sql(
            """
            UPDATE Notes SET Text = 'D' WHERE Id = 5000000000;
            DELETE FROM Notes WHERE Id = 2;
            UPDATE Notes SET Text = 'A' WHERE Id = 1;
            INSERT INTO Notes VALUES (-3, 'new'), (9, 'gone'), (80000, NULL);
            UPDATE Notes SET Text = 'C' WHERE Id = 70000;
            UPDATE Notes SET Id = 4 WHERE Id = 1;
            DELETE FROM Notes WHERE Id = 9;
            """)
        let deleted = #""@odata.context":"$metadata#Notes/$deletedEntity""#
        let expected = [
            #"{"@odata.etag":"W/\"1\"","Id":5000000000,"Text":"D"}"#,
            "{\(deleted),\"id\":\"Notes(2)\",\"reason\":\"deleted\"}",
            #"{"@odata.etag":"W/\"4\"","Id":-3,"Text":"new"}"#,
            #"{"@odata.etag":"W/\"6\"","Id":80000,"Text":null}"#,
            #"{"@odata.etag":"W/\"7\"","Id":70000,"Text":"C"}"#,
            "{\(deleted),\"id\":\"Notes(1)\",\"reason\":\"deleted\"}",
            #"{"@odata.etag":"W/\"9\"","Id":4,"Text":"A"}"#,
        ]
        #expect(fixture.send(follow(link)).items == expected)
        // What is read in the general way, because not all columns are wanted, says the same.
        let full = fixture.send(follow(link), ["Accept: application/json;odata.metadata=full"])
        #expect(full.items.count == expected.count)
    }

    @Test func aRowDeletedAndMadeAgainIsAChange() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Tags", track).deltaLink
        try fixture.sql("DELETE FROM Tags WHERE Name = 'ü'; INSERT INTO Tags VALUES ('ü', 'back')")
        #expect(
            fixture.send(follow(link)).items == [
                #"{"@odata.etag":"W/\"2\"","Name":"ü","Remark":"back"}"#
            ])
    }

    @Test func deltasArePagedOverAFixedSpan() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Tools?$select=Title", track).deltaLink
        try fixture.sql("UPDATE Tools SET Weight = 7")
        let pages = ["Prefer: odata.maxpagesize=3"]
        let first = fixture.send(follow(link), pages)
        #expect(first.items.count == 3)
        #expect(first.deltaLink == nil)
        try fixture.sql("UPDATE Tools SET Weight = 8 WHERE Id = 1")
        let second = fixture.send(follow(first.nextLink), pages)
        #expect(second.items == [#"{"@odata.etag":"W/\"4\"","Id":4,"Title":"Drill"}"#])
        let third = fixture.send(follow(second.deltaLink), pages)
        #expect(third.items == [#"{"@odata.etag":"W/\"5\"","Id":1,"Title":"Saw"}"#])
    }

    @Test func expiredForeignAndMangledTokensAreRefused() throws {
        let fixture = try ServiceFixture()
        let link = try #require(fixture.send("GET /Tools", track).deltaLink)
        try fixture.sql("UPDATE Tools SET Weight = 7")
        try fixture.service.expireChanges(keepingLast: 1)
        let gone = fixture.send(follow(link))
        #expect(gone.status == 410)
        #expect(gone.headers["Location"] == "http://h/Tools")
        let fresh = try #require(fixture.send("GET /Tools", track).deltaLink)
        #expect(fixture.send(follow(fresh)).status == 200)
        #expect(try ServiceFixture().send(follow(fresh)).status == 410)
        #expect(fixture.send(follow(fresh.replacing("Tools", with: "Tags"))).status == 400)
        #expect(fixture.send(follow(String(fresh.dropLast(3)))).status == 400)
    }

    @Test func whatCannotBeTrackedGivesNoLink() throws {
        let fixture = try ServiceFixture()
        for line in [
            "GET /Cheap", "GET /Tools?$top=2", "GET /Tools?$expand=Loans",
            "GET /Tools?$filter=Owner/Name%20eq%20'Mia'", "GET /Members(1)/Tools",
        ] {
            let answer = fixture.send(line, track)
            #expect(answer.status == 200, "\(line) \(answer.text)")
            #expect(answer.deltaLink == nil, "\(line)")
            #expect(answer.headers["Preference-Applied"] == nil, "\(line)")
        }
    }

    @Test func manyChangedCompositeKeysAreReadInParts() throws {
        let fixture = try ServiceFixture()
        let link = fixture.send("GET /Loans?$filter=Note%20eq%20'n'", track).deltaLink
        try fixture.sql(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
            INSERT INTO Loans SELECT 1 + i % 4, date('2040-01-01', i || ' days'), 'n' FROM n
            """)
        let answer = fixture.send(follow(link), ["Prefer: odata.maxpagesize=5000"])
        #expect(answer.items.count == 1_200)
        try fixture.sql("UPDATE Loans SET Note = 'm' WHERE Note = 'n'")
        let after = fixture.send(follow(answer.deltaLink), ["Prefer: odata.maxpagesize=5000"])
        #expect(after.items.filter { $0.contains("\"reason\":\"changed\"") }.count == 1_200)
    }

    /// A row whose key is none of the key's type is in no answer, so nothing is said of its changes either.
    @Test func changesOfARowWithAKeyOfAnotherTypeAreLeftOut() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE K (Id INT PRIMARY KEY, V TEXT);
                INSERT INTO K VALUES (1, 'a'), ('abc', 'b');
                """)
        let page = fixture.send("GET /K?$select=V", track)
        #expect(page.items.count == 1)
        try fixture.sql("UPDATE K SET V = V || 'c'")
        let delta = fixture.send(follow(page.deltaLink))
        #expect(delta.status == 200, "\(delta.text)")
        #expect(delta.items == [#"{"@odata.etag":"W/\"1\"","Id":1,"V":"ac"}"#])
        try fixture.sql("DELETE FROM K")
        let gone = fixture.send(follow(delta.deltaLink))
        #expect(gone.items.count == 1 && gone.text.contains("K(1)"), "\(gone.text)")
    }

    /// What the log says of rows is said by their keys: after another start these may be of another form, or type.
    @Test(arguments: [
        ("Id UUID PRIMARY KEY, V TEXT", "Id STRING PRIMARY KEY, V TEXT"),
        ("Id UUID PRIMARY KEY, V TEXT", "Id INT PRIMARY KEY, V TEXT"),
        ("Id UUID PRIMARY KEY, V TEXT", "Id UUID, V TEXT PRIMARY KEY NOT NULL"),
    ])
    func tokensFromBeforeAnotherKeyHaveExpired(old: String, new: String) throws {
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE K (\(old));
                INSERT INTO K VALUES ('\(id)', 'a');
                CREATE TABLE Other (Id INTEGER PRIMARY KEY, V TEXT);
                INSERT INTO Other VALUES (1, 'a');
                """)
        let link = fixture.send("GET /K", track).deltaLink
        let other = fixture.send("GET /Other", track).deltaLink
        try fixture.sql("UPDATE K SET V = 'b'; UPDATE Other SET V = 'b'")
        try fixture.service.close()
        // As other programs change a declaration in place; the triggers stay.
        try fixture.sql(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = 'CREATE TABLE K (\(new))' WHERE name = 'K';
            PRAGMA writable_schema = RESET;
            """)
        let again = try ODataService(fixture.service.configuration)
        func read(_ link: String?) -> ResponseMessage {
            let url = String((link ?? "").dropFirst("http://h".count))
            return again.respond(
                to: RequestMessage(method: "GET", url: url, headers: ["Host": "h"]))
        }
        let answer = read(link)
        #expect(answer.status == 410, "\(answer.status) \(answer.text)")
        #expect(answer.headers["Location"] == "http://h/K")
        #expect(read(other).items.count == 1)
        try again.close()
    }

    /// The form of a Guid is found in the values: the first one may come while the service runs.
    @Test func tokensFromBeforeGuidsOfBytesHaveExpired() throws {
        let fixture = try ServiceFixture(schema: "CREATE TABLE K (Id UUID PRIMARY KEY, V TEXT)")
        let link = fixture.send("GET /K", track).deltaLink
        try fixture.service.close()
        try fixture.sql("INSERT INTO K VALUES (x'0123456789abcdef0123456789abcdef', 'a')")
        let again = try ODataService(fixture.service.configuration)
        let url = String((link ?? "").dropFirst("http://h".count))
        let request = RequestMessage(method: "GET", url: url, headers: ["Host": "h"])
        #expect(again.respond(to: request).status == 410)
        try again.close()
    }

    /// The service finds rows by keys as it writes them; a row in another form is there all the same.
    @Test(arguments: [("UUID", "01234567-89AB-CDEF-0123-456789ABCDEF"), ("STRING", "5")])
    func aRowWithItsKeyInAnotherFormIsNotSaidToBeGone(type: String, key: String) throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE K (Id \(type) PRIMARY KEY, V TEXT);
                INSERT INTO K VALUES ('\(key)', 'a');
                """)
        let link = fixture.send("GET /K", track).deltaLink
        try fixture.sql("UPDATE K SET V = 'b'")
        #expect(fixture.send(follow(link)).status == 410)
        let page = fixture.send("GET /K", track)
        #expect(page.items.count == 1)
        #expect(fixture.send(follow(page.deltaLink)).items.isEmpty)
    }
}
