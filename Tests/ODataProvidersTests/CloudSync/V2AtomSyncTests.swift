import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataTransport
import SAPOData
import Testing

/// Synchronising over a real connection with a V2 service that answers in Atom whatever it is asked for.
@Suite struct V2AtomSyncTests {
    private static let answer: LoopbackService.Answer = { request, _ in
        let url = request.url.removingPercentEncoding ?? request.url
        let (entry, feed) = (OnlineV2AtomTests.entry, OnlineV2AtomTests.feed)
        if url.hasSuffix("$metadata") {
            return .answer(
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/xml"],
                    body: Array(OnlineV2Tests.model.utf8)))
        }
        guard url.contains("/Orders") else { return .atom(feed("")) }
        if url.contains("deltatoken='1'") {
            return .atom(
                feed(
                    entry(8, "changed", "2")
                        + #"<at:deleted-entry ref="http://h/s/Orders(7)" when="2031-05-01T08:30:00Z"/>"#
                        + #"<link rel="delta" href="Orders?!deltatoken='2'"/>"#))
        }
        if url.contains("deltatoken='2'") {
            return .atom(feed(#"<link rel="delta" href="Orders?!deltatoken='2'"/>"#))
        }
        if url.contains("skiptoken") {
            return .atom(
                feed(entry(9, "c", "1") + #"<link rel="delta" href="Orders?!deltatoken='1'"/>"#))
        }
        return .atom(
            feed(
                entry(7, "a &amp; a", "1") + entry(8, "b", "1")
                    + #"<link rel="next" href="Orders?$skiptoken=8"/>"#))
    }

    @Test func pagesChangesAndTombstonesReachTheStore() async throws {
        try await onOwnThread {
            let folder = try TestFolder.makeFast("v2-atom")
            defer { try? FileManager.default.removeItem(at: folder) }
            let service = try LoopbackService(Self.answer)
            let online = OnlineODataProvider(
                serviceName: "Atom", serviceRoot: service.root,
                transport: StandardTransport.shared, folder: PrivateFolder(path: folder.path))
            let file = folder.appendingPathComponent("store.db").path
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Atom", databaseURL: "sqlite:" + file))
            sync.batchEntityDownloads = false
            defer { try? sync.close() }
            func rows() throws -> [String] {
                try DatabaseQueue(path: file).read {
                    try Row.fetchAll($0, sql: "SELECT Id, Name, Total FROM Orders ORDER BY Id").map
                    {
                        "\($0[0] as Int64? ?? 0) \($0[1] as String? ?? "") \($0[2] as Int64? ?? 0)"
                    }
                }
            }
            try sync.open()
            try sync.download()
            #expect(try rows() == ["7 a & a 1250", "8 b 1250", "9 c 1250"])
            try sync.download()
            #expect(try rows() == ["8 changed 1250", "9 c 1250"])
            try sync.download()
            #expect(try rows() == ["8 changed 1250", "9 c 1250"])
            let orders = service.lines.map { $0.removingPercentEncoding ?? $0 }
                .filter { $0.hasPrefix("GET Orders") }
            #expect(orders.suffix(2).allSatisfy { $0.contains("!deltatoken=") })
            #expect(orders.count == 4)
        }
    }
}
