import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataStore
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// What other calls mean to an opening of an offline provider that runs.
@Suite(.serialized) struct OfflineOpeningTests {
    private static func opening(_ provider: OfflineODataProvider) -> StartedCall {
        let call = StartedCall()
        provider.open { error in
            call.end(error.map { .failure($0) } ?? .success(()))
        }
        return call
    }

    private static func name(_ error: (any Error)?) -> OfflineODataErrorName? {
        (error as? OfflineODataError)?.errorName
    }

    /// Whoever closes, and whoever opens.
    @Test(
        "OFF-018 close during an opening leaves the store closed", arguments: [true, false],
        [true, false])
    func closingStopsAnOpening(isByService: Bool, isOpenedByService: Bool) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let service = OfflineDataService(provider: provider.syncProvider)
            let held = HeldRequest(at: school.service.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let opening =
                isOpenedByService
                ? StartedCall { try service.open() } : Self.opening(provider)
            #expect(held.hasCome())
            if isByService { try service.close() } else { try provider.close() }
            let error = opening.failure()
            #expect(
                Self.name(error) == .requestCancelled
                    || (error as? ErrorBase)?.code == .cancelled)
            held.release()
            #expect(throws: OfflineODataError.self) { try provider.requestQueueIsEmpty() }
            try service.open()
            #expect(try provider.requestQueueIsEmpty())
            try provider.close()
        }
    }

    /// The handler's own thread closes what would be opened on it next.
    @Test func closingBeforeTheOpeningBeginsWithdrawsIt() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let second = StartedCall()
            let first = StartedCall()
            provider.upload { _ in
                // Closed, so the upload has failed; its handler has the thread.
                provider.open { error in
                    second.end(error.map { .failure($0) } ?? .success(()))
                }
                first.end(Result { try provider.close() })
            }
            #expect(first.failure() == nil)
            #expect(Self.name(second.failure()) == .requestCancelled)
            #expect(school.service.observer.requestCount == 0)
            #expect(throws: OfflineODataError.self) { try provider.requestQueueIsEmpty() }
        }
    }

    /// A blocking opening on the thread of a handler overtakes one that waits for that thread.
    @Test func openingByTheServiceFromAHandlerDoesNotWaitForItself() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let service = OfflineDataService(provider: provider.syncProvider)
            let second = StartedCall()
            let first = StartedCall()
            provider.upload { _ in
                provider.open { error in
                    second.end(error.map { .failure($0) } ?? .success(()))
                }
                first.end(Result { try service.open() })
            }
            #expect(first.failure() == nil)
            #expect(second.failure() == nil)
            #expect(try provider.requestQueueIsEmpty())
            try provider.close()
        }
    }

    private final class OpeningDelegate: OfflineODataDelegate, Sendable {
        let outcomes = Mutex<[String]>([])

        func offlineODataProvider(
            _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
        ) {
            guard newState.contains(.opening) || newState == .open else { return }
            let service = OfflineDataService(provider: provider.syncProvider)
            let outcome: String
            do {
                try service.open()
                outcome = "open"
            } catch {
                outcome = "refused"
            }
            outcomes.withLock { $0.append(outcome) }
        }
    }

    @Test func openingFromTheDelegateDoesNotWaitForItself() async throws {
        try await SchoolService.run { school in
            let delegate = OpeningDelegate()
            let provider = try school.provider(delegate: delegate)
            #expect(Self.opening(provider).failure() == nil)
            let outcomes = delegate.outcomes.withLock { $0 }
            #expect(outcomes.count > 1 && outcomes.dropLast().allSatisfy { $0 == "refused" })
            // Said when the store is open indeed.
            #expect(outcomes.last == "open")
            try provider.close()
        }
    }

    @Test("PAR-046 cancelUpload stops a forced upload inside an opening; its changes stay")
    func cancellingAForcedUpload() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.forceUploadOnUserSwitch = true
            parameters.currentUser = "zoe"
            let provider = try school.provider(parameters: parameters)
            #expect(Self.opening(provider).failure() == nil)
            try Self.rename(provider, "by zoe")
            try provider.close()
            parameters.currentUser = "ben"
            let held = HeldRequest(at: school.service.observer) { method, _ in method != "GET" }
            defer { held.release() }
            let opening = Self.opening(provider)
            #expect(held.hasCome())
            try provider.cancelUpload()
            #expect(Self.name(opening.failure()) == .requestCancelled)
            held.release()
            #expect(try provider.getPreviousUser() == "zoe")
            #expect(
                try school.storeRows("SELECT count(*) FROM _odata_request") == [["1"]])
            #expect(Self.opening(provider).failure() == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["by zoe"]])
            #expect(try provider.requestQueueIsEmpty())
            try provider.close()
        }
    }

    static func rename(_ provider: OfflineODataProvider, _ name: String) throws {
        let service = DataService(provider: provider)
        let set = service.entitySet(withName: "Teachers")
        let key = EntityKey().with(name: "ID", value: IntValue.of(1))
        let teacher = try service.executeQuery(DataQuery().from(set).withKey(key)).requiredEntity()
        set.entityType.property(withName: "NAME").setStringValue(in: teacher, to: name)
        try service.updateEntity(teacher)
    }

    /// Said while metadata is read: the download inside does not begin.
    @Test func cancelDownloadBeforeTheFirstDownloadBeginsStopsTheOpening() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let held = HeldRequest(at: school.service.observer) { $1.contains("$metadata") }
            defer { held.release() }
            let opening = Self.opening(provider)
            #expect(held.hasCome())
            try provider.cancelDownload()
            held.release()
            #expect(Self.name(opening.failure()) == .requestCancelled)
            #expect(
                school.service.observer.requests.allSatisfy { $0.url.contains("$metadata") })
            #expect(Self.opening(provider).failure() == nil)
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try provider.close()
        }
    }

    /// Who comes while another is writing the file is told that, not that the key or the file is wrong.
    @Test func aStoreThatAnotherWritesSaysSo() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(Self.opening(provider).failure() == nil)
            try provider.close()
            let sync = try #require(provider.syncProvider as? CloudSyncProvider)
            sync.offlineStore.storeConfiguration.busySeconds = 0.05
            var settings = Configuration()
            settings.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: school.storeFile, configuration: settings)
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            let error = Self.opening(provider).failure()
            #expect(Self.name(error) == .storeInUse, "\(String(describing: error))")
            try other.inDatabase { try $0.execute(sql: "COMMIT") }
            #expect(Self.opening(provider).failure() == nil)
            try provider.close()
        }
    }

    /// Several providers may have a store open at once; the one's closing is no matter of the other.
    @Test func aSecondProviderOfTheFileOpensIt() async throws {
        try await SchoolService.run { school in
            let (first, second) = (try school.provider(), try school.provider())
            #expect(Self.opening(first).failure() == nil)
            #expect(Self.opening(second).failure() == nil)
            try Self.rename(first, "by the first")
            #expect(try !second.requestQueueIsEmpty())
            try first.close()
            #expect(try !second.requestQueueIsEmpty())
            try second.close()
        }
    }
}
