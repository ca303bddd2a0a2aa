import GRDB
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import Testing

/// Answers after which two rows would have one key: recorded all the same, so that the queue goes on.
@Suite struct TakenKeyTests {
    let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func answered(
        _ id: Int64, _ status: Int, _ body: String = ""
    ) -> AttemptAnswers.Answer {
        AttemptAnswers.Answer(
            request: id,
            outcome: .answered(ResponseMessage(status: status, body: Array(body.utf8))))
    }

    @discardableResult
    private func record(_ answers: [AttemptAnswers.Answer]) throws -> RecordOutcome {
        let attempt = try fixture.freeze(answers.map(\.request))
        return try fixture.store.record(answers, of: attempt.id)
    }

    @Test func aRefusedDeleteStaysOutOfViewWhileANewRowHasItsKey() throws {
        let old = try fixture.downloadCustomer(1, "Old")
        try fixture.store.perform(.delete(old))
        let new = try fixture.create("Customers", ["ID": .number(1), "Name": .text("New")])
        let ids = try fixture.store.allRequests().map(\.id)
        let outcome = try fixture.answer(ids[0], status: 403)
        #expect(outcome.refused == [ids[0]])
        #expect(try fixture.store.attempts().isEmpty)
        #expect(try fixture.queue() == ["delete Customers failed", "create Customers waiting"])
        #expect(try fixture.customers() == ["1:New"])
        // An upload takes the refused request up again, and the other one goes on.
        try fixture.store.requeueFailedRequests()
        #expect(try fixture.queue() == ["delete Customers waiting", "create Customers waiting"])
        try fixture.answer(ids[0], status: 403)
        // The key is free again when the creation is taken back.
        try fixture.store.undo([new])
        #expect(try fixture.customers() == ["1:Old"])
        #expect(try fixture.store.entity(old)?.flags.contains(.isDeleteError) == true)
        try fixture.store.cancel(nil)
        #expect(try fixture.customers() == ["1:Old"])
        #expect(try fixture.queue().isEmpty)
    }

    @Test func twoCreationsThatGotOneKeyAreOneEntity() throws {
        _ = try fixture.create("Customers", ["Name": .text("Ada")])
        let second = try fixture.create("Customers", ["Name": .text("Ada")])
        let ids = try fixture.store.allRequests().map(\.id)
        let outcome = try record(ids.map { answered($0, 201, #"{"ID":41,"Name":"Ada"}"#) })
        #expect(outcome.accepted == ids)
        #expect(try fixture.store.attempts().isEmpty)
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.sql("SELECT _odata_id, ID FROM Customers") == ["\(second.id)|41"])
    }

    @Test func anUpdateAnsweredWithAnotherEntityKeepsItsOwnKey() throws {
        let row = try fixture.downloadCustomer(1, "Ada")
        try fixture.downloadCustomer(2, "Bea")
        try fixture.update(row, ["Name": .text("Ida")])
        let id = try #require(try fixture.store.allRequests().first).id
        let outcome = try record([answered(id, 200, #"{"ID":2,"Name":"Cleo"}"#)])
        #expect(outcome.accepted == [id])
        #expect(try fixture.customers() == ["1:Ida", "2:Bea"])
        #expect(try fixture.queue().isEmpty)
    }

    @Test func aCreationRefusedAfterAnotherGotItsKeyIsListedOutOfView() throws {
        _ = try fixture.create("Customers", ["Name": .text("Ada")])
        _ = try fixture.create("Customers", ["ID": .number(5), "Name": .text("Bea")])
        let ids = try fixture.store.allRequests().map(\.id)
        let outcome = try record([
            answered(ids[0], 201, #"{"ID":5,"Name":"Ada"}"#), answered(ids[1], 409),
        ])
        #expect(outcome.accepted == [ids[0]] && outcome.refused == [ids[1]])
        #expect(try fixture.store.attempts().isEmpty)
        #expect(try fixture.queue() == ["create Customers failed"])
        #expect(try fixture.customers() == ["5:Ada"])
        try fixture.store.requeueFailedRequests()
        #expect(try fixture.queue() == ["create Customers waiting"])
        try fixture.store.cancel(nil)
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.customers() == ["5:Ada"])
    }

    @Test func anAnswerThatTheStoreCannotTakeIsListedAndTheOthersAreRecorded() throws {
        let ada = try fixture.downloadCustomer(1, "Ada")
        let bea = try fixture.downloadCustomer(2, "Bea")
        try fixture.update(ada, ["Name": .text("Ida")])
        try fixture.update(bea, ["Name": .text("Bess")])
        let ids = try fixture.store.allRequests().map(\.id)
        // Stands for any rule of the database that nobody here foresaw.
        try fixture.store.write(.full) { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER rule BEFORE UPDATE ON Customers WHEN NEW.Name = 'Taken'
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let outcome = try record([
            answered(ids[0], 200, #"{"ID":1,"Name":"Taken"}"#),
            answered(ids[1], 200, #"{"ID":2,"Name":"Bess II"}"#),
        ])
        #expect(outcome.unknown == [ids[0]] && outcome.accepted == [ids[1]])
        #expect(try fixture.store.attempts().isEmpty)
        #expect(try fixture.queue() == ["merge Customers unknown"])
        #expect(try fixture.customers() == ["1:Ida", "2:Bess II"])
        let listed = try #require(try fixture.store.failedRequests().first)
        guard case .unknown(let reason) = listed.state else {
            Issue.record("Expected a request of unknown fate.")
            return
        }
        #expect(
            reason
                == "The service accepted it, but the store cannot take the answer: Expected the"
                + " row's key to be free, found another row that has it. (Customers)")
    }

    @Test func aFoundCreationThatTheStoreCannotTakeStaysListedAndTheReadGoesOn() throws {
        _ = try fixture.create("Orders", ["Title": .text("new")])
        let id = try #require(try fixture.store.allRequests().first).id
        let attempt = try fixture.freeze([id])
        try fixture.store.noteSending(of: attempt.id)
        _ = try fixture.store.record(
            [.init(request: id, outcome: .undecided("No answer."))], of: attempt.id)
        try fixture.store.write(.full) { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER rule BEFORE UPDATE ON Orders WHEN NEW.ID = 17
                    BEGIN SELECT RAISE(ABORT, no); END
                    """)
        }
        for events in [1, 0] {
            let awaited = try fixture.store.awaitedCreations(
                in: "Orders", isWhole: true, hasAllProperties: true, isContinued: false)
            try fixture.download(
                "Orders", #"{"ID":17,"Title":"new","Amount":null,"CustomerID":null}"#)
            let said = try fixture.store.write(.normal) {
                try fixture.store.settleCreations(awaited, isComplete: true, $0)
            }
            #expect(said.count == events)
            #expect(try fixture.queue() == ["create Orders unknown"])
        }
        try fixture.store.settle(
            id, with: ResponseMessage(status: 201, body: Array(#"{"ID":17}"#.utf8)))
        guard case .unknown(let reason?) = try fixture.store.failedRequests().first?.state else {
            Issue.record("Expected a request of unknown fate.")
            return
        }
        #expect(reason.hasPrefix("The service accepted it, but the store cannot take the answer:"))
        // The app can give it up.
        try fixture.store.discard([id])
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.orders() == ["17:new>-"])
    }
}
