import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import SAPCommon
import Synchronization
import Testing
import WorkplaceFixture

/// How queued changes reach the service.
@Suite struct UploadBehaviourTests {
    private static func fill(_ place: ServiceWorkplace) throws {
        try place.prepare()
        try place.retitle(1, "first")
        try place.createOrder("NEW-1")
        try place.sync.delete(place.entity("Photos", "WorkOrderId ge 1 and ByteCount gt 0&$top=1"))
        let site = try place.entity("Sites", "Id eq 1")
        site.put("Name", "renamed")
        try place.sync.update(site)
    }

    // CSP-145
    @Test func everythingQueuedIsSentInOrder() async throws {
        try await ServiceWorkplace.run { place in
            try Self.fill(place)
            try place.sync.upload()
            let sent = place.observer.requests.filter {
                $0.method != "GET" && !place.resource($0).hasPrefix("$batch")
            }
            #expect(sent.map(\.method) == ["PATCH", "POST", "DELETE", "PATCH"])
            #expect(place.resource(sent[0]) == "WorkOrders(1)")
            #expect(place.resource(sent[3]) == "Sites(1)")
            #expect(try place.servedTitle(1) == "first")
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-1'") == 1)
            #expect(try place.serviceCount("Photos") == 9)
            #expect(try place.serviceText("SELECT Name FROM Sites WHERE Id = 1") == "renamed")
            #expect(try place.storeRows("SELECT 1 FROM _odata_request").isEmpty)
        }
    }

    // CSP-146
    @Test func ofGroupsOnlyTheirRequestsAreSent() async throws {
        try await ServiceWorkplace.run { place in
            try Self.fill(place)
            let group = RequestOptions()
            group.uploadGroup = "now"
            try place.retitle(7, "in the group", group)
            place.sync.downloadInGroup("places", place.set("Sites"))
            try place.sync.upload(["now"])
            #expect(try place.servedTitle(7) == "in the group")
            #expect(try place.servedTitle(1) != "first")
            #expect(try place.sync.queued().length == 4)
            try place.sync.upload(["places"])
            #expect(try place.serviceText("SELECT Name FROM Sites WHERE Id = 1") == "renamed")
            #expect(
                try place.sync.queued().map(\.entitySetName).sorted() == [
                    "Photos", "WorkOrders", "WorkOrders",
                ])
        }
    }

    // CSP-147
    @Test func theTimeOfTheLastUploadIsKept() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            #expect(try place.sync.lastUploadTime() == nil)
            try place.retitle(1, "x")
            place.cutNetwork()
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            #expect(try place.sync.lastUploadTime() == nil)
            place.restoreNetwork()
            let before = GlobalDateTime.now()
            try place.sync.upload()
            let time = try #require(try place.sync.lastUploadTime())
            // Kept to the millisecond.
            #expect(time.utc().timeIntervalSince(before.utc()) > -0.001)
            #expect(time <= GlobalDateTime.now())
            try place.reopen()
            #expect(try place.sync.lastUploadTime() == time)
        }
    }

    // CSP-148
    @Test func anUploadIsPendingWhileItRunsAndAfterAFailure() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let sync = place.sync
            try place.retitle(1, "x")
            #expect(try !sync.hasPendingUpload())
            place.cutNetwork()
            #expect(
                failure { try sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            #expect(try sync.hasPendingUpload())
            place.restoreNetwork()
            let running = Recorder<Bool?>()
            sync.progressListener = ProgressListener { progress in
                if progress.fractionCompleted < 1 { running.add(try? sync.hasPendingUpload()) }
            }
            try place.retitle(2, "x")
            try sync.upload()
            #expect(!running.all.isEmpty && running.all.allSatisfy { $0 == true })
            #expect(try !sync.hasPendingUpload())
        }
    }

    // CSP-149
    @Test func whatHasNoAnswerStaysQueuedWhenAnUploadIsCancelled() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.batchEntityUploads = false
            place.sync.uploadWorkerThreads = 1
            try place.prepare()
            for id in 1...4 { try place.retitle(id, "sent") }
            let sync = place.sync
            sync.progressListener = ProgressListener { progress in
                if progress.requestNumber == 2 { try? sync.cancelUpload() }
            }
            #expect(
                failure { try sync.upload() }
                    == Failure(
                        DataNetworkError.self, .cancelled,
                        "The upload was cancelled; unanswered requests stay queued."))
            #expect(try sync.queued().map(\.requestURL) == ["WorkOrders(3)", "WorkOrders(4)"])
            #expect(try sync.hasPendingUpload())
            #expect(try place.serviceCount("WorkOrders", "Title = 'sent'") == 2)
            sync.progressListener = nil
            try sync.upload()
            #expect(try place.serviceCount("WorkOrders", "Title = 'sent'") == 4)
            #expect(place.requests("PATCH").count == 4)
        }
    }

    // CSP-150
    @Test func theOptionsOfAnUploadReportAndStopIt() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.batchEntityUploads = false
            place.sync.uploadWorkerThreads = 1
            try place.prepare()
            for id in 1...4 { try place.retitle(id, "sent") }
            let token = CancelToken()
            let fractions = Recorder<Double>()
            let listener = ProgressListener { progress in
                fractions.add(progress.fractionCompleted)
                if progress.requestNumber == 1 { token.cancel() }
            }
            let options = SyncOptions().cancelable(token).listen(listener)
            #expect(
                failure {
                    try place.sync.upload(groups: [], options: options)
                }
                    == Failure(
                        DataNetworkError.self, .cancelled,
                        "The upload was cancelled; unanswered requests stay queued."))
            #expect(place.requests("PATCH").count == 1)
            #expect(!fractions.all.isEmpty && fractions.all.allSatisfy { $0 < 1 })
            let rest = Recorder<Double>()
            try place.sync.upload(
                groups: [],
                options: SyncOptions().listen(ProgressListener { rest.add($0.fractionCompleted) }))
            #expect(rest.all == rest.all.sorted() && rest.all.last == 1)
        }
    }

    // CSP-151
    @Test func aRefusalIsThrownAfterTheRestWasSent() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.throwUploadFailures)
            try place.prepare()
            for id in 1...3 { try place.retitle(id, "mine") }
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            let error = #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(error?.code == .service)
            #expect(
                error?.message
                    == "The service refused 1 of 3 requests, the first with: Expected the entity in the state that If-Match names; it has changed since. (WorkOrders)"
            )
            #expect(error?.status == 412)
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try place.servedTitle(2) == "mine")
            #expect(try place.servedTitle(3) == "mine")
            #expect(try place.sync.failed().map(\.requestURL) == ["WorkOrders(1)"])
            #expect(try place.sync.queued().isEmpty)
        }
    }

    // CSP-152
    @Test func aRefusalCanBeOnlyListed() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.throwUploadFailures = false
            try place.prepare()
            try place.retitle(1, "mine")
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            try place.sync.upload()
            let failed = try place.sync.failed()
            #expect(failed.map(\.httpStatus) == [412])
            #expect(failed[0].errorMessage?.isEmpty == false)
            #expect(try place.servedTitle(1) == "theirs")
            try place.reopen()
            #expect(try place.sync.failed().map(\.requestURL) == ["WorkOrders(1)"])
        }
    }

    // CSP-153
    @Test(arguments: [true, false]) func aFailureOfTheNetworkIsThrown(_ setting: Bool) async throws
    {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.throwUploadFailures = setting
            try place.retitle(1, "mine")
            place.cutNetwork()
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            #expect(try place.sync.queued().length == 1)
            #expect(try place.sync.failed().isEmpty)
        }
    }

    // CSP-154
    @Test func refusalsAreLoggedOnlyWhenAsked() async throws {
        try await ServiceWorkplace.run { place in
            let log = LogRecorder()
            let logger = Logger.shared(named: "OData.Sync")
            logger.add(handler: log)
            defer { logger.remove(handler: log) }
            place.sync.throwUploadFailures = false
            try place.prepare()
            // Others write to the same logger.
            let mine = "mine " + UUID().uuidString
            try place.retitle(1, mine)
            try place.atService("UPDATE WorkOrders SET Title = 'theirs' WHERE Id = 1")
            #expect(!place.sync.traceUploadFailures)
            try place.sync.upload()
            #expect(log.errors.all.contains("The service refused 1 of 1 requests."))
            #expect(!log.entries.all.contains { $0.contains(mine) || $0.contains("412") })
            place.sync.traceUploadFailures = true
            place.cutNetwork()
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            #expect(log.errors.all.contains { $0.contains("without an answer") })
            #expect(!log.entries.all.contains { $0.contains(mine) })
            place.restoreNetwork()
            try place.sync.upload()
            let lines = log.errors.all.filter { $0.contains(mine) }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("412: PATCH WorkOrders(1) {") == true)
        }
    }

    // CSP-050
    @Test func changesAreSentInBatches() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.batchEntityUploads)
            try Self.fill(place)
            try place.sync.upload()
            #expect(place.requests("POST $batch").count == 1)
            #expect(place.observer.requests.filter(\.isInBatch).count == 4)
            #expect(place.observer.requests.count == 5)
        }
    }

    // CSP-051
    @Test func changesCanBeSentOneByOne() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.batchEntityUploads = false
            // With more workers, changes that do not depend on each other arrive in any order.
            place.sync.uploadWorkerThreads = 1
            try Self.fill(place)
            try place.sync.upload()
            #expect(place.requests("POST $batch").isEmpty)
            // They do not depend on each other, so that several are on their way at once.
            let methods = place.observer.requests.map(\.method)
            #expect(methods.sorted() == ["DELETE", "PATCH", "PATCH", "POST"])
        }
    }

    // CSP-057
    @Test func aBigUploadIsDividedIntoIterations() async throws {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.uploadIterationSize == 5_000_000)
            try place.prepare()
            place.sync.uploadIterationSize = 30_000
            let text = String(repeating: "long text ", count: 1_000)
            for id in 1...6 { try place.retitle(id, text) }
            try place.sync.upload()
            let batches = place.observer.requests.filter { place.resource($0) == "$batch" }
            #expect(batches.count == 3)
            #expect(batches.allSatisfy { $0.bodyBytes < 33_000 })
            #expect(try place.serviceCount("WorkOrders", "length(Title) = 10000") == 6)
        }
    }

    // CSP-063
    @Test(arguments: [true, false]) func changesCarryARepeatabilityIdentity(_ isOn: Bool)
        async throws
    {
        try await ServiceWorkplace.run { place in
            #expect(place.sync.sendRepeatableRequests)
            place.sync.sendRepeatableRequests = isOn
            try Self.fill(place)
            try place.sync.upload()
            let sent = place.observer.requests.filter(\.isInBatch)
            #expect(sent.count == 4)
            for name in ["Repeatability-Request-ID", "Repeatability-First-Sent"] {
                #expect(sent.allSatisfy { ($0.headers[name] != nil) == isOn })
            }
            #expect(!isOn || Set(sent.map { $0.headers["Repeatability-Request-ID"] }).count == 4)
        }
    }

    /// What went without its identity is looked for, though the service would recognise one that is sent now.
    @Test func aCreationThatWentBeforeIdentitiesWereSwitchedOnIsExecutedOnce() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            place.sync.sendRepeatableRequests = false
            try place.createOrder("NEW-1")
            place.observer.setFaults { request, _ in request.method == "POST" ? .loseAnswer : nil }
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            place.restoreNetwork()
            place.sync.sendRepeatableRequests = true
            place.sync.throwUploadFailures = false
            try place.createOrder("NEW-2")
            try place.sync.upload()
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-1'") == 1)
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-2'") == 1)
        }
    }

    // CSP-174
    @Test func aResentCreationIsExecutedOnce() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.createOrder("NEW-1")
            place.observer.setFaults { request, _ in request.method == "POST" ? .loseAnswer : nil }
            #expect(
                failure { try place.sync.upload() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/WorkOrders"))
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-1'") == 1)
            #expect(try place.sync.queued().length == 1)
            place.restoreNetwork()
            try place.reopen()
            try place.sync.upload()
            #expect(try place.serviceCount("WorkOrders", "Number = 'NEW-1'") == 1)
            #expect(try place.sync.queued().isEmpty)
            let posts = place.observer.requests.filter { $0.method == "POST" }
            #expect(posts.count >= 2)
            let ids = Set(posts.map { $0.headers["Repeatability-Request-ID"] })
            #expect(ids.count == 1 && !ids.contains(nil))
        }
    }
}
