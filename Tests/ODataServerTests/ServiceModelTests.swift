import ErrorFixture
import Foundation
import ODataQuery
import ODataServer
import ODataText
import Testing

/// A service that makes its database from a CSDL document.
@Suite struct ServiceModelTests {
    @Test func rowsOfEveryKindAreReadBack() throws {
        let fixture = try ModelFixture()
        let ada = fixture.send("GET /People(1)")
        #expect(ada.status == 200)
        #expect(ada.json["Home"]?.text == #"{"Street":"Low","City":"Oslo"}"#)
        #expect(ada.json["Nicknames"]?.text == #"["A","B"]"#)
        #expect(ada.json["Born"]?.string == "1990-05-01T10:00:00+02:00")
        let bob = fixture.send("GET /People(2)")
        #expect(bob.json["@odata.type"]?.string == "#Lib.Employee")
        #expect(bob.json["Salary"]?.text == "10.50" || bob.json["Salary"]?.text == "10.5")
        #expect(bob.json["Home"]?.isNull == true)
        #expect(bob.json["Nicknames"]?.text == "[]")
        let book = fixture.send("GET /Books('a')?$expand=Copies,Tags,Author")
        #expect(book.json["Genre"]?.string == "Crime,Love")
        #expect(book.json["Remark"]?["By"]?.string == "me")
        #expect(book.json["Remark"]?["@odata.type"]?.string == "#Lib.Quote")
        #expect(book.json["Quotes"]?.array?.first?["By"]?.string == "z")
        #expect(book.json["Copies"]?.array?.count == 2)
        #expect(book.json["Tags"]?.array?.first?["Word"]?.string == "old")
        #expect(book.json["Author"]?["Name"]?.string == "Ada")
        #expect(fixture.send("GET /Books('b')").json["Genre"]?.string == "Crime")
        #expect(fixture.send("GET /Desk").status == 200)
        #expect(fixture.send("GET /$metadata").text.contains(#"<Singleton Name="Desk""#))
    }

    @Test func createsTakeEveryKindOfPropertyAndSayWhatIsMissing() throws {
        let fixture = try ModelFixture()
        let made = fixture.send(
            "POST /People",
            body: """
                {"@odata.type":"#Lib.Employee","Name":"Cy","Salary":3.25,"Home":{"Street":"S"},"Nicknames":["x"],
                "Books":[{"Isbn":"c","Title":"Third","Genre":"Love","Tags":[{"Word":"new"}],"Copies":[{"No":9}]}]}
                """)
        #expect(made.status == 201)
        #expect(made.headers["Location"] == "http://localhost/People(3)")
        #expect(made.json["@odata.type"]?.string == "#Lib.Employee")
        #expect(made.json["Books"]?.array?.first?["Copies"]?.array?.count == 1)
        #expect(try fixture.value("SELECT Salary FROM People WHERE Id = 3") == "325")
        #expect(try fixture.value("SELECT Genre || AuthorId FROM Books WHERE Isbn = 'c'") == "23")
        #expect(fixture.member("/Books('c')/Tags?$select=Word").contains(#""Word":"new""#))
        let missing = fixture.send("POST /People", body: #"{"Home":{"Street":"S"}}"#)
        #expect(missing.status == 400)
        #expect(missing.text.contains(#""target":"Name""#))
        let inner = fixture.send("POST /People", body: #"{"Name":"D","Home":{"City":"C"}}"#)
        #expect(inner.status == 400)
        #expect(inner.text.contains("Home/Street"))
        #expect(
            fixture.send("POST /Books", body: #"{"Isbn":"z","Title":"T","AuthorId":77}"#).status
                == 409)
        #expect(fixture.send("POST /Books", body: #"{"Title":"T"}"#).status == 400)
        #expect(fixture.send("POST /Books", body: #"{"Isbn":"a","Title":"T"}"#).status == 409)
        #expect(try fixture.value("SELECT count(*) FROM People") == "3")
    }

    @Test func complexValuesChangeInPart() throws {
        let fixture = try ModelFixture()
        #expect(fixture.send("PATCH /People(1)", body: #"{"Home":{"City":"Rome"}}"#).status == 204)
        #expect(fixture.member("/People(1)/Home", "Street") == #""Low""#)
        #expect(fixture.member("/People(1)/Home", "City") == #""Rome""#)
        #expect(fixture.send("PUT /People(1)/Home", body: #"{"Street":"High"}"#).status == 204)
        #expect(fixture.member("/People(1)/Home", "City") == "null")
        #expect(fixture.send("DELETE /People(1)/Home").status == 204)
        #expect(fixture.send("GET /People(1)/Home").status == 204)
        #expect(try fixture.value("SELECT \"Home/Street\" FROM People WHERE Id = 1") == nil)
        #expect(fixture.send("PUT /People(1)/Home/Street", body: #"{"value":"New"}"#).status == 204)
        #expect(fixture.member("/People(1)/Home", "Street") == #""New""#)
        // A value in one column keeps what the change leaves out, too.
        let part = ##"{"Remark":{"@odata.type":"#Lib.Quote","Page":4}}"##
        #expect(fixture.send("PATCH /Books('a')", body: part).status == 204)
        #expect(fixture.member("/Books('a')/Remark", "By") == #""me""#)
        #expect(fixture.member("/Books('a')/Remark", "Page") == "4")
        #expect(fixture.send("POST /People(1)/Nicknames", body: #"{"value":["C"]}"#).status == 204)
        #expect(fixture.member("/People(1)/Nicknames") == #"["A","B","C"]"#)
        #expect(fixture.send("PUT /People(1)/Nicknames", body: #"{"value":[]}"#).status == 204)
        #expect(fixture.member("/People(1)/Nicknames") == "[]")
        // All that a replacement leaves out has its default.
        #expect(fixture.send("PUT /Books('a')", body: #"{"Title":"T"}"#).status == 204)
        let book = fixture.send("GET /Books('a')").json
        #expect(book["Genre"]?.string == "Crime")
        #expect(book["Remark"]?.isNull == true)
        #expect(book["Quotes"]?.text == "[]")
        #expect(fixture.send("PUT /Books('a')", body: #"{"Genre":"Love"}"#).status == 400)
    }

    @Test func rowsInsideOthersAreReadAndChangedByTheirPath() throws {
        let fixture = try ModelFixture()
        #expect(fixture.send("GET /Books('a')/Copies/$count").text == "2")
        let page = fixture.send("GET /Books('a')/Copies?$filter=No eq 1&$count=true")
        #expect(
            page.json["@odata.context"]?.string?.hasSuffix("$metadata#Books('a')/Copies") == true)
        #expect(page.json["@odata.count"]?.text == "1")
        #expect(fixture.member("/Books('b')/Copies(1)", "Shelf") == #""y""#)
        let made = fixture.send(
            "POST /Books('b')/Copies",
            body: #"{"No":5,"Shelf":"q","Loans":[{"Day":"2031-01-02"}]}"#)
        #expect(made.status == 201)
        #expect(made.headers["Location"] == "http://localhost/Books('b')/Copies(5)")
        #expect(fixture.send("GET /Books('b')/Copies(5)/Loans/$count").text == "1")
        #expect(fixture.send("POST /Books('b')/Copies", body: #"{"No":1}"#).status == 409)
        #expect(fixture.send("PATCH /Books('a')/Copies(1)", body: #"{"Shelf":"z"}"#).status == 204)
        #expect(fixture.member("/Books('b')/Copies(1)", "Shelf") == #""y""#)
        #expect(fixture.member("/Books('a')/Copies(1)", "Shelf") == #""z""#)
        #expect(fixture.send("DELETE /Books('a')/Copies(1)").status == 204)
        #expect(fixture.send("GET /Books('a')/Copies(1)").status == 404)
        #expect(fixture.send("DELETE /Books('b')").status == 204)
        #expect(try fixture.value("SELECT count(*) FROM \"Books/Copies\"") == "1")
        #expect(try fixture.value("SELECT count(*) FROM \"Books/Copies/Loans\"") == "0")
    }

    @Test func linksAreMadeSeenFromBothEndsAndTakenAway() throws {
        let fixture = try ModelFixture()
        let tag = "Tags(00000000-0000-0000-0000-00000000000a)"
        #expect(fixture.member("/\(tag)/Books?$select=Isbn").contains(#""Isbn":"a""#))
        #expect(
            fixture.send("POST /Books('b')/Tags/$ref", body: #"{"@odata.id":"\#(tag)"}"#).status
                == 204)
        #expect(fixture.send("GET /\(tag)/Books/$count").text == "2")
        #expect(fixture.send("DELETE /Books('a')/Tags/$ref?$id=\(tag)").status == 204)
        #expect(fixture.send("GET /Books('a')/Tags/$count").text == "0")
        #expect(fixture.send("POST /Books('a')/Tags", body: #"{"Word":"made here"}"#).status == 201)
        #expect(fixture.send("GET /Books('a')/Tags/$count").text == "1")
        let sequel = #"{"@odata.id":"Books('b')"}"#
        #expect(fixture.send("PUT /Books('a')/Sequel/$ref", body: sequel).status == 204)
        #expect(fixture.member("/Books('a')/Sequel", "Title") == #""Second""#)
        #expect(
            fixture.send("PATCH /Books('a')", body: #"{"Sequel":{"@id":"Books('a')"}}"#).status
                == 204)
        #expect(fixture.member("/Books('a')/Sequel", "Title") == #""First""#)
        #expect(fixture.send("DELETE /Books('a')/Sequel/$ref").status == 204)
        #expect(fixture.send("GET /Books('a')/Sequel").status == 204)
        // What a document says of deletions happens.
        #expect(fixture.send("DELETE /People(1)").status == 204)
        #expect(fixture.send("GET /Books('a')").status == 404)
    }

    @Test func derivedTypesAreCastInPaths() throws {
        let fixture = try ModelFixture()
        #expect(fixture.send("GET /People/Lib.Employee/$count").text == "1")
        let page = fixture.send("GET /People/Lib.Employee?$filter=Salary gt 1&$orderby=Name")
        #expect(page.items.count == 1)
        #expect(page.json["@odata.context"]?.string?.hasSuffix("#People/Lib.Employee") == true)
        #expect(fixture.member("/People(2)/Lib.Employee/Salary").hasPrefix("10.5"))
        #expect(fixture.send("GET /People(1)/Lib.Employee").status == 404)
        let made = fixture.send("POST /People/Lib.Employee", body: #"{"Name":"E","Salary":1}"#)
        #expect(made.status == 201)
        #expect(
            try fixture.value("SELECT _odata_type FROM People WHERE Name = 'E'") == "Lib.Employee")
        #expect(fixture.send("PATCH /People(2)", body: #"{"Salary":7.5}"#).status == 204)
        #expect(try fixture.value("SELECT Salary FROM People WHERE Id = 2") == "750")
        #expect(fixture.send("PATCH /People(1)", body: #"{"Salary":7.5}"#).status == 400)
    }

    @Test func changesOfContainedRowsAndLinksAreChangesOfTheirEntity() throws {
        let fixture = try ModelFixture()
        let start = fixture.send("GET /Books?$expand=Copies,Tags", ["Prefer: odata.track-changes"])
        let tag = fixture.send("GET /Books('b')").headers["ETag"]
        #expect(fixture.send("PATCH /Books('b')/Copies(1)", body: #"{"Shelf":"n"}"#).status == 204)
        #expect(fixture.send("GET /Books('b')").headers["ETag"] != tag)
        #expect(
            fixture.send("PATCH /Books('b')", ["If-Match: \(tag ?? "")"], body: #"{"Title":"x"}"#)
                .status == 412)
        let first = fixture.send(follow(start.deltaLink))
        #expect(first.items.count == 1)
        #expect(first.items.first?.contains(#""Shelf":"n""#) == true)
        let gone = "DELETE /Tags(00000000-0000-0000-0000-00000000000a)"
        #expect(fixture.send(gone).status == 204)
        let second = fixture.send(follow(first.deltaLink))
        #expect(second.items.count == 1)
        #expect(second.items.first?.contains(#""Tags":[]"#) == true)
        #expect(fixture.send("PATCH /Desk", body: #"{"Opens":"08:00:00"}"#).status == 204)
        #expect(fixture.member("/Desk", "Opens") == #""08:00:00""#)
        #expect(fixture.send("DELETE /Desk").status == 405)
    }

    @Test func streamsAreKept() throws {
        let fixture = try ModelFixture()
        let made = fixture.send("POST /Scans", ["Content-Type: image/png"], body: "png")
        #expect(made.status == 201)
        #expect(made.json["Label"]?.string == "")
        let scan = made.json["Id"]?.string ?? ""
        let content = fixture.send("GET /Scans(\(scan))/$value")
        #expect(content.text == "png")
        #expect(content.headers["Content-Type"] == "image/png")
        #expect(
            fixture.send("PUT /Books('a')/Cover", ["Content-Type: image/gif"], body: "gif").status
                == 204)
        #expect(fixture.send("GET /Books('a')/Cover").text == "gif")
        #expect(fixture.send("GET /Books('b')/Cover").status == 204)
    }
}
