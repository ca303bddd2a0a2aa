import Dispatch
import ODataClasses
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// Two sources of one set: what was asked for first is never stored behind what was asked for later.
@Suite struct OverlappingReadTests {
    /// One order; each answer has the title that it has then.
    private final class Shelf: Sendable {
        struct State: Sendable {
            var title = "first"
            /// What the service answers instead.
            var answers: [String: StubDesk.Said] = [:]
            /// Runs when a resource is asked for, before it is answered.
            var meanwhile: [String: @Sendable () -> Void] = [:]
        }

        let state = Mutex(State())
        var row: String { state.withLock { "{\"ID\":1,\"Title\":\"\($0.title)\"}" } }

        func answer(_ asked: StubDesk.Asked) -> StubDesk.Said {
            state.withLock { $0.meanwhile[asked.resource] }?()
            if let said = state.withLock({ $0.answers[asked.resource] }) { return said }
            switch asked.resource {
            case "Orders", "Orders?d=all":
                return .page(row, #","@odata.deltaLink":"Orders?d=all""#)
            case "Orders?d=low",
                _ where asked.resource.hasPrefix("Orders?$filter"):
                return .page(row, #","@odata.deltaLink":"Orders?d=low""#)
            case "Customers": return .page("")
            default: return .json(#"{"ID":1,"Title":"head"}"#)
            }
        }
    }

    private static func run(
        _ body: @escaping @Sendable (StubDesk, Shelf) throws -> Void
    ) async throws {
        let shelf = Shelf()
        try await StubDesk.run(StubDesk.schema) {
            shelf.answer($0)
        } _: { (desk: StubDesk) throws in
            let set = desk.sync.metadata.entitySet(withName: "Orders")
            let low = DataQuery().from(set)
                .filter(set.entityType.property(withName: "ID").lessThan(10))
            try desk.sync.createDownloadQuery(name: "low", query: low, streams: false)
            try desk.sync.downloadGroup("all").add(set)
            try desk.sync.downloadGroup("low").addQuery(name: "low")
            try desk.sync.download()
            #expect(try desk.rows(title) == ["first"])
            try body(desk, shelf)
        }
    }

    private static let title = "SELECT Title FROM Orders"

    @Test("what brings the same rows is asked for behind what was stored")
    func theSecondIsAskedForBehindTheFirst() async throws {
        try await Self.run { desk, shelf in
            let second = DispatchSemaphore(value: 0)
            shelf.state.withLock {
                $0.title = "older"
                $0.meanwhile["Orders?d=low"] = { second.signal() }
                // Were the other one asked for now, it would have its answer before the row changes again.
                $0.meanwhile["Orders?d=all"] = {
                    _ = second.wait(timeout: .now() + 0.3)
                    shelf.state.withLock { $0.title = "newer" }
                }
            }
            try desk.sync.download()
            #expect(try desk.rows(Self.title) == ["newer"])
        }
    }

    @Test("pages that wait for their last one give way to a later read of the same rows")
    func waitingPagesGiveWay() async throws {
        try await Self.run { desk, shelf in
            shelf.state.withLock {
                $0.answers["Orders?d=low"] = .page(
                    #"{"ID":1,"Title":"older"}"#, #","@odata.nextLink":"Orders?d=low&p=2""#)
                $0.answers["Orders?d=low&p=2"] = .status(503)
            }
            #expect(throws: (any Error).self) { try desk.sync.download(["low"]) }
            #expect(try desk.rows("SELECT staged FROM _odata_resume") == ["1"])
            shelf.state.withLock {
                $0.title = "newer"
                // Without a link there is nothing that would tell what has changed since.
                $0.answers = ["Orders?d=low&p=2": .page("")]
            }
            try desk.sync.download(["all"])
            #expect(try desk.rows(Self.title) == ["newer"])
            #expect(try desk.rows("SELECT count(*) FROM _odata_stage") == ["0"])
            try desk.sync.download(["low"])
            #expect(try desk.rows(Self.title) == ["newer"])
            #expect(desk.asked.last?.resource == "Orders?d=low")
        }
    }

    @Test("pages that another read leaves behind give way within one download, too")
    func waitingPagesGiveWayWithinOneDownload() async throws {
        try await Self.run { desk, shelf in
            shelf.state.withLock {
                $0.answers["Orders?d=low"] = .page(
                    #"{"ID":1,"Title":"older"}"#, #","@odata.nextLink":"Orders?d=low&p=2""#)
                $0.answers["Orders?d=low&p=2"] = .status(503)
            }
            #expect(throws: (any Error).self) { try desk.sync.download(["low"]) }
            shelf.state.withLock {
                $0.title = "newer"
                // Without a link there is nothing that would tell what has changed since.
                $0.answers = ["Orders?d=low&p=2": .page("")]
            }
            try desk.sync.download()
            #expect(try desk.rows(Self.title) == ["newer"])
        }
    }
}
