import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Options inside `$select` (URL Conventions 4.01, section 5.1.4.1), and types behind the properties of `$expand`.
@Suite struct ServiceSelectOptionTests {
    private static func fixture() throws -> ModelFixture {
        var rows = ModelFixture.rows
        rows["People"] = """
            [{"Id":1,"Name":"Ada","Nicknames":["Bee","Ant","Cat","Asp"]},
             {"@odata.type":"#Lib.Employee","Id":2,"Name":"Bob","Salary":10.50,"Nicknames":["Owl"]}]
            """
        rows["Books"] = """
            [{"Isbn":"a","Title":"First","AuthorId":1,
              "Quotes":[{"Text":"q","By":"z","Page":3},{"Text":"r","By":"y"},{"Text":"s","By":"z","Page":1}]},
             {"Isbn":"b","Title":"Second","AuthorId":2}]
            """
        return try ModelFixture(rows: rows)
    }

    @Test(
        arguments: [
            ("$filter=startswith($this,'A')", #"["Ant","Asp"]"#),
            ("$orderby=$this", #"["Ant","Asp","Bee","Cat"]"#),
            ("$orderby=$this desc;$top=2", #"["Cat","Bee"]"#), ("$skip=1;$top=1", #"["Ant"]"#),
            ("$filter=length($this) gt @n;@n=3", "[]"), ("$top=0", "[]"), ("$skip=9", "[]"),
        ]) func collectionsOfValuesAreNarrowed(options: String, expected: String) throws
    {
        let fixture = try Self.fixture()
        let people = fixture.send("GET /People?$select=Nicknames(\(options))")
        let person = people.json["value"]?.array?.first
        #expect(person?["Nicknames"]?.text == expected, "\(people.text)")
        #expect(person?["Name"] == nil && person?["Id"]?.text == "1")
        // Alone as well.
        #expect(fixture.member("/People(1)?$select=Nicknames(\(options))", "Nicknames") == expected)
    }

    @Test(
        arguments: [
            ("$filter=By eq 'z'", ["q", "s"]), ("$filter=By eq 'z' and Page gt 2", ["q"]),
            ("$orderby=Page", ["r", "s", "q"]), ("$orderby=By desc,Text desc;$top=2", ["s", "q"]),
            ("$filter=Page eq null", ["r"]), ("$filter=By eq @b", ["r"]),
        ]) func collectionsOfStructuresAreNarrowed(options: String, expected: [String]) throws
    {
        let fixture = try Self.fixture()
        let books = fixture.send("GET /Books?$select=Title,Quotes(\(options))&@b='y'")
        let quotes = books.json["value"]?.array?.first?["Quotes"]?.array ?? []
        #expect(quotes.compactMap { $0["Text"]?.string } == expected, "\(books.text)")
        #expect(books.json["value"]?.array?.last?["Quotes"]?.text == "[]")
    }

    @Test(
        arguments: [
            ("/People?$select=Nicknames($count=true)", 501),
            ("/Books?$select=Quotes($search=q)", 501),
            ("/Books?$select=Quotes($compute=Page add 1 as Next)", 501),
            ("/Books?$expand=Author($select=Nicknames($top=1))", 501),
            ("/People?$compute=1 as One&$select=One,Nicknames($top=1)", 501),
            ("/People?$select=Name($top=1)", 400), ("/Books?$select=Quotes($filter=Nothing)", 400),
            ("/Books?$select=Quotes($filter=Page)", 400),
            ("/People?$select=Home($select=City)", 200),
        ]) func whatIsNotCarriedOutIsRefused(url: String, status: Int) throws
    {
        let answer = try Self.fixture().send("GET " + url)
        #expect(answer.status == status, "\(url) \(answer.text)")
    }

    @Test func expandedEntitiesAreOfTheTypeBehindTheProperty() throws {
        let fixture = try Self.fixture()
        let answer = fixture.send("GET /Books?$expand=Author/Lib.Employee($select=Salary)")
        let books = answer.json["value"]?.array ?? []
        #expect(books.count == 2 && books[0]["Author"]?.text == "null", "\(answer.text)")
        #expect(books[1]["Author"]?["Salary"]?.text == "10.50")
        #expect(
            answer.json["@odata.context"]?.string?.hasSuffix("#Books(Author/Lib.Employee(Salary))")
                == true)
        let all = fixture.send("GET /Books?$expand=Author/Lib.Person")
        #expect((all.json["value"]?.array ?? []).allSatisfy { $0["Author"]?["Name"] != nil })
        #expect(fixture.send("GET /Books?$expand=Author/Lib.Nothing").status == 400)
        #expect(fixture.send("GET /Books?$expand=Author/Lib.Tag").status == 400)
    }

    @Test func aPageThatTheWantedRowsFillIsTheLast() throws {
        let fixture = try ServiceFixture()
        for (url, size) in [
            ("/Tools?$top=2", 2), ("/Tools?$top=2", 1), ("/Tools/$ref?$top=2", 2),
            ("/Tools?$top=2&$compute=Id add 1 as Next", 2), ("/$all?$top=2", 1),
            ("/$crossjoin(Tools,Members)?$top=4", 2),
        ] {
            var (pages, next) = (0, String?.some(url))
            while let line = next, pages < 9 {
                let answer = fixture.send("GET " + line, ["Prefer: odata.maxpagesize=\(size)"])
                #expect(answer.items.count == size, "\(url) \(answer.text)")
                (pages, next) = (pages + 1, answer.nextLink)
            }
            #expect(pages == (url.hasSuffix("4") ? 4 : 2) / size, "\(url)")
        }
    }
}
