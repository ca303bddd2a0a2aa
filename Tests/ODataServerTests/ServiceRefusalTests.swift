import ODataModel
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Requests that look right and are not, or ask for what is not done here.
@Suite struct ServiceRefusalTests {
    @Test func aContentIDStandsOnceInABatch() throws {
        for speaksV2 in [false, true] {
            let fixture = try ServiceFixture { $0.speaksV2 = speaksV2 }
            let part = { (name: String, id: String) in
                "--c\r\nContent-Type: application/http\r\nContent-ID: \(id)\r\n\r\n"
                    + "POST Tags HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
                    + "{\"Name\":\"\(name)\"}\r\n"
            }
            let send = { (ids: [String]) in
                fixture.send(
                    "POST /$batch", ["Content-Type: multipart/mixed;boundary=b"],
                    body: "--b\r\nContent-Type: multipart/mixed;boundary=c\r\n\r\n"
                        + part("x", ids[0]) + part("y", ids[1]) + "--c--\r\n--b--")
            }
            #expect(send(["1", "1"]).status == 400)
            #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
            #expect([200, 202].contains(send(["1", "2"]).status))
            #expect(try fixture.value("SELECT count(*) FROM Tags") == "4")
        }
    }

    @Test func batchesAreAnsweredInAFormThatIsTaken() throws {
        let fixture = try ServiceFixture()
        let body =
            "--b\r\nContent-Type: application/http\r\n\r\nDELETE Tags('%C3%BC') HTTP/1.1\r\n\r\n\r\n--b--"
        let type = "Content-Type: multipart/mixed;boundary=b"
        for accept in ["application/xml", "text/html", "application/json;x=1"] {
            #expect(
                fixture.send("POST /$batch", [type, "Accept: \(accept)"], body: body).status == 406)
        }
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
        #expect(fixture.send("POST /$batch", [type, "Accept: */*"], body: body).status == 200)
        #expect(try fixture.value("SELECT count(*) FROM Tags") == "1")
    }

    @Test func aForgottenIdentityIsNoStateOfTheEntity() throws {
        let fixture = try ServiceFixture()
        let old = fixture.send(
            "PATCH /Tools(1)",
            [
                "Repeatability-Request-ID: 0b0e1fb2-7a09-4a8a-9d2a-3a2a4a1f0001",
                "Repeatability-First-Sent: Thu, 01 May 1997 08:30:00 GMT",
            ], body: #"{"Title":"x"}"#)
        #expect(old.status == 412 && old.headers["Repeatability-Result"] == "rejected")
        #expect(old.json["error"]?["code"]?.string == "repeatabilityForgotten")
        let stale = fixture.send("PATCH /Tools(1)", ["If-Match: W/\"9\""], body: #"{"Title":"x"}"#)
        #expect(stale.status == 412 && stale.headers["Repeatability-Result"] == nil)
        #expect(stale.json["error"]?["code"]?.string == "preconditionFailed")
    }

    @Test func referencesAreCounted() throws {
        let page = try ServiceFixture().send("GET /Tools/$ref?$count=true&$top=1")
        #expect(page.json["@odata.count"]?.number == "4")
        #expect(page.items == [#"{"@odata.id":"Tools(1)"}"#])
    }

    @Test(arguments: [
        "/Tools(1)?$top=1", "/Tools(1)?$skip=1", "/Tools(1)?$count=true", "/Tools(1)?$orderby=Id",
        "/Tools(1)?$filter=Id%20eq%201", "/Tools(1)/Title?$top=1", "/Tools(1)/Owner?$top=1",
        "/Tools?$expand=Owner($levels=0)", "/Tools?$expand=*($levels=0)",
        "/Tools?$expand=Owner($expand=Tools($levels=0))",
    ])
    func optionsThatDoNotFitAre400(url: String) throws {
        #expect(try ServiceFixture().send("GET \(url)").status == 400)
    }

    @Test(arguments: [
        ("/Tools(@k)?@k=1", 200), ("/Tools(Id=@k)/Title?@k=2", 200),
        ("/Loans(ToolId=@t,Day=@d)?@t=1&@d=2031-05-02", 200), ("/Tools(@k)?@k=99", 404),
        ("/Tools(@k)", 400), ("/Tools(@k)?@k='x'", 400), ("/Tools(@k)?@k=@k", 400),
        ("/Tools(@k)?@k=Id", 400), ("/Tools(@k)?@k=", 400), ("/Tools(@k)?@k=1&@k=2", 400),
    ])
    func keysMayBeAliases(url: String, status: Int) throws {
        #expect(try ServiceFixture().send("GET \(url)").status == status)
    }

    @Test(arguments: ["true", "false", "null", "INF"])
    func namesOfLiteralsAreNoReasonToFail(name: String) throws {
        let answer = try ServiceFixture().send(
            "GET /Tools?$apply=aggregate(Id with sum as \(name))")
        #expect([200, 501].contains(answer.status), "\(answer.status)")
        if answer.status == 200 { #expect(answer.items == [#"{"\#(name)":10}"#]) }
    }

    @Test func whatIsTooDeepOrTooGreatIsTheClientsFault() throws {
        let fixture = try ServiceFixture()
        for filter in [
            String(repeating: "not ", count: 60) + "true",
            String(repeating: "-", count: 60) + "Id gt 1",
            String(repeating: "not ", count: 4_000) + "true",
            String(repeating: "(", count: 60) + "Id" + String(repeating: ")", count: 60) + " gt 1",
            "9223372036854775807 mul Id gt 1", "Id mul Id mul 9223372036854775807 gt 1",
            "Id eq @a&@a=@a", "Id eq @a&@a=@b&@b=@a", "Id eq @a&@a=", "Id eq @a&@a={\"x\":1}",
        ] {
            let answer = fixture.send("GET /Tools/$count?$filter=\(filter)")
            #expect(answer.status == 200 || answer.status == 400, "\(answer.status) \(filter)")
        }
        let sum = fixture.send(
            "GET /Tools?$apply=compute(9223372036854775807 as N)/aggregate(N with sum as S)")
        #expect(sum.status < 500, "\(sum.status) \(sum.text)")
    }

    /// Neither stops the service: both are known before anything is worked at.
    @Test(arguments: [false, true])
    func aliasesWithoutEndAreRefused(speaksV2: Bool) throws {
        let fixture = try ServiceFixture { $0.speaksV2 = speaksV2 }
        let doubled = (0..<30).map { "&@a\($0)=concat(@a\($0 + 1),@a\($0 + 1))" }.joined()
        for query in [
            "$filter=indexof(@a,'x') eq 1&@a=concat(@a,'y')",
            "$filter=indexof(@a0,'x') eq 1\(doubled)&@a30=Title",
            "$expand=Owner($filter=@b;@b=not @b)",
        ] {
            let answer = fixture.send("GET /Tools?\(query)")
            #expect(answer.status == 400, "\(query) \(answer.text)")
        }
        #expect(fixture.send("GET /Tools/$count").text == "4")
    }

    /// What integers of 64 bits cannot hold is refused and no row is left out or kept for it; decimals and doubles have room.
    @Test func arithmeticBeyondSixtyFourBitsIsRefused() throws {
        let fixture = try ServiceFixture()
        for test in [
            "Id mul 9223372036854775807 gt 1", "9223372036854775807 add Id gt 1",
            "-9223372036854775807 sub Id sub Id gt 1",
            "not (Id mul 9223372036854775807 gt 1)",
        ] {
            for path in ["/Tools/$count?$filter=", "/Tools?$orderby=Id&$filter="] {
                let answer = fixture.send("GET \(path)\(test)")
                #expect(answer.status == 400, "\(answer.status) \(test)")
                #expect(answer.text.contains("integer overflow"), "\(answer.text)")
            }
        }
        let computed = fixture.send("GET /Tools?$compute=Id mul 9223372036854775807 as N&$select=N")
        #expect(computed.status == 400, "\(computed.status) \(computed.text)")
        for test in [
            "Id mul 9223372036854775807.5 gt 1", "Id mul 1e300 gt 1", "Id mul 1000000000 gt 1",
            "Id add 9223372036854775000 gt 1",
        ] {
            let answer = fixture.send("GET /Tools/$count?$filter=\(test)")
            #expect(answer.status == 200, "\(answer.status) \(test)")
            #expect(answer.text == "4", "\(answer.text) \(test)")
        }
    }

    /// Clients may encode the parentheses of a key; an alias has a name.
    @Test func namesAreReadAsTheyAreMeant() throws {
        let fixture = try ServiceFixture()
        #expect(fixture.send("GET /Tools%28Id%3D1%29").json["Title"]?.string == "Saw")
        #expect(fixture.send("GET /Nothing%281%29").status == 404)
        #expect(fixture.send("GET /Tools?@=1").status == 400)
        #expect(fixture.send("GET /Tools?x=1").status == 200)
        let old = try ServiceFixture { $0.speaksV2 = true }
        #expect(old.send("GET /Tools%28Id%3D1L%29").json["d"]?["Title"]?.string == "Saw")
    }

    @Test(arguments: [
        #"{"Loans":[{"Day":"2031-01-01"}]}"#, #"{"Owner":{"Name":"New"}}"#,
        #"{"Loans@delta":[{"Day":"2031-01-01"}]}"#, #"{"Loans@odata.delta":[]}"#,
    ])
    func relatedEntitiesInAnUpdateAreNotImplemented(body: String) throws {
        let fixture = try ServiceFixture()
        for method in ["PATCH", "PUT"] {
            let answer = fixture.send("\(method) /Tools(1)", body: body)
            #expect(answer.status == 501, "\(method) \(body)")
        }
        #expect(try fixture.value("SELECT count(*) FROM _odata_changes") == "0")
        let made = fixture.send("POST /Tools", body: #"{"Title":"x","Loans@delta":[]}"#)
        #expect(made.status == 501)
    }

    @Test func linksAreStillTakenInAnUpdate() throws {
        let fixture = try ServiceFixture()
        let bound = fixture.send("PATCH /Tools(1)", body: #"{"Owner@odata.bind":"Members(2)"}"#)
        #expect(bound.status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 1") == "2")
        #expect(fixture.send("PATCH /Tools(1)", body: #"{"Owner":null}"#).status == 204)
        #expect(try fixture.value("SELECT OwnerId FROM Tools WHERE Id = 1") == nil)
    }

    @Test func theMetadataSaysWhatIsNotDone() throws {
        let graph = try CSDLReader.read(try ServiceFixture().send("GET /$metadata").body)
        let tools = graph[try #require(graph.entitySet(named: "Tools"))]
        func flag(_ term: String, _ name: String, _ list: [AnnotationDefinition]) -> ConstantText {
            guard
                case .record(_, let properties)? = list.first(
                    term: "Org.OData.Capabilities.V1.\(term)")?.value
            else { return "missing" }
            return "\(properties.first { $0.term == name }.map { "\($0.value)" } ?? "missing")"
        }
        #expect(flag("SearchRestrictions", "Searchable", tools.annotations).contains("false"))
        #expect(flag("UpdateRestrictions", "Upsertable", tools.annotations).contains("false"))
        #expect(
            flag("DeepUpdateSupport", "Supported", graph.containers[0].annotations)
                .contains("false"))
        #expect(try ServiceFixture().send("PATCH /Tools(99)", body: "{}").status == 404)
        #expect(try ServiceFixture().send("GET /Tools?$search=x").status == 501)
    }

    private typealias ConstantText = String

    @Test func errorsNameColumnAndConstraint() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE T (Id INTEGER PRIMARY KEY, Code TEXT NOT NULL UNIQUE, N INTEGER,
                    CONSTRAINT positive CHECK (N > 0));
                INSERT INTO T VALUES (1, 'a', 1);
                """)
        func error(_ body: String) -> String {
            let answer = fixture.send("POST /T", body: body)
            let error = answer.json["error"]
            return "\(answer.status) \(error?["target"]?.string ?? "-") "
                + (error?["message"]?.string ?? "")
        }
        #expect(error(#"{"Code":"secret","N":-5}"#).hasPrefix("400 - "))
        #expect(error(#"{"Code":"secret","N":-5}"#).contains("CHECK"))
        #expect(error(#"{"Code":"secret","N":-5}"#).contains("positive"))
        #expect(!error(#"{"Code":"secret","N":-5}"#).contains("secret"))
        #expect(error(#"{"Code":"a"}"#).hasPrefix("409 Code "))
        #expect(error(#"{"Code":"a"}"#).contains("UNIQUE"))
        #expect(error(#"{"N":2}"#).hasPrefix("400 Code "))
        #expect(error(#"{"N":2}"#).contains("NOT NULL"))
        #expect(error(#"{"Id":1,"Code":"b"}"#).hasPrefix("409 Id "))
        let tools = try ServiceFixture()
        for (line, body) in [
            ("POST /Tools", #"{"Title":"x","OwnerId":99}"#),
            ("PATCH /Tools(1)", #"{"OwnerId":99}"#),
        ] {
            let answer = tools.send(line, body: body)
            #expect(answer.status == 409)
            #expect(answer.json["error"]?["target"]?.string == "OwnerId")
            #expect(answer.text.contains("FOREIGN KEY"))
        }
    }

    @Test func changesNeedATokenWhereTheServiceAsksForOne() throws {
        for speaksV2 in [false, true] {
            let fixture = try ServiceFixture {
                $0.guardsAgainstCSRF = true
                $0.speaksV2 = speaksV2
            }
            let body = #"{"Name":"x"}"#
            let refused = fixture.send("POST /Tags", body: body)
            #expect(refused.status == 403 && refused.headers["X-CSRF-Token"] == "Required")
            #expect(fixture.send("POST /$batch", body: body).status == 403)
            let fetched = fixture.send("GET /", ["X-CSRF-Token: Fetch"])
            let token = try #require(fetched.headers["X-CSRF-Token"])
            let cookie = try #require(fetched.headers["Set-Cookie"]?.split(separator: ";").first)
            #expect(
                fixture.send("POST /Tags", ["X-CSRF-Token: \(token)"], body: body).status == 403)
            #expect(
                fixture.send(
                    "POST /Tags", ["X-CSRF-Token: other", "Cookie: \(cookie)"], body: body
                ).status == 403)
            #expect(try fixture.value("SELECT count(*) FROM Tags") == "2")
            let made = fixture.send(
                "POST /Tags", ["X-CSRF-Token: \(token)", "Cookie: a=b; \(cookie)"], body: body)
            #expect(made.status == 201)
            let again = fixture.send("HEAD /", ["X-CSRF-Token: fetch", "Cookie: \(cookie)"])
            #expect(again.headers["X-CSRF-Token"] == token)
        }
    }
}
