import Foundation
import ODataClasses
import ODataModel
import ODataProviders
import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import ODataWire
import Testing

/// Functions and actions that a file declares in SQL, on both faces (Protocol 4.01, section 11.5; V2 operations,
/// "Service Operations").
@Suite struct ServiceOperationTests {
    static let declaration = """
        {"functions": [
            {"name": "CheaperThan", "parameters": {"limit": "Edm.Decimal"}, "returns": "Collection(Tools)",
             "sql": "SELECT Id FROM Tools WHERE Price < :limit ORDER BY Price DESC"},
            {"name": "ToolOf", "parameters": {"code": "Edm.Guid"}, "returns": "Tools",
             "sql": "SELECT Id FROM Tools WHERE Code = :code"},
            {"name": "Titles", "returns": "Collection(Edm.String)", "sql": "SELECT Title FROM Tools ORDER BY Id"},
            {"name": "LentOn", "parameters": {"day": "Edm.Date"}, "returns": "Edm.Int32",
             "sql": "SELECT nullif(count(*), 0) FROM Loans WHERE Day = :day"}],
         "actions": [
            {"name": "Rename", "parameters": {"id": "Edm.Int64", "title": "Edm.String"}, "returns": "Tools",
             "sql": ["UPDATE Tools SET Title = :title WHERE Id = :id", "SELECT Id FROM Tools WHERE Id = :id"]},
            {"name": "Clear", "sql": "DELETE FROM Loans"}]}
        """

    private func fixture(v2: Bool = false, isReadOnly: Bool = false) throws -> ServiceFixture {
        let operations = try ServiceOperation.parse(Array(Self.declaration.utf8))
        return try ServiceFixture {
            $0.operations = operations
            $0.speaksV2 = v2
            $0.isReadOnly = isReadOnly
        }
    }

    @Test func functionsAnswerWhatTheirSQLSays() throws {
        let fixture = try fixture()
        let cheap = fixture.send("GET /CheaperThan(limit=50)?$select=Title&$count=true")
        #expect(cheap.status == 200, "\(cheap.text)")
        #expect(cheap.json["value"]?.array?.map { $0["Title"]?.string } == ["Saw", "Plane"])
        #expect(cheap.json["@odata.count"]?.text == "2")
        #expect(
            fixture.send("GET /CheaperThan(limit=@l)?@l=10.5&$expand=Owner").json["value"]?.array?
                .map { $0["Owner"]?["Name"]?.string } == ["Mia"])
        #expect(
            fixture.send("GET /CheaperThan(limit=50)?$filter=Id eq 2").json["value"]?.array?.count
                == 1)
        let one = fixture.send("GET /ToolOf(code=01234567-89ab-cdef-0123-456789abcdef)")
        #expect(one.json["Title"]?.string == "Saw")
        #expect(one.json["@odata.context"]?.string == "http://h/$metadata#Tools/$entity")
        #expect(one.headers["ETag"] == "W/\"0\"")
        #expect(
            fixture.send("GET /ToolOf(code=11234567-89ab-cdef-0123-456789abcdef)").status == 204)
        #expect(fixture.send("GET /Titles()").json["value"]?.array?.count == 4)
        #expect(fixture.send("GET /LentOn(day=2031-05-02)").json["value"]?.text == "1")
        #expect(fixture.send("GET /LentOn(day=2001-01-01)").status == 204)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let fixture = try fixture()
        #expect(fixture.send("GET /CheaperThan(limit='x')").status == 400)
        #expect(fixture.send("GET /CheaperThan()").status == 400)
        #expect(fixture.send("POST /CheaperThan(limit=1)", body: "{}").status == 405)
        #expect(fixture.send("GET /Clear").status == 405)
        #expect(fixture.send("POST /Rename", body: #"{"id":1,"other":2}"#).status == 400)
        #expect(fixture.send("POST /Rename", body: #"{"id":1}"#).status == 400)
        #expect(fixture.send("POST /Rename", body: #"{"id":"x","title":"y"}"#).status == 400)
        #expect(fixture.send("GET /Nothing()").status == 404)
        #expect(try fixture.value("SELECT group_concat(Title) FROM Tools")?.contains("Saw") == true)
    }

    @Test func actionsChangeTheDatabaseOnce() throws {
        let fixture = try fixture()
        let identity = [
            "Repeatability-Request-ID: 8e7b4c3a-0000-4000-8000-000000000001",
            "Repeatability-Client-ID: c",
            "Repeatability-First-Sent: "
                + HTTPDate.text(secondsSince1970: Int64(Date().timeIntervalSince1970)),
        ]
        let renamed = fixture.send(
            "POST /Rename", identity, body: #"{"id":1,"title":"Fret saw"}"#)
        #expect(renamed.json["Title"]?.string == "Fret saw", "\(renamed.text)")
        #expect(renamed.headers["ETag"] == "W/\"1\"")
        #expect(
            fixture.send("POST /Rename", identity, body: #"{"id":1,"title":"Fret saw"}"#).text
                == renamed.text)
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "1")
        #expect(fixture.send("POST /Clear").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Loans") == "0")
        let readOnly = try self.fixture(isReadOnly: true)
        #expect(readOnly.send("POST /Clear").status == 405)
        #expect(!readOnly.send("GET /$metadata").text.contains("ActionImport"))
        #expect(try readOnly.value("SELECT count(*) FROM Loans") == "3")
    }

    @Test func metadataOfBothFacesSaysThem() throws {
        let new = try CSDLReader.read(try fixture().send("GET /$metadata").body)
        #expect(new.operationImports.map(\.name).count == 6)
        #expect(new.operationImports.filter(\.isAction).map(\.name) == ["Rename", "Clear"])
        let text = try fixture(v2: true).send("GET /$metadata").text
        #expect(
            text.contains(
                #"<FunctionImport Name="CheaperThan" ReturnType="Collection(Ws.Tools)" EntitySet="Tools" m:HttpMethod="GET">"#
            ), "\(text)")
        #expect(text.contains(#"m:HttpMethod="POST""#))
        #expect(text.contains(#"<Parameter Name="day" Type="Edm.DateTime""#))
    }

    @Test func theV2FaceWrapsResultsInTheirName() throws {
        let fixture = try fixture(v2: true)
        #expect(
            fixture.send("GET /LentOn?day=datetime'2031-05-02T00:00:00'").text
                == #"{"d":{"LentOn":1}}"#)
        #expect(fixture.send("GET /LentOn?day=datetime'2001-01-01T00:00:00'").status == 204)
        let cheap = fixture.send("GET /CheaperThan?limit=50M")
        #expect(
            cheap.json["d"]?["results"]?.array?.map { $0["Title"]?.string } == ["Saw", "Plane"],
            "\(cheap.text)")
        let titles = fixture.send("GET /Titles").json["d"]
        #expect(
            (titles?["results"] ?? titles?["Titles"])?.array?.count == 4, "\(titles?.text ?? "")")
        let renamed = fixture.send("POST /Rename?id=1L&title='Fret%20saw'")
        #expect(renamed.json["d"]?["Title"]?.string == "Fret saw", "\(renamed.text)")
        #expect(fixture.send("POST /Clear").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM Loans") == "0")
        #expect(fixture.send("GET /LentOn?day='x'").status == 400)
    }

    @Test(arguments: [false, true]) func ourOwnClientCallsThem(v2: Bool) async throws {
        try await onOwnThread {
            let fixture = try fixture(v2: v2)
            try fixture.service.start()
            defer { fixture.service.stop() }
            let service = DataService(
                provider: OnlineODataProvider(
                    serviceName: "s", serviceRoot: fixture.service.url ?? ""))
            try service.loadMetadata()
            let found = try service.executeQuery(
                DataQuery().invoke(
                    service.dataMethod(withName: "CheaperThan"),
                    ParameterList().with(name: "limit", value: DecimalValue.of(BigDecimal("50"))))
            ).entityList()
            #expect(found.length == 2)
            _ = try service.executeMethod(
                service.dataMethod(withName: "Rename"),
                parameters: ParameterList().with(name: "id", value: LongValue.of(2))
                    .with(name: "title", value: StringValue.of("Jack plane")))
            #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 2") == "Jack plane")
        }
    }

    @Test(arguments: [
        (
            #"{"functions":[{"name":"A","returns":"Edm.Int32","sql":"DELETE FROM Tools"}]}"#,
            "reads only"
        ),
        (#"{"functions":[{"name":"A","returns":"Edm.Int32","sql":"SELEC 1"}]}"#, "syntax error"),
        (
            #"{"functions":[{"name":"A","returns":"Edm.Int32","sql":"SELECT :x"}]}"#,
            "parameters of A"
        ),
        (#"{"functions":[{"name":"A","returns":"Nothing","sql":"SELECT 1"}]}"#, "found Nothing"),
        (
            #"{"functions":[{"name":"Tools","returns":"Edm.Int32","sql":"SELECT 1"}]}"#,
            "another name"
        ),
        (#"{"functions":[{"name":"A","sql":"SELECT 1"}]}"#, "what the function returns"),
        (#"{"functions":[{"name":"A","returns":"Edm.Nothing","sql":"SELECT 1"}]}"#, "a type"),
        (
            #"{"functions":[{"name":"A","returns":"Edm.Int32","sql":"SELECT 1","x":1}]}"#,
            "name, parameters"
        ),
    ])
    func declarationsThatDoNotFitAreNamed(text: String, expected: String) throws {
        #expect {
            let operations = try ServiceOperation.parse(Array(text.utf8))
            _ = try ServiceFixture { $0.operations = operations }
        } throws: { String(describing: $0).contains(expected) }
    }
}
