import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// Answers that are recorded after a download has brought what came later.
@Suite struct LateAnswerTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func record(
        _ attempt: Attempt, status: Int, etag: String, body: String = ""
    ) throws {
        _ = try fixture.store.record(
            attempt.members.map {
                AttemptAnswers.Answer(
                    request: $0.request,
                    outcome: .answered(
                        ResponseMessage(
                            status: status, headers: ["ETag": etag], body: Array(body.utf8))))
            }, of: attempt.id)
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
