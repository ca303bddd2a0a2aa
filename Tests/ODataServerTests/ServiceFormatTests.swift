import Foundation
import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// Forms that the service offers beside standard JSON and multipart: compact rows and JSON batches.
@Suite struct ServiceFormatTests {
    @Test func compactRowsAreSentToWhoeverAcceptsThem() throws {
        let fixture = try ServiceFixture()
        let url = "GET /Tools?$select=Id,Title&$top=2&$count=true"
        let compact = fixture.send(
            url, ["Accept: application/vnd.offlineodata.rows+json, application/json;q=0.9"])
        #expect(compact.headers["Content-Type"] == "application/vnd.offlineodata.rows+json")
        #expect(compact.headers["Vary"] == "Accept")
        #expect(
            compact.text
                == #"{"@odata.context":"http://h/$metadata#Tools(Id,Title)","@odata.count":4,"columns":["@odata.etag","Id","Title"],"rows":[["W/\"0\"",1,"Saw"],["W/\"0\"",2,"Plane"]]}"#
        )
        let plain = fixture.send(url, ["Accept: application/json"])
        #expect(plain.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(plain.items.first == #"{"@odata.etag":"W/\"0\"","Id":1,"Title":"Saw"}"#)
        #expect(compact.body.count < plain.body.count)
        let entity = fixture.send(
            "GET /Tools(1)", ["Accept: application/vnd.offlineodata.rows+json"])
        #expect(entity.status == 200 && entity.json["Title"]?.string == "Saw")
        let empty = fixture.send(
            "GET /Tools?$filter=Id eq 99", ["Accept: application/vnd.offlineodata.rows+json"])
        #expect(empty.items == [] && empty.json["value"]?.array == [])
    }

    private func batch(_ fixture: ServiceFixture, _ requests: String, _ headers: [String] = [])
        -> ResponseMessage
    {
        fixture.send(
            "POST /$batch", ["Content-Type: application/json"] + headers,
            body: #"{"requests":[\#(requests)]}"#)
    }

    /// `id status` of each answer.
    private func statuses(_ answer: ResponseMessage) -> [String] {
        (answer.json["responses"]?.array ?? []).map {
            "\($0["id"]?.string ?? "") \($0["status"]?.number ?? "")"
        }
    }

    @Test func jsonBatchesRunInOrderWithReferences() throws {
        let fixture = try ServiceFixture()
        let answer = batch(
            fixture,
            #"{"id":"r1","method":"get","url":"Tools(1)"},"#
                + #"{"id":"r2","atomicityGroup":"g","method":"POST","url":"/Tools","headers":{"content-type":"application/json"},"body":{"Id":20,"Title":"New"}},"#
                + #"{"id":"r3","atomicityGroup":"g","dependsOn":["r2"],"method":"PATCH","url":"$r2","headers":{"content-type":"application/json"},"body":{"Price":20}},"#
                + #"{"id":"r4","dependsOn":["g"],"method":"GET","url":"http://h/Tools/$count"}"#)
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/json")
        #expect(statuses(answer) == ["r1 200", "r2 201", "r3 204", "r4 200"])
        let responses = answer.json["responses"]?.array ?? []
        #expect(responses.first?["body"]?["Title"]?.string == "Saw")
        #expect(responses.last?["body"]?.string == "5")
        #expect(responses[1]["atomicityGroup"]?.string == "g")
        #expect(try fixture.value("SELECT Price FROM Tools WHERE Id = 20") == "20")
    }

    @Test func aFailedGroupDoesNothingAndStopsWhatDependsOnIt() throws {
        let fixture = try ServiceFixture()
        let requests =
            #"{"id":"a","atomicityGroup":"g","method":"POST","url":"Tools","headers":{"content-type":"application/json"},"body":{"Id":21,"Title":"X"}},"#
            + #"{"id":"b","atomicityGroup":"g","method":"DELETE","url":"Tools(77)"},"#
            + #"{"id":"c","dependsOn":["g"],"method":"GET","url":"Tools(1)"},"#
            + #"{"id":"d","method":"GET","url":"Tools(1)"}"#
        #expect(statuses(batch(fixture, requests)) == ["a 424", "b 404", "c 424", "d 200"])
        #expect(try fixture.value("SELECT count(*) FROM Tools WHERE Id = 21") == "0")
        #expect(
            statuses(batch(fixture, requests, ["Prefer: continue-on-error=false"]))
                == ["a 424", "b 404"])
    }

    @Test func conditionsAndEntityTagsOfEarlierAnswersCount() throws {
        let fixture = try ServiceFixture()
        let answer = batch(
            fixture,
            #"{"id":"t","method":"GET","url":"Tools(1)"},"#
                + #"{"id":"u","dependsOn":["t"],"if":"$t/Title eq 'Saw'","method":"PATCH","url":"Tools(1)","headers":{"content-type":"application/json","if-match":"$t"},"body":{"Title":"Axe"}},"#
                + #"{"id":"v","dependsOn":["t"],"if":"$t/Title eq 'Other'","method":"DELETE","url":"Tools(1)"}"#
        )
        #expect(statuses(answer) == ["t 200", "u 204", "v 424"])
        #expect(try fixture.value("SELECT Title FROM Tools WHERE Id = 1") == "Axe")
    }

    @Test func conditionsTakeThePlaceOfDependencies() throws {
        let fixture = try ServiceFixture()
        let json = #""headers":{"content-type":"application/json"}"#
        let answer = batch(
            fixture,
            #"{"id":"1","method":"GET","url":"Tools?$orderby=Id"},"#
                + #"{"id":"2","method":"GET","url":"Tools(99)"},"#
                + #"{"id":"3","dependsOn":["2"],"if":"not $2/$succeeded and $2/error/code ne null","method":"POST","url":"Tools",\#(json),"body":{"Id":99,"Title":"Made"}},"#
                + #"{"id":"4","dependsOn":["2"],"if":"$2/$succeeded","method":"DELETE","url":"Tools(1)"},"#
                + #"{"id":"5","dependsOn":["1"],"if":"$1/value/any(t:startswith(t/Title,'Sa') and t/Id eq 1)","method":"PATCH","url":"Tools(1)",\#(json),"body":{"Price":3}},"#
                + #"{"id":"6","atomicityGroup":"g","dependsOn":["3"],"if":"$3/Id eq 99","method":"PATCH","url":"$3",\#(json),"body":{"Price":4}},"#
                + #"{"id":"7","dependsOn":["g"],"if":"$g/$succeeded and now() gt 2020-01-01T00:00:00Z","method":"GET","url":"$3"},"#
                + #"{"id":"8","dependsOn":["1"],"if":"$1/value add","method":"GET","url":"Tools(1)"},"#
                + #"{"id":"9","atomicityGroup":"h","method":"DELETE","url":"Tools(2)"},"#
                + #"{"id":"10","atomicityGroup":"h","dependsOn":["1"],"if":"false","method":"DELETE","url":"Tools(3)"}"#
        )
        #expect(
            statuses(answer) == [
                "1 200", "2 404", "3 201", "4 424", "5 204", "6 204", "7 200", "8 400", "9 424",
                "10 424",
            ])
        #expect(try fixture.value("SELECT Price FROM Tools WHERE Id = 1") == "3")
        #expect(try fixture.value("SELECT Price FROM Tools WHERE Id = 99") == "4")
        #expect(try fixture.value("SELECT count(*) FROM Tools WHERE Id IN (2, 3)") == "2")
    }

    @Test func theAnswerFollowsAccept() throws {
        let fixture = try ServiceFixture()
        let multipart = batch(
            fixture, #"{"id":"x","method":"GET","url":"Tools(1)"}"#, ["Accept: multipart/mixed"])
        #expect(multipart.headers["Content-Type"]?.hasPrefix("multipart/mixed") == true)
        #expect(try BatchReader.parts(of: multipart).parts.count == 1)
        var request = try BatchWriter.request(
            [.request(RequestMessage(method: "GET", url: "Tools(1)"), contentID: "7")],
            boundary: "b")
        request.url = "/$batch"
        request.headers["Accept"] = "application/json"
        #expect(statuses(fixture.service.respond(to: request)) == ["7 200"])
    }

    @Test(arguments: [
        "", #"{"id":"1","method":"GET"}"#,
        #"{"id":"1","method":"GET","url":"T","dependsOn":["2"]}"#,
    ])
    func badBatchesAreRefused(requests: String) throws {
        let fixture = try ServiceFixture()
        let text = requests.isEmpty ? "{" : #"{"requests":[\#(requests)]}"#
        let answer = fixture.send(
            "POST /$batch", ["Content-Type: application/json"], body: text)
        #expect(answer.status == 400)
    }
}
