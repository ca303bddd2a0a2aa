import ODataClasses
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import ODataWorld
import Testing

@Suite struct ServiceReadTests {
    @Test func theServiceDocumentListsEverySet() throws {
        let answer = try ServiceFixture().send("GET /")
        #expect(answer.status == 200)
        #expect(answer.headers["OData-Version"] == "4.0")
        #expect(
            answer.text
                == #"{"@odata.context":"http://h/$metadata","value":["#
                + ["Loans", "Members", "Tags", "Tools", "Cheap"].map {
                    #"{"name":"\#($0)","kind":"EntitySet","url":"\#($0)"}"#
                }.joined(separator: ",") + "]}")
    }

    @Test func metadataIsXMLOrJSONAndSaysWhatTheSetsAre() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send("GET /$metadata")
        #expect(answer.status == 200)
        #expect(answer.headers["Content-Type"] == "application/xml")
        for part in [
            "Namespace=\"Ws\"", "<EntityType Name=\"Tools\">", "Name=\"Price\"", "Precision=\"10\"",
            "Partner=\"Tools\"", "ReferencedProperty=\"Id\"",
            "Org.OData.Capabilities.V1.ChangeTracking",
        ] {
            #expect(answer.text.contains(part), "\(part)")
        }
        let tag = answer.headers["ETag"] ?? ""
        #expect(fixture.send("GET /$metadata", ["If-None-Match: \(tag)"]).status == 304)
        let json = fixture.send("GET /$metadata?$format=json")
        #expect(json.status == 200 && json.headers["Content-Type"] == "application/json")
        #expect(json.text.hasPrefix(#"{"$Version":"4.0","$EntityContainer":"Ws."#))
        #expect(json.headers["ETag"] != answer.headers["ETag"])
        #expect(
            fixture.send("GET /$metadata", ["Accept: application/json"]).text == json.text)
        #expect(fixture.send("GET /$metadata?$format=xml").status == 200)
        #expect(fixture.send("POST /$metadata", body: "{}").status == 405)
    }

    @Test func entitiesAreWrittenWithExactValues() throws {
        let answer = try ServiceFixture().send("GET /Tools(1)")
        #expect(answer.status == 200)
        #expect(answer.headers["ETag"] == "W/\"0\"")
        #expect(
            answer.text
                == #"{"@odata.context":"http://h/$metadata#Tools/$entity","@odata.etag":"W/\"0\"","#
                + #""Id":1,"Title":"Saw","Price":12.5,"Bought":"2031-05-01T08:30:00Z","Lent":false,"#
                + #""Weight":1.25,"Picture":"AP8Q","Code":"01234567-89ab-cdef-0123-456789abcdef","#
                + #""OwnerId":1}"#)
    }

    @Test(
        arguments: [
            ("Price gt 7", "1,4"), ("Price ge 7 and Lent eq true", "2"), ("Price eq null", "3"),
            ("not (Lent eq true)", "1,3,4"), ("startswith(Title,'D')", "4"),
            ("contains(Title,'''')", "3"), ("length(Title) eq 5", "2,4"),
            ("tolower(Title) eq 'saw'", "1"), ("Id in (1,3,9)", "1,3"),
            ("Bought gt 2031-05-01T08:30:00Z", "2"), ("year(Bought) eq 2031", "1,2"),
            ("Owner/Name eq 'Mia'", "1,2"), ("OwnerId ne 1 or OwnerId eq null", "3,4"),
            ("Code eq 01234567-89ab-cdef-0123-456789abcdef", "1"), ("Weight lt 1", "3"),
            ("Price eq 12.50", "1"), ("endswith(Title,'hammer') or Id eq 4", "3,4"),
        ]) func filtersSelectWhatTheyShould(filter: String, expected: String) throws
    {
        let encoded = filter.replacing("'", with: "%27").replacing(" ", with: "%20")
        let answer = try ServiceFixture().send("GET /Tools?$filter=\(encoded)&$select=Id")
        #expect(answer.status == 200, "\(answer.text)")
        let ids = (answer.json["value"]?.array ?? []).compactMap { $0["Id"]?.number }
        #expect(ids.joined(separator: ",") == expected)
    }

    @Test func selectOrderSkipTopAndCountGoTogether() throws {
        let answer = try ServiceFixture().send(
            "GET /Tools?$select=Title&$orderby=Title%20desc&$skip=1&$top=2&$count=true")
        #expect(answer.json["@odata.count"]?.number == "4")
        #expect(
            answer.items == [
                #"{"@odata.etag":"W/\"0\"","Id":2,"Title":"Plane"}"#,
                #"{"@odata.etag":"W/\"0\"","Id":3,"Title":"O'Hara's hammer"}"#,
            ])
        #expect(answer.nextLink == nil)
        #expect(answer.json["@odata.context"]?.string == "http://h/$metadata#Tools(Title)")
    }

    @Test func expandNestsWithItsOptions() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "GET /Members?$select=Name&$expand=Tools($select=Title;$orderby=Title;$filter=Lent eq false;"
                + "$expand=Loans($select=Note;$orderby=Day desc;$top=1))&$orderby=Id")
        #expect(answer.status == 200, "\(answer.text)")
        let tools = answer.json["value"]?.array?.first?["Tools"]?.array ?? []
        #expect(tools.compactMap { $0["Title"]?.string } == ["Saw"])
        #expect(tools.first?["Loans"]?.array?.count == 1)
        #expect(tools.first?["@odata.etag"]?.string == "W/\"0\"")
        let second = answer.json["value"]?.array?.last?["Tools"]?.array ?? []
        #expect(second.compactMap { $0["Title"]?.string } == ["O'Hara's hammer"])
        let one = fixture.send("GET /Tools(4)?$expand=Owner&$select=Id")
        #expect(one.json["Owner"]?.isNull == true)
    }

    @Test func pathsLeadThroughKeysAndLinks() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools(1)/Owner").json["Name"]?.string == "Mia")
        #expect(fixture.send("GET /Tools(4)/Owner").status == 204)
        #expect(fixture.send("GET /Members(1)/Tools?$select=Id").items.count == 2)
        #expect(fixture.send("GET /Members(1)/Tools(2)").json["Title"]?.string == "Plane")
        #expect(fixture.send("GET /Members(1)/Tools(3)").status == 404)
        #expect(fixture.send("GET /Members(1)/Tools/$count").text == "2")
        #expect(fixture.send("GET /Tools/$count?$filter=Lent%20eq%20true").text == "1")
        #expect(
            fixture.send("GET /Loans(ToolId=1,Day=2031-05-02)").json["Note"]?.string == "first")
        #expect(
            fixture.send("GET /Loans(Day=2031-05-02,ToolId=1)/Note").text
                == #"{"@odata.context":"http://h/$metadata#Loans(ToolId=1,Day=2031-05-02)/Note","value":"first"}"#
        )
        #expect(fixture.send("GET /Tools(1)/Title/$value").text == "Saw")
        #expect(fixture.send("GET /Tools(1)/Picture/$value").body == [0, 255, 16])
        #expect(fixture.send("GET /Tools(2)/Weight").status == 204)
        #expect(fixture.send("GET /Tags('a%2Fb')").json["Remark"]?.string == "slash")
        #expect(fixture.send("GET /Tags(%27%C3%BC%27)").status == 200)
        #expect(
            fixture.send("GET /Tools(1)/Owner/$ref").json["@odata.id"]?.string
                == "http://h/Members(1)")
        #expect(fixture.send("GET /Members(1)/Tools/$ref").items.count == 2)
    }

    @Test func absentThingsAndBadRequestsAreToldApart() throws {
        let fixture = try ServiceFixture()
        let cases: [(String, Int)] = [
            ("GET /Nothing", 404), ("GET /Tools(99)", 404), ("GET /Tools(1)/Nothing", 404),
            ("GET /Tools('x')", 400), ("GET /Tools(1,2)", 400), ("GET /Loans(1)", 400),
            ("GET /Tools?$filter=Nothing%20eq%201", 400), ("GET /Tools?$filter=Title%20eq", 400),
            ("GET /Tools?$top=-1", 400), ("GET /Tools?$orderby=", 400),
            ("GET /Tools?$nonsense=1", 400), ("GET /Tools?$expand=Title", 400),
            ("GET /Tools?$skiptoken=abc", 400), ("GET /Tools?$deltatoken=abc", 400),
            ("GET /Tools?$search=saw", 501),
            ("GET /Tools?$apply=concat(nest(top(1)%20as%20n),nest(top(2)%20as%20n))", 501),
            ("GET /Tools(1)/$value", 400),
            ("GET /Tools(1)(2)", 400), ("DELETE /Tools", 405), ("POST /Tools(1)", 405),
            ("PUT /", 405), ("BREW /Tools", 501), ("GET /Cheap(2)", 200), ("DELETE /Cheap(2)", 405),
        ]
        for (line, status) in cases {
            let answer = fixture.send(line)
            #expect(answer.status == status, "\(line): \(answer.status) \(answer.text)")
            if status >= 400 {
                #expect(answer.json["error"]?["message"]?.string?.isEmpty == false, "\(line)")
                #expect(answer.headers["OData-Version"] == "4.0")
            }
        }
    }

    @Test func versionsAndFormatsAreNegotiated() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools(1)", ["Accept: application/atom+xml"]).status == 406)
        #expect(fixture.send("GET /Tools(1)", ["Accept: */*"]).status == 200)
        #expect(fixture.send("GET /Tools(1)", ["OData-Version: 3.0"]).status == 400)
        let new = fixture.send("GET /Tools(1)", ["OData-MaxVersion: 4.01"])
        #expect(new.headers["OData-Version"] == "4.01")
        #expect(new.json["@context"]?.string == "http://h/$metadata#Tools/$entity")
        let long = fixture.send(
            "GET /Tools(1)?$select=Price", ["Accept: application/json;IEEE754Compatible=true"])
        #expect(long.json["Id"]?.string == "1")
        #expect(long.json["Price"]?.string == "12.5")
        let none = fixture.send(
            "GET /Tools(1)?$select=Id", ["Accept: application/json;odata.metadata=none"])
        #expect(none.text == #"{"Id":1}"#)
        #expect(fixture.send("HEAD /Tools(1)").body.isEmpty)
    }
}
