import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// The service gives the key of a row whose deletion has no answer to a row that was created here: the deletion was carried out,
/// and must not be sent again, because the new row stands where the old one did.
@Suite struct OvertakenDeletionTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private static let tags: [String?] = ["W/\"1\"", nil]

    /// A row that was downloaded and deleted here, the deletion being request 1.
    private func deleted(_ tag: String?) throws -> RowReference {
        let row = try fixture.downloadCustomer(9, "Old", etag: tag)
        try fixture.store.perform(.delete(row))
        return row
    }

    private func sent(_ ids: [Int64]) throws -> Attempt {
        let attempt = try fixture.freeze(ids)
        #expect(try fixture.store.noteSending(of: attempt.id))
        return attempt
    }

    /// What the service answers to the creation of the new row.
    private func made(
        _ id: Int64, _ tag: String?, isLook: Bool = false
    ) -> AttemptAnswers.Answer {
        var headers: HeaderFields = [:]
        headers["ETag"] = tag == nil ? nil : "W/\"2\""
        return AttemptAnswers.Answer(
            request: id,
            outcome: .answered(
                ResponseMessage(
                    status: 201, headers: headers, body: Array(#"{"ID":9,"Name":"New"}"#.utf8))),
            isLook: isLook)
    }

    private func create() throws -> Int64 {
        _ = try fixture.create("Customers", ["Name": .text("New")])
        return try #require(try fixture.store.allRequests().last).id
    }

    private func url(_ attempt: Attempt) throws -> [String] {
        try fixture.sql("SELECT url || members FROM _odata_attempt WHERE id = \(attempt.id)")
    }

    @Test(arguments: tags) func aSentDeletionIsSettledByTheNewRow(tag: String?) throws {
        _ = try deleted(tag)
        let deletion = try sent([1])
        let id = try create()
        let creation = try sent([id])
        let outcome = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(outcome.accepted == [1, id])
        #expect(try fixture.customers() == ["9:New"])
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["1"])
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.store.attempts().isEmpty)
        // Whoever was about to send it, or gets its answer late, changes nothing any more.
        #expect(try fixture.store.noteSending(of: deletion.id) == false)
        for status in [204, 412] {
            let late = AttemptAnswers.Answer(
                request: 1, outcome: .answered(ResponseMessage(status: status)))
            #expect(try fixture.store.record([late], of: deletion.id) == RecordOutcome())
        }
        #expect(try fixture.customers() == ["9:New"])
        let etag = tag == nil ? "-" : "W/\"2\""
        #expect(try fixture.sql("SELECT Name, _odata_etag FROM Customers") == ["New|\(etag)"])
    }

    /// It waits to be sent once more, or is listed because nobody can tell: it was sent all the same.
    @Test(arguments: tags, [AttemptAnswers.Outcome.repeatable, .undecided("No answer.")])
    func aDeletionThatMayHaveHappenedIsSettled(
        tag: String?, outcome: AttemptAnswers.Outcome
    ) throws {
        _ = try deleted(tag)
        let deletion = try sent([1])
        _ = try fixture.store.record([.init(request: 1, outcome: outcome)], of: deletion.id)
        #expect(try fixture.queue().count == 1)
        let id = try create()
        let creation = try sent([id])
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.customers() == ["9:New"])
        #expect(try fixture.queue().isEmpty)
    }

    /// In one request with others: these stay without an answer, and the whole is not sent again.
    @Test(arguments: tags) func whatWasSentWithTheDeletionStaysOpen(tag: String?) throws {
        let other = try fixture.downloadCustomer(2, "Bea", etag: tag)
        _ = try deleted(tag)
        try fixture.update(other, ["Name": .text("Bess")])
        let id = try create()
        let batch = try sent([1, 2])
        let creation = try sent([id])
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.customers() == ["2:Bess", "9:New"])
        #expect(try fixture.queue() == ["merge Customers frozen"])
        #expect(try url(batch) == [#"[{"request":2,"part":0}]"#])
        #expect(try fixture.store.noteSending(of: batch.id) == false)
    }

    /// The same request holds both, and only the creation has an answer.
    @Test(arguments: tags, [true, false]) func anAnswerToOnePartSettlesTheOther(
        tag: String?, isFirst: Bool
    ) throws {
        _ = try deleted(tag)
        let id = try create()
        let batch = try sent([1, id])
        let answers = [.init(request: 1, outcome: .unanswered), made(id, tag)]
        let outcome = try fixture.store.record(
            isFirst ? answers : answers.reversed(), of: batch.id)
        #expect(outcome.unanswered.isEmpty)
        #expect(try fixture.customers() == ["9:New"])
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.store.attempts().isEmpty)
    }

    /// Nobody was sent it: whoever took the old row, the deletion is the app's own to be answered.
    @Test(arguments: tags, [true, false]) func aDeletionThatWasNotSentIsNotSettled(
        tag: String?, isFrozen: Bool
    ) throws {
        _ = try deleted(tag)
        if isFrozen { _ = try fixture.freeze([1]) }
        let id = try create()
        let creation = try sent([id])
        let outcome = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(outcome.accepted == [id])
        #expect(try fixture.queue() == ["delete Customers \(isFrozen ? "frozen" : "waiting")"])
    }

    /// The service has told by a download that there is nothing left to delete.
    @Test(arguments: tags) func aDeletionOfWhatTheServiceHasNoMoreIsSettled(tag: String?) throws {
        _ = try deleted(tag)
        let id = try create()
        let creation = try sent([id])
        try fixture.download("Customers", #"{"@removed":{"reason":"deleted"},"ID":9}"#)
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.customers() == ["9:New"])
        #expect(try fixture.queue().isEmpty)
    }

    /// A download has brought the row since the creation was first sent: it is what that made, and what was deleted here.
    @Test(arguments: tags) func theDeletionOfWhatTheCreationMadeStays(tag: String?) throws {
        let id = try create()
        let creation = try sent([id])
        let row = try fixture.downloadCustomer(9, "New", etag: tag)
        try fixture.store.perform(.delete(row))
        let deletion = try #require(try fixture.store.allRequests().last).id
        let attempt = try sent([deletion])
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.queue() == ["delete Customers frozen"])
        #expect(try fixture.store.attempts().map(\.id) == [attempt.id])
    }

    /// The row was there before the creation was sent, and deleted while that was on its way: it is nothing that this made.
    @Test(arguments: tags) func aLaterDeletionOfAnOlderRowIsSettled(tag: String?) throws {
        let row = try fixture.downloadCustomer(9, "Old", etag: tag)
        let id = try create()
        let creation = try sent([id])
        try fixture.store.perform(.delete(row))
        _ = try sent([try #require(try fixture.store.allRequests().last).id])
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.customers() == ["9:New"])
        #expect(try fixture.queue().isEmpty)
    }

    /// As before, but a download has brought other values first: perhaps those that were deleted are the creation's.
    @Test(arguments: tags) func aLaterDeletionOfARowThatChangedStays(tag: String?) throws {
        _ = try fixture.downloadCustomer(9, "Old", etag: tag)
        let id = try create()
        let creation = try sent([id])
        let row = try fixture.downloadCustomer(9, "New", etag: tag.map { _ in "W/\"2\"" })
        try fixture.store.perform(.delete(row))
        _ = try sent([try #require(try fixture.store.allRequests().last).id])
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.queue() == ["delete Customers frozen"])
    }

    /// A download has brought the new row already, and what others have made of it, in the place of the old one.
    @Test(arguments: tags) func whatADownloadBroughtOfTheNewRowStays(tag: String?) throws {
        _ = try deleted(tag)
        _ = try sent([1])
        let id = try create()
        let creation = try sent([id])
        let newer = tag == nil ? "" : #","@odata.etag":"W/\"3\"""#
        try fixture.download("Customers", #"{"ID":9,"Name":"Newer"\#(newer)}"#)
        _ = try fixture.store.record([made(id, tag)], of: creation.id)
        #expect(try fixture.customers() == ["9:Newer"])
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["1"])
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.sql("SELECT count(*) FROM _odata_base_Customers") == ["0"])
    }

    /// A look shows a row, which may be the old one still.
    @Test(arguments: tags) func aLookSettlesNoDeletion(tag: String?) throws {
        _ = try deleted(tag)
        _ = try sent([1])
        let id = try create()
        let creation = try sent([id])
        _ = try fixture.store.record([made(id, tag, isLook: true)], of: creation.id)
        #expect(try fixture.queue() == ["delete Customers frozen"])
    }
}
