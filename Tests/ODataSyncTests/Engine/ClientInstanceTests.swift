import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// The identity of a registered client on everything that the service is asked.
@Suite struct ClientInstanceTests {
    private static func expectNamed(_ desk: PictureDesk, _ what: [String]) {
        let seen = desk.place.observer.requests
        let lines = seen.map { "\($0.method) \(desk.place.resource($0))" }
        for start in what {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start) in \(lines)")
        }
        for request in seen where request.headers["Client-Instance-ID"] != "instance-7" {
            Issue.record("\(request.method) \(request.url) in a batch: \(request.isInBatch)")
        }
        desk.place.observer.forget()
    }

    @Test(
        "REG-007 REG-016 metadata, reads, deltas, streams, changes, batches and their parts carry it",
        arguments: [false, true])
    func everyRequestCarriesIt(isBatched: Bool) async throws {
        try await PictureDesk.run(
            downloads: false,
            adjust: { sync in
                sync.onlineProvider.serviceOptions.clientInstanceID = "instance-7"
                sync.autoRegisterClient = false
                (sync.batchEntityDownloads, sync.batchEntityUploads) = (isBatched, isBatched)
                (sync.batchStreamDownloads, sync.batchStreamUploads) = (isBatched, isBatched)
                sync.autoRefreshInterval = DayTimeDuration.of(seconds: 0)
            }
        ) { desk in
            try desk.sync.createDownloadQuery(
                name: "contents", query: DataQuery().from(desk.pictures), streams: true)
            try desk.sync.download()
            let read = isBatched ? ["POST $batch", "GET Sites"] : ["GET Sites"]
            // The set, and the content of a row of it.
            Self.expectNamed(
                desk, ["GET $metadata"] + read + ["GET Pictures", "GET Pictures(1)/"])
            try desk.place.retitle(1, "one")
            try desk.place.retitle(2, "two")
            try desk.put(1, PictureDesk.bytes(20))
            try desk.sync.upload()
            let changes = ["PATCH WorkOrders(1)", "PATCH WorkOrders(2)", "PUT Pictures(1)"]
            Self.expectNamed(desk, (isBatched ? ["POST $batch"] : []) + changes)
            try desk.place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 3")
            try desk.sync.download()
            #expect(try desk.place.storedTitle(3) == "theirs")
            #expect(
                desk.place.requests("GET WorkOrders").contains { $0.contains("$deltatoken") })
            Self.expectNamed(
                desk, ["GET $metadata", "GET WorkOrders"] + (isBatched ? ["POST $batch"] : []))
        }
    }
}
