import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

/// `$apply` and `$compute` answered by a running service.
@Suite struct ServiceApplyTests {
    @Test(arguments: [
        ("aggregate(Price with sum as T,$count as N)", "T,N", ["N=4 T=119.49"]),
        (
            "groupby((OwnerId),aggregate($count as N))&$orderby=OwnerId desc", "OwnerId,N",
            ["N=1 OwnerId=2", "N=2 OwnerId=1", "N=1 OwnerId=null"]
        ),
        ("filter(Price gt 500)/groupby((OwnerId))", "OwnerId", []),
        (
            "groupby((OwnerId),topcount(1,Price))&$select=Id&$filter=OwnerId ne null&$orderby=Id",
            "Id", ["Id=1", "Id=3"]
        ),
        ("filter(Price gt $these/aggregate(Price with average))&$select=Id", "Id", ["Id=4"]),
    ])
    func stepsAreAnswered(options: String, columns: String, expected: [String]) throws {
        let url = "GET /Tools?$apply=" + options.replacing(" ", with: "%20")
        let answer = try ServiceFixture().send(url)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json["@odata.context"]?.string == "http://h/$metadata#Tools(\(columns))")
        let rows = answer.json["value"]?.array ?? []
        let found = rows.map { row in
            (row.object?.members ?? []).filter { !$0.name.contains("@") }
                .map { "\($0.name)=\($0.value.text)" }.sorted().joined(separator: " ")
        }
        #expect(found == expected)
    }

    @Test func groupsComeInPages() throws {
        let fixture = try ServiceFixture()
        let steps = "$apply=groupby((Id),aggregate($count%20as%20N))&$orderby=Id&$count=true"
        var next: String? = "/Tools?" + steps
        var (ids, pages): ([String], Int) = ([], 0)
        while let url = next, pages < 5 {
            let answer = fixture.send("GET \(url)", ["Prefer: odata.maxpagesize=3"])
            #expect(answer.status == 200, "\(answer.text)")
            if pages == 0 { #expect(answer.json["@odata.count"]?.number == "4") }
            ids += answer.json["value"]?.array?.compactMap { $0["Id"]?.number } ?? []
            next = answer.json["@odata.nextLink"]?.string.map {
                String($0.dropFirst("http://h".count))
            }
            pages += 1
        }
        #expect(ids == ["1", "2", "3", "4"] && pages == 2)
        #expect(
            fixture.send("GET /Tools/$count?$apply=groupby((OwnerId))").text == "3")
        #expect(
            fixture.send("GET /Members(1)/Tools?$apply=aggregate($count%20as%20N)")
                .json["value"]?.array?.first?["N"]?.number == "2")
    }

    @Test func computedValuesAreSelectedFilteredAndOrdered() throws {
        let fixture = try ServiceFixture()
        let many = fixture.send(
            "GET /Tools?$compute=Price%20mul%202%20as%20Twice&$filter=Twice%20gt%2014"
                + "&$orderby=Twice%20desc&$select=Id,Twice&$count=true")
        let rows = many.json["value"]?.array ?? []
        #expect(rows.compactMap { $0["Id"]?.number } == ["4", "1"])
        #expect(rows.compactMap { $0["Twice"]?.number }.compactMap { Double($0) } == [199.98, 25])
        #expect(many.json["@odata.count"]?.number == "2")
        #expect(many.json["@odata.deltaLink"] == nil)
        let one = fixture.send("GET /Tools(1)?$compute=length(Title)%20as%20Size")
        #expect(one.json["Size"]?.number == "3")
    }

    @Test func nestedCollectionsAreWritten() throws {
        let answer = try ServiceFixture().send(
            "GET /Members?$apply=addnested(Tools,filter(Price%20gt%209)%20as%20Dear)&$orderby=Id")
        let rows = answer.json["value"]?.array ?? []
        #expect(answer.status == 200, "\(answer.text)")
        #expect(rows.map { $0["Dear"]?.array?.count } == [1, 0])
        #expect(rows.first?["Dear"]?.array?.first?["Title"]?.string == "Saw")
    }
}
