import ODataQuery
import ODataServer
import ODataText
import ODataWire
import Testing

extension ResponseMessage {
    fileprivate var rows: [JSONValue] { json["value"]?.array ?? [] }
}

/// `$apply` and `$compute` as the service answers them.
@Suite struct ServiceComputedTests {
    @Test func groupsHaveWhatTheStepsMade() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "GET /Loans?$apply=groupby((Tool/Title),aggregate($count%20as%20N))&$orderby=N%20desc&$count=true"
        )
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.json["@odata.context"]?.string == "http://h/$metadata#Loans(Tool(Title),N)")
        #expect(answer.json["@odata.count"]?.number == "2")
        #expect(answer.rows.map { $0["Tool"]?["Title"]?.string } == ["Saw", "Plane"])
        #expect(answer.rows.map { $0["N"]?.number } == ["2", "1"])
        #expect(answer.rows.allSatisfy { $0["@odata.etag"] == nil })
    }

    @Test func thePathIsMetBeforeTheFirstStep() throws {
        let fixture = try ServiceFixture()
        let one = fixture.send("GET /Members(1)/Tools?$apply=aggregate($count%20as%20N)")
        #expect(one.rows.first?["N"]?.number == "2")
        let count = fixture.send("GET /Tools/$count?$apply=groupby((OwnerId))")
        #expect(count.text == "3")
    }

    @Test func computedPropertiesComeWithTheEntitiesPageByPage() throws {
        let fixture = try ServiceFixture { $0.defaultPageSize = 2 }
        let first = fixture.send(
            "GET /Tools?$compute=Id%20mul%202%20as%20Twice&$filter=Twice%20gt%202&$orderby=Twice%20desc&$select=Id,Twice&$count=true"
        )
        #expect(first.json["@odata.count"]?.number == "3")
        #expect(first.rows.map { $0["Twice"]?.number } == ["8", "6"])
        #expect(first.rows.allSatisfy { $0["@odata.etag"] != nil && $0["Title"] == nil })
        let next = try #require(first.json["@odata.nextLink"]?.string)
        let second = fixture.send("GET " + next.replacing("http://h", with: ""))
        #expect(second.rows.map { $0["Twice"]?.number } == ["4"])
        #expect(second.json["@odata.nextLink"] == nil)
    }

    @Test func stepsThatTheDatabaseCannotTakeAreRefused() throws {
        let fixture = try ServiceFixture()
        #expect(
            fixture.send("GET /Tools?$apply=traverse($root/Tools,None,Id,preorder)").status == 400)
        #expect(
            fixture.send("GET /Tools?$apply=concat(nest(top(1)%20as%20n),nest(top(2)%20as%20n))")
                .status == 501)
        #expect(
            fixture.send("GET /Tools?$apply=aggregate(Nothing%20with%20sum%20as%20n)").status
                == 400)
    }

    @Test func resultsOfStepsAreNestedInARow() throws {
        let fixture = try ServiceFixture()
        let all = fixture.send("GET /Tools").rows.count
        let answer = fixture.send(
            "GET /Tools?$apply=nest(identity%20as%20All,groupby((OwnerId))%20as%20Owners)")
        #expect(answer.rows.count == 1)
        #expect(answer.rows.first?["All"]?.array?.count == all)
        #expect(answer.rows.first?["Owners"]?.array?.count == 3)
    }

    @Test func nestedGroupsAreNoEntities() throws {
        let fixture = try ServiceFixture()
        let answer = fixture.send(
            "GET /Members?$select=Id&$expand=Tools($apply=aggregate($count%20as%20N))&$filter=Id%20eq%201"
        )
        let nested = answer.rows.first?["Tools"]?.array ?? []
        #expect(nested.map { $0["N"]?.number } == ["2"])
        #expect(nested.allSatisfy { $0["@odata.etag"] == nil })
        #expect(answer.rows.first?["@odata.etag"] != nil)
    }

    @Test func datesMoveByDurationsOfAColumn() throws {
        let fixture = try ServiceFixture(
            schema: """
                CREATE TABLE Jobs (Id INTEGER PRIMARY KEY, Start DATETIME, Due DATETIME, Span DURATION);
                INSERT INTO Jobs VALUES
                    (1, '2031-05-01T08:00:00Z', '2031-05-01T09:00:00Z', 'PT2H'),
                    (2, '2031-05-01T08:00:00Z', '2031-05-02T09:00:00Z', 'PT2H'),
                    (3, '2031-05-01T08:00:00Z', '2031-05-02T09:00:00Z', 'P1DT2H');
                """)
        for (filter, expected) in [
            ("Start%20add%20Span%20gt%20Due", ["1", "3"]),
            ("Span%20add%20duration'PT1H'%20eq%20duration'PT3H'", ["1", "2"]),
            ("Span%20gt%20duration'PT3H'", ["3"]), ("Span%20eq%20duration'PT120M'", ["1", "2"]),
            ("totalseconds(Span)%20eq%207200", ["1", "2"]),
        ] {
            let answer = fixture.send("GET /Jobs?$filter=\(filter)&$select=Id")
            #expect(answer.rows.map { $0["Id"]?.number } == expected, "\(filter) \(answer.text)")
        }
        let ordered = fixture.send("GET /Jobs?$orderby=Span%20desc,Id&$select=Id")
        #expect(ordered.rows.map { $0["Id"]?.number } == ["3", "1", "2"])
    }
}
