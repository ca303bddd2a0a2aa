import Foundation
import GRDB
import OData
import ODataServer
import ODataTesting
import Testing

@Suite("The Swift face: owners, readers and suspension")
struct OwnerTests {
    @Test("SWI-044 A store has one owner at a time; who comes second is told so, and may read")
    func oneOwner() async throws {
        try await Workshop.run { place in
            let owner = try await place.filledStore()
            await #expect(code { _ = try await place.store() } == .storeInUse)
            let reader = try await place.store(role: .reader)
            #expect(try await !reader.fetch(Site.all).isEmpty)
            // By another name it is the same store.
            let link = place.folder.appendingPathComponent("link.odata")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place.file)
            await #expect(
                code {
                    _ = try await OfflineStore(
                        service: place.service.url, at: .file(link), download: .set(Site.self))
                } == .storeInUse)
            try await owner.close()
            try await place.store().close()
        }
    }

    @Test(
        "SWI-044 The owner may be another process, and one that is killed leaves the store to others"
    )
    func killedOwner() async throws {
        try await Workshop.run { place in
            try await place.filledStore().close()
            let child = try await onOwnThread { try Self.holder(of: place.file) }
            await #expect(code { _ = try await place.store() } == .storeInUse)
            try await onOwnThread {
                kill(child.processIdentifier, SIGKILL)
                child.waitUntilExit()
            }
            let store = try await place.store()
            #expect(try await !store.fetch(Site.all).isEmpty)
        }
    }

    /// A process that has the lock of an owner, until it is killed.
    private static func holder(of file: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "perl", "-e",
            "open(F, '+<', $ARGV[0]) or exit 2; flock(F, 6) or exit 3; $| = 1; print 'x'; sleep 600",
            file.path + "-owner",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.read(upToCount: 1)
        guard said == Data("x".utf8) else { throw CocoaError(.executableLoad) }
        return process
    }

    @Test("SWI-007 A reader's status and refusals follow what the owner does")
    func readerFollows() async throws {
        try await Workshop.run { place in
            let owner = try await place.filledStore()
            let reader = try await place.store(role: .reader)
            var states = reader.status.makeAsyncIterator()
            var lists = reader.refusals.makeAsyncIterator()
            #expect(await states.next()?.pending == 0)
            #expect(await lists.next()?.isEmpty == true)
            let orders = try await owner.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            try await owner.write { tx in try tx.update(second) { $0.number = first.number } }
            while let state = await states.next() {
                guard state.pending == 0 else { break }
            }
            try await owner.sync()
            while let state = await states.next() {
                guard state.refused == 0 else { break }
            }
            let refusal = try #require(await lists.next()?.first)
            #expect(refusal.ref() == second.ref && refusal.kind == .refused)
            await #expect(code { try await refusal.undo() } == .readOnly)
            try await owner.undo(second.ref)
            #expect(await lists.next()?.isEmpty == true)
        }
    }

    @Test("SWI-042 A suspended store holds no lock, refuses calls, and goes on where it was")
    func suspension() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let query = WorkOrder.all.where { $0.title == "Awake" }
            var lists = store.live(query).makeAsyncIterator()
            #expect(try await lists.next()?.isEmpty == true)
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Asleep" }
            }
            // Only who has the file for himself can take its log away.
            await #expect(throws: DatabaseError.self) { try await Self.takeForOneself(place.file) }
            await store.suspend()
            try await Self.takeForOneself(place.file)
            await #expect(code { _ = try await store.fetch(Site.all) } == .storeSuspended)
            await #expect(code { _ = try await store.write { _ in } } == .storeSuspended)
            await #expect(code { try await store.sync() } == .storeSuspended)
            await #expect(code { _ = try await store.stage(Data()) } == .storeSuspended)
            #expect(throws: ODataError.self) { try store.startLiveSync() }
            // A loop that looks meanwhile does not end: it has time to look, on one of the threads that these take turns on.
            let waiting = Task { try await lists.next()?.first?.title }
            for _ in 0..<20 {
                await #expect(code { _ = try await store.fetch(Site.all) } == .storeSuspended)
            }
            await store.suspend()
            try await store.resume()
            try await store.resume()
            try await store.write { tx in try tx.update(order.ref) { $0.title = "Awake" } }
            #expect(try await waiting.value == "Awake")
            try await store.sync()
            try await done.settled()
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(order.id)")
                    == "Awake")
        }
    }

    @Test("SWI-042 A suspension during a resumption counts: the file is let go of behind it")
    func suspensionDuringResumption() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            await store.suspend()
            let lock = place.file.path + "-owner"
            let before = try Self.changed(lock)
            // The resumption has the owner's lock, and waits for the file.
            let held = try await onOwnThread { try HeldFile(place.file) }
            let resuming = Task { try await store.resume() }
            while try Self.changed(lock) == before { await Task.yield() }
            let suspending = Task { await store.suspend() }
            for _ in 0..<100 { await Task.yield() }
            try await onOwnThread { try held.release() }
            try await resuming.value
            await suspending.value
            await #expect(code { _ = try await store.fetch(Site.all) } == .storeSuspended)
            try await Self.takeForOneself(place.file)
            // Nobody has the lock either.
            try await place.store().close()
            try await store.resume()
            #expect(try await !store.fetch(Site.all).isEmpty)
        }
    }

    /// When a file was last changed, as finely as the system says.
    private static func changed(_ path: String) throws -> Date? {
        try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    @Test("SWI-007 SWI-042 A reader that was suspended follows its owner again")
    func suspendedReader() async throws {
        try await Workshop.run { place in
            let owner = try await place.filledStore()
            let reader = try await place.store(role: .reader)
            var states = reader.status.makeAsyncIterator()
            #expect(await states.next()?.pending == 0)
            await reader.suspend()
            try await reader.resume()
            let order = try #require(try await owner.fetch(WorkOrder.all).first)
            try await owner.write { tx in try tx.update(order) { $0.title = "Seen" } }
            while let state = await states.next() {
                guard state.pending == 0 else { break }
            }
            try await reader.close()
            #expect(await states.next() == nil)
        }
    }

    @Test("SWI-042 A resumption that fails gives back what it took, and can be tried again")
    func failedResumption() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            await store.suspend()
            let version = try await place.inFile("SELECT user_version FROM pragma_user_version")
            try await Self.setFormat("99999", place.file)
            await #expect(code { try await store.resume() } == .storage)
            await #expect(code { _ = try await store.fetch(Site.all) } == .storeSuspended)
            try await Self.takeForOneself(place.file)
            try await Self.setFormat(try #require(version.first), place.file)
            try await place.store().close()
            try await store.resume()
            #expect(try await !store.fetch(Site.all).isEmpty)
        }
    }

    @Test("SWI-007 A reader refuses a file of another format and leaves it as it is")
    func readerOfAnotherFormat() async throws {
        try await Workshop.run { place in
            try await place.filledStore().close()
            try await Self.setFormat("1", place.file)
            await #expect(code { _ = try await place.store(role: .reader) } == .storage)
            #expect(
                try await place.inFile("SELECT user_version FROM pragma_user_version") == ["1"])
        }
    }

    private static func setFormat(_ version: String, _ file: URL) async throws {
        try await onOwnThread {
            let queue = try DatabaseQueue(path: file.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA user_version = \(version)")
            }
            try queue.close()
        }
    }

    /// A store's file that nobody else can read, until it is released.
    private final class HeldFile: Sendable {
        private let queue: DatabaseQueue

        init(_ file: URL) throws {
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.writeWithoutTransaction { database in
                // With a log, readers would wait for nobody.
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
                try database.execute(sql: "BEGIN EXCLUSIVE")
            }
        }

        func release() throws {
            try queue.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
            try queue.close()
        }
    }

    @Test("A set has one rule for its conflicts, and a second one is no silent choice")
    func twoRules() async throws {
        try await Workshop.run { place in
            let rules: [ConflictRule] = [.keepLocal(WorkOrder.self), .keepServer(WorkOrder.self)]
            await #expect(code { _ = try await place.store(conflicts: rules) } == .usage)
        }
    }

    private static func takeForOneself(_ file: URL) async throws {
        try await onOwnThread {
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { database in
                #expect(
                    try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete")
                try database.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
            }
        }
    }

    @Test(
        "SWI-042 Another may own a store that is suspended; resuming it says so, and works afterwards"
    )
    func ownersTakeTurns() async throws {
        try await Workshop.run { place in
            let first = try await place.filledStore()
            await first.suspend()
            let second = try await place.store()
            let order = try #require(try await second.fetch(WorkOrder.all).first)
            try await second.write { tx in try tx.update(order) { $0.title = "By the second" } }
            await #expect(code { try await first.resume() } == .storeInUse)
            await #expect(code { _ = try await first.fetch(Site.all) } == .storeSuspended)
            try await second.close()
            try await first.resume()
            #expect(try await first.fetch(order.ref)?.title == "By the second")
            await first.suspend()
            try await first.close()
            await #expect(code { try await first.resume() } == .storeClosed)
        }
    }

    @Test("SWI-042 A suspension ends a synchronisation that runs, which goes on after it")
    func suspendedSynchronisation() async throws {
        try await Workshop.run(rows: 200, pageSize: 5) { place in
            let store = try await place.store()
            let held = HeldRequest(at: place.service.service.service.observer) { method, url in
                method == "GET" && url.contains("WorkOrders") && url.contains("skiptoken")
            }
            let running = Task { await code { try await store.sync() } }
            #expect(try await onOwnThread { held.hasCome() })
            let suspending = Task { await store.suspend() }
            #expect(await running.value == .storeSuspended)
            await suspending.value
            var states = store.status.makeAsyncIterator()
            let state = await states.next()
            #expect(state?.phase == .idle && state?.lastError == nil)
            try await onOwnThread { held.release() }
            try await store.resume()
            try await store.sync()
            #expect(
                try await place.atService("SELECT count(*) FROM WorkOrders")
                    == "\(try await store.fetch(WorkOrder.all).count)")
        }
    }

    @Test(
        "SWI-005 A download that cannot be is refused at opening, also where another one was there before"
    )
    func wrongDownload() async throws {
        try await Workshop.run { place in
            try await place.filledStore().close()
            struct Odd: Entity {
                static let entitySet = "WorkOrders"
                let ref: Ref<Odd>
                init(_ row: OData.Row) throws(ODataError) { ref = row.ref() }
                func write(to values: inout Values) {}
                struct Fields: FieldSet {
                    private let path: FieldPath
                    init(_ path: FieldPath) { self.path = path }
                    var title: Field<String> { path.field("Titel") }
                }
            }
            let found = await code {
                _ = try await OfflineStore(
                    service: place.service.url, at: .file(place.file),
                    download: .set(Odd.self) { $0.where { $0.title == "A" } })
            }
            #expect(found == .invalidQuery || found == .unknownName)
        }
    }

    @Test("SWI-005 What the service has dropped since keeps no store closed, and is told")
    func droppedSet() async throws {
        try await WrittenService.run([
            "GET Items": WrittenService.items, "GET Me": #"{"Id":7,"Mood":"good"}"#,
        ]) { place in
            let first = try await place.store(.set(Item.self), .set(Me.self))
            try await first.sync()
            try await first.close()
            place.put(
                "GET $metadata",
                WrittenService.metadata.replacing(
                    #"<EntitySet Name="Items" EntityType="Demo.Item"/>"#, with: ""))
            // Metadata is looked for once a day.
            let file = place.folder.appendingPathComponent("store.odata")
            try await onOwnThread {
                let queue = try DatabaseQueue(path: file.path)
                try queue.write {
                    try $0.execute(
                        sql: "UPDATE _odata_meta SET value = 0 WHERE name = 'metadataTime'")
                }
                try queue.close()
            }
            let second = try await place.store(.set(Item.self), .set(Me.self))
            try await second.sync()
            try await second.close()
            let third = try await place.store(.set(Item.self), .set(Me.self))
            var states = third.status.makeAsyncIterator()
            #expect(await states.next()?.lastError?.code == .unknownName)
            let report = try await third.sync()
            #expect(report.skipped["Items"] != nil && report.isComplete)
            #expect(try await third.fetch(Me.all).map(\.id) == [7])
        }
    }
}
