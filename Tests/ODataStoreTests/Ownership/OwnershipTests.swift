import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

/// Who holds a row, case by case, by what the file holds.
@Suite struct OwnershipTests {
    /// Orders 1 to `count` of customer 1, of group 1 up to the middle and 2 behind it.
    private static func desk(_ count: Int = 4, world: any World = LiveWorld()) throws -> OwnedStore
    {
        let desk = try OwnedStore(world: world)
        for id in 1...count {
            desk.orders[id] = OwnedStore.Order(
                customer: 1, group: id * 2 <= count ? 1 : 2, title: "t")
        }
        return desk
    }

    private static func sources(_ desk: OwnedStore) throws -> [String] {
        try desk.fixture.sql("SELECT ID, _odata_sources FROM Orders ORDER BY ID")
    }

    @Test func aDeletedQueryLeavesTheRowsOfTheDefaultDownload() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        // One source needs no bits, and a second one rewrites no row but its own.
        #expect(try Self.sources(desk) == ["1|0", "2|0", "3|0", "4|0"])
        try desk.add("some", .orders(group: 1))
        try desk.download()
        #expect(try Self.sources(desk) == ["1|3", "2|3", "3|0", "4|0"])
        #expect(try desk.delete("some"))
        #expect(try Self.sources(desk) == ["1|1", "2|1", "3|0", "4|0"])
    }

    @Test func whatADeltaNoLongerExpandsGoesThoughItsLastPageIsEmpty() throws {
        let desk = try Self.desk()
        desk.orders[4]?.customer = 2
        try desk.add("tree", .tree(upTo: 2, group: nil))
        try desk.download()
        #expect(try desk.present() == [1, 2, 3, 4])
        // With the customer goes what led to its order.
        desk.customers = 1
        desk.orders[4] = nil
        try desk.download(endsEmpty: true)
        #expect(try desk.present() == [1, 2, 3])
    }

    @Test func aDefaultThatIsSwitchedOffTakesItsRowsWithItAndNoOthers() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.add("some", .orders(group: 1))
        try desk.download()
        desk.orders[1] = nil
        desk.hasDefault = false
        try desk.download()
        #expect(try Self.sources(desk) == ["2|2"])
        #expect(
            try desk.fixture.sql("SELECT query FROM _odata_delta ORDER BY query")
                == ["query:some"])
    }

    @Test func aDefaultWaitsForTheQueriesThatTakeItsPlace() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        desk.hasDefault = false
        try desk.add("some", .orders(group: 1))
        // A download of something else, or one that is cut off, is not the end of it.
        try desk.plan()
        try desk.end()
        #expect(try desk.present() == [1, 2, 3, 4])
        // Wanted again before they went, the rows are compared with what comes.
        desk.hasDefault = true
        desk.orders[4] = nil
        try desk.download()
        #expect(try desk.present() == [1, 2, 3])
        desk.hasDefault = false
        try desk.download()
        #expect(try desk.present() == [1, 2])
    }

    @Test func moreQueriesThanBitsHoldTheirRowsJustAsWell() throws {
        let desk = try Self.desk(8)
        let names = (1...70).map { "q\($0)" }
        for (number, name) in names.enumerated() {
            try desk.add(name, .orders(group: number % 2 + 1))
        }
        try desk.download()
        #expect(try desk.present() == Array(1...8))
        #expect(
            try desk.fixture.sql("SELECT count(*), min(place), max(place) FROM _odata_row_source")
                == ["36|62|70"])
        // Those with bits go, and a later one by its changes.
        for name in names[..<61] { #expect(try desk.delete(name)) }
        #expect(try desk.present() == Array(1...8))
        desk.orders[1]?.group = 2
        try desk.download()
        #expect(try desk.present() == desk.expected)
        for name in names[61...].dropLast(2) { #expect(try desk.delete(name)) }
        #expect(try desk.present() == Array(1...8))
        #expect(try desk.delete("q69"))
        #expect(try desk.present() == [1, 5, 6, 7, 8])
        #expect(try desk.delete("q70"))
        #expect(try desk.present() == [])
        #expect(try desk.fixture.sql("SELECT * FROM _odata_row_source") == [])
    }

    @Test func whatAnExpansionBringsIsHeldByItsQuery() throws {
        let desk = try Self.desk()
        try desk.add("own", .orders(group: 1))
        try desk.add("tree", .tree(upTo: 1, group: 1))
        try desk.add("wide", .tree(upTo: 1, group: nil))
        try desk.download()
        #expect(try desk.delete("own"))
        #expect(try desk.present() == [1, 2, 3, 4])
        // Their customer is there, but no query that is left asks for them.
        #expect(try desk.delete("wide"))
        #expect(try desk.present() == [1, 2])
        #expect(try desk.fixture.sql("SELECT count(*) FROM Customers") == ["1"])
        #expect(try desk.delete("tree"))
        #expect(try desk.present() == [])
        #expect(try desk.fixture.sql("SELECT count(*) FROM Customers") == ["0"])
    }

    /// Another query has brought what it looks like now before the one that expands to it is read.
    @Test func aRowThatMovedAwayIsLetGoByItsExpansion() throws {
        let desk = try Self.desk()
        try desk.add("own", .orders(group: nil))
        try desk.add("tree", .tree(upTo: 1, group: nil))
        try desk.download()
        desk.orders[1]?.customer = 3
        try desk.download()
        #expect(try desk.delete("own"))
        #expect(try desk.present() == [2, 3, 4])
    }

    @Test func manyRemovalsOfADeltaAreAFewStatements() throws {
        let desk = try Self.desk(3_000)
        try desk.add("one", .orders(group: 1))
        try desk.add("all", .orders(group: nil))
        try desk.download()
        for id in 1...1_400 { desk.orders[id] = nil }
        desk.orders[1_450]?.group = 2
        let statements = Counter()
        try desk.store.write(.normal) { database in
            database.trace { event in
                if "\(event)".hasPrefix("DELETE FROM \"Orders\"") { statements.count += 1 }
            }
        }
        try desk.download()
        #expect(try desk.present() == Array(1_401...3_000))
        #expect(statements.count > 0 && statements.count < 4)
    }

    private final class Counter {
        var count = 0
    }

    // MARK: Changes here

    @Test func aChangedRowGoesWhenItsChangeIsSettled() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        try desk.edit(1)
        try desk.edit(2)
        desk.hasDefault = false
        try desk.download()
        #expect(try desk.present() == [1, 2])
        #expect(
            try desk.fixture.sql("SELECT Title FROM Orders ORDER BY ID") == ["mine", "mine"])
        // One is taken back, the other accepted: nobody is left that would keep it up to date.
        try desk.store.undo([try desk.fixture.row("Orders", 1)])
        #expect(try desk.present() == [2])
        let request = try #require(try desk.store.allRequests().first)
        #expect(request.body?.values != nil)
        try desk.fixture.answer(request.id, status: 204)
        #expect(try desk.present() == [])
        #expect(try desk.fixture.sql("SELECT count(*) FROM _odata_base_Orders") == ["0"])
        try desk.download()
        #expect(try desk.fixture.sql("SELECT * FROM _odata_meta WHERE name GLOB 'waiting*'") == [])
    }

    @Test func aSourceThatComesMeanwhileKeepsIt() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        try desk.edit(1)
        desk.hasDefault = false
        try desk.download()
        try desk.add("some", .orders(group: 1))
        try desk.download()
        try desk.undo()
        #expect(try desk.present() == [1, 2])
        #expect(try Self.sources(desk) == ["1|2", "2|2"])
    }

    @Test func theDefaultThatComesBackKeepsIt() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        try desk.edit(1)
        desk.hasDefault = false
        try desk.download()
        #expect(try desk.present() == [1])
        desk.hasDefault = true
        try desk.download()
        try desk.undo()
        #expect(try desk.present() == [1, 2, 3, 4])
        try desk.download()
        #expect(try desk.present() == [1, 2, 3, 4])
        #expect(try desk.fixture.sql("SELECT * FROM _odata_meta WHERE name GLOB 'waiting*'") == [])
    }

    @Test func aRowThatStaysForWhatItContainsIsAsTheServiceHasIt() throws {
        let desk = try Self.desk()
        try desk.add("tree", .tree(upTo: 2, group: nil))
        try desk.download()
        let customer = try desk.fixture.row("Customers", 1)
        try desk.fixture.update(customer, ["Name": .text("mine")])
        let note = try desk.store.perform(
            .createRelated(
                parent: customer, navigation: "Notes",
                value: try desk.fixture.value("Note", ["Line": .number(1)]), binds: []))
        try desk.replace("tree", with: .orders(group: 1))
        try desk.download()
        #expect(try desk.fixture.sql("SELECT Name FROM Customers") == ["mine"])
        let update = try #require(try desk.store.allRequests().first { $0.operation.isUpdate })
        _ = try desk.store.cancel([update.id])
        #expect(try desk.fixture.sql("SELECT Name FROM Customers") == ["c1"])
        try desk.store.undo([note])
        try desk.download()
        #expect(try desk.fixture.sql("SELECT ID FROM Customers") == [])
        #expect(try desk.fixture.sql("SELECT * FROM _odata_meta WHERE name GLOB 'waiting*'") == [])
    }

    @Test func whatWaitsBelowARowKeepsIt() throws {
        let desk = try Self.desk()
        try desk.add("tree", .tree(upTo: 2, group: nil))
        try desk.download()
        let customer = try desk.fixture.row("Customers", 1)
        let note = try desk.store.perform(
            .createRelated(
                parent: customer, navigation: "Notes",
                value: try desk.fixture.value("Note", ["Line": .number(1)]), binds: []))
        try desk.replace("tree", with: .orders(group: 1))
        try desk.download()
        #expect(try desk.fixture.sql("SELECT ID FROM Customers") == ["1"])
        try desk.store.undo([note])
        try desk.download()
        #expect(try desk.fixture.sql("SELECT ID FROM Customers") == [])
    }

    // MARK: Creations

    private static func make(_ desk: OwnedStore, _ id: Int64) throws {
        _ = try desk.fixture.create(
            "Orders", ["ID": .number(id), "Title": .text("made"), "CustomerID": .number(1)])
        let request = try #require(try desk.store.allRequests().last)
        try desk.fixture.answer(
            request.id, status: 201,
            body: "{\"ID\":\(id),\"Title\":\"made\",\"Amount\":7,\"CustomerID\":1}")
    }

    @Test func whatWasMadeHereGoesWithTheLastSourceOfItsSet() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        try Self.make(desk, 90)
        try desk.add("some", .orders(group: 1))
        #expect(try desk.present() == [1, 2, 3, 4, 90])
        desk.hasDefault = false
        try desk.download()
        // It is the query's now, which has not said that it is not; all of its rows tell.
        #expect(try desk.present() == [1, 2, 90])
        #expect(
            try desk.fixture.sql("SELECT count(*) FROM _odata_delta WHERE link IS NULL") == ["1"])
        try desk.download()
        #expect(try desk.present() == [1, 2])
        try Self.make(desk, 91)
        try desk.download()
        #expect(try desk.present() == [1, 2, 91])
        #expect(try desk.delete("some"))
        #expect(try desk.present() == [])
    }

    @Test func whatIsStillToBeMadeWaitsForItsAnswer() throws {
        let desk = try Self.desk()
        desk.hasDefault = true
        try desk.download()
        _ = try desk.fixture.create("Orders", ["ID": .number(90), "Title": .text("made")])
        desk.hasDefault = false
        try desk.download()
        #expect(try desk.present() == [90])
        let request = try #require(try desk.store.allRequests().last)
        try desk.fixture.answer(
            request.id, status: 201, body: "{\"ID\":90,\"Title\":\"made\"}")
        #expect(try desk.present() == [])
    }

    /// A download brings the row of a creation whose answer comes later: what held the one holds the other.
    @Test(arguments: [1, 70]) func twoRowsThatAreOneAreHeldByBothSources(number: Int) throws {
        let desk = try Self.desk()
        for place in 1..<number { try desk.add("q\(place)", .orders(group: 9)) }
        try desk.add("some", .orders(group: 7))
        _ = try desk.fixture.create("Orders", ["Title": .text("made"), "CustomerID": .number(1)])
        let request = try #require(try desk.store.allRequests().last)
        let attempt = try desk.fixture.freeze([request.id])
        desk.orders[90] = OwnedStore.Order(customer: 1, group: 7, title: "made")
        try desk.download()
        _ = try desk.store.record(
            [
                AttemptAnswers.Answer(
                    request: request.id,
                    outcome: .answered(
                        ResponseMessage(
                            status: 201,
                            body: Array(
                                #"{"ID":90,"Title":"made","Amount":7,"CustomerID":1}"#.utf8))))
            ], of: attempt.id)
        #expect(try desk.present() == [90])
        #expect(
            try desk.fixture.sql("SELECT count(*) FROM Orders WHERE _odata_sources <> 0") == ["1"])
        if number > RowHolds.places {
            #expect(
                try desk.fixture.sql(
                    "SELECT ID FROM Orders o JOIN _odata_row_source h ON h.\"row\" = o._odata_id")
                    == ["90"])
        }
        // The next delta says nothing of it; with its query it goes.
        try desk.download()
        #expect(try desk.present() == [90])
        #expect(try desk.delete("some"))
        #expect(try desk.present() == [])
    }
}
