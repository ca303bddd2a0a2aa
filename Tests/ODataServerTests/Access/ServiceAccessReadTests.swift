import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// No way to read leads to a row that a filter keeps from the client. Mia has the tools 1 and 2.
@Suite struct ServiceAccessReadTests {
    @Test func nobodyReadsWithoutProof() throws {
        let fixture = try AccessFixture.service()
        for headers in [
            [], [AccessFixture.basic("mia", "wrong")], [AccessFixture.basic("nobody")],
            ["Authorization: Basic !!"], ["Authorization: Basic"], ["Authorization: Bearer x"],
            ["Authorization: Digest x"],
        ] {
            for line in [
                "GET /Tools", "GET /", "GET /$metadata", "GET /nowhere", "DELETE /Tags('a%2Fb')",
            ] {
                let answer = fixture.send(line, headers)
                #expect(answer.status == 401, "\(line) \(headers)")
                #expect(
                    answer.headers["WWW-Authenticate"]
                        == #"Basic realm="odata", charset="UTF-8""#)
                #expect(answer.json["error"]?["code"]?.string == "unauthenticated")
            }
        }
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
    }

    @Test func collectionsCountsAndKeysShowWhatIsInView() throws {
        let fixture = try AccessFixture.service()
        #expect(fixture.ids("GET /Tools", as: "mia") == ["1", "2"])
        #expect(fixture.ids("GET /Tools", as: "noah") == ["3"])
        #expect(fixture.ids("GET /Tools", as: "kim") == ["1", "2", "3", "4"])
        // Who lacks the claim sees nothing.
        #expect(fixture.ids("GET /Tools", as: "eve") == [])
        #expect(fixture.send("GET /Tools/$count", as: "mia").text == "2")
        let page = fixture.send("GET /Tools?$count=true&$top=1&$filter=Id gt 0", as: "mia")
        #expect(page.json["@odata.count"]?.text == "2" && page.items.count == 1)
        let first = fixture.send("GET /Tools", as: "mia", ["Prefer: odata.maxpagesize=1"])
        let second = fixture.send(
            follow(first.nextLink), as: "mia", ["Prefer: odata.maxpagesize=1"])
        #expect(second.items.count == 1 && second.nextLink == nil)
        #expect(fixture.send("GET /Tools(1)", as: "mia").status == 200)
        for rest in [
            "", "?$select=Title", "?$expand=Owner", "/Title", "/Title/$value", "/Picture",
            "/Picture/$value", "/Owner", "/Owner/Name", "/Loans", "/Loans/$count", "/$ref",
            "/Owner/$ref",
        ] {
            #expect(fixture.send("GET /Tools(3)\(rest)", as: "mia").status == 404, "\(rest)")
            #expect(fixture.send("GET /Tools(9)\(rest)", as: "mia").status == 404, "\(rest)")
        }
        #expect(fixture.send("GET /$entity?$id=Tools(3)", as: "mia").status == 404)
        #expect(fixture.send("GET /$entity?$id=Tools(1)", as: "mia").status == 200)
        #expect(fixture.send("HEAD /Tools(3)", as: "mia").status == 404)
        // The same answer as for one that there is not.
        let (hidden, absent) = (
            fixture.send("GET /Tools(3)", as: "mia"), fixture.send("GET /Tools(9)", as: "mia")
        )
        #expect(hidden == absent)
        let tagged = fixture.send("GET /Tools(3)", as: "mia", ["If-None-Match: *"])
        #expect(tagged.status == 404)
    }

    @Test func pathsAndExpansionsLeadToWhatIsInView() throws {
        let fixture = try AccessFixture.service()
        try fixture.sql("UPDATE Tools SET OwnerId = 2 WHERE Id = 2")
        // Loans of tool 2 are out of Mia's view by the tool's owner.
        #expect(fixture.ids("GET /Loans", as: "mia", "ToolId") == ["1", "1"])
        #expect(fixture.ids("GET /Loans", as: "noah", "ToolId") == ["2"])
        #expect(fixture.ids("GET /Members(1)/Tools", as: "mia") == ["1"])
        #expect(fixture.send("GET /Members(2)/Tools", as: "mia").status == 404)
        #expect(fixture.send("GET /Loans(ToolId=2,Day=2031-07-01)", as: "mia").status == 404)
        #expect(fixture.send("GET /Loans(ToolId=2,Day=2031-07-01)/Tool", as: "mia").status == 404)
        #expect(fixture.send("GET /Tools(1)/Loans/$count", as: "mia").text == "2")
        let members = fixture.send("GET /Members?$expand=Tools($expand=Loans)", as: "mia")
        #expect(members.items.count == 1 && !members.text.contains("Plane"), "\(members.text)")
        #expect(members.text.contains("\"Saw\"") && members.text.contains("first"))
        let counted = fixture.send("GET /Members?$expand=Tools/$count", as: "mia")
        #expect(counted.json["value"]?.array?.first?["Tools@odata.count"]?.text == "1")
        let inline = fixture.send("GET /Members?$expand=Tools($count=true;$top=0)", as: "mia")
        #expect(inline.json["value"]?.array?.first?["Tools@odata.count"]?.text == "1")
        #expect(fixture.send("GET /Tools/$ref", as: "mia").items.count == 1)
        // Of rows in view, what they point at outside is null.
        try fixture.sql("UPDATE Tools SET OwnerId = 1 WHERE Id = 2")
        let file = AccessFixture.file(
            roles: AccessFixture.roles.replacing(
                #""Tools": "OwnerId eq @claim.member""#, with: #""Tools": "Id ge @claim.member""#))
        let wide = try AccessFixture.service(file)
        let tools = wide.send("GET /Tools?$expand=Owner&$filter=Id eq 3", as: "mia")
        #expect(tools.json["value"]?.array?.first?["Owner"]?.isNull == true, "\(tools.text)")
        #expect(wide.send("GET /Tools(3)/Owner", as: "mia").status == 204)
        #expect(wide.send("GET /Tools(3)/Owner/Name", as: "mia").status == 404)
    }

    @Test func questionsAboutOthersAreAnsweredAsIfThereWereNone() throws {
        let file = AccessFixture.file(
            roles: AccessFixture.roles.replacing(
                #""Tools": "OwnerId eq @claim.member""#, with: #""Tools": "Id ge @claim.member""#))
        let fixture = try AccessFixture.service(file)
        // All tools, Mia alone: Noah's name, and whether he is, must not be told by any comparison.
        #expect(fixture.ids("GET /Tools?$filter=Owner/Name eq 'Noah'", as: "mia") == [])
        #expect(fixture.ids("GET /Tools?$filter=startswith(Owner/Name,'N')", as: "mia") == [])
        #expect(fixture.ids("GET /Tools?$filter=Owner/Name ne null", as: "mia") == ["1", "2"])
        #expect(fixture.ids("GET /Members?$filter=Tools/any(t:t/Id eq 3)", as: "mia") == [])
        #expect(fixture.ids("GET /Tools?$filter=Owner/Tools/any(t:t/Id eq 3)", as: "mia") == [])
        #expect(
            fixture.ids("GET /Tools?$filter=$root/Members/any(m:m/Name eq 'Noah')", as: "mia") == []
        )
        #expect(
            fixture.ids("GET /Tools?$filter=Id eq 3 and $root/Members(2)/Name eq 'Noah'", as: "mia")
                == [])
        #expect(fixture.ids("GET /Tools?$filter=Owner/Tools/$count gt 0", as: "mia") == ["1", "2"])
        // Noah's tool stands where those of nobody do.
        #expect(
            fixture.ids("GET /Tools?$orderby=Owner/Name desc,Id", as: "mia") == [
                "1", "2", "3", "4",
            ])
        #expect(fixture.ids("GET /Tools?$orderby=Owner/Name desc,Id", as: "kim").first == "3")
        let computed = fixture.send(
            "GET /Tools?$compute=Owner/Name as N&$select=Id,N&$filter=Id eq 3", as: "mia")
        #expect(!computed.text.contains("Noah"), "\(computed.text)")
    }

    @Test func aggregatesAreOfWhatIsInView() throws {
        let fixture = try AccessFixture.service()
        func value(_ apply: String, _ name: String = "N") -> String {
            let answer = fixture.send("GET /\(apply)", as: "mia")
            return answer.json["value"]?.array?.map { $0[name]?.text ?? "null" }
                .joined(separator: ",") ?? answer.text
        }
        #expect(value("Tools?$apply=aggregate($count as N)") == "2")
        #expect(value("Tools?$apply=aggregate(Price with sum as N)") == "19.5")
        #expect(value("Tools?$apply=aggregate(Price with max as N)") == "12.5")
        #expect(value("Tools?$apply=groupby((Owner/Name),aggregate($count as N))") == "2")
        #expect(value("Members?$apply=aggregate(Tools/Price with max as N)") == "12.5")
        #expect(value("Members?$apply=aggregate(Tools/$count as N)") == "2")
        #expect(
            value("Tools?$apply=concat(aggregate($count as N),aggregate(Price with min as M))")
                == "2,null")
        #expect(value("Tools?$apply=filter(Id gt 0)/aggregate($count as N)") == "2")
        #expect(value("Members?$apply=join(Tools as T)/aggregate($count as N)") == "2")
        #expect(value("Tools?$apply=topcount(1,Price)", "Id") == "1")
        #expect(fixture.send("GET /Tools/$count?$apply=groupby((OwnerId))", as: "mia").text == "1")
        let nested = fixture.send(
            "GET /Members?$expand=Tools($apply=aggregate($count as N))", as: "mia")
        #expect(nested.text.contains("\"N\":2") && nested.items.count == 1, "\(nested.text)")
    }

    @Test func whatNoRoleAllowsIsForbidden() throws {
        let fixture = try AccessFixture.service()
        for line in [
            "GET /Members", "GET /Members(1)", "GET /Tools(1)/Owner", "GET /Tools?$expand=Owner",
            "GET /Tools?$filter=Owner/Name eq 'Mia'", "GET /Tools?$orderby=Owner/Name",
            "GET /Tools?$filter=Loans/any()", "GET /Tools?$apply=groupby((Owner/Name))",
            "GET /Tools?$apply=aggregate(Loans/$count as N)", "GET /Cheap", "GET /Tools(1)/Loans",
            "GET /Tools?$filter=$root/Members/any()", "GET /Tools?$expand=Loans/$count",
            "GET /Tools?$compute=Owner/Name as N&$select=N", "GET /Tools(1)/Owner/$ref",
            "GET /CheaperThan(limit=10)",
            "GET /Tags", "POST /Clear",
        ] {
            let answer = fixture.send(line, as: "carl")
            #expect(answer.status == 403, "\(line): \(answer.text)")
            #expect(answer.json["error"]?["code"]?.string == "forbidden")
        }
        #expect(fixture.ids("GET /Tools", as: "carl") == ["1", "2"])
    }

    @Test func documentsShowWhatSomethingCanBeDoneWith() throws {
        let fixture = try AccessFixture.service()
        let names = fixture.send("GET /", as: "mia").json["value"]?.array?.map {
            $0["name"]?.string ?? ""
        }
        #expect(
            names.map(Set.init) == ["Tools", "Members", "Loans", "Tags"])
        let metadata = fixture.send("GET /$metadata", as: "carl").text
        #expect(
            metadata.contains(#"<EntitySet Name="Tools""#)
                && metadata.contains(#"<EntitySet Name="Tags""#))
        #expect(!metadata.contains(#"<EntitySet Name="Members""#), "\(metadata)")
        #expect(
            !metadata.contains("NavigationPropertyBinding") && !metadata.contains("FunctionImport"))
        // Nor what leads there.
        #expect(
            !metadata.contains(#"NavigationProperty Name="Owner""#)
                && !metadata.contains(#"NavigationProperty Name="Loans""#))
        let member = fixture.send("GET /$metadata", as: "mia").text
        #expect(member.contains(#"Name="Owner" Type="Ws.Members" Partner="Tools""#), "\(member)")
        let other = fixture.send("GET /$metadata", as: "kim", ["Accept: application/json"]).text
        #expect(other.contains("\"Members\"") && other.contains("CheaperThan"))
    }

    @Test func whoeverProvesNothingHasTheRolesOfThoseWhoDoNot() throws {
        let fixture = try AccessFixture.service(AccessFixture.file(anonymous: "guest"))
        #expect(fixture.send("GET /Tags").items.count == 2)
        let refused = fixture.send("GET /Tools")
        #expect(refused.status == 401 && refused.headers["WWW-Authenticate"] != nil)
        // Wrong is not none.
        #expect(fixture.send("GET /Tags", [AccessFixture.basic("mia", "wrong")]).status == 401)
    }

    @Test func functionsAnswerWithWhatIsInView() throws {
        let fixture = try AccessFixture.service()
        #expect(fixture.ids("GET /CheaperThan(limit=50)", as: "mia") == ["1", "2"])
        #expect(fixture.ids("GET /CheaperThan(limit=50)", as: "noah") == [])
        #expect(fixture.ids("GET /CheaperThan(limit=500)", as: "kim").count == 3)
        let code = "01234567-89ab-cdef-0123-456789abcdef"
        #expect(fixture.send("GET /ToolOf(code=\(code))", as: "mia").status == 200)
        #expect(fixture.send("GET /ToolOf(code=\(code))", as: "noah").status == 404)
        #expect(fixture.send("GET /Titles()", as: "mia").status == 403)
        let rename = #"{"id": 1, "title": "Handsaw"}"#
        #expect(fixture.send("POST /Rename", as: "mia", body: rename).status == 403)
        #expect(fixture.send("POST /Rename", as: "kim", body: rename).status == 200)
    }

    @Test func batchesAskForEachOfTheirRequests() throws {
        let fixture = try AccessFixture.service()
        let body = """
            {"requests": [
                {"id": "1", "method": "GET", "url": "Tools(1)"}, {"id": "2", "method": "GET", "url": "Tools(3)"},
                {"id": "3", "method": "GET", "url": "Cheap"}, {"id": "4", "method": "GET", "url": "Tools/$count"},
                {"id": "5", "method": "PATCH", "url": "Tools(3)", "body": {"Title": "x"}},
                {"id": "6", "method": "DELETE", "url": "Tags('x')"}]}
            """
        let answer = fixture.send(
            "POST /$batch", as: "mia", ["Prefer: odata.continue-on-error"], body: body)
        let answers = answer.json["responses"]?.array ?? []
        #expect(
            answers.map { $0["status"]?.text ?? "" } == ["200", "404", "403", "200", "404", "403"],
            "\(answer.text)")
        #expect(answers[3]["body"]?.text.contains("2") == true)
        #expect(fixture.send("POST /$batch", body: body).status == 401)
    }

    @Test func bothFacesShowTheSame() throws {
        let fixture = try AccessFixture.service { $0.speaksV2 = true }
        #expect(fixture.send("GET /Tools").status == 401)
        let tools = fixture.send("GET /Tools?$orderby=Id", as: "mia", ["Accept: application/json"])
        #expect(tools.json["d"]?["results"]?.array?.count == 2, "\(tools.text)")
        #expect(
            fixture.send("GET /Tools(3)", as: "mia", ["Accept: application/json"]).status == 404)
        #expect(fixture.send("GET /Tools/$count", as: "mia").text == "2")
        #expect(
            fixture.send("GET /Members", as: "carl", ["Accept: application/json"]).status == 403)
        let names = fixture.send("GET /", as: "carl", ["Accept: application/json"]).text
        #expect(names.contains("Tools") && !names.contains("Members"), "\(names)")
        let metadata = fixture.send("GET /$metadata", as: "carl").text
        #expect(metadata.contains(#"EntitySet Name="Tools""#), "\(metadata)")
        #expect(
            !metadata.contains(#"EntitySet Name="Members""#)
                && !metadata.contains("AssociationSet "),
            "\(metadata)")
        let whole = fixture.send("GET /$metadata", as: "kim").text
        #expect(whole.contains(#"EntitySet Name="Members""#) && whole.contains("AssociationSet"))
    }
}
