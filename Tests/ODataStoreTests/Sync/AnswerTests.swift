import ErrorFixture
import GRDB
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

@Suite struct AnswerTests {
    @Test func anAcceptedCreateBecomesTheBaseAndWaitingRequestsFollowItsKey() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let order = try fixture.create(
            "Orders", ["ID": .number(5)],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [customer])])
        let create = try #require(try fixture.store.allRequests().first)
        let link = try #require(
            try fixture.sql(
                "SELECT _odata_control FROM Customers"
            ).first)
        #expect(link.contains("~local-"))
        try fixture.answer(
            create.id, status: 201, headers: ["ETag": "W/\"9\""],
            body: #"{"ID":41,"Name":"Ada Server"}"#)
        #expect(try fixture.customers() == ["41:Ada Server"])
        #expect(try fixture.orders() == ["5:->41"])
        #expect(try fixture.queue() == ["create Orders waiting"])
        #expect(try fixture.store.entity(customer)?.flags == [.isLocal])
        #expect(try fixture.store.address(of: customer) == "Customers(41)")
        #expect(try fixture.store.related(customer, "Orders") == [order])
        #expect(try fixture.store.row(link: "Customers(~local-\(-customer.id))") == customer)
        try fixture.download("Customers", #"{"ID":41,"Name":"Ada Server","@odata.etag":"W/\"9\""}"#)
        #expect(try fixture.store.entity(customer)?.flags == [])
        #expect(try fixture.sql("SELECT count(*) FROM Customers") == ["1"])
    }

    /// Links are kept by apps: that of a creation goes on to name its entity when that has gone and come back as another row.
    @Test func theLinkOfACreationLeadsToItsEntityWhateverRowThatIs() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        try fixture.answer(create.id, status: 201, body: #"{"ID":41,"Name":"Ada"}"#)
        try fixture.store.write(.full) { try $0.execute(sql: "DELETE FROM Customers") }
        let link = "Customers(~local-\(-customer.id))"
        #expect(try fixture.store.row(link: link) == nil)
        let again = try fixture.downloadCustomer(41, "Ada")
        #expect(again != customer)
        #expect(try fixture.store.row(link: link) == again)
        #expect(try fixture.store.rowCounts() == ["Customers": 1])
        #expect(try fixture.store.row(link: "Customers(~local-999)") == nil)
    }

    @Test func whatIsKnownOfASendingGoesWithItsRequest() throws {
        let fixture = try StoreFixture()
        _ = try fixture.create("Customers", ["Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        let attempt = try fixture.freeze([create.id])
        let answer = SendingRecord.Answer(status: 503, message: "later")
        #expect(try fixture.store.noteSending(of: attempt.id))
        try fixture.store.noteAnswers([create.id: answer])
        #expect(try fixture.store.sendings()[create.id]?.answer == answer)
        let marks = "SELECT request FROM _odata_row_mark"
        #expect(try fixture.sql(marks) == ["\(create.id)"])
        try fixture.answer(attempt, create.id, status: 201, body: #"{"ID":41,"Name":"Ada"}"#)
        #expect(try fixture.store.sendings().isEmpty)
        #expect(try fixture.sql(marks) == [])
    }

    @Test func whatADownloadHasFoundOutIsKept() throws {
        let fixture = try StoreFixture()
        var reads = ReadProfile()
        reads.format = .plain
        reads.untracked = ["set:Customers": 501]
        try fixture.store.note(["does not track changes"], leadingTo: reads)
        #expect(try fixture.store.serviceProfile().reads == reads)
        try fixture.reopen()
        #expect(try fixture.store.serviceProfile().reads == reads)
    }

    @Test func aKeyInTheHeadersIsEnough() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        try fixture.answer(
            create.id, status: 204,
            headers: ["OData-EntityId": "http://host/svc/Customers(77)", "ETag": "W/\"1\""])
        #expect(try fixture.customers() == ["77:Ada"])
        #expect(try fixture.sql("SELECT _odata_etag FROM Customers") == ["W/\"1\""])
        #expect(try fixture.store.row(in: "Customers", key: [.integer(77)]) == customer)
    }

    @Test func aRowThatADownloadBroughtMeanwhileBecomesTheLocalEntity() throws {
        let fixture = try StoreFixture()
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        let attempt = try fixture.freeze([create.id])
        let other = try fixture.downloadCustomer(41, "Ada")
        try fixture.download("Tags", #"{"Code":"x"}"#)
        let tag = try #require(try fixture.store.row(in: "Tags", key: [.string("x")]))
        try fixture.store.perform(.createLink(other, navigation: "Tags", target: tag))
        try fixture.update(other, ["Name": .text("Ida")])
        _ = try fixture.store.record(
            [
                AttemptAnswers.Answer(
                    request: create.id,
                    outcome: .answered(
                        ResponseMessage(
                            status: 201, body: Array(#"{"ID":41,"Name":"Ada"}"#.utf8))))
            ], of: attempt.id)
        #expect(
            try fixture.sql("SELECT _odata_id, ID, Name FROM Customers")
                == ["\(customer.id)|41|Ida"])
        #expect(try fixture.store.related(customer, "Tags") == [tag])
        #expect(try fixture.store.allRequests().allSatisfy { $0.target == customer })
        #expect(try fixture.store.allRequests().count == 2)
    }

    /// The row that a download brought goes, and with a row its contents go.
    @Test func theContentOfARowThatADownloadBroughtMeanwhileIsKept() throws {
        let fixture = try StoreFixture(LocalStore.Configuration(), world: LiveWorld())
        let name = "<Property Name=\"Name\" Type=\"Edm.String\""
        let metadata = StoreFixture.metadata.replacing(
            name, with: "<Property Name=\"Photo\" Type=\"Edm.Stream\"/>" + name)
        try fixture.store.adopt(
            metadata: metadata, graph: try CSDLReader.read(Array(metadata.utf8)))
        let customer = try fixture.create("Customers", ["Name": .text("Ada")])
        let create = try #require(try fixture.store.allRequests().first)
        let attempt = try fixture.freeze([create.id])
        let other = try fixture.downloadCustomer(41, "Ada")
        var parts: [[UInt8]] = [[1, 2, 3]]
        var options = WriteOptions()
        options.stream = try fixture.store.storeContent(mediaType: "image/png") { parts.popLast() }
        try fixture.store.perform(.putStream(other, property: "Photo"), options: options)
        try fixture.answer(attempt, create.id, status: 201, body: #"{"ID":41,"Name":"Ada"}"#)
        #expect(try fixture.sql("SELECT _odata_id, ID FROM Customers") == ["\(customer.id)|41"])
        let request = try #require(try fixture.store.allRequests().first)
        #expect(request.operation == .putStream && request.target == customer)
        let content = try fixture.store.stream(customer, "Photo")
        #expect(content?.request == request.id && content?.length == 3)
        #expect(
            try fixture.sql("SELECT \"row\", state FROM _odata_stream")
                == ["\(customer.id)|whole"])
    }

    @Test func aRefusalQuarantinesOnlyWhatDependsOnIt() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        let ada = try fixture.create("Customers", ["ID": .number(2), "Name": .text("Ada")])
        _ = try fixture.create(
            "Orders", ["ID": .number(5)],
            binds: [RequestBody.Bind(navigation: "Customer", targets: [ada])])
        try fixture.update(bo, ["Name": .text("Bob")])
        let create = try #require(try fixture.store.allRequests().first)
        let outcome = try fixture.answer(
            create.id, status: 400, body: #"{"error":{"code":"E1","message":"No."}}"#)
        #expect(outcome.refused == [create.id] && outcome.blocked.count == 1)
        #expect(
            try fixture.queue() == [
                "create Customers failed", "create Orders blocked", "merge Customers waiting",
            ])
        #expect(
            try fixture.sql(
                "SELECT status, error_code, error_message FROM _odata_request"
                    + " WHERE state = 'failed'") == ["400|E1|No."])
        #expect(try fixture.store.entity(ada)?.flags.contains(.inErrorState) == true)
        #expect(try fixture.store.failedRequests().count == 2)
        try fixture.reopen()
        let identity = try fixture.store.failedRequests()[0].identity.id
        try fixture.store.perform(
            .fix(
                request: create.id,
                changes: try fixture.value("Customer", ["Name": .text("Ada L")]), binds: []))
        #expect(try fixture.queue().allSatisfy { $0.hasSuffix("waiting") })
        #expect(try fixture.store.allRequests()[0].identity.id != identity)
        #expect(try fixture.customers() == ["1:Bob", "2:Ada L"])
    }

    @Test func aRefusedDeleteBringsTheRowBackInError() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.downloadOrder(5, "Pens", customer: 1)
        try fixture.store.perform(.delete(bo))
        let delete = try #require(try fixture.store.allRequests().first)
        try fixture.answer(delete.id, status: 409)
        #expect(try fixture.customers() == ["1:Bo"])
        #expect(try fixture.orders() == ["5:Pens>1"])
        #expect(
            try fixture.store.entity(bo)?.flags == [
                .isLocal, .hasPendingChanges, .inErrorState, .isDeleteError,
            ])
    }

    @Test(arguments: [204, 404, 410])
    func anAcceptedDeleteTakesTheRowAndItsVictimsAway(status: Int) throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.downloadOrder(5, "Pens", customer: 1)
        try fixture.store.perform(.delete(bo))
        let delete = try #require(try fixture.store.allRequests().first)
        try fixture.answer(delete.id, status: status)
        for table in [
            "Customers", "Orders", "_odata_base_Customers", "_odata_base_Orders",
            "_odata_request", "_odata_request_row", "_odata_attempt",
        ] {
            #expect(try fixture.sql("SELECT count(*) FROM \(table)") == ["0"])
        }
    }

    @Test func theETagOfAnAnswerIsWhatTheNextChangeSends() throws {
        let fixture = try StoreFixture(
            join: JoinOnWrite(combinesUpdates: false, combinesDeletes: false))
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        try fixture.update(bo, ["Name": .text("Rob")])
        let first = try #require(try fixture.store.allRequests().first)
        try fixture.answer(first.id, status: 204, headers: ["ETag": "W/\"2\""])
        #expect(try fixture.sql("SELECT if_match FROM _odata_request") == ["W/\"2\""])
        #expect(try fixture.sql("SELECT Name FROM _odata_base_Customers") == ["Bob"])
        #expect(try fixture.customers() == ["1:Rob"])
        try fixture.store.cancel(nil)
        #expect(try fixture.customers() == ["1:Bob"])
    }

    @Test func anAttemptIsFrozenToTheByteUntilItsAnswerIsRecorded() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        let id = try #require(try fixture.store.allRequests().first).id
        let attempt = try fixture.freeze([id])
        try fixture.store.noteSending(of: attempt.id)
        try fixture.reopen()
        #expect(try fixture.store.attempts().map(\.message) == [attempt.message])
        #expect(try fixture.store.attempts().first?.sendCount == 1)
        #expect(
            failure { try fixture.freeze([id]) }
                == Failure(.conflict, at: .path("Customers")))
        try fixture.update(bo, ["Name": .text("Rob")])
        #expect(try fixture.queue() == ["merge Customers frozen", "merge Customers waiting"])
        try fixture.store.takeBack(attempt.id, thaw: true)
        #expect(try fixture.queue() == ["merge Customers waiting", "merge Customers waiting"])
        #expect(try fixture.sql("SELECT DISTINCT first_sent FROM _odata_request") == ["-"])
    }

    @Test func partsWithoutAnAnswerStayInTheAttempt() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        let cy = try fixture.downloadCustomer(2, "Cy")
        try fixture.update(bo, ["Name": .text("Bob")])
        try fixture.update(cy, ["Name": .text("Cyd")])
        let requests = try fixture.store.allRequests()
        let attempt = try fixture.freeze(requests.map(\.id))
        _ = try fixture.store.record(
            [
                AttemptAnswers.Answer(
                    request: requests[0].id, outcome: .answered(ResponseMessage(status: 204))),
                AttemptAnswers.Answer(request: requests[1].id, outcome: .unanswered),
            ], of: attempt.id)
        let left = try fixture.store.allRequests()
        #expect(left.map(\.state) == [.frozen(attempt: attempt.id)])
        #expect(left[0].identity.id == requests[1].identity.id && left[0].wasSent)
        let rest = try #require(try fixture.store.attempts().first)
        #expect(rest.members.map(\.request) == [requests[1].id])
        #expect(!rest.isWhole)
    }

    @Test func aRefusedRequestGoesAgainWithTheTagThatItHad() throws {
        let fixture = try StoreFixture()
        let bo = try fixture.downloadCustomer(1, "Bo")
        try fixture.update(bo, ["Name": .text("Bob")])
        let sent = try #require(try fixture.store.allRequests().first)
        try fixture.answer(sent.id, status: 412)
        try fixture.downloadCustomer(1, "theirs", etag: "W/\"2\"")
        try fixture.store.requeueFailedRequests()
        let again = try #require(try fixture.store.allRequests().first)
        #expect(again.state == .waiting && again.ifMatch == sent.ifMatch)
        #expect(again.identity.id == sent.identity.id)
        try fixture.answer(sent.id, status: 412)
        try fixture.store.retry([sent.id])
        let retried = try #require(try fixture.store.allRequests().first)
        #expect(retried.ifMatch == "W/\"2\"")
        #expect(retried.identity.id != sent.identity.id)
    }
}
