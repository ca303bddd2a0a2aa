import Foundation
import ODataClasses
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataTesting
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

    @Test(
        "CSP-064 waitForCompletion calls back when what runs has ended, CSP-067 or its time is up",
        arguments: [true, false])
    func waitingForTransfers(isPatient: Bool) async throws {
        try await ServiceWorkplace.run { place in
            let sync = place.sync
            try sync.open()
            sync.backgroundWaitSeconds = isPatient ? 60 : 0
            let held = HeldRequest(at: place.observer) { $0 == "POST" && $1.contains("$batch") }
            defer { held.release() }
            let download = StartedCall { try sync.download() }
            #expect(held.hasCome())
            let completion = StartedCall()
            let order = Recorder<Bool>()
            sync.waitForCompletion(sessionIdentifier: "session") {
                order.add(sync.engine.isRunning(.download))
                completion.end(.success(()))
            }
            if isPatient {
                #expect(!completion.hasEnded)
                held.release()
            }
            #expect(completion.failure() == nil)
            #expect(order.all == [!isPatient])
            held.release()
            #expect(download.failure() == nil)
        }
    }
}
