import ErrorFixture
import GRDB
import ODataModel
import ODataSQL
import ODataStore
import ODataSyncPlan
import ODataText
import ODataWire
import ODataWorld
import Testing

@Suite final class SourceIngestTests {
    private let tools: ToolsStore
    private var store: LocalStore { tools.store }
    private var source: DownloadSource { tools.source }

    init() throws {
        tools = try ToolsStore()
    }

    private func makeIngest(
        limits: PageIngest.Limits = PageIngest.Limits()
    ) throws -> SourceIngest {
        try tools.makeIngest { $0.limits = limits }
    }

    private func page(_ rows: String, _ links: String = "") -> ByteParts {
        ByteParts([Array("{\"value\":[\(rows)]\(links)}".utf8)])
    }

    private func rows() throws -> [String] {
        try store.read { database in
            try Row.fetchAll(database, sql: "SELECT Id, Title FROM Tools ORDER BY Id").map {
                "\($0[0] as Int) \($0[1] as String? ?? "-")"
            }
        }
    }

    private func state() throws -> SourceState {
        try store.read { try DownloadBookkeeping($0).state(of: source, identity: "me") }
    }

    @Test func aFirstLoadKeepsItsResumePointUntilItIsComplete() throws {
        let ingest = try makeIngest()
        let control = try ingest.take(
            page(#"{"Id":1,"Title":"a"}"#, #","@odata.nextLink":"Tools?p=2""#), mode: .first)
        #expect(control.nextLink == "Tools?p=2")
        #expect(try rows() == ["1 a"])
        #expect(
            try state()
                == SourceState(resume: ResumePoint(mode: .first, nextLink: "Tools?p=2")))
        _ = try makeIngest().take(page(#"{"Id":2,"Title":"b"}"#), mode: .first)
        try makeIngest().finish(mode: .first, deltaLink: "D1")
        #expect(try rows() == ["1 a", "2 b"])
        #expect(try state() == SourceState(deltaLink: "D1", isComplete: true))
    }

    @Test func rowsOfAPageThatBrokeOffAreRememberedUntilARead() throws {
        let cut = ByteParts([Array(#"{"value":[{"Id":1,"Title":"a"},{"Id":2,"Ti"#.utf8)])
        #expect(throws: ODataError.self) {
            _ = try makeIngest(limits: .init(rows: 1)).take(cut, mode: .first)
        }
        #expect(try rows() == ["1 a"])
        #expect(try state() == SourceState(hasRows: true))
        let sweep = try makeIngest()
        try sweep.restart()
        #expect(try state() == SourceState(hasRows: true))
        _ = try sweep.take(page(#"{"Id":2,"Title":"b"}"#), mode: .sweep)
        try sweep.finish(mode: .sweep, deltaLink: "D1")
        #expect(try rows() == ["2 b"])
        #expect(try state() == SourceState(deltaLink: "D1", isComplete: true))
    }

    @Test func aReadThatStartsAnewKeepsInMindThatItHasRows() throws {
        let first = try makeIngest()
        _ = try first.take(
            page(#"{"Id":1,"Title":"a"}"#, #","@odata.nextLink":"Tools?p=2""#), mode: .first)
        let other = try store.read {
            try DownloadBookkeeping($0).state(of: source, identity: "you")
        }
        #expect(other == SourceState(hasRows: true))
        try first.restart()
        #expect(try state() == SourceState(hasRows: true))
        try makeIngest().restart()
        #expect(try state() == SourceState(hasRows: true))
    }

    private func indexes() throws -> [String] {
        try store.read {
            try String.fetchAll(
                $0,
                sql: "SELECT name FROM pragma_index_list('Tools') WHERE name LIKE '%index%'"
                    + " ORDER BY name")
        }
    }

    @Test func indexesOfTheAppAreLeftOutOfAFirstLoadAndMadeAtItsEnd() throws {
        try store.createIndex(on: "Tools", paths: ["Title"])
        #expect(try indexes() == ["_odata_index_Tools_Title"])
        let first = try makeIngest()
        let next = #","@odata.nextLink":"Tools?p=2""#
        _ = try first.take(page(#"{"Id":1,"Title":"a"}"#, next), mode: .first)
        #expect(try indexes() == [])
        // Another process goes on after a kill: nothing but the store knows of the index.
        let resumed = try makeIngest()
        _ = try resumed.take(page(#"{"Id":2,"Title":"b"}"#), mode: .first)
        #expect(try indexes() == [])
        try resumed.finish(mode: .first, deltaLink: "D1")
        #expect(try indexes() == ["_odata_index_Tools_Title"])
        // A load of rows that are there already leaves it alone.
        _ = try makeIngest().take(page(#"{"Id":3,"Title":"c"}"#, next), mode: .first)
        #expect(try indexes() == ["_odata_index_Tools_Title"])
    }

    @Test func aLoadBesideWhichSomebodyWritesFillsItsIndexes() throws {
        try store.createIndex(on: "Tools", paths: ["Title"])
        let next = #","@odata.nextLink":"Tools?p=2""#
        nonisolated(unsafe) var isAwaited = false
        let first = try tools.makeIngest {
            $0.indexBuild = IndexBuild(isAwaited: { isAwaited })
        }
        _ = try first.take(page(#"{"Id":1,"Title":"a"}"#, next), mode: .first)
        #expect(try indexes() == [])
        isAwaited = true
        _ = try first.take(page(#"{"Id":2,"Title":"b"}"#, next), mode: .first)
        #expect(try indexes() == ["_odata_index_Tools_Title"])
        _ = try first.take(page(#"{"Id":3,"Title":"c"}"#), mode: .first)
        try first.finish(mode: .first, deltaLink: "D1")
        let titles = try store.read {
            try String.fetchAll(
                $0, sql: "SELECT Title FROM Tools INDEXED BY _odata_index_Tools_Title ORDER BY 1")
        }
        #expect(titles == ["a", "b", "c"])
    }

    @Test func whoWritesLateDoesNotWaitForAnIndexOfManyRows() throws {
        try store.createIndex(on: "Tools", paths: ["Title"])
        let first = try tools.makeIngest {
            $0.indexBuild = IndexBuild(isAwaited: { true })
            $0.limits.indexedRows = 1
        }
        let rows = #"{"Id":1,"Title":"a"},{"Id":2,"Title":"b"}"#
        _ = try first.take(page(rows, #","@odata.nextLink":"Tools?p=2""#), mode: .first)
        #expect(try indexes() == [])
        try first.finish(mode: .first, deltaLink: "D1")
        #expect(try indexes() == ["_odata_index_Tools_Title"])
    }

    @Test func anIndexLeftOutIsMadeByWhateverReadEndsTheLoad() throws {
        try store.createIndex(on: "Tools", paths: ["Title"])
        _ = try makeIngest().take(page(#"{"Id":1,"Title":"a"}"#), mode: .first)
        #expect(try indexes() == [])
        let sweep = try makeIngest()
        _ = try sweep.take(page(#"{"Id":1,"Title":"a"}"#), mode: .sweep)
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(try indexes() == ["_odata_index_Tools_Title"])
        let left = try store.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM _odata_meta WHERE name = 'deferredIndexes'")
        }
        #expect(left == 0)
    }

    @Test func aDeltaIsSeenWholeOrNotAtAll() throws {
        let first = try makeIngest()
        _ = try first.take(page(#"{"Id":1,"Title":"a"},{"Id":2,"Title":"b"}"#), mode: .first)
        try first.finish(mode: .first, deltaLink: "D1")
        let delta = try makeIngest()
        _ = try delta.take(
            page(#"{"Id":1,"Title":"A"},{"Id":3,"Title":"c"}"#, #","@odata.nextLink":"p""#),
            mode: .delta)
        #expect(try rows() == ["1 a", "2 b"])
        _ = try delta.take(page(#"{"@removed":{"reason":"deleted"},"Id":2}"#), mode: .delta)
        #expect(try rows() == ["1 a", "2 b"])
        try delta.finish(mode: .delta, deltaLink: "D2")
        #expect(try rows() == ["1 A", "3 c"])
        #expect(try state().deltaLink == "D2")
        #expect(delta.counts.written == 2)
        #expect(delta.counts.removed == 1)
    }

    @Test func aBrokenPageOfADeltaChangesNothing() throws {
        let first = try makeIngest()
        _ = try first.take(page(#"{"Id":1,"Title":"a"}"#), mode: .first)
        try first.finish(mode: .first, deltaLink: "D1")
        let delta = try makeIngest()
        _ = try delta.take(page(#"{"Id":1,"Title":"A"}"#, #","@odata.nextLink":"p""#), mode: .delta)
        #expect(
            failure {
                _ = try delta.take(ByteParts([Array(#"{"value":[{"Id":2"#.utf8)]), mode: .delta)
            } == Failure(.malformedText, at: .offset(17)))
        #expect(try rows() == ["1 a"])
        #expect(try state().deltaLink == "D1")
    }

    @Test func aSweepWritesWhatDiffersAndRemovesWhatItDidNotMeet() throws {
        let first = try makeIngest()
        let all = (1...5).map { "{\"@odata.etag\":\"\($0)\",\"Id\":\($0),\"Title\":\"t\($0)\"}" }
        _ = try first.take(page(all.joined(separator: ",")), mode: .first)
        try first.finish(mode: .first, deltaLink: nil)
        let sweep = try makeIngest()
        _ = try sweep.take(
            page(all[0...1].joined(separator: ","), #","@odata.nextLink":"p""#), mode: .sweep)
        _ = try sweep.take(
            page(#"{"@odata.etag":"9","Id":4,"Title":"new"},{"Id":6,"Title":"six"}"#), mode: .sweep)
        try sweep.finish(mode: .sweep, deltaLink: nil)
        #expect(try rows() == ["1 t1", "2 t2", "4 new", "6 six"])
        #expect(sweep.counts.written == 2)
        #expect(sweep.counts.removed == 2)
    }

    @Test func aDecimalBeyondItsFacetsWidensTheColumnAndRoundsNothing() throws {
        let rows = page(#"{"Id":1,"Price":12.5},{"Id":2,"Price":null},{"Id":3,"Price":-0.07}"#)
        _ = try makeIngest().take(rows, mode: .first)
        let error = #expect(throws: ODataError.self) {
            _ = try makeIngest().take(page(#"{"Id":4,"Price":1.2345}"#), mode: .first)
        }
        #expect(error?.code == .valueBeyondColumn)
        #expect(error?.location == .path("Tools/Price"))
        try store.widenColumn("Tools/Price")
        _ = try makeIngest().take(
            page(#"{"Id":4,"Price":1.2345},{"Id":3,"Price":-0.08}"#), mode: .first)
        try makeIngest().finish(mode: .first, deltaLink: nil)
        let stored = try store.read { database in
            try String.fetchAll(
                database, sql: "SELECT coalesce(Price, '-') FROM Tools ORDER BY \"Price#order\"")
        }
        #expect(stored == ["-", "-0.08", "1.2345", "12.50"])
        let again = try LocalStore(path: tools.file, world: LiveWorld())
        #expect(
            try again.mapping().table(path: "Tools")?.column(path: "Price")?.encoding
                == .orderedDecimal)
        try again.close()
        #expect(
            failure { try store.widenColumn("Tools/Price") }
                == Failure(.storage, at: .path("Tools/Price")))
        #expect(
            failure { try store.widenColumn("Tools/Title") }
                == Failure(.storage, at: .path("Tools/Title")))
    }
}
