import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

@Suite struct OfflineLifecycleTests {
    /// OFF-001
    @Test func aProviderIsMadeWithoutNetworkAndFile() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(try provider.definingQueries.map(\.name) == ["TeachersQuery", "StudentsQuery"])
            #expect(school.service.observer.requestCount == 0)
            #expect(!FileManager.default.fileExists(atPath: school.storeFile))
            #expect(!provider.hasMetadata)
        }
    }

    /// OFF-014
    @Test func openingReturnsWhileTheServiceIsStillAsked() async throws {
        try await SchoolService.run { school in
            let gate = DispatchSemaphore(value: 0)
            let isOpen = Mutex(false)
            school.service.observer.setFaults { _, number in
                if number == 1 { gate.wait() }
                return nil
            }
            let provider = try school.provider()
            let opened = DispatchSemaphore(value: 0)
            provider.open { error in
                isOpen.withLock { $0 = error == nil }
                opened.signal()
            }
            #expect(!isOpen.withLock { $0 })
            gate.signal()
            opened.wait()
            #expect(isOpen.withLock { $0 })
            try provider.close()
        }
    }

    /// OFF-015
    @Test func openingWithoutServiceFailsAndMayBeRepeated() async throws {
        try await SchoolService.run { school in
            school.service.observer.setFaults { _, _ in .loseRequest }
            let provider = try school.provider()
            guard
                case .communicationError? = SchoolService.wait({
                    provider.open(completionHandler: $0)
                })
            else {
                Issue.record("Expected communicationError.")
                return
            }
            school.service.observer.setFaults(nil)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])
            try provider.close()
        }
    }

    /// OFF-017
    @Test func nothingWorksBeforeOpening() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let calls: [() throws -> Void] = [
                {
                    _ = try provider.executeQuery(
                        DataQuery().from(EntitySet.undefined), headers: .empty, options: .none)
                },
                {
                    try provider.createEntity(
                        EntityValue(type: EntityType.undefined), headers: .empty, options: .none)
                },
                { _ = try provider.requestQueueIsEmpty() },
                { try provider.undoPendingChanges(for: EntityValueList()) },
            ]
            for call in calls {
                let error = #expect(throws: OfflineODataError.self) { try call() }
                #expect(error?.errorName == .storeNotOpen)
                guard case .preconditionFailed? = error else {
                    Issue.record("Expected preconditionFailed.")
                    return
                }
            }
            let error = SchoolService.wait { provider.upload(completionHandler: $0) }
            #expect(error?.errorName == .storeNotOpen)
        }
    }

    @Test func anOpenStoreIsNotOpenedTwice() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let error = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(error?.errorName == .storeAlreadyOpen)
            #expect(try !provider.hasPendingDownload())
            try provider.close()
        }
    }

    /// OFF-018
    @Test func aClosedStoreRefusesCallsAndKeepsItsFile() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let teachers = provider.metadata.entitySet(withName: "Teachers")
            try provider.close()
            #expect(
                throws: OfflineODataError.preconditionFailed(
                    code: OfflineODataErrorName.storeNotOpen.rawValue,
                    message: "Expected an open store: call open first and wait for it.")
            ) {
                try provider.executeQuery(
                    DataQuery().from(teachers), headers: .empty, options: .none)
            }
            #expect(FileManager.default.fileExists(atPath: school.storeFile))
            // A later opening needs no service.
            school.service.stop()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let count = try provider.executeQuery(
                DataQuery().from(teachers).count(), headers: .empty, options: .none)
            #expect(try count.count() == 3)
            try provider.clear()
            #expect(!FileManager.default.fileExists(atPath: school.storeFile))
        }
    }

    @Test func aStoreIsClearedWithoutOpening() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            try provider.close()
            try OfflineODataProvider.clear(at: school.folder, withName: "store")
            #expect(!FileManager.default.fileExists(atPath: school.storeFile))
        }
    }

    @Test func aCancelledOpeningSaysSo() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            // The first read of data; metadata is there by then.
            school.service.observer.setFaults { request, _ in
                guard !request.url.contains("$metadata") else { return nil }
                try? provider.cancelDownload()
                return .loseRequest
            }
            let error = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(error?.errorName == .requestCancelled)
            school.service.observer.setFaults(nil)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            try provider.close()
        }
    }

    @Test func aCancelledDownloadSaysSo() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let gate = DispatchSemaphore(value: 0)
            school.service.observer.setFaults { _, _ in
                gate.wait()
                return .loseRequest
            }
            let result = Mutex<OfflineODataError?>(nil)
            let ended = DispatchSemaphore(value: 0)
            let token = provider.download { error in
                result.withLock { $0 = error }
                ended.signal()
            }
            token.cancel()
            for _ in 0..<8 { gate.signal() }
            ended.wait()
            #expect(result.withLock { $0?.errorName } == .requestCancelled)
            school.service.observer.setFaults(nil)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            try provider.close()
        }
    }
}

extension SchoolService {
    var storeFile: String { folder.appendingPathComponent("store.db").path }

    /// A row that the service no longer has goes when the store is compared, without a delta.
    @Test func theStoreIsComparedOnDemand() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            #expect(throws: OfflineODataError.self) { try provider.verify() }
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let same = try provider.verify()
            #expect(same.map(\.name).sorted() == ["StudentsQuery", "TeachersQuery"])
            #expect(same.allSatisfy { !$0.isDifferent && $0.obstacle == nil })
            let before = try school.storeRows("SELECT count(*) FROM Teachers")
            try school.change("DELETE FROM Teachers WHERE ID = 3")
            let found = try provider.verify()
            let teachers = try #require(found.first { $0.name == "TeachersQuery" })
            #expect(teachers.isDifferent && teachers.surplus == 1 && teachers.missing == 0)
            let after = try school.storeRows("SELECT count(*) FROM Teachers")
            #expect(before == [["3"]] && after == [["2"]])
            try provider.close()
        }
    }
}
