import APIErrorFixture
import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// What a service over the provider passes on, and what listeners and files are told exactly.
@Suite struct WrapperTests {
    @Test("CSP-004 every call of a synchronisation is reachable through the service")
    func theServicePassesEveryCallOn() async throws {
        try await ServiceWorkplace.run { place in
            let (sync, service) = (place.sync, OfflineDataService(provider: place.sync))
            sync.currentUser = "zoe"
            try service.open()
            #expect(try !service.hasInitialData() && service.lastDownloadTime() == nil)
            try service.createDownloadQuery(
                name: "three", query: place.query("WorkOrders?$filter=Id le 3"))
            #expect(try service.downloadQueries().map(\.name) == ["three"])
            #expect(try service.downloadQuery(name: "three")?.streams == false)
            service.downloadInGroup("places", place.set("Sites"))
            try service.download(groups: ["places"])
            #expect(place.setsRead() == ["Sites"])
            try service.deleteDownloadQuery(name: "three")
            #expect(try service.downloadQueries().length == 0)
            try service.download()
            #expect(try service.hasInitialData() && service.lastDownloadTime() != nil)
            try place.retitle(1, "one")
            try place.retitle(2, "two")
            #expect(try service.hasQueuedRequests() && !service.hasFailedRequests())
            let queued = try service.queuedRequests()
            #expect(queued.length == 2)
            try service.cancelPendingRequests(PendingRequestList.fromArray([queued.first()]))
            #expect(try sync.queued().length == 1)
            place.cutNetwork()
            #expect(throws: DataNetworkError.self) { try service.upload() }
            #expect(try service.hasPendingUpload() && service.lastUploadTime() == nil)
            #expect(throws: DataNetworkError.self) { try service.download() }
            #expect(try service.hasPendingDownload())
            place.restoreNetwork()
            try service.upload()
            #expect(try service.failedRequests().length == 0)
            #expect(try place.servedTitle(2) == "two" && place.servedTitle(1) != "one")
            #expect(try !service.hasPendingUpload() && service.lastUploadTime() != nil)
            #expect(
                try service.eventHistory().map(\.type)
                    == sync.eventHistory(matching: nil).map(\.type))
            place.observer.setFaults { request, _ in
                request.url.hasSuffix("$database") ? .answer(ResponseMessage(status: 204)) : nil
            }
            try service.uploadDatabaseFile()
            #expect(place.requests("POST $database").count == 1)
            try service.close()
            sync.currentUser = "ben"
            try service.open()
            #expect(try service.previousUser() == "zoe")
            try service.clear()
            #expect(!FileManager.default.fileExists(atPath: place.storePath))
        }
    }

    @Test("CSP-136, CSP-149 the service stops what runs", arguments: [true, false])
    func theServiceStopsWhatRuns(isDownload: Bool) async throws {
        try await ServiceWorkplace.run { place in
            let service = OfflineDataService(provider: place.sync)
            try place.prepare()
            try place.retitle(1, "unsent")
            // A download is one batch, and the one change goes by itself.
            let held = HeldRequest(at: place.observer) { method, _ in method != "GET" }
            defer { held.release() }
            let run = StartedCall {
                if isDownload { try service.download() } else { try service.upload() }
            }
            #expect(held.hasCome())
            if isDownload { try service.cancelDownload() } else { try service.cancelUpload() }
            #expect((run.failure() as? ErrorBase)?.code == .cancelled)
            #expect(try isDownload ? service.hasPendingDownload() : service.hasPendingUpload())
            #expect(try service.queuedRequests().length == 1)
        }
    }

    @Test("CSP-005 the proxy set-up seals the store, and its groups hold the four sets")
    func theProxySetUpSealsItsStore() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            let service = OfflineDataService(provider: sync)
            sync.encryptionKey = "my-db-key"
            try service.loadMetadata()
            let sets = ["WorkOrders", "TimeEntries", "Sites", "Customers"].map(place.set)
            sync.createIndex(sets[0], sets[0].entityType.property(withName: "Status"))
            service.downloadInGroup("OrderGroup", sets[0], sets[1])
            service.downloadInGroup("PlaceGroup", sets[2], sets[3])
            try service.open()
            try service.download(groups: ["OrderGroup", "PlaceGroup"])
            #expect(
                place.setsRead().sorted() == ["Customers", "Sites", "TimeEntries", "WorkOrders"])
            let title = try #require(try place.serviceText("SELECT Title FROM WorkOrders LIMIT 1"))
            try service.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: place.storePath))
            for text in ["SQLite format 3", "WorkOrders", title] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) is in clear")
            }
            sync.encryptionKey = "another"
            #expect(throws: DataStorageError.self) { try service.open() }
            sync.encryptionKey = "my-db-key"
            try service.open()
            #expect(try place.entities("WorkOrders").count == 25)
        }
    }

    /// The notices of one download.
    private static func notices(_ place: ServiceWorkplace) throws -> [SyncProgress] {
        let seen = Recorder<SyncProgress>()
        try place.sync.download(
            groups: [], options: SyncOptions().listen(ProgressListener { seen.add($0) }))
        return seen.all
    }

    @Test("CSP-140 an estimate is what the loaded file says of what is downloaded")
    func estimatesComeFromTheFile() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.autoSaveEstimates = false
            try place.sync.open()
            let file = place.folder.appendingPathComponent("known.json")
            let text =
                #"{"format":"1","download":{"set:WorkOrders":20000,"set:Sites":4,"set:Gone":99}}"#
            try text.write(to: file, atomically: true, encoding: .utf8)
            try place.sync.loadTimeEstimates(file: file.path, mustExist: true)
            let totals = try Self.notices(place).map(\.estimatedTotal)
            #expect(!totals.isEmpty && totals.allSatisfy { $0 == .seconds(20004) })
            // Saved, they hold what was measured, half and half with what was known.
            try place.sync.saveTimeEstimates(file: file.path)
            let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            let sources = (saved as? [String: Any])?["download"] as? [String: Double]
            let measured = try #require(sources?["set:WorkOrders"])
            #expect(measured >= 10_000 && measured < 20_000)
            #expect(sources?["set:Gone"] == 99 && sources?["set:Customers"] != nil)
        }
    }

    @Test("CSP-142 estimates are saved after each download")
    func estimatesAreSavedEachTime() async throws {
        try await ServiceWorkplace.run { place in
            let file = place.folder.appendingPathComponent("TimeEstimates/FieldService.json")
            try place.prepare()
            for _ in 0..<2 {
                try FileManager.default.removeItem(at: file)
                try place.sync.download()
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("\"set:WorkOrders\":"))
            }
        }
    }

    @Test("CSP-150 the progress of an upload rises with each answer")
    func theProgressOfAnUploadRises() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.batchEntityUploads = false
            place.sync.uploadWorkerThreads = 1
            try place.prepare()
            for id in 1...4 { try place.retitle(id, "sent") }
            let seen = Recorder<SyncProgress>()
            try place.sync.upload(
                groups: [], options: SyncOptions().listen(ProgressListener { seen.add($0) }))
            let fractions = seen.all.map(\.fractionCompleted)
            #expect(fractions == fractions.sorted())
            #expect(Set(fractions).isSuperset(of: [0.25, 0.5, 0.75, 1]), "\(fractions)")
            #expect(seen.all.map(\.requestNumber).max() == 4)
            #expect(seen.all.allSatisfy { $0.operation == .upload && $0.requestCount == 4 })
            #expect(fractions.filter { $0 == 1 }.count == 1)
        }
    }
}
