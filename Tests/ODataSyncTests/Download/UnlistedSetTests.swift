import ODataSync
import ODataTesting
import SAPOData
import Testing

/// What is said of sets that the metadata has and the service does not find.
@Suite struct UnlistedSetTests {
    private static let document = StubDesk.Said.json(
        #"{"@odata.context":"$metadata","value":["#
            + #"{"name":"Orders","kind":"EntitySet","url":"sales/Orders"},"#
            + #"{"name":"Head","kind":"Singleton","url":"Head"}]}"#)

    /// A service that has its singleton, and refuses its sets.
    private static func run(
        _ status: Int, root: StubDesk.Said,
        _ body: @escaping @Sendable (StubDesk) throws -> Void
    ) async throws {
        try await StubDesk.run(StubDesk.schema) { asked in
            switch asked.resource {
            case "": root
            case "Head": .json(#"{"@odata.context":"$metadata#Head","ID":1,"Title":"head"}"#)
            default: .status(status)
            }
        } _: { (desk: StubDesk) throws in
            let error = #expect(throws: DataServiceError.self) { try desk.sync.download() }
            #expect(error?.status == status)
            try body(desk)
        }
    }

    private static func refusals(_ desk: StubDesk) throws -> String {
        try desk.rows("SELECT details FROM _odata_event WHERE type = 'download'").joined()
    }

    private static func documents(_ desk: StubDesk) -> [StubDesk.Asked] {
        desk.asked.filter { $0.resource == "" }
    }

    @Test(arguments: [400, 404, 410]) func theServiceDocumentIsAskedOnceAndExplains(
        status: Int
    ) async throws {
        try await Self.run(status, root: Self.document) { (desk: StubDesk) throws in
            let refusals = try Self.refusals(desk)
            #expect(refusals.contains("Customers: said no (not in the service document)"))
            #expect(
                refusals.contains(
                    "Orders: said no (the service document lists it at sales/Orders)"))
            #expect(Self.documents(desk).map(\.accept) == ["application/json"])
            #expect(try desk.rows("SELECT Title FROM Head") == ["head"])
        }
    }

    @Test(arguments: 0..<3) func whatIsNoServiceDocumentLeavesTheRefusalAsItIs(
        index: Int
    ) async throws {
        let root = [.gateway(200), .status(404), StubDesk.Said.json("{")][index]
        try await Self.run(404, root: root) { (desk: StubDesk) throws in
            let refusals = try Self.refusals(desk)
            #expect(refusals.contains("Customers: said no") && !refusals.contains("document"))
            #expect(Self.documents(desk).count == 1)
        }
    }

    @Test func otherRefusalsAskForNoServiceDocument() async throws {
        try await Self.run(501, root: Self.document) { (desk: StubDesk) throws in
            #expect(try !Self.refusals(desk).contains("document"))
            #expect(Self.documents(desk).isEmpty)
        }
    }
}
