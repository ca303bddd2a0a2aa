import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataWire
import SAPOfflineOData
import Testing

/// The service's model changes while changes wait: what no longer fits is an error entry, and all else goes on (decision 8
/// of docs/design.md).
@Suite struct ChangedServiceTests {
    /// The service answers with other metadata from now on.
    private static func serve(
        _ desk: ShopDesk, _ change: @escaping @Sendable (String) -> String
    ) {
        desk.school.service.observer.setFaults {
            [graph = desk.school.service.graph] request, _ in
            guard request.url.hasSuffix("$metadata") else { return nil }
            return .answer(
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/xml"],
                    body: Array(change(CSDLWriter.xml(graph)).utf8)))
        }
        (desk.provider.syncProvider as? CloudSyncProvider)?.autoRefreshInterval =
            DayTimeDuration.of(seconds: 0)
    }

    private static func download(_ desk: ShopDesk) -> OfflineODataError? {
        SchoolService.wait { desk.provider.download(completionHandler: $0) }
    }

    /// Without an element that has neither content nor an end tag.
    @Sendable private static func without(_ element: String, _ text: String) -> String {
        guard let start = text.firstRange(of: element),
            let end = text[start.upperBound...].firstRange(of: "/>")
        else { return text }
        return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    }

    @Test func aPropertyThatIsGoneHoldsUpNoOther() async throws {
        try await ShopDesk.run { desk in
            try desk.set(desk.find("Customers", 50), "OLD", property: "Status")
            try desk.set(desk.find("CPUs", 101), "faster")
            Self.serve(desk) { Self.without("<Property Name=\"Status\"", $0) }
            #expect(Self.download(desk) == nil)
            let archive = desk.service.entitySet(withName: "ErrorArchive")
            let entries = try desk.service.executeQuery(DataQuery().from(archive)).entityList()
            #expect(entries.length == 1)
            for (name, part) in [
                ("RequestBody", "OLD"), ("RequestMethod", "PATCH"),
                ("RequestURL", "Customers(50)"), ("Message", "Status"),
            ] {
                let text = try BuiltInSets.texts(name, in: "ErrorArchive", desk.service)
                #expect(text.first??.contains(part) == true, "\(name): \(text)")
            }
            try desk.upload()
            #expect(try desk.served("CPUs") == [["101", "faster"]])
            #expect(try desk.queueLength() == 1)
            try desk.provider.undoPendingChanges(for: desk.find("Customers", 50))
            #expect(try desk.provider.requestQueueIsEmpty())
            #expect(Self.download(desk) == nil)
        }
    }

    @Test(arguments: [false, true])
    func aSetThatIsGoneHoldsUpNoOther(isOrdered: Bool) async throws {
        try await ShopDesk.run {
            $0.refreshInOrderOfAddition = isOrdered
        } _: { desk in
            try desk.set(desk.find("CPUs", 101), "slower")
            try desk.create("Products", 7, "new")
            Self.serve(desk) { text in
                [
                    "<EntitySet Name=\"CPUs\".*?</EntitySet>",
                    "<NavigationPropertyBinding [^>]*Target=\"CPUs\"/>",
                ].reduce(text) {
                    $0.replacingOccurrences(of: "(?s)" + $1, with: "", options: .regularExpression)
                }
            }
            try desk.school.change("INSERT INTO Customers VALUES (51, 'More', 'NEW')")
            #expect(Self.download(desk) == nil)
            #expect(try desk.school.storeRows("SELECT count(*) FROM Customers") == [["2"]])
            try desk.upload()
            #expect(try desk.served("Products") == [["7", "new"]])
            #expect(
                try BuiltInSets.texts("RequestURL", in: "ErrorArchive", desk.service) == ["CPUs"])
            #expect(
                try BuiltInSets.texts("RequestBody", in: "ErrorArchive", desk.service).first??
                    .contains("slower") == true)
            let failed = try desk.provider.syncProvider.failedRequests(
                matching: nil, headers: nil, options: nil)
            #expect(failed.length == 1)
            for request in failed.toArray() { try request.cancel() }
            #expect(try desk.provider.requestQueueIsEmpty())
            #expect(Self.download(desk) == nil)
        }
    }

    @Test func aSetOfAnotherTypeIsRebuiltAlone() async throws {
        try await ShopDesk.run { desk in
            try desk.school.change("UPDATE Customers SET Status = NULL")
            #expect(Self.download(desk) == nil)
            try desk.set(desk.find("Customers", 50), "renamed")
            Self.serve(desk) {
                $0.replacing(
                    "<Property Name=\"Status\" Type=\"Edm.String\"",
                    with: "<Property Name=\"Status\" Type=\"Edm.Int32\"")
            }
            try desk.school.change("INSERT INTO Products VALUES (8, 'more')")
            let products = try #require(
                try desk.provider.definingQueries.first { $0.name == "Products" })
            #expect(
                SchoolService.wait {
                    desk.provider.download(withSubset: [products], completionHandler: $0)
                } == nil)
            #expect(try desk.school.storeRows("SELECT ID FROM Products") == [["8"]])
            #expect(
                try desk.school.storeRows("SELECT Name, Status FROM Customers")
                    == [["renamed", nil]])
            let events = try desk.provider.syncProvider.eventHistory(matching: nil).toArray()
            #expect(
                events.filter { $0.type == "incompatibleMetadataChange" }.map(\.details)
                    == ["Customers/Status"])
            try desk.upload()
            #expect(try desk.served("Customers") == [["50", "renamed"]])
        }
    }
}
