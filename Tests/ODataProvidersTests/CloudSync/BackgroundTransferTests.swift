import APIErrorFixture
import Foundation
import GRDB
import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataText
import ODataTransport
import ODataWorld
import SAPOData
import Testing
import WorkplaceFixture

/// Downloads and uploads that the system carries, shown with a stand-in for the platform's transfers that keeps them in files and
/// outlives the provider.
@Suite struct BackgroundTransferTests {
    /// A workplace and a system with transfers beside it, whose first process is the provider's.
    static func run(
        _ body:
            @escaping @Sendable (
                ServiceWorkplace, StoredTransfers, StoredTransfers.Process
            ) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run(adjust: { $0.workerThreads = 16 }) { place in
            let system = try StoredTransfers(
                folder: place.folder.appendingPathComponent("transfers"),
                over: StandardTransport.shared)
            let process = system.process()
            place.sync.backgroundTransfer = process
            try body(place, system, process)
        }
    }

    @Test("CSP-065 contents come through the system's transfers, and are taken up, too")
    func contentsAreCarried() async throws {
        let sql = """
            CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Title TEXT, Content MEDIA);
            INSERT INTO Pictures (Id, Title, Content) VALUES (1, 'Lake', x'01020304');
            """
        try await ServiceWorkplace.run(scale: 20, sql: sql) { place in
            let system = try StoredTransfers(
                folder: place.folder.appendingPathComponent("transfers"),
                over: StandardTransport.shared)
            let process = system.process()
            place.sync.backgroundTransfer = process
            place.sync.downloadInBackground = true
            try place.sync.open()
            place.sync.downloadInGroup("pictures", place.set("Pictures"))
            let held = HeldRequest(at: place.observer) { $1.hasSuffix("$value") }
            defer { held.release() }
            let sync = place.sync
            let download = StartedCall { try sync.download(["pictures"]) }
            #expect(held.hasCome())
            process.die()
            #expect(download.failure() != nil)
            held.release()
            #expect(system.awaitAnswers(1))
            let count = system.begun.count
            try Self.restart(place, system)
            place.sync.downloadInGroup("pictures", place.set("Pictures"))
            try place.sync.download(["pictures"])
            let contents = system.begun.filter { $0.url.hasSuffix("$value") }
            #expect(contents.count == 1 && system.begun.count > count)
            #expect(try place.storeText("SELECT count(*) FROM _odata_stream") == "1")
            #expect(system.names.isEmpty)
        }
    }

    /// As after a new start of the app, which finds what the system has.
    static func restart(
        _ place: ServiceWorkplace, _ system: StoredTransfers,
        _ configure: (CloudSyncProvider) -> Void = { _ in }
    ) throws {
        try place.reopen { sync in
            sync.backgroundTransfer = system.process()
            sync.downloadInBackground = true
            sync.uploadInBackground = true
            configure(sync)
        }
    }

    static func seen(_ place: ServiceWorkplace) -> [String] {
        place.observer.requests.filter { !$0.isInBatch }.map {
            "\($0.method) \(place.resource($0))"
        }
    }

    @Test(
        "CSP-065 the reads of a download go through the system's transfers",
        arguments: [true, false])
    func downloadsAreCarried(isBatch: Bool) async throws {
        try await Self.run { place, system, _ in
            place.sync.batchEntityDownloads = isBatch
            place.sync.downloadInBackground = true
            try place.sync.open()
            #expect(system.begun.isEmpty)
            place.observer.forget()
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(system.begun.count == (isBatch ? 1 : 6))
            // Everything that the service saw came from the system.
            #expect(Self.seen(place).count == system.begun.count)
            #expect(system.names.isEmpty)
            // Off is off, with the same transfers at hand.
            place.sync.downloadInBackground = false
            try place.sync.download()
            #expect(system.begun.count == (isBatch ? 1 : 6))
            #expect(Self.seen(place).count > system.begun.count)
        }
    }

    @Test("CSP-065 a process that died during a download goes on from the stored answer")
    func aDownloadOutlivesItsProcess() async throws {
        try await Self.run { place, system, process in
            place.sync.downloadInBackground = true
            try place.sync.open()
            place.observer.forget()
            system.hold()
            let sync = place.sync
            let download = StartedCall { try sync.download() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(download.failure() is DataNetworkError)
            #expect(try place.storeCount("WorkOrders") == 0)
            // The system goes on while nobody lives.
            system.release()
            #expect(system.awaitAnswers(1))
            #expect(Self.seen(place) == ["POST $batch"])
            place.cutNetwork()
            try Self.restart(place, system) { $0.autoInitialDownload = true }
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(try place.sync.hasInitialData())
            #expect(Self.seen(place) == ["POST $batch"])
            #expect(system.begun.count == 1)
            #expect(system.names.isEmpty)
        }
    }

    @Test("CSP-065 what is on its way still is waited for, and not asked for again")
    func aDownloadUnderWayIsTakenUp() async throws {
        try await Self.run { place, system, process in
            place.sync.downloadInBackground = true
            try place.sync.open()
            place.observer.forget()
            system.hold()
            let first = place.sync
            let download = StartedCall { try first.download() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(download.failure() != nil)
            try Self.restart(place, system)
            let second = place.sync
            let next = StartedCall { try second.download() }
            #expect(system.awaitListener())
            system.release()
            #expect(next.failure() == nil)
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(system.begun.count == 1)
        }
    }

    @Test("CSP-065 an answer from before an accepted change is not taken for one from after it")
    func olderAnswersAreNotTaken() async throws {
        try await Self.run { place, system, process in
            try place.prepare()
            place.sync.downloadInBackground = true
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 2")
            system.hold()
            let sync = place.sync
            let download = StartedCall { try sync.download() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(download.failure() != nil)
            system.release()
            #expect(system.awaitAnswers(1))
            try Self.restart(place, system) { $0.uploadInBackground = false }
            try place.retitle(1, "mine")
            try place.sync.upload()
            let count = system.begun.count
            try place.sync.download()
            #expect(system.begun.count > count)
            #expect(try place.storedTitle(1) == "mine")
            #expect(try place.storedTitle(2) == "theirs")
            #expect(system.names.isEmpty)
        }
    }

    @Test(
        "CSP-066 the requests of an upload go through the system's transfers",
        arguments: [true, false])
    func uploadsAreCarried(isBatch: Bool) async throws {
        try await Self.run { place, system, _ in
            try place.prepare()
            place.sync.batchEntityUploads = isBatch
            place.sync.uploadInBackground = true
            try place.retitle(1, "sent")
            try place.retitle(2, "sent")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "sent")
            #expect(system.begun.map(\.method) == (isBatch ? ["POST"] : ["PATCH", "PATCH"]))
            #expect(try place.sync.queued().isEmpty)
            #expect(system.names.isEmpty)
            place.sync.uploadInBackground = false
            try place.retitle(1, "again")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "again")
            #expect(system.begun.count == (isBatch ? 1 : 2))
        }
    }

    @Test(
        "CSP-066 the answer to an upload of a process that died counts, and nothing is sent twice",
        arguments: [true, false])
    func anUploadOutlivesItsProcess(isUnderWay: Bool) async throws {
        try await BackgroundSafetyTests.runAfterDeath { place, system in
            #expect(try place.sync.queued().length == 1)
            if !isUnderWay {
                system.release()
                #expect(system.awaitAnswers(1))
            }
            try Self.restart(place, system)
            let second = place.sync
            let next = StartedCall { try second.upload() }
            if isUnderWay { #expect(system.awaitListener()) }
            system.release()
            #expect(next.failure() == nil)
            // One request in all: no look, and no other sending.
            try BackgroundSafetyTests.expectSentOnce(place, system)
        }
    }

    @Test func acceptedIsWhatTheServiceSaysOfAnUploadThatDied() async throws {
        try await Self.run { place, system, process in
            try place.prepare()
            place.sync.uploadInBackground = true
            try place.retitle(1, "refused")
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            system.hold()
            let sync = place.sync
            let upload = StartedCall { try sync.upload() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(upload.failure() != nil)
            system.release()
            #expect(system.awaitAnswers(1))
            try Self.restart(place, system) { $0.throwUploadFailures = false }
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try place.sync.failed().toArray().map(\.httpStatus) == [412])
            #expect(system.begun.count == 1)
        }
    }

    @Test func whatTheAppsHandlerSendsNobodyElseCarries() async throws {
        try await Self.run { place, system, _ in
            place.sync.downloadInBackground = true
            let handler = PassingHandler()
            place.sync.onlineProvider.networkOptions.httpHandler = handler
            try place.sync.open()
            try place.sync.download()
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(handler.count.all.count > 1)
            #expect(system.begun.isEmpty)
        }
    }

    @Test("CSP-064 waiting for transfers in the background counts by the world's clock")
    func waitingCountsByTheClock() async throws {
        let (waited, isCarried) = try await onOwnThread { () -> (Duration, Bool) in
            let world = SimulatedWorld(seed: 1)
            let folder = try TestFolder.makeFast("odata-background-")
            defer { try? FileManager.default.removeItem(at: folder) }
            let transport = SlowShelves(world: world)
            let online = OnlineODataProvider(
                serviceName: "Shelf", serviceRoot: "http://h/s", transport: transport,
                world: world, folder: PrivateFolder(path: folder.path))
            let sync = CloudSyncProvider(
                onlineProvider: online,
                offlineStore: SQLDatabaseProvider(
                    serviceName: "Shelf", databaseURL: "sqlite:" + folder.path + "/store.db",
                    world: world))
            sync.batchEntityDownloads = false
            let system = try StoredTransfers(
                folder: folder.appendingPathComponent("transfers"), over: transport, world: world)
            sync.backgroundTransfer = system.process()
            sync.downloadInBackground = true
            try sync.open()
            let download = world.startWorker("download") { try? sync.download() }
            world.sleep(.seconds(3), token: nil)
            let isCarried = !system.begun.isEmpty
            let start = world.uptime()
            let end = Recorder<Duration>()
            sync.waitForCompletion(sessionIdentifier: "s") { end.add(world.uptime()) }
            download.join()
            try sync.close()
            return (try #require(end.all.first) - start, isCarried)
        }
        #expect(isCarried)
        #expect(waited == .seconds(20))
    }
}

/// Reads of data take 100 seconds.
private struct SlowShelves: HTTPTransport {
    let world: SimulatedWorld

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        let path = request.url.prefix { $0 != "?" }
        if path.hasSuffix("$metadata") {
            return BufferedAnswer(
                ResponseMessage(
                    status: 200, headers: ["Content-Type": "application/xml"],
                    body: Array(ShelfDesk.model.utf8)))
        }
        world.sleep(.seconds(100), token: options.cancellation)
        let set = path.split(separator: "/").last ?? ""
        return BufferedAnswer(
            .json(#"{"@odata.context":"$metadata#\#(set)","value":[]}"#, ["OData-Version": "4.0"]))
    }
}

/// Sends over the library, as the app's own handler.
private final class PassingHandler: HTTPHandler, @unchecked Sendable {
    let count = Recorder<String>()

    override func send(_ request: HTTPHandler.Request) throws -> HTTPHandler.Response {
        count.add(request.url)
        var message = RequestMessage(method: request.method, url: request.url)
        message.headers = request.headers.fields
        if let content = request.content { message.body = try Array(content.readAndClose()) }
        let answer = try StandardTransport.shared.send(message, options: TransportOptions())
            .readAll()
        return HTTPHandler.Response(
            status: answer.status, headers: HTTPHeaders(answer.headers),
            content: ByteStream.fromBytes(answer.body))
    }
}
