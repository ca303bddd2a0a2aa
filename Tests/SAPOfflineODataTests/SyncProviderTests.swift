import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// Services over the `syncProvider` of an offline provider: one store, opened and filled by either.
@Suite struct SyncProviderTests {
    /// A service as generators write it, over the provider's other face.
    private final class SchoolData: OfflineDataService, @unchecked Sendable {
        var teachers: EntitySet { entitySet(withName: "Teachers") }

        func names() throws -> [String] {
            let name = teachers.entityType.property(withName: "NAME")
            return try executeQuery(DataQuery().from(teachers).orderBy(name)).entityList()
                .map { name.stringValue(from: $0) }
        }
    }

    private final class Delegate: OfflineODataDelegate, Sendable {
        private let lines = Mutex<[String]>([])
        var seen: [String] { lines.withLock { $0 } }

        private func note(_ line: String) { lines.withLock { $0.append(line) } }

        func offlineODataProvider(
            _ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState
        ) {
            if newState == .open { note("open") }
            if newState == .closed { note("closed") }
            if newState.contains(.downloading) { note("downloading") }
            if newState.contains(.uploading) { note("uploading") }
        }

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateDownloadProgress progress: OfflineODataProgress
        ) {
            if progress.bytesReceived > 0 { note("bytes") }
        }

        func offlineODataProvider(
            _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
        ) { note("failed \(request.httpStatusCode)") }

        func offlineODataProvider(
            _ provider: OfflineODataProvider, didOverwrite overwrite: EntityOverwrite
        ) { note("overwrite \(overwrite.policy)") }
    }

    private static let key = String(repeating: "5c", count: 32)

    private static func sealed(_ school: SchoolService) -> OfflineODataParameters {
        let parameters = school.parameters(name: "sealed")
        parameters.storeEncryptionKey = key
        parameters.customHeaders = ["X-Field": "west"]
        return parameters
    }

    /// Every byte beside the store's name, the log of SQLite included.
    private static func storeBytes(_ school: SchoolService) throws -> Data {
        let names = try FileManager.default.contentsOfDirectory(atPath: school.folder.path)
            .filter { $0.hasPrefix("sealed") }
        #expect(names.contains("sealed.db"))
        return try names.reduce(into: Data()) {
            $0 += try Data(contentsOf: school.folder.appendingPathComponent($1))
        }
    }

    private static func expectSealed(_ school: SchoolService) throws {
        let bytes = try storeBytes(school)
        for text in ["SQLite format 3", "Teachers", "Blaise", "Emil"] {
            #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text) is in clear")
        }
    }

    /// What was sent; members of a batch have no headers of their own.
    private static func requests(_ school: SchoolService) -> [ServiceObserver.Seen] {
        school.service.observer.requests.filter { !$0.isInBatch }
    }

    /// Only the service is kept, as by an app that has no other use for the provider.
    private static func service(
        _ school: SchoolService, _ parameters: OfflineODataParameters,
        _ delegate: (any OfflineODataDelegate)? = nil
    ) throws -> SchoolData {
        let provider = try school.provider(parameters: parameters, delegate: delegate)
        return SchoolData(provider: provider.syncProvider)
    }

    @Test("OFF-040 a service made of syncProvider opens the provider's store with all that was set")
    func theTemplateWorksAsWritten() async throws {
        try await SchoolService.run { school in
            let delegate = Delegate()
            let service = try Self.service(school, Self.sealed(school), delegate)
            #expect(school.service.observer.requestCount == 0)
            try service.open()
            #expect(try service.names() == ["Ada", "Blaise", "Carl"])
            try school.change("INSERT INTO Teachers VALUES (4, 'Dido')")
            try service.download()
            #expect(try service.names() == ["Ada", "Blaise", "Carl", "Dido"])
            try Self.expectSealed(school)
            let requests = Self.requests(school)
            #expect(!requests.isEmpty)
            #expect(requests.allSatisfy { $0.headers["X-Field"] == "west" })
            #expect(!school.service.observer.requests.contains { $0.url.contains("Notes") })
            #expect(delegate.seen.contains("open") && delegate.seen.contains("downloading"))
            #expect(delegate.seen.contains("bytes"))
            try service.close()
            #expect(delegate.seen.last == "closed")
        }
    }

    @Test func metadataThatIsLoadedWhileAnOpeningWaitsIsSealed() async throws {
        try await SchoolService.run { school in
            let parameters = Self.sealed(school)
            parameters.storeEncryptionKey = nil
            let provider = try school.provider(parameters: parameters)
            let sync = try #require(provider.syncProvider as? CloudSyncProvider)
            sync.encryptionKey = Self.key
            let opened = SchoolService.wait { done in
                provider.open(completionHandler: done)
                try? provider.loadMetadata(headers: HTTPHeaders(), options: RequestOptions())
            }
            #expect(opened == nil)
            try Self.expectSealed(school)
            try provider.close()
        }
    }

    /// Who opens, closes and opens again, and when the service is made.
    enum Move: String, CaseIterable, Sendable {
        case make, openProvider, openService, closeProvider, closeService
    }

    private static let orders: [[Move]] = [
        [.make, .openService],
        [.make, .openProvider],
        [.openProvider, .make],
        [.openProvider, .make, .openService],
        [.make, .openService, .openProvider],
        [.make, .openProvider, .openService],
        [.make, .openService, .closeService, .openService],
        [.make, .openService, .closeProvider, .openProvider],
        [.make, .openProvider, .closeService, .openService],
        [.openProvider, .make, .closeProvider, .openService, .openProvider],
    ]

    @Test("OFF-040 the order in which provider and service open does not matter", arguments: orders)
    func everyOrder(moves: [Move]) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider(parameters: Self.sealed(school))
            var service: SchoolData?
            var isOpen = false
            for move in moves {
                switch move {
                case .make: service = SchoolData(provider: provider.syncProvider)
                case .openProvider:
                    let error = SchoolService.wait { provider.open(completionHandler: $0) }
                    #expect(error?.errorName == (isOpen ? .storeAlreadyOpen : nil))
                    isOpen = true
                case .openService:
                    try service?.open()
                    isOpen = true
                case .closeProvider:
                    try provider.close()
                    isOpen = false
                case .closeService:
                    try service?.close()
                    isOpen = false
                }
                guard let service else { continue }
                let (own, other) = (service.syncProvider, provider.syncProvider)
                let isSame =
                    ObjectIdentifier(own as AnyObject) == ObjectIdentifier(other as AnyObject)
                #expect(isSame)
                guard isOpen else {
                    #expect(throws: OfflineODataError.self) { try provider.requestQueueIsEmpty() }
                    #expect(throws: (any Error).self) { try service.names() }
                    continue
                }
                // What one writes the other reads.
                let set = service.teachers
                let entity = EntityValue.ofType(set.entityType).inSet(set)
                set.entityType.property(withName: "ID").setIntValue(in: entity, to: 9)
                set.entityType.property(withName: "NAME").setStringValue(in: entity, to: "Zoe")
                try service.createEntity(entity)
                #expect(try !provider.requestQueueIsEmpty())
                try provider.undoPendingChanges(for: entity)
                #expect(try service.names() == ["Ada", "Blaise", "Carl"])
            }
            try Self.expectSealed(school)
            #expect(Self.requests(school).allSatisfy { $0.headers["X-Field"] == "west" })
            try provider.close()
        }
    }

    /// Metadata is kept in the store, so looking for it makes the file.
    @Test(arguments: [true, false])
    func metadataBeforeOpeningIsSealedToo(isByService: Bool) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider(parameters: Self.sealed(school))
            let service = SchoolData(provider: provider.syncProvider)
            if isByService {
                try service.loadMetadata()
            } else {
                try provider.loadMetadata(headers: .empty, options: .none)
            }
            try Self.expectSealed(school)
            try service.open()
            #expect(try service.names().count == 3)
            try service.close()
        }
    }

    /// A service of an older generator, over the provider itself.
    @Test func aServiceOfTheProvidersOwnClassReadsIt() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider(parameters: Self.sealed(school))
            let service = LegacyDataService<OfflineODataProvider>(provider: provider)
            let opened = SchoolService.wait { service.provider.open(completionHandler: $0) }
            #expect(opened == nil)
            let set = service.metadata.entitySet(withName: "Teachers")
            #expect(try service.executeQuery(DataQuery().from(set)).entityList().length == 3)
            try Self.expectSealed(school)
            try provider.close()
        }
    }

    @Test func anUploadThroughTheServiceTellsTheDelegate() async throws {
        try await SchoolService.run { school in
            let delegate = Delegate()
            let service = try Self.service(school, school.parameters(), delegate)
            try service.open()
            let set = service.teachers
            let teacher = try service.executeQuery(DataQuery().from(set)).entityList().first()
            set.entityType.property(withName: "NAME").setStringValue(in: teacher, to: "refused")
            try service.updateEntity(teacher)
            try service.upload()
            #expect(delegate.seen.contains("uploading"))
            #expect(delegate.seen.filter { $0.hasPrefix("failed 4") }.count == 1)
            // The built-in sets are there, too.
            let archive = service.entitySet(withName: "ErrorArchive")
            let entries = try service.executeQuery(DataQuery().from(archive)).entityList()
            #expect(entries.length == 1)
            try service.deleteEntity(entries.first())
            #expect(try service.failedRequests().length == 0)
            try service.close()
        }
    }

    private static let customers = """
        CREATE TABLE Customers (ID INTEGER PRIMARY KEY, Name TEXT, Status TEXT);
        INSERT INTO Customers VALUES (50, 'old', 'NEW');
        """

    /// Rules set at the one are the rules of the other, beside those of the parameters.
    @Test(arguments: [true, false])
    func conflictRulesOfTheSyncProviderDecide(isByService: Bool) async throws {
        try await SchoolService.run(schema: Self.customers) { school in
            let delegate = Delegate()
            let provider = try school.provider(
                [("Customers", "Customers")], delegate: delegate)
            let sync = try #require(provider.syncProvider as? CloudSyncProvider)
            let told = Mutex(0)
            sync.overwriteListener = { _ in told.withLock { $0 += 1 } }
            let service = SchoolData(provider: sync)
            try service.open()
            let set = service.entitySet(withName: "Customers")
            // Set on what is let go at once.
            try #require(provider.syncProvider as? CloudSyncProvider).setConflictPolicy(
                .resolve { _ in .keepLocal }, for: set)
            let customer = try service.executeQuery(DataQuery().from(set)).entityList().first()
            set.entityType.property(withName: "Name").setStringValue(in: customer, to: "mine")
            try service.updateEntity(customer)
            try school.change("UPDATE Customers SET Name = 'theirs' WHERE ID = 50")
            if isByService {
                try service.upload()
            } else {
                #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            }
            #expect(try school.serviceRows("SELECT Name FROM Customers") == [["mine"]])
            #expect(delegate.seen.contains("overwrite resolver"))
            #expect(told.withLock { $0 } == 1)
            try service.close()
        }
    }

    /// What the app has set there is not taken back by parameters that say nothing of it.
    @Test func settingsOfTheSyncProviderStay() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            let provider = try school.provider(parameters: parameters)
            let sync = try #require(provider.syncProvider as? CloudSyncProvider)
            sync.encryptionKey = Self.key
            sync.throwUploadFailures = true
            sync.sendRepeatableRequests = false
            let service = SchoolData(provider: sync)
            service.httpHeaders.setHeader(withName: "X-Own", value: "yes")
            try service.open()
            #expect(parameters.storeEncryptionKey == Self.key)
            #expect(sync.throwUploadFailures && !sync.sendRepeatableRequests)
            parameters.customHeaders = ["X-Field": "east"]
            school.service.observer.forget()
            try service.download()
            #expect(
                Self.requests(school).allSatisfy {
                    $0.headers["X-Own"] == "yes" && $0.headers["X-Field"] == "east"
                })
            parameters.customHeaders = [:]
            school.service.observer.forget()
            try service.download()
            #expect(
                Self.requests(school).allSatisfy {
                    $0.headers["X-Own"] == "yes" && $0.headers["X-Field"] == nil
                })
            try service.close()
            parameters.enableRepeatableRequests = false
            try service.open()
            parameters.enableRepeatableRequests = true
            try service.close()
            try service.open()
            #expect(sync.sendRepeatableRequests)
            try service.close()
        }
    }
}
