import ODataQuery
import ODataText
import ODataWire
import Testing

/// Rows that are nothing but columns are written from where SQLite put them, all others by way of entities: both have to say
/// the same of the same row.
@Suite struct ServiceRowTextTests {
    /// Values of every form, and some that are none of their column's type.
    private static let rows = """
        INSERT INTO Tools (Id, Title, Price, Bought, Lent, Weight, Picture, Code, OwnerId) VALUES
            (10, 'quote " backslash \\ slash /' || char(1, 8, 9, 10, 12, 13, 31, 127), 0.10,
             '2031-05-01T08:30:00.123456Z', 1, 1e300, x'', NULL, 2),
            (11, 'a text of more than sixteen bytes "with" a quote behind thirty-two of them', -5,
             '2031-05-01T08:30:00+02:00', 0, 0.1, x'01', 'ABCDEF01-89ab-cdef-0123-456789abcdef', 1),
            (12, 'Größe 😀 ' || char(8232), 99999999.99, 'no date', 0, 9e999, NULL, 'no guid', NULL),
            (13, CAST(x'41ff42' AS TEXT), 'no number', NULL, 0, -9e999, 'text', NULL, NULL),
            (14, 4711, NULL, NULL, 7, 'heavy', NULL, NULL, NULL),
            (-9223372036854775808, '', 1, NULL, 0, -0.0, NULL, NULL, NULL),
            (9223372036854775807, 'last', 1, NULL, 0, 5e-324, NULL, NULL, NULL);
        UPDATE Tools SET Price = 13 WHERE Id = 1;
        INSERT INTO Members VALUES (3, 'Ida', '2020-02-30'), (4, 'Ole', '2020-02-29'), (5, 'Eva', 'x');
        """

    private static func fixture() throws -> ServiceFixture {
        let fixture = try ServiceFixture()
        try fixture.sql(rows)
        return fixture
    }

    /// The members of an object but those of expanded entities.
    private static func plain(_ value: JSONValue) -> [String] {
        (value.object?.members ?? []).filter {
            !["@odata.context", "Owner", "Tools", "Loans", "Tool"].contains($0.name)
        }.map { "\($0.name): \($0.value.text)" }
    }

    @Test(
        arguments: [("Tools", "Owner"), ("Members", "Tools"), ("Loans", "Tool")],
        ["", "$select=Title,Id,Name,Since,Note", "$orderby=Lent%20desc&$top=7"])
    func aPageSaysTheSameWithAndWithoutExpandedEntities(
        names: (set: String, related: String), options: String
    ) throws {
        let (fixture, known) = (try Self.fixture(), ["Title", "Lent"])
        // Names that the set does not have are left out of what is asked for.
        let asked =
            names.set == "Tools"
            ? options.replacing(",Name,Since,Note", with: "")
            : known.contains { options.contains($0) } ? "" : options
        let direct = fixture.send("GET /\(names.set)?\(asked)")
        let general = fixture.send("GET /\(names.set)?$expand=\(names.related)&\(asked)")
        #expect(direct.status == 200 && general.status == 200, "\(direct.text)")
        let rows = (direct.json["value"]?.array ?? []).map(Self.plain)
        #expect(rows.count >= 3)
        #expect(rows == (general.json["value"]?.array ?? []).map(Self.plain))
    }

    @Test func anEntitySaysTheSameWithAndWithoutExpandedEntities() throws {
        let fixture = try Self.fixture()
        for key in ["1", "2", "10", "11", "12", "13", "14", "-9223372036854775808"] {
            let direct = fixture.send("GET /Tools(\(key))")
            let general = fixture.send("GET /Tools(\(key))?$expand=Owner")
            #expect(direct.status == 200, "\(direct.text)")
            #expect(Self.plain(direct.json) == Self.plain(general.json))
            #expect(direct.headers["ETag"] == general.headers["ETag"])
            #expect(direct.headers["ETag"] == direct.json["@odata.etag"]?.string)
        }
        // One of them was seen to change, the others not.
        let tags = ["1", "2"].map { fixture.send("GET /Tools(\($0))").headers["ETag"] }
        #expect(tags[0] != tags[1] && tags[1] == "W/\"0\"")
        let known = ["If-None-Match: \(tags[0] ?? "")"]
        #expect(fixture.send("GET /Tools(1)", known).status == 304)
        #expect(fixture.send("GET /Tools(2)", known).status == 200)
    }

    @Test func rowsWithTextKeysHaveTheTagOfTheirOwnChange() throws {
        let fixture = try ServiceFixture()
        try fixture.sql("UPDATE Tags SET Remark = 'new' WHERE Name = 'ü'")
        let rows = fixture.send("GET /Tags").json["value"]?.array ?? []
        let tags = Dictionary(
            rows.map { ($0["Name"]?.string ?? "", $0["@odata.etag"]?.string) },
            uniquingKeysWith: { first, _ in first })
        #expect(tags["a/b"] == "W/\"0\"")
        #expect(tags["ü"] == "W/\"1\"")
    }

    @Test(
        "Pages of queries that differ in their values alone share what was compiled, not the rows",
        arguments: [("Tools", "Id", 1...4), ("Tools", "OwnerId", 1...2)])
    func queriesOfOneFormHaveRowsOfTheirOwn(
        names: (set: String, property: String, values: ClosedRange<Int>)
    ) throws {
        let fixture = try ServiceFixture()
        for value in names.values {
            let filter = "\(names.property)%20eq%20\(value)"
            let answer = fixture.send("GET /\(names.set)?$filter=\(filter)")
            let rows = answer.json["value"]?.array ?? []
            #expect(!rows.isEmpty)
            #expect(rows.allSatisfy { $0[names.property]?.number == String(value) })
        }
    }
}
