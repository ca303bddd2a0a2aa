import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWorld
import Testing

/// Answers that are recorded after a download has brought what came later.
@Suite struct LateAnswerTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    @discardableResult
    private func record(
        _ attempt: Attempt, status: Int, etag: String?, body: String = "", isLook: Bool = false
    ) throws -> RecordOutcome {
        var headers: HeaderFields = [:]
        headers["ETag"] = etag
        return try fixture.store.record(
            attempt.members.map {
                var answer = AttemptAnswers.Answer(
                    request: $0.request,
                    outcome: .answered(
                        ResponseMessage(status: status, headers: headers, body: Array(body.utf8))))
                answer.isLook = isLook
                return answer
            }, of: attempt.id)
    }

    /// A customer as a look at the service shows it.
    private func shown(
        _ id: Int64, _ name: String, city: String? = nil, etag: String?
    ) throws -> StructureValue {
        var values: [String: ODataValue] = ["ID": .number(id), "Name": .text(name)]
        if let city { values["Address"] = try fixture.address(city) }
        var shown = try fixture.value("Customer", values)
        shown.control.etag = etag
        return shown
    }

    private func etags() throws -> [String] {
        try fixture.sql("SELECT _odata_etag FROM Customers ORDER BY ID")
    }

    @Test func whatADownloadBroughtAfterAChangeIsNotTakenBackByItsAnswer() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        // The service carries the change out (tag 2); then somebody else changes the row (tag 3).
        try fixture.downloadCustomer(1, "Cleo", etag: "W/\"3\"")
        #expect(try fixture.customers() == ["1:Bea"])
        try record(attempt, status: 200, etag: "W/\"2\"", body: #"{"ID":1,"Name":"Bea"}"#)
        #expect(try fixture.customers() == ["1:Cleo"])
        #expect(try etags() == ["W/\"3\""])
        #expect(try fixture.queue().isEmpty)
    }

    /// It was made for neither state: with its old tag the service refuses it, and it is listed.
    @Test func theNextChangeKeepsItsTagWhereSomebodyElseCameBetween() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        try fixture.downloadCustomer(1, "Cleo", etag: "W/\"3\"")
        try record(attempt, status: 204, etag: "W/\"2\"")
        #expect(try fixture.customers() == ["1:Bess"])
        #expect(try fixture.sql("SELECT if_match FROM _odata_request") == ["W/\"1\""])
    }

    /// What the app sees is its open change. A row in which that is hidden nobody has seen; one that shows it is what was changed.
    @Test(arguments: [("Cleo", "W/\"1\""), ("Bea", "W/\"3\"")], [false, true])
    func aChangeAfterTheDownloadIsMadeForTheRowThatTheAppSaw(
        brought: (name: String, tag: String), isDeletion: Bool
    ) throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.downloadCustomer(1, brought.name, etag: "W/\"3\"")
        #expect(try fixture.customers() == ["1:Bea"])
        if isDeletion {
            try fixture.store.perform(.delete(row))
        } else {
            try fixture.update(row, ["Name": .text("Bess")])
        }
        let tag = "SELECT if_match FROM _odata_request ORDER BY id DESC LIMIT 1"
        #expect(try fixture.sql(tag) == [brought.tag])
        // The service has carried the first one out before the other row came to be.
        try record(attempt, status: 204, etag: "W/\"2\"")
        #expect(try fixture.sql(tag) == [brought.tag])
    }

    /// The answer leaves the tag out, and somebody else may have been there before the look for it.
    @Test(arguments: [
        ("Bea", nil, "W/\"3\""), ("Bea ", "Rome", "W/\"3\""), ("Cleo", nil, "W/\"1\""),
    ])
    func aTagThatIsAskedForGoesToWhatWaitsOnlyWithTheRowItWasMadeFor(
        name: String, city: String?, tag: String
    ) throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        #expect(try record(attempt, status: 204, etag: nil).needsETag == [row])
        let shown = try shown(1, name, city: city, etag: "W/\"3\"")
        #expect(try fixture.store.takeTag(of: shown, for: row) == 0)
        #expect(try fixture.customers() == ["1:Bess" + (city.map { "@" + $0 } ?? "")])
        #expect(try fixture.sql("SELECT if_match FROM _odata_request") == [tag])
    }

    @Test func aTagOfWhatADownloadBroughtSinceIsNotTaken() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        try record(attempt, status: 204, etag: nil)
        try fixture.downloadCustomer(1, "Cleo", etag: "W/\"3\"")
        #expect(
            try fixture.store.takeTag(of: shown(1, "Cleo", etag: "W/\"3\""), for: row) == 0)
        #expect(try fixture.sql("SELECT if_match FROM _odata_request") == ["W/\"1\""])
    }

    /// Behind a creation it has no tag by which the service could refuse it.
    @Test(arguments: [("Ada", "W/\"1\""), ("Cleo", nil)])
    func aChangeBehindACreationThatSomebodyElseHasChangedIsListed(
        name: String, tag: String?
    ) throws {
        let row = try fixture.create("Customers", ["Name": .text("Ada")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        let body = #"{"ID":7,"Name":"Ada"}"#
        #expect(try record(attempt, status: 201, etag: nil, body: body).needsETag == [row])
        let shown = try shown(7, name, etag: "W/\"1\"")
        #expect(try fixture.store.takeTag(of: shown, for: row) == (tag == nil ? 1 : 0))
        let left = try fixture.store.allRequests()
        #expect(left.map(\.ifMatch) == [tag])
        #expect(left.map { $0.state.failure?.code } == [tag == nil ? "RowChanged" : nil])
    }

    /// Other rows show that the service has tags.
    @Test(arguments: [true, false])
    func whatWasCreatedWithoutATagIsMarkedWhereTheSetHasTags(hasTags: Bool) throws {
        try fixture.downloadCustomer(1, "Cleo", etag: hasTags ? "W/\"1\"" : nil)
        let row = try fixture.create("Customers", ["Name": .text("Ada")])
        try record(
            fixture.freeze([1]), status: 201, etag: nil, body: #"{"ID":7,"Name":"Ada"}"#)
        try fixture.update(row, ["Name": .text("Bess")])
        let waiting = Set(try fixture.store.allRequests().map(\.id))
        #expect(try fixture.store.untagged(waiting).map(\.target) == (hasTags ? [row] : []))
        #expect(try fixture.store.takeTag(of: shown(7, "Ada", etag: "W/\"1\""), for: row) == 0)
        #expect(try fixture.store.allRequests().map(\.ifMatch) == ["W/\"1\""])
        #expect(try fixture.store.untagged(waiting).isEmpty)
    }

    /// Whether a set has tags is asked once in a transaction, and again where one of its answers has brought the first.
    @Test func theFirstTagOfATransactionIsKnownToTheAnswersBehindIt() throws {
        let rows = try (1...3).map { try fixture.create("Customers", ["Name": .text("\($0)")]) }
        let recordings = try (1...3).map { number in
            var headers: HeaderFields = [:]
            headers["ETag"] = number == 2 ? "W/\"2\"" : nil
            let body = #"{"ID":\#(number),"Name":"\#(number)"}"#
            return UploadMachine.Recording(
                attempt: try fixture.freeze([Int64(number)]),
                answers: [
                    AttemptAnswers.Answer(
                        request: Int64(number),
                        outcome: .answered(
                            ResponseMessage(
                                status: 201, headers: headers, body: Array(body.utf8))))
                ])
        }
        _ = try fixture.store.commit(
            recordings, freezing: [], at: Instant(seconds: 1_700_000_000))
        for row in rows { try fixture.update(row, ["Name": .text("later")]) }
        let waiting = Set(try fixture.store.allRequests().map(\.id))
        #expect(try fixture.store.untagged(waiting).map(\.target) == [rows[2]])
    }

    /// The row itself was brought by something that tells no tags.
    @Test func aChangeThatWasAnsweredWithoutATagMarksItsRowWhereTheSetHasTags() throws {
        try fixture.downloadCustomer(1, "Cleo")
        let row = try fixture.downloadCustomer(2, "Ada", etag: nil)
        try fixture.update(row, ["Name": .text("Bea")])
        try record(fixture.freeze([1]), status: 204, etag: nil)
        try fixture.update(row, ["Name": .text("Bess")])
        let waiting = Set(try fixture.store.allRequests().map(\.id))
        #expect(try fixture.store.untagged(waiting).map(\.target) == [row])
    }

    /// A change of a row that came without a tag takes the first one that is told, unless somebody has changed the row.
    @Test(arguments: [("Ada", true), ("Cleo", false)])
    func theFirstTagThatADownloadTellsIsThatOfTheRowAChangeWasMadeFor(
        name: String, isTaken: Bool
    ) throws {
        let row = try fixture.downloadCustomer(1, "Ada", etag: nil)
        try fixture.update(row, ["Name": .text("Bess")])
        try fixture.downloadCustomer(1, name, etag: "W/\"3\"")
        #expect(
            try fixture.store.allRequests().map(\.ifMatch) == [isTaken ? "W/\"3\"" : nil])
        let waiting = Set(try fixture.store.allRequests().map(\.id))
        #expect(try fixture.store.untagged(waiting).map(\.target) == (isTaken ? [] : [row]))
    }

    /// What a page without tags has brought of others is not what the change was made for, whoever tells its tag.
    @Test func aTagThatIsToldBehindWhatOthersWroteIsNotTaken() throws {
        let row = try fixture.downloadCustomer(1, "Ada", etag: nil)
        try fixture.update(row, ["Name": .text("Bess")])
        try fixture.downloadCustomer(1, "Cleo", etag: nil)
        try fixture.downloadCustomer(1, "Cleo", etag: "W/\"3\"")
        #expect(try fixture.store.allRequests().map(\.ifMatch) == [nil])
        let waiting = Set(try fixture.store.allRequests().map(\.id))
        #expect(try fixture.store.untagged(waiting).map(\.target) == [row])
    }

    /// The look for a lost answer shows our change, and the city that somebody has set since: what waits has another.
    @Test(arguments: [nil, "W/\"3\""])
    func whatALookShowsOfOthersIsNotWhatAChangeBehindWasMadeFor(tag: String?) throws {
        let before = tag == nil ? nil : "W/\"1\""
        let control = tag == nil ? "" : #","@odata.etag":"W/\"1\"""#
        try fixture.download(
            "Customers", #"{"ID":1,"Name":"Ada","Address":{"City":"Oslo"}\#(control)}"#)
        let row = try fixture.row("Customers", 1)
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Address": fixture.address("Bern")])
        try record(
            attempt, status: 200, etag: tag,
            body: #"{"ID":1,"Name":"Bea","Address":{"City":"Rome"}}"#, isLook: true)
        let base = try #require(try fixture.store.baseRow(row))
        #expect(base.state.contains(.unseen))
        #expect(base.state.contains(.untagged) == (tag != nil))
        #expect(base.values.control.etag == nil)
        let waiting = try #require(try fixture.store.allRequests().first)
        #expect(waiting.ifMatch == before)
        let shown = try shown(1, "Bea", city: "Rome", etag: tag)
        let comparison = BaseComparison(graph: try fixture.graph(), ignoresNulls: false)
        #expect(!comparison.isUnchanged(base, in: shown, under: waiting))
        // Where the row is read behind the change it is listed, unless the service can refuse it.
        let listed = tag == nil ? 1 : 0
        #expect(try fixture.store.adoptAccepted(shown, of: row) == listed)
        #expect(
            try fixture.store.allRequests().map { $0.state.failure?.code }
                == [tag == nil ? "RowChanged" : nil])
        #expect(try fixture.customers() == ["1:Bea@Bern"])
    }

    /// Nothing of the set has tags: unless the app wants rows compared, nobody sees what others did.
    @Test(arguments: [true, false])
    func behindACreationWithoutTagsARowIsComparedOnlyWhereTheAppWantsIt(isCompared: Bool) throws {
        let row = try fixture.create("Customers", ["Name": .text("Ada")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        let body = #"{"ID":7,"Name":"Ada"}"#
        #expect(try record(attempt, status: 201, etag: nil, body: body).needsETag == [row])
        let listed = try fixture.store.takeTag(
            of: shown(7, "Cleo", etag: nil), for: row, isCompared: isCompared)
        #expect(listed == (isCompared ? 1 : 0))
        #expect(
            try fixture.store.allRequests().map { $0.state.failure?.code }
                == [isCompared ? "RowChanged" : nil])
    }

    /// The service keeps something of its own with each change, such as its time; our change itself has to be there.
    @Test(arguments: [("Bea", true, true), ("Cleo", true, false), ("Bea", false, false)])
    func aDeletionBehindAChangeGoesOverWhatTheServiceMadeOfIt(
        name: String, isOwn: Bool, goes: Bool
    ) throws {
        try fixture.download("Customers", #"{"ID":1,"Name":"Ada","Address":{"City":"Oslo"}}"#)
        let row = try fixture.row("Customers", 1)
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        let change = try fixture.store.allRequests()
        try fixture.store.perform(.delete(row))
        try record(attempt, status: 204, etag: nil)
        let shown = try shown(1, name, city: "Rome", etag: nil)
        let listed = try fixture.store.adoptAccepted(
            shown, of: row, behind: isOwn ? change : [])
        #expect(listed == (goes ? 0 : 1))
        let base = try #require(try fixture.store.baseRow(row))
        #expect(base.state.contains(.unseen) != goes)
    }

    /// A set that is compared, and whose tags the answers leave out.
    @Test func whatIsReadBehindAChangeGivesItsTagToWhatWaits() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        try record(attempt, status: 204, etag: nil)
        let shown = try shown(1, "Bea", city: "Rome", etag: "W/\"2\"")
        #expect(try fixture.store.adoptAccepted(shown, of: row) == 0)
        #expect(try fixture.store.allRequests().map(\.ifMatch) == ["W/\"2\""])
        #expect(try fixture.customers() == ["1:Bess@Rome"])
    }

    /// The answer has told the tag of what waits; the row that is read behind it is a later one.
    @Test func whatIsReadBehindAChangeIsNoBaseOfWhatHasItsTag() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.update(row, ["Name": .text("Bess")])
        try record(attempt, status: 204, etag: "W/\"2\"")
        let shown = try shown(1, "Cleo", etag: "W/\"3\"")
        #expect(try fixture.store.adoptAccepted(shown, of: row) == 0)
        #expect(try fixture.store.allRequests().map(\.ifMatch) == ["W/\"2\""])
        #expect(try fixture.store.baseRow(row)?.values.control.etag == "W/\"2\"")
    }

    @Test func anAnswerThatIsTheLatestIsTaken() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        // A page that was on its way before the change.
        try fixture.downloadCustomer(1, "Ada")
        try record(attempt, status: 200, etag: "W/\"2\"", body: #"{"ID":1,"Name":"Bea"}"#)
        #expect(try fixture.customers() == ["1:Bea"])
        #expect(try etags() == ["W/\"2\""])
    }

    @Test func aRowThatWasRemovedAfterItsChangeStaysAway() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.update(row, ["Name": .text("Bea")])
        let attempt = try fixture.freeze([1])
        try fixture.download(
            "Customers", #"{"@removed":{"reason":"deleted"},"@id":"Customers(1)","ID":1}"#)
        try record(attempt, status: 200, etag: "W/\"2\"", body: #"{"ID":1,"Name":"Bea"}"#)
        #expect(try fixture.customers() == [])
        #expect(try fixture.queue().isEmpty)
    }

    @Test func aCreationThatWasDownloadedAndChangedMeanwhileShowsTheChange() throws {
        _ = try fixture.create("Customers", ["Name": .text("Ada")])
        let attempt = try fixture.freeze([1])
        try fixture.downloadCustomer(7, "Cleo", etag: "W/\"3\"")
        try record(attempt, status: 201, etag: "W/\"1\"", body: #"{"ID":7,"Name":"Ada"}"#)
        #expect(try fixture.customers() == ["7:Cleo"])
        #expect(try etags() == ["W/\"3\""])
    }
}
