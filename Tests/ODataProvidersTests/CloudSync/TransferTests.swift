import APIErrorFixture
import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// Copies of the store on their way, and characters as content.
@Suite struct TransferTests {
    @Test("CSP-175 a copy tells the bytes that have gone, up to its length")
    func aCopyTellsHowFarItIs() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let length = Mutex(0)
            place.observer.setFaults { request, _ in
                guard request.url.hasSuffix("$database") else { return nil }
                length.withLock { $0 = request.body.count }
                return .answer(ResponseMessage(status: 204))
            }
            let seen = Recorder<SyncProgress>()
            try place.sync.uploadDatabaseFile(
                encryptionKey: nil, note: "n",
                options: SyncOptions().listen(ProgressListener { seen.add($0) }))
            let sent = seen.all.map(\.bytesSent)
            #expect(seen.all.allSatisfy { $0.operation == .sendStore })
            #expect(sent.count > 2 && sent == sent.sorted())
            #expect((sent.first ?? 0) < (sent.last ?? 0))
            #expect(sent.last == Int64(length.withLock { $0 }))
            #expect(seen.all.last?.fractionCompleted == 1)
            #expect(seen.all.dropLast().allSatisfy { $0.fractionCompleted < 1 })
        }
    }

    @Test("CSP-175 a cancelled copy stops, and the store is as it was")
    func aCancelledCopyStops() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.retitle(1, "unsent")
            let before = try place.storeRows("SELECT count(*) FROM _odata_request")
            let held = HeldRequest(at: place.observer) { $1.hasSuffix("$database") }
            defer { held.release() }
            let (sync, token) = (place.sync, CancelToken())
            let sending = StartedCall {
                try sync.uploadDatabaseFile(
                    encryptionKey: nil, note: nil, options: SyncOptions().cancelable(token))
            }
            #expect(held.hasCome())
            token.cancel()
            #expect((sending.failure() as? ErrorBase)?.code == .cancelled)
            held.release()
            #expect(try place.storeRows("SELECT count(*) FROM _odata_request") == before)
            #expect(try place.storedTitle(1) == "unsent")
            #expect(try place.storeText("PRAGMA integrity_check") == "ok")
            #expect(try sync.queued().length == 1)
        }
    }

    private static let pictures =
        "CREATE TABLE Pictures (Id INTEGER PRIMARY KEY, Title TEXT, Content MEDIA);"

    @Test(
        "CSP-177 characters are the content of a media entity, byte for byte",
        arguments: [true, false])
    func charactersAreContent(isEmpty: Bool) async throws {
        let text = isEmpty ? "" : "Gr\u{fc}\u{df}e \u{1f30a}\r\n\u{0}end"
        try await ServiceWorkplace.run(sql: Self.pictures) { place in
            try place.prepare()
            let set = place.set("Pictures")
            let picture = EntityValue.ofType(set.entityType).inSet(set)
            picture.put("Title", "T")
            place.cutNetwork()
            let service = DataService(provider: place.sync)
            try service.createMedia(entity: picture, content: CharStream.fromString(text))
            let local = try service.downloadMedia(entity: picture).readAndClose()
            #expect(local == Data(text.utf8))
            place.restoreNetwork()
            try place.sync.upload()
            #expect(try place.sync.queued().isEmpty)
            let stored = try place.serviceRows("SELECT * FROM Pictures")
            #expect(stored.count == 1)
            // Read by another provider, which has nothing of its own.
            let online = place.sync.onlineProvider
            let query = DataQuery().from(online.metadata.entitySet(withName: "Pictures"))
            let there = try online.executeQuery(query, headers: .empty, options: .none)
                .entityList().first()
            let content = try online.downloadMedia(
                entity: there, headers: .empty, options: .none
            ).readAndClose()
            #expect(content == Data(text.utf8))
            let posted = place.observer.requests.first {
                $0.method == "POST" && $0.url.contains("Pictures")
            }
            #expect(posted?.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        }
    }
}
