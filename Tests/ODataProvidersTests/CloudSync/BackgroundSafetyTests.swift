import Foundation
import GRDB
import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataTesting
import ODataTransport
import ODataWorld
import SAPOData
import Testing
import WorkplaceFixture

/// What the system carries is neither lost nor sent twice, whatever becomes of the process, of the switches and of the file.
@Suite struct BackgroundSafetyTests {
    private static let created = "SELECT count(*) FROM WorkOrders WHERE Number = 'W-NEW'"
    private static let sendings = "SELECT send_count FROM _odata_attempt"

    /// A process that has created a work order and died while the system had the request.
    static func runAfterDeath(
        _ body: @escaping @Sendable (ServiceWorkplace, StoredTransfers) throws -> Void
    ) async throws {
        try await BackgroundTransferTests.run { place, system, process in
            try place.prepare()
            place.sync.uploadInBackground = true
            try place.sync.create(place.newOrder("W-NEW"))
            system.hold()
            let first = place.sync
            let upload = StartedCall { try first.upload() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(upload.failure() is DataNetworkError)
            try body(place, system)
        }
    }

    /// It was accepted, once, and nobody asked for anything else.
    static func expectSentOnce(
        _ place: ServiceWorkplace, _ system: StoredTransfers
    ) throws {
        #expect(try place.serviceText(created) == "1")
        #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
        #expect(BackgroundTransferTests.seen(place).count == 1)
        #expect(system.begun.count == 1)
        #expect(system.names.isEmpty)
    }

    @Test("CSP-066 a sending is taken up though the switch is off by now")
    func aSwitchThatIsOffByNowSendsNothingTwice() async throws {
        try await Self.runAfterDeath { place, system in
            try BackgroundTransferTests.restart(place, system) { $0.uploadInBackground = false }
            let second = place.sync
            let next = StartedCall { try second.upload() }
            #expect(system.awaitListener())
            system.release()
            #expect(next.failure() == nil)
            try Self.expectSentOnce(place, system)
        }
    }

    @Test("CSP-065 a download with the switch off takes no old answer, and leaves none")
    func aSwitchThatIsOffByNowLeavesNoOldAnswers() async throws {
        try await BackgroundTransferTests.run { place, system, process in
            try place.prepare()
            place.sync.downloadInBackground = true
            system.hold()
            let first = place.sync
            let download = StartedCall { try first.download() }
            #expect(system.awaitBeginning(of: 1))
            process.die()
            #expect(download.failure() != nil)
            system.release()
            #expect(system.awaitAnswers(1))
            try place.atService("UPDATE WorkOrders SET Title = 'newer' WHERE Id = 1")
            try BackgroundTransferTests.restart(place, system) { $0.downloadInBackground = false }
            try place.sync.download()
            #expect(try place.storedTitle(1) == "newer")
            #expect(system.names.isEmpty)
            #expect(system.begun.count == 1)
        }
    }

    @Test("CSP-066 an upload that is cancelled while it waits leaves the request on its way")
    func cancellingTheWaitLosesNothing() async throws {
        try await Self.runAfterDeath { place, system in
            try BackgroundTransferTests.restart(place, system)
            let second = place.sync
            let next = StartedCall { try second.upload() }
            #expect(system.awaitListener())
            try second.cancelUpload()
            #expect(next.failure() != nil)
            #expect(try place.storeText(Self.sendings) == "1")
            #expect(system.names.count == 1)
            system.release()
            #expect(system.awaitAnswers(1))
            try place.sync.upload()
            try Self.expectSentOnce(place, system)
        }
    }

    @Test("CSP-065 closing leaves the transfers of a download, and cancelling ends them")
    func closingLeavesTransfers() async throws {
        for closes in [true, false] {
            try await BackgroundTransferTests.run { place, system, _ in
                place.sync.downloadInBackground = true
                try place.sync.open()
                place.observer.forget()
                system.hold()
                let first = place.sync
                let download = StartedCall { try first.download() }
                #expect(system.awaitListener())
                if closes { try first.close() } else { try first.cancelDownload() }
                #expect(download.failure() != nil)
                #expect(system.names.isEmpty == !closes)
                system.release()
                guard closes else { return }
                #expect(system.awaitAnswers(1))
                try BackgroundTransferTests.restart(place, system)
                try place.sync.download()
                #expect(try place.storeCount("WorkOrders") == 25)
                #expect(system.begun.count == 1)
            }
        }
    }

    @Test("CSP-066 clearing a store ends what the system has of it, whoever began that")
    func clearingEndsTransfers() async throws {
        for isOpen in [true, false] {
            try await Self.runAfterDeath { place, system in
                try place.sync.close()
                try BackgroundTransferTests.restart(place, system)
                if !isOpen { try place.sync.close() }
                #expect(system.names.count == 1)
                try place.sync.clear()
                #expect(system.names.isEmpty)
                system.release()
                #expect(try place.serviceText(Self.created) == "0")
            }
        }
    }

    /// Containers of apps move with updates.
    @Test func aStoreThatHasMovedFindsItsTransfers() async throws {
        try await Self.runAfterDeath { place, system in
            try place.sync.close()
            system.release()
            #expect(system.awaitAnswers(1))
            let folder = place.folder.appendingPathComponent("moved")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                atPath: place.storePath, toPath: folder.appendingPathComponent("store.db").path)
            let root = place.sync.onlineProvider.serviceRoot
            let moved = ServiceWorkplace.provider(root, folder)
            defer { try? moved.close() }
            moved.backgroundTransfer = system.process()
            try moved.open()
            try moved.upload()
            #expect(try moved.queued().isEmpty && moved.failed().isEmpty)
            #expect(try place.serviceText(Self.created) == "1")
            #expect(BackgroundTransferTests.seen(place).count == 1)
        }
    }

    @Test("CSP-066 an answer counts though the process ends before it is recorded")
    func anAnswerOutlivesTheProcessThatHeardIt() async throws {
        try await BackgroundTransferTests.run { place, system, _ in
            try place.prepare()
            try place.sync.create(place.newOrder("W-NEW"))
            let root = place.sync.onlineProvider.serviceRoot
            try place.sync.close()
            let copy = place.folder.appendingPathComponent("copy")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            let (process, path) = (system.process(), place.storePath)
            // From here on the process is gone, and what the file holds is all that is left of it.
            let world = PointWorld("upload.answered") {
                process.die()
                try? DatabaseQueue(path: path).backup(
                    to: DatabaseQueue(path: copy.appendingPathComponent("store.db").path))
            }
            let first = CloudSyncProvider(
                onlineProvider: OnlineODataProvider(
                    serviceName: "FieldService", serviceRoot: root,
                    transport: StandardTransport.shared, world: world,
                    folder: PrivateFolder(path: place.folder.path)),
                offlineStore: SQLDatabaseProvider(
                    serviceName: "FieldService", databaseURL: "sqlite:" + path, world: world))
            first.backgroundTransfer = process
            first.uploadInBackground = true
            try first.open()
            place.observer.forget()
            try first.upload()
            try first.close()
            let second = ServiceWorkplace.provider(root, copy)
            defer { try? second.close() }
            second.backgroundTransfer = system.process()
            try second.open()
            #expect(try second.queued().length == 1)
            try second.upload()
            #expect(try second.queued().isEmpty && second.failed().isEmpty)
            #expect(try place.serviceText(Self.created) == "1")
            let writes = BackgroundTransferTests.seen(place).filter { $0.hasPrefix("POST") }
            #expect(writes.count == 1, "\(writes)")
            #expect(system.names.isEmpty)
        }
    }

    /// A transfer that has failed is none that is waited for, and no failure of the next upload.
    @Test func aSendingThatTheSystemHasLostIsSentAgain() async throws {
        try await Self.runAfterDeath { place, _ in
            let system = try StoredTransfers(
                folder: place.folder.appendingPathComponent("transfers"),
                over: StandardTransport.shared)
            try system.loseUntold()
            #expect(system.names.count == 1)
            try BackgroundTransferTests.restart(place, system)
            try place.sync.upload()
            try Self.expectSentOnce(place, system)
        }
    }

    /// As where the system has cleared the file away.
    @Test func anAnswerWithoutItsBodyIsNone() async throws {
        try await Self.runAfterDeath { place, system in
            system.release()
            #expect(system.awaitAnswers(1))
            system.loseBodies()
            try BackgroundTransferTests.restart(place, system)
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            try place.sync.upload()
            #expect(try place.serviceText(Self.created) == "1")
            #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
            #expect(system.names.isEmpty)
        }
    }

    @Test("CSP-066 what may not arrive twice is not given to the system")
    func whatMayNotBeRepeatedGoesLive() async throws {
        try await BackgroundTransferTests.run { place, system, _ in
            try place.prepare()
            place.sync.sendRepeatableRequests = false
            place.sync.uploadInBackground = true
            try place.sync.create(place.newOrder("W-NEW"))
            try place.sync.upload()
            #expect(try place.serviceText(Self.created) == "1")
            #expect(system.begun.isEmpty)
        }
    }

    /// An answer that there is no room for is lost, and nobody waits for it.
    @Test func whatCannotBeKeptIsLookedAt() async throws {
        try await BackgroundTransferTests.run { place, system, _ in
            try place.prepare()
            place.sync.uploadInBackground = true
            try place.sync.create(place.newOrder("W-NEW"))
            system.keepNothing()
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(try place.storeText(Self.sendings) == "1")
            place.sync.uploadInBackground = false
            try place.sync.upload()
            #expect(try place.sync.queued().isEmpty && place.sync.failed().isEmpty)
            #expect(try place.serviceText(Self.created) == "1")
        }
    }
}

/// The live world, which does something when a point is first passed.
private final class PointWorld: VariedWorld {
    let live = LiveWorld()
    private let point: String
    private let action: @Sendable () -> Void
    private let passed = Recorder<Bool>()

    init(_ point: String, _ action: @escaping @Sendable () -> Void) {
        self.point = point
        self.action = action
    }

    func checkpoint(_ name: StaticString) {
        guard "\(name)" == point, passed.all.isEmpty else { return }
        passed.add(true)
        action()
    }
}
