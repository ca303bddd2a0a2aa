import Foundation
import GRDB
import SAPOData
import ODataQuery
import ODataServer
import ODataSQLite
import ODataStore
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// `storeEncryptionKey` and what goes with it.
@Suite struct OfflineEncryptionTests {
    private static let key = String(repeating: "3e", count: 32)

    private static func open(_ school: SchoolService, _ key: String?) throws -> OfflineODataError? {
        let parameters = school.parameters()
        parameters.storeEncryptionKey = key
        let provider = try school.provider(parameters: parameters)
        let error = SchoolService.wait { provider.open(completionHandler: $0) }
        try? provider.close()
        return error
    }

    private static func isMismatch(_ error: OfflineODataError?) -> Bool {
        guard case .preconditionFailed(let code, _)? = error else { return false }
        return code == OfflineODataErrorName.encryptionKeyMismatch.rawValue
    }

    /// PAR-003, PAR-002
    @Test func aStoreWithKeyIsUnreadableWithoutIt() async throws {
        try await SchoolService.run { school in
            #expect(try Self.open(school, Self.key) == nil)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: school.storeFile))
            for text in ["SQLite format 3", "Teachers", "Blaise"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil)
            }
            #expect(Self.isMismatch(try Self.open(school, "another")))
            #expect(Self.isMismatch(try Self.open(school, nil)))
            #expect(try Data(contentsOf: URL(fileURLWithPath: school.storeFile)) == bytes)
            #expect(try Self.open(school, Self.key) == nil)
        }
        try await SchoolService.run { school in
            #expect(try Self.open(school, nil) == nil)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: school.storeFile))
            #expect(bytes.starts(with: Data("SQLite format 3".utf8)))
            #expect(Self.isMismatch(try Self.open(school, Self.key)))
            #expect(try Self.open(school, nil) == nil)
        }
    }

    /// PAR-010
    @Test(arguments: [
        ("cache_size=4m", 4096), ("CACHE_MAX_SIZE = 512k; other=1", 512), ("cache_size=x", 16384),
        ("cache_size=1", 256),
    ])
    func theCacheIsAsLargeAsTheParametersSay(text: String, kibibytes: Int) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.extraDatabaseConnectionParameters = text
            let provider = try school.provider(parameters: parameters)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let sync = try #require(provider.syncProvider as? CloudSyncProvider)
            let size = try sync.offlineStore.store().read {
                try Int.fetchOne($0, sql: "PRAGMA cache_size")
            }
            #expect(size == -kibibytes)
            try provider.close()
        }
    }

    private static func sent(
        _ school: SchoolService,
        _ send: (@escaping @Sendable (OfflineODataError?) -> Void) -> Void
    ) -> (error: OfflineODataError?, body: Data) {
        let body = Mutex(Data())
        school.service.observer.setFaults { request, _ in
            guard request.url.hasSuffix("$database") else { return nil }
            body.withLock { $0 = Data(request.body) }
            return .answer(ResponseMessage(status: 204))
        }
        defer { school.service.observer.setFaults(nil) }
        let error = SchoolService.wait(send)
        return (error, body.withLock { $0 })
    }

    @Test func theStoreIsSentInClearOrUnderAKeyOfItsOwn() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.storeEncryptionKey = Self.key
            let delegate = SendingDelegate()
            let provider = try school.provider(parameters: parameters, delegate: delegate)
            let early = Self.sent(school) { provider.sendStore(completionHandler: $0) }
            guard case .preconditionFailed? = early.error else {
                Issue.record("Expected preconditionFailed before open.")
                return
            }
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let clear = Self.sent(school) { provider.sendStore(completionHandler: $0) }
            #expect(clear.error == nil)
            #expect(clear.body.range(of: Data("Blaise".utf8)) != nil)
            let sealed = Self.sent(school) {
                provider.sendEncryptedStore(newEncryptionKey: "For You", completionHandler: $0)
            }
            #expect(sealed.error == nil && sealed.body.count > 10_000)
            #expect(sealed.body.range(of: Data("Blaise".utf8)) == nil)
            for key in ["", " key", "key ", "a;b"] {
                let refused = Self.sent(school) {
                    provider.sendEncryptedStore(newEncryptionKey: key, completionHandler: $0)
                }
                guard case .invalidInput? = refused.error else {
                    Issue.record("Expected invalidInput for '\(key)'.")
                    continue
                }
            }
            let progress = delegate.progress.withLock { $0 }
            #expect(Set(progress.map(\.fileName)) == ["store.db"])
            #expect(progress.allSatisfy { $0.fileSize > 10_000 && $0.bytesSent <= $0.fileSize })
            #expect(
                progress.first?.bytesSent == 0
                    && progress.last?.bytesSent == progress.last?.fileSize)
            #expect(delegate.states.withLock { $0 }.contains([.open, .sendingStore]))
            try provider.close()
        }
    }
}

private final class SendingDelegate: OfflineODataDelegate, Sendable {
    let progress = Mutex<[OfflineODataSendStoreProgress]>([])
    let states = Mutex<[OfflineODataStoreState]>([])

    func offlineODataProvider(
        _ provider: OfflineODataProvider,
        didUpdateSendStoreProgress progress: OfflineODataSendStoreProgress
    ) {
        self.progress.withLock { $0.append(progress) }
    }

    func offlineODataProvider(
        _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
    ) {
        states.withLock { $0.append(newState) }
    }
}
