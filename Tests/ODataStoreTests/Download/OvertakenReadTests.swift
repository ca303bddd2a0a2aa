import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import Testing

/// The service accepts changes while a read goes on, whose pages may not know of them.
@Suite struct OvertakenReadTests {
    let fixture: StoreFixture
    let source = DownloadSource(entitySet: "Customers", url: "Customers", bit: 0)

    init() throws {
        fixture = try StoreFixture()
        let first = try begin()
        _ = try first.take(page(row(1, "a"), row(2, "b"), row(3, "c")), mode: .first)
        try first.endPage()
        try first.finish(mode: .first, deltaLink: "D1")
    }

    // MARK: Reading

    /// A read that begins now, or goes on where one was interrupted.
    private func begin(
        partOfRows: Int = 50_000, _ source: DownloadSource? = nil, expanding: String? = nil
    ) throws -> SourceIngest {
        let source = source ?? self.source
        let store = fixture.store
        let mapping = try store.mapping()
        var context = SourceIngest.Context(
            mapping: mapping, handler: QueueShadow(store),
            write: { body in try store.write(.normal) { try body($0) } },
            uptime: { .zero }, now: { 7 })
        context.rowsPerApplication = partOfRows
        let ingest = SourceIngest(
            source,
            plan: IngestPlan(
                table: try mapping.existingTable(path: source.entitySet), mapping: mapping,
                selection: nil,
                expanding: try URLParser.parse(
                    source.url + (expanding.map { "?$expand=" + $0 } ?? ""), graph: mapping.graph,
                    dialect: Dialect.of(mapping.graph.version)
                ).expand),
            identity: "me", isSingle: false, context: context)
        let resume = try state(source).resume
        try store.read {
            try ingest.load(resume, from: $0)
            try ingest.noteBeginning(in: $0)
        }
        return ingest
    }

    private func row(_ id: Int, _ name: String) -> String {
        "{\"ID\":\(id),\"Name\":\"\(name)\"}"
    }

    private func page(_ rows: String..., next: String? = nil) -> ByteParts {
        let link = next.map { ",\"@odata.nextLink\":\"\($0)\"" } ?? ""
        return ByteParts([Array("{\"value\":[\(rows.joined(separator: ","))]\(link)}".utf8)])
    }

    private func take(_ page: ByteParts, _ mode: ReadMode, _ ingest: SourceIngest) throws {
        _ = try ingest.take(page, mode: mode)
        try ingest.endPage()
    }

    /// Reads everything, and nothing comes between.
    private func sweep(_ rows: String...) throws {
        let ingest = try begin()
        let all = rows.joined(separator: ",")
        try take(page(all), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D9")
    }

    private func state(_ source: DownloadSource? = nil) throws -> SourceState {
        try fixture.store.read {
            try DownloadBookkeeping($0).state(of: source ?? self.source, identity: "me")
        }
    }

    // MARK: Changes

    /// Makes a customer that the service accepts under the key 41.
    private func make() throws {
        _ = try fixture.create("Customers", ["Name": .text("made")])
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 201, body: row(41, "made"))
        #expect(try fixture.queue().isEmpty)
    }

    private func rename(_ id: Int64, _ name: String) throws {
        try fixture.update(try fixture.row("Customers", id), ["Name": .text(name)])
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 204, headers: ["ETag": "W/\"9\""])
        #expect(try fixture.queue().isEmpty)
    }

    private func makeTag(code: String = "x") throws {
        _ = try fixture.create("Tags", ["Code": .text(code)])
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 201, body: "{\"Code\":\"\(code)\"}")
        #expect(try fixture.queue().isEmpty)
    }

    private func delete(_ table: String, _ id: Int64) throws {
        try fixture.store.perform(.delete(try fixture.row(table, id)))
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 204)
        #expect(try fixture.queue().isEmpty)
    }

    // MARK: Tests

    @Test(arguments: [1, 50_000], ["D2", nil] as [String?]) func aRowThatWasMadeMeanwhileStays(
        partOfRows: Int, deltaLink: String?
    ) throws {
        let ingest = try begin(partOfRows: partOfRows)
        try take(page(row(1, "a"), next: "p2"), .sweep, ingest)
        try make()
        try take(page(row(2, "b")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: deltaLink)
        #expect(try fixture.customers() == ["1:a", "2:b", "41:made"])
        // The service may have given its link after it took the row: nothing would bring what is missing.
        #expect(try state() == SourceState(isComplete: true))
        try sweep(row(1, "a"), row(2, "b"), row(41, "made"))
        #expect(try fixture.customers() == ["1:a", "2:b", "41:made"])
        #expect(try state() == SourceState(deltaLink: "D9", isComplete: true))
    }

    @Test func aRowThatWasMadeMeanwhileAndHasGoneGoesWithTheNextRead() throws {
        let ingest = try begin()
        try take(page(row(1, "a"), next: "p2"), .sweep, ingest)
        try make()
        try take(page(row(2, "b")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        try sweep(row(1, "a"))
        #expect(try fixture.customers() == ["1:a"])
        #expect(try state().deltaLink == "D9")
    }

    /// Nothing is staged behind a part that was applied, so that the read goes on where it was.
    @Test func anInterruptedReadKnowsThatItWasOvertaken() throws {
        try take(page(row(1, "a"), next: "p2"), .sweep, try begin(partOfRows: 1))
        try make()
        let resumed = try begin(partOfRows: 1)
        try take(page(row(2, "b"), next: "p3"), .sweep, resumed)
        let again = try begin()
        #expect(try state().resume == ResumePoint(mode: .sweep, nextLink: "p3"))
        try take(page(), .sweep, again)
        try again.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:a", "2:b", "41:made"])
        #expect(try state().deltaLink == nil)
    }

    @Test func whatWasMadeBeforeTheReadGoesWithIt() throws {
        try make()
        try sweep(row(1, "a"))
        #expect(try fixture.customers() == ["1:a"])
        #expect(try state().deltaLink == "D9")
    }

    @Test func anOlderPageBringsNoOlderValuesOfWhatWasAcceptedMeanwhile() throws {
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "B"), next: "p2"), .sweep, ingest)
        try rename(1, "new")
        try take(page(row(3, "c")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:B", "3:c"])
        #expect(try state().deltaLink == nil)
        try sweep(row(1, "newer"), row(2, "B"), row(3, "c"))
        #expect(try fixture.customers() == ["1:newer", "2:B", "3:c"])
    }

    /// Somebody has looked at the service and says so; the page before does not know.
    @Test func aChangeThatTheAppConfirmsMeanwhileOvertakesTheRead() throws {
        try fixture.update(try fixture.row("Customers", 1), ["Name": .text("new")])
        try fixture.loseAnswers()
        #expect(try fixture.queue() == ["merge Customers unknown"])
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b"), next: "p2"), .sweep, ingest)
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.store.confirm(request.id, with: ResponseMessage(status: 204))
        try take(page(row(3, "c")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:b", "3:c"])
        #expect(try state() == SourceState(isComplete: true))
    }

    /// It has its effect all the same.
    @Test func anAnswerThatTheStoreCannotTakeOvertakesTheRead() throws {
        try fixture.store.write(.full) { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER rule BEFORE UPDATE ON Customers WHEN NEW.Name = 'Taken'
                    BEGIN SELECT RAISE(ABORT, 'no'); END
                    """)
        }
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b"), next: "p2"), .sweep, ingest)
        try fixture.update(try fixture.row("Customers", 1), ["Name": .text("new")])
        let request = try #require(try fixture.store.allRequests().first)
        let outcome = try fixture.answer(request.id, status: 200, body: row(1, "Taken"))
        #expect(outcome.unknown == [request.id])
        try take(page(row(3, "c")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:b", "3:c"])
        #expect(try state() == SourceState(isComplete: true))
    }

    @Test func anOvertakenDeltaIsReadAgain() throws {
        let ingest = try begin()
        try take(page(row(1, "A"), row(2, "B"), next: "p2"), .delta, ingest)
        try rename(1, "new")
        try take(page(row(3, "C")), .delta, ingest)
        try ingest.finish(mode: .delta, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:B", "3:C"])
        #expect(try state() == SourceState(deltaLink: "D1", isComplete: true))
        let next = try begin()
        try take(page(row(1, "new"), row(2, "B"), row(3, "C")), .delta, next)
        try next.finish(mode: .delta, deltaLink: "D3")
        #expect(try state().deltaLink == "D3")
    }

    @Test func aFirstLoadThatWasOvertakenIsComparedByTheNextRead() throws {
        try fixture.store.write(.full) { try $0.execute(sql: "DELETE FROM _odata_delta") }
        let ingest = try begin()
        try take(page(row(1, "a"), next: "p2"), .first, ingest)
        try rename(2, "new")
        // On its way while the service took the change.
        try take(page(row(2, "b"), next: "p3"), .first, ingest)
        let resumed = try begin()
        try take(page(row(3, "c")), .first, resumed)
        try resumed.finish(mode: .first, deltaLink: "D2")
        #expect(try state() == SourceState(isComplete: true))
    }

    /// What it had stored by then is older than the change, and nothing was on its way.
    @Test func aFirstLoadThatWasInterruptedBeforeIsNotOvertaken() throws {
        try fixture.store.write(.full) { try $0.execute(sql: "DELETE FROM _odata_delta") }
        try take(page(row(1, "a"), next: "p2"), .first, try begin())
        try rename(1, "new")
        let resumed = try begin()
        try take(page(row(2, "b")), .first, resumed)
        try resumed.finish(mode: .first, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:b", "3:c"])
        #expect(try state() == SourceState(deltaLink: "D2", isComplete: true))
    }

    // MARK: Other tables

    @Test(arguments: [ReadMode.sweep, .delta]) func anUploadToAnotherTableLeavesTheLink(
        mode: ReadMode
    ) throws {
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b"), row(3, "c"), next: "p2"), mode, ingest)
        try makeTag()
        try take(page(row(4, "d")), mode, ingest)
        try ingest.finish(mode: mode, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:a", "2:b", "3:c", "4:d"])
        #expect(try state() == SourceState(deltaLink: "D2", isComplete: true))
    }

    @Test func anUploadToATableThatIsExpandedOvertakesTheRead() throws {
        let ingest = try begin(expanding: "Tags")
        try take(page(row(1, "a"), next: "p2"), .sweep, ingest)
        try makeTag()
        try take(page(row(2, "b")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try state() == SourceState(isComplete: true))
    }

    /// The orders of the customer go with it.
    @Test func aCascadeOvertakesTheReadsOfWhatItReaches() throws {
        try fixture.downloadOrder(7, "seven", customer: 1)
        let orders = DownloadSource(entitySet: "Orders", url: "Orders", bit: 0)
        let ingest = try begin(orders)
        try take(page(#"{"ID":8,"Title":"eight","CustomerID":2}"#), .sweep, ingest)
        try delete("Customers", 1)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try state(orders) == SourceState(isComplete: true))
    }

    /// An earlier version did not say which tables its count is about.
    @Test func whatAnEarlierVersionCountedMayMeanAnyTable() throws {
        let ingest = try begin()
        try take(page(row(1, "a"), next: "p2"), .sweep, ingest)
        try fixture.store.write(.full) {
            try $0.execute(sql: "INSERT INTO _odata_meta VALUES ('answers', 1)")
        }
        try makeTag()
        try take(page(row(2, "b")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try state() == SourceState(isComplete: true))
        let next = try begin()
        try take(page(row(1, "a"), row(2, "b")), .sweep, next)
        try makeTag(code: "y")
        try next.finish(mode: .sweep, deltaLink: "D3")
        #expect(try state().deltaLink == "D3")
    }

    // MARK: Deletions

    @Test(arguments: [1, 50_000], [ReadMode.sweep, .delta])
    func aRowThatWasDeletedMeanwhileDoesNotComeBack(partOfRows: Int, mode: ReadMode) throws {
        let ingest = try begin(partOfRows: partOfRows)
        try take(page(row(2, "b"), next: "p2"), mode, ingest)
        try delete("Customers", 1)
        try take(page(row(1, "a"), row(3, "c"), next: "p3"), mode, ingest)
        try take(page(row(4, "d")), mode, ingest)
        try ingest.finish(mode: mode, deltaLink: "D2")
        #expect(try fixture.customers() == ["2:b", "3:c", "4:d"])
        #expect(try state().deltaLink == (mode == .delta ? "D1" : nil))
        // Whoever makes it anew afterwards is read.
        let next = try begin()
        try take(page(row(1, "again"), row(2, "b")), .sweep, next)
        try next.finish(mode: .sweep, deltaLink: nil)
        #expect(try fixture.customers() == ["1:again", "2:b"])
        try fixture.store.forgetDeletions(before: [ingest, next])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_deletion") != ["0"])
        try fixture.store.forgetDeletions(before: [next])
        #expect(try fixture.sql("SELECT count(*) FROM _odata_deletion") == ["0"])
    }

    /// With the older one, the answer to the deletion would seem to be about another row than the one that is there.
    @Test func whatAnAnswerMadeOfABaseImageStays() throws {
        let ingest = try begin()
        let customer = try fixture.row("Customers", 1)
        try fixture.update(customer, ["Name": .text("new")])
        let update = try #require(try fixture.store.allRequests().first)
        let attempt = try fixture.freeze([update.id])
        try #require(try fixture.store.noteSending(of: attempt.id))
        try fixture.store.perform(.delete(customer))
        try fixture.answer(attempt, update.id, status: 204, headers: ["ETag": "W/\"9\""])
        try take(page(#"{"@odata.etag":"W/\"1\"","ID":1,"Name":"a"}"#), .delta, ingest)
        try ingest.finish(mode: .delta, deltaLink: "D2")
        #expect(
            try fixture.sql("SELECT Name, _odata_etag FROM _odata_base_Customers") == [
                "new|W/\"9\""
            ])
        let deletion = try #require(try fixture.store.allRequests().first)
        try fixture.answer(deletion.id, status: 204)
        #expect(try fixture.customers() == ["2:b", "3:c"])
    }

    /// A read runs ahead in memory while another, which began after the deletion, comes to its end.
    @Test func anotherReadThatEndsLetsNoDeletedRowComeBack() throws {
        let ahead = try begin()
        try delete("Customers", 1)
        let orders = DownloadSource(entitySet: "Orders", url: "Orders", bit: 0)
        let other = try begin(orders)
        try take(page(#"{"ID":8,"Title":"eight","CustomerID":2}"#), .sweep, other)
        try other.finish(mode: .sweep, deltaLink: nil)
        try take(page(row(1, "a"), row(2, "b")), .delta, ahead)
        try ahead.finish(mode: .delta, deltaLink: "D2")
        #expect(try fixture.customers() == ["2:b", "3:c"])
    }

    /// The app deletes a row before the answer to its creation is there, so that only that answer says its key.
    @Test(arguments: [ReadMode.sweep, .delta])
    func aRowThatWasMadeAndDeletedHereDoesNotComeBack(mode: ReadMode) throws {
        let made = try fixture.create("Customers", ["Name": .text("made")])
        let creation = try #require(try fixture.store.allRequests().first)
        let attempt = try fixture.freeze([creation.id])
        try #require(try fixture.store.noteSending(of: attempt.id))
        try fixture.store.perform(.delete(made))
        try fixture.answer(attempt, creation.id, status: 201, body: row(41, "made"))
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b"), row(3, "c"), row(41, "made")), mode, ingest)
        let deletion = try #require(try fixture.store.allRequests().first)
        try fixture.answer(deletion.id, status: 204)
        try ingest.finish(mode: mode, deltaLink: "D2")
        #expect(try fixture.queue().isEmpty)
        #expect(try fixture.customers() == ["1:a", "2:b", "3:c"])
    }

    @Test func aFirstLoadBringsNoRowBackThatWasDeletedMeanwhile() throws {
        try fixture.store.write(.full) { try $0.execute(sql: "DELETE FROM _odata_delta") }
        let ingest = try begin()
        try take(page(row(1, "a"), next: "p2"), .first, ingest)
        try delete("Customers", 2)
        try take(page(row(2, "b"), next: "p3"), .first, ingest)
        #expect(try fixture.customers() == ["1:a", "3:c"])
        try take(page(row(3, "c")), .first, ingest)
        try ingest.finish(mode: .first, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:a", "3:c"])
    }

    @Test func noExpansionBringsADeletedRowBack() throws {
        try fixture.downloadOrder(7, "seven", customer: 1)
        let ingest = try begin(expanding: "Orders")
        let orders = #"[{"ID":7,"Title":"seven","CustomerID":1},{"ID":8,"CustomerID":1}]"#
        try take(page("{\"ID\":1,\"Name\":\"a\",\"Orders\":\(orders)}"), .sweep, ingest)
        try delete("Orders", 7)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.orders() == ["8:->1"])
    }

    @Test func whatADeletionTookWithItDoesNotComeBack() throws {
        try fixture.downloadOrder(7, "seven", customer: 1)
        let ingest = try begin(DownloadSource(entitySet: "Orders", url: "Orders", bit: 0))
        try take(page(#"{"ID":7,"Title":"seven","CustomerID":1}"#), .sweep, ingest)
        try delete("Customers", 1)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.orders().isEmpty)
    }

    @Test func aRowWhoseDeletionWaitsStaysOutOfView() throws {
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b"), next: "p2"), .sweep, ingest)
        try fixture.store.perform(.delete(try fixture.row("Customers", 1)))
        try take(page(row(3, "c")), .sweep, ingest)
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["2:b", "3:c"])
        #expect(try fixture.queue() == ["delete Customers waiting"])
    }

    @Test func aRowThatWasDeletedAndMadeAnewStays() throws {
        let ingest = try begin()
        try take(page(row(1, "a"), row(2, "b")), .sweep, ingest)
        try delete("Customers", 1)
        _ = try fixture.create("Customers", ["ID": .number(1), "Name": .text("new")])
        let request = try #require(try fixture.store.allRequests().first)
        try fixture.answer(request.id, status: 201, body: row(1, "new"))
        try ingest.finish(mode: .sweep, deltaLink: "D2")
        #expect(try fixture.customers() == ["1:new", "2:b"])
    }
}
