import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataTesting
import ODataText
import ODataTransport
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// What other calls mean to an opening that runs, in all three styles of calls.
@Suite(.serialized) struct OpeningTests {
    enum Style: String, CaseIterable, Sendable { case blocking, handler, async }

    /// The same provider behind services of each style.
    private struct Callers: Sendable {
        let blocking: OfflineDataService
        let handlers: OfflineDataService
        let tasks: OfflineDataServiceAsync

        init(_ provider: CloudSyncProvider) {
            blocking = OfflineDataService(provider: provider)
            handlers = OfflineDataService(provider: provider)
            handlers.completionQueue = OperationQueue()
            tasks = OfflineDataServiceAsync(provider: provider)
        }

        func start(
            _ style: Style, _ call: @escaping @Sendable (OfflineDataService) throws -> Void,
            _ handler: (OfflineDataService, @escaping @Sendable (Result<Void, any Error>) -> Void)
                -> Void,
            _ task: @escaping @Sendable (OfflineDataServiceAsync) async throws -> Void
        ) -> StartedCall {
            let (blocking, tasks, started) = (blocking, tasks, StartedCall())
            switch style {
            case .blocking: return StartedCall { try call(blocking) }
            case .handler: handler(handlers) { started.end($0) }
            case .async: return StartedCall.task { try await task(tasks) }.call
            }
            return started
        }

        func open(_ style: Style) -> StartedCall {
            start(style, { try $0.open() }, { $0.open(completionHandler: $1) }) {
                try await $0.open()
            }
        }

        func close(_ style: Style) -> StartedCall {
            start(style, { try $0.close() }, { $0.close(completionHandler: $1) }) {
                try await $0.close()
            }
        }

        func cancelDownload(_ style: Style) -> StartedCall {
            start(
                style, { try $0.cancelDownload() }, { $0.cancelDownload(completionHandler: $1) }
            ) { try await $0.cancelDownload() }
        }

        func cancelUpload(_ style: Style) -> StartedCall {
            start(style, { try $0.cancelUpload() }, { $0.cancelUpload(completionHandler: $1) }) {
                try await $0.cancelUpload()
            }
        }
    }

    private static func isCancelled(_ error: (any Error)?) -> Bool {
        error is CancellationError || (error as? ErrorBase)?.code == .cancelled
    }

    private static func isClosed(_ sync: CloudSyncProvider) -> Bool {
        let error = #expect(throws: UsageError.self) { try sync.hasInitialData() }
        return sync.lifecycle.phase == .closed && error != nil
    }

    @Test("CSP-011 close stops an opening that runs", arguments: Style.allCases, Style.allCases)
    func closingStopsAnOpening(opener: Style, closer: Style) async throws {
        try await ServiceWorkplace.run { place in
            let callers = Callers(place.sync)
            let held = HeldRequest(at: place.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let opening = callers.open(opener)
            #expect(held.hasCome())
            #expect(callers.close(closer).failure() == nil)
            #expect(Self.isCancelled(opening.failure()))
            #expect(Self.isClosed(place.sync))
            held.release()
            #expect(callers.open(opener).failure() == nil)
            let hasData = try place.sync.hasInitialData()
            #expect(!hasData)
        }
    }

    /// Also when it is said before the download begins.
    @Test(
        "CSP-136 cancelDownload stops the download of an opening", arguments: Style.allCases,
        [true, false])
    func cancellingTheDownloadOfAnOpening(style: Style, isEarly: Bool) async throws {
        try await ServiceWorkplace.run { place in
            place.sync.autoInitialDownload = true
            let callers = Callers(place.sync)
            let held = HeldRequest(at: place.observer) {
                isEarly ? $1.contains("$metadata") : $0 == "POST" && $1.contains("$batch")
            }
            defer { held.release() }
            let opening = callers.open(style)
            #expect(held.hasCome())
            #expect(callers.cancelDownload(style).failure() == nil)
            held.release()
            #expect(Self.isCancelled(opening.failure()))
            #expect(Self.isClosed(place.sync))
            #expect(place.requests("POST $batch").isEmpty == isEarly)
            try place.sync.open()
            #expect(try place.sync.hasInitialData())
        }
    }

    @Test(
        "CSP-149 cancelUpload stops the upload of an opening; its changes stay",
        arguments: Style.allCases)
    func cancellingTheUploadOfAnOpening(style: Style) async throws {
        try await ServiceWorkplace.run { place in
            place.sync.currentUser = "zoe"
            try place.prepare()
            try place.retitle(1, "by zoe")
            try place.sync.close()
            place.sync.currentUser = "ben"
            place.sync.forceUploadOnUserSwitch = true
            let callers = Callers(place.sync)
            let held = HeldRequest(at: place.observer) { method, _ in method != "GET" }
            let opening = callers.open(style)
            #expect(held.hasCome())
            #expect(callers.cancelUpload(style).failure() == nil)
            #expect(Self.isCancelled(opening.failure()))
            held.release()
            #expect(Self.isClosed(place.sync))
            // Nobody has taken the store over: the switch is made the next time.
            try place.sync.open()
            #expect(try place.sync.previousUser() == "zoe")
            #expect(try place.servedTitle(1) == "by zoe")
            #expect(try place.sync.queued().isEmpty)
        }
    }

    @Test func openingFromACallbackOfTheOpeningDoesNotWaitForItself() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            sync.autoInitialDownload = true
            let failures = Recorder<String>()
            sync.progressListener = ProgressListener { _ in
                do {
                    try sync.open()
                    failures.add("opened")
                } catch {
                    failures.add("\(type(of: error))")
                }
            }
            let opening = StartedCall { try sync.open() }
            #expect(opening.failure() == nil)
            #expect(Set(failures.all) == ["UsageError"])
            let hasData = try sync.hasInitialData()
            #expect(hasData)
        }
    }

    @Test func downloadingFromACallbackOfADownloadDoesNotWaitForItself() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            try sync.open()
            let failures = Recorder<String>()
            sync.progressListener = ProgressListener { _ in
                do {
                    try sync.download()
                    failures.add("downloaded")
                } catch {
                    failures.add("\(type(of: error))")
                }
            }
            let download = StartedCall { try sync.download() }
            #expect(download.failure() == nil)
            #expect(Set(failures.all) == ["UsageError"])
            #expect(try place.storeCount("WorkOrders") == 25)
        }
    }

    @Test func closingFromACallbackOfTheOpeningEndsItClosed() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            sync.autoInitialDownload = true
            sync.progressListener = ProgressListener { _ in try? sync.close() }
            let opening = StartedCall { try sync.open() }
            #expect(Self.isCancelled(opening.failure()))
            #expect(Self.isClosed(sync))
        }
    }

    @Test func aSecondCallerWaitsForTheOpeningOfTheFirst() async throws {
        try await ServiceWorkplace.run { place in
            let held = HeldRequest(at: place.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let callers = Callers(place.sync)
            let first = callers.open(.blocking)
            #expect(held.hasCome())
            let others = [callers.open(.blocking), callers.open(.handler), callers.open(.async)]
            held.release()
            #expect(first.failure() == nil)
            for other in others { #expect(other.failure() == nil) }
            #expect(place.requests("GET $metadata").count == 1)
        }
    }

    /// A cancelled task gives its opening up; another caller that waits for it opens the store itself.
    @Test(arguments: [true, false])
    func aCancelledTaskGivesItsOpeningUp(withOther: Bool) async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            let callers = Callers(sync)
            let held = HeldRequest(at: place.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let (opening, cancel) = StartedCall.task { try await callers.tasks.open() }
            #expect(held.hasCome())
            let other = withOther ? callers.open(.blocking) : nil
            cancel()
            #expect(opening.failure() is CancellationError)
            held.release()
            #expect(other?.failure() == nil)
            if !withOther { #expect(Self.isClosed(sync)) }
            try sync.open()
            let hasData = try sync.hasInitialData()
            #expect(!hasData)
        }
    }

    /// The store stays within reach while it is opened anew for another user.
    @Test func openingAnOpenStoreRefusesNoData() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.currentUser = "zoe"
            try place.prepare()
            place.sync.currentUser = "ben"
            place.sync.forceDownloadOnUserSwitch = true
            let held = HeldRequest(at: place.observer) { $0 == "POST" && $1.contains("$batch") }
            let opening = Callers(place.sync).open(.blocking)
            #expect(held.hasCome())
            #expect(try place.entities("WorkOrders").count == 25)
            try place.retitle(1, "meanwhile")
            held.release()
            #expect(opening.failure() == nil)
            #expect(try place.storedTitle(1) == "meanwhile")
            #expect(try place.sync.queued().length == 1)
        }
    }

    /// What runs ends as cancelled before the file is closed under it.
    @Test func aFailedOpeningOfAnOpenStoreStopsWhatRunsAndCloses() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            sync.currentUser = "zoe"
            try place.prepare()
            try place.retitle(1, "by zoe")
            sync.currentUser = "ben"
            sync.forceUploadOnUserSwitch = true
            sync.batchEntityUploads = false
            let held = HeldRequest(at: place.observer) { $0 == "POST" && $1.contains("$batch") }
            let download = StartedCall { try sync.download() }
            #expect(held.hasCome())
            // Nothing listens behind this address, so the upload of the opening fails.
            place.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseRequest
            }
            let opening = Callers(sync).open(.blocking)
            let error = opening.failure()
            #expect(error is DataNetworkError, "\(String(describing: error))")
            held.release()
            #expect(Self.isCancelled(download.failure()))
            #expect(Self.isClosed(sync))
            place.restoreNetwork()
            try sync.open()
            #expect(try sync.previousUser() == "zoe")
            #expect(try place.servedTitle(1) == "by zoe")
        }
    }

    /// What a callback has seen: whether a download ran, the rows that were stored, and the time.
    private struct Completion: Equatable, Sendable {
        var isRunning: Bool
        var rows: Int
        var time: Duration
    }

    @Test(
        "CSP-064 waitForCompletion calls back when the limit is over and not before, CSP-067 or when what runs is stored",
        arguments: [nil, 20, 7])
    func waitingForTransfers(limit: Int?) async throws {
        try await ServiceWorkplace.run { place in
            let world = SteppedWorld()
            try place.use(world)
            let sync = place.sync
            try sync.open()
            if let limit, limit != 20 { sync.backgroundWaitSeconds = limit }
            let held = HeldRequest(at: place.observer) { $0 == "POST" && $1.contains("$batch") }
            defer { held.release() }
            let download = StartedCall { try sync.download() }
            #expect(held.hasCome())
            let completion = StartedCall()
            let seen = Recorder<Completion>()
            sync.waitForCompletion(sessionIdentifier: "session") {
                seen.add(
                    Completion(
                        isRunning: sync.engine.isRunning(.download),
                        rows: (try? place.storeCount("WorkOrders")) ?? -1, time: world.uptime()))
                completion.end(.success(()))
            }
            #expect(world.awaitWaiter(of: .seconds(limit ?? 20)))
            world.advance(.seconds((limit ?? 20) - 1))
            #expect(world.awaitLook())
            #expect(!completion.hasEnded)
            if limit == nil { held.release() } else { world.advance(.seconds(1)) }
            #expect(completion.failure() == nil)
            let expected =
                limit.map { Completion(isRunning: true, rows: 0, time: .seconds($0)) }
                ?? Completion(isRunning: false, rows: 25, time: .seconds(19))
            #expect(seen.all == [expected])
            held.release()
            #expect(download.failure() == nil)
            // Neither the end nor the limit calls back a second time.
            world.advance(.seconds(60))
            sync.waitForCompletion(sessionIdentifier: "session") { completion.end(.success(())) }
            #expect(completion.failure() == nil)
            #expect(seen.all == [expected])
        }
    }

    @Test(
        "CSP-067 waitForCompletion waits for uploads and openings, too", arguments: [true, false])
    func waitingForAnUploadOrAnOpening(isUpload: Bool) async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            if isUpload {
                try place.prepare()
                try place.retitle(1, "sent")
            }
            let held = HeldRequest(at: place.observer) { method, url in
                isUpload ? method != "GET" : url.contains("$metadata")
            }
            defer { held.release() }
            let run = StartedCall { if isUpload { try sync.upload() } else { try sync.open() } }
            #expect(held.hasCome())
            let (completion, isStored) = (StartedCall(), Recorder<Bool>())
            sync.waitForCompletion(sessionIdentifier: "session") {
                isStored.add(isUpload ? (try? sync.queued().isEmpty) == true : sync.hasMetadata)
                completion.end(.success(()))
            }
            #expect(!completion.hasEnded)
            held.release()
            #expect(completion.failure() == nil && run.failure() == nil)
            #expect(isStored.all == [true])
        }
    }

    /// A transport that nothing stops, as one that waits for the caller of the closing.
    private final class DeafTransport: HTTPTransport {
        let reached = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            reached.signal()
            released.wait()
            released.signal()
            throw ODataError(.network, "Nobody is there.")
        }
    }

    @Test("CSP-011 closing waits for an opening that nothing stops at most 15 seconds")
    func closingWaitsForAnOpeningOnlySoLong() async throws {
        try await ServiceWorkplace.run { place in
            let (world, transport) = (SteppedWorld(), DeafTransport())
            let sync = ServiceWorkplace.provider(
                "http://127.0.0.1:1/", place.folder, world: world, transport: transport)
            let opening = StartedCall { try sync.open() }
            transport.reached.wait()
            let closing = StartedCall { try sync.close() }
            #expect(world.awaitWaiter(of: .seconds(15)))
            world.advance(.seconds(14))
            #expect(world.awaitLook())
            #expect(!closing.hasEnded)
            world.advance(.seconds(1))
            #expect(closing.failure() == nil)
            #expect(!opening.hasEnded)
            // Its files cannot be deleted under it.
            let clearing = StartedCall { try sync.clear() }
            #expect(world.awaitWaiter(of: .seconds(15)))
            world.advance(.seconds(15))
            #expect(clearing.failure() is UsageError)
            // What was told to stop ends closed, whenever it ends.
            transport.released.signal()
            #expect(Self.isCancelled(opening.failure()))
            #expect(Self.isClosed(sync))
        }
    }

    @Test("CSP-136 a token stops a download that waits for an opening, and not the opening")
    func cancellingADownloadThatWaitsForAnOpening() async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            let held = HeldRequest(at: place.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let opening = StartedCall { try sync.open() }
            #expect(held.hasCome())
            let token = CancelToken()
            let download = StartedCall {
                let options = SyncOptions()
                options.cancelToken = token
                try sync.download(groups: StringList(), options: options)
            }
            token.cancel()
            #expect(Self.isCancelled(download.failure()))
            held.release()
            #expect(opening.failure() == nil)
            let isThere = try sync.hasInitialData()
            #expect(!isThere)
        }
    }
}
