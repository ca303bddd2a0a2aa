import ODataClasses
import ODataQuery
import ODataSync
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// An update whose answer was lost, at a service that recognises repetitions and has no entity tags.
@Suite struct RepeatedUpdateTests {
    /// One customer, with the links to what changes that the service has given so far.
    private final class Shelf: Sendable {
        struct State: Sendable {
            var name = "old"
            var identities: Set<String> = []
            var changes = 0
            var losesAnswer = true
        }

        let state = Mutex(State())

        func answer(_ asked: StubDesk.Asked, _ identity: String?) -> StubDesk.Said {
            state.withLock { state in
                let row = "{\"ID\":1,\"Name\":\"\(state.name)\"}"
                let link = ",\"@odata.deltaLink\":\"Customers?d=\(state.changes)\""
                switch (asked.method, asked.resource) {
                case ("PATCH", "Customers(1)"):
                    let isNew = identity.map { state.identities.insert($0).inserted } ?? true
                    if isNew { (state.name, state.changes) = ("new", state.changes + 1) }
                    guard !state.losesAnswer else { return .lost }
                    return .json(#"{"ID":1,"Name":"new"}"#)
                case ("GET", "Customers(1)"):
                    return .json(
                        "{\"@odata.context\":\"$metadata#Customers/$entity\"," + row.dropFirst())
                case ("GET", "Customers"): return .page(row, link)
                case ("GET", let url) where url.hasPrefix("Customers?d="):
                    return .page(url.hasSuffix("=\(state.changes)") ? "" : row, link)
                case ("GET", let url) where url.hasPrefix("Orders?"):
                    let isCurrent = url.hasSuffix("&d=\(state.changes)")
                    return .page(
                        isCurrent ? "" : "{\"ID\":7,\"CustomerID\":1,\"Customer\":\(row)}",
                        ",\"@odata.deltaLink\":\"Orders?$expand=Customer&d=\(state.changes)\"")
                case (_, "Head"): return .json(#"{"ID":1,"Title":"head"}"#)
                default: return .page("")
                }
            }
        }
    }

    @Test("what others did behind an update whose answer was lost is here after the next download")
    func whatOthersDidBehindItIsSeen() async throws {
        let shelf = Shelf()
        try await StubDesk.run(StubDesk.schema) { asked in
            shelf.answer(asked, asked.repetition.isEmpty ? nil : asked.repetition)
        } _: { (desk: StubDesk) throws in
            try Self.update(desk, shelf)
        }
    }

    @Test("the same of a row that an expansion alone brings")
    func whatOthersDidIsSeenThroughAnExpansion() async throws {
        let shelf = Shelf()
        try await StubDesk.run(StubDesk.relatedSchema) { asked in
            shelf.answer(asked, asked.repetition.isEmpty ? nil : asked.repetition)
        } _: { (desk: StubDesk) throws in
            let orders = desk.sync.metadata.entitySet(withName: "Orders")
            for set in [orders, desk.sync.metadata.entitySet(withName: "Customers")] {
                desk.sync.noDefaultEntityDownload(set)
            }
            try desk.sync.createDownloadQuery(
                name: "all",
                query: DataQuery().from(orders).expand(
                    orders.entityType.property(withName: "Customer")), streams: false)
            try Self.update(desk, shelf)
            #expect(desk.asked.allSatisfy { !$0.resource.hasPrefix("Customers?") })
        }
    }

    /// An update whose answer is lost, a change by others behind it, and its repetition.
    private static func update(_ desk: StubDesk, _ shelf: Shelf) throws {
        desk.sync.batchEntityUploads = false
        desk.sync.sendRepeatableRequests = true
        try desk.sync.download()
        try desk.rename(1)
        #expect(throws: (any Error).self) { try desk.sync.upload() }
        shelf.state.withLock {
            ($0.name, $0.changes, $0.losesAnswer) = ("others", $0.changes + 1, false)
        }
        try desk.sync.download()
        try desk.sync.upload()
        #expect(try desk.rows("SELECT count(*) FROM _odata_request") == ["0"])
        try desk.sync.download()
        #expect(shelf.state.withLock { $0.name } == "others")
        #expect(try desk.rows("SELECT Name FROM Customers") == ["others"])
    }
}
