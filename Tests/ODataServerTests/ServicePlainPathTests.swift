import ODataQuery
import ODataServer
import ODataText
import Testing

/// URLs that are read in a shorter way mean what they mean in the general one.
@Suite struct ServicePlainPathTests {
    @Test(arguments: [
        ("Tools(1)", "Tools(Id=1)"), ("Tools(01)", "Tools(Id=01)"), ("Tools(99)", "Tools(Id=99)"),
        ("Tools(0)", "Tools(Id=0)"), ("Tools(4294967297)", "Tools(Id=4294967297)"),
        ("Tools(99999999999999999999)", "Tools(Id=99999999999999999999)"),
        ("Tools", "Tools?"), ("Cheap", "Cheap?"), ("Loans(1)", "Loans(1)?"),
        ("Tags(1)", "Tags(Name=1)"), ("Nothing(1)", "Nothing(1)?"), ("tools(1)", "tools(1)?"),
        ("Tools()", "Tools()?"), ("Tools(1)(2)", "Tools(1)(2)?"), ("Tools(1", "Tools(1?"),
    ]) func bothWaysGiveOneAnswer(plain: String, general: String) throws {
        let fixture = try ServiceFixture()
        for method in ["GET", "HEAD", "PUT", "DELETE"] {
            let body = method == "PUT" ? #"{"Title":"x"}"# : ""
            let other = try ServiceFixture()
            #expect(
                fixture.send("\(method) /\(plain)", body: body)
                    == other.send("\(method) /\(general)", body: body), "\(method) \(plain)")
        }
    }

    @Test func aNumberBeyondTheTypeOfTheKeyIsRefusedAsEver() throws {
        let schema =
            "CREATE TABLE Small (Id INT PRIMARY KEY, Name TEXT); INSERT INTO Small VALUES (1, 'a')"
        let fixture = try ServiceFixture(schema: schema)
        #expect(fixture.send("GET /Small(1)").json["Name"]?.string == "a")
        #expect(
            fixture.send("GET /Small(2147483648)") == fixture.send("GET /Small(Id=2147483648)"))
    }
}
