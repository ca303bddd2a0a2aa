import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// Reads through a plain service, and limits that count for every request.
@Suite struct OfflineReadingTests {
    private final class Teacher: EntityValue, @unchecked Sendable {}

    @Test("OFF-003 a service over the provider reads typed and by name, changes included")
    func readsAreTypedAndDynamic() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let opened = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(opened == nil)
            school.service.stop()
            let service = DataService(provider: provider)
            let set = service.entitySet(withName: "Teachers")
            let type = set.entityType
            let (id, name) = (type.property(withName: "ID"), type.property(withName: "NAME"))
            // By name, with a filter that leaves rows out.
            let found = try service.executeQuery(
                DataQuery().from(set).filter(id.greaterThan(1)).orderBy(name, .descending)
            ).entityList()
            #expect(found.map { name.stringValue(from: $0) } == ["Carl", "Blaise"])
            #expect(found.map { id.intValue(from: $0) } == [3, 2])
            #expect(try service.executeQuery(DataQuery().from(set).count()).count() == 3)
            // Typed, once the app has registered its class.
            type.registerFactory(
                ObjectFactory.with(create: { Teacher(withDefaults: false, type: type) }))
            let typed = try service.executeQuery(DataQuery().from(set)).entityList().toArray()
            #expect(typed.count == 3 && typed.allSatisfy { $0 is Teacher })
            try OfflineOpeningTests.rename(provider, "Zoe")
            let first = try service.executeQuery(
                DataQuery().from(set).orderBy(name, .descending).top(1)
            ).requiredEntity()
            #expect(first is Teacher && name.stringValue(from: first) == "Zoe")
            try provider.close()
        }
    }

    @Test("PAR-019 the limit counts for requests outside of batches, too")
    func aSlowServiceEndsTheFirstOpening() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.timeout = 1
            let provider = try school.provider(parameters: parameters)
            let slow = SlowService(school)
            defer { slow.letGo() }
            // The first request is for metadata.
            let error = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(slow.isHolding && slow.isLimit(of: error))
            guard case .communicationError? = error else {
                Issue.record("Expected communicationError, found \(String(describing: error)).")
                return
            }
            #expect(school.service.observer.requests.allSatisfy { !$0.isInBatch })
        }
    }

    private final class FileDelegate: OfflineODataDelegate, Sendable {
        let files = Mutex<[OfflineODataFileDownloadProgress]>([])

        func offlineODataProvider(
            _ provider: OfflineODataProvider,
            didUpdateFileDownloadProgress progress: OfflineODataFileDownloadProgress
        ) { files.withLock { $0.append(progress) } }
    }

    @Test("OFF-009 the first opening tells the bytes as they come, and their number at the end")
    func theFirstOpeningTellsItsBytes() async throws {
        let schema =
            SchoolService.schema + """
                WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
                INSERT INTO Notes SELECT i + 1000, 'note number ' || i FROM n;
                """
        try await SchoolService.run(schema: schema) { school in
            let delegate = FileDelegate()
            let provider = try school.provider(
                [("T", "Teachers"), ("S", "Students"), ("N", "Notes")], delegate: delegate)
            let opened = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(opened == nil)
            let files = delegate.files.withLock { $0 }
            let received = files.map(\.bytesReceived)
            #expect(received == received.sorted() && Set(received).count > 1)
            // More than the names that came.
            #expect((received.last ?? 0) > 391 * 15)
            #expect(files.allSatisfy { $0.fileSize >= $0.bytesReceived })
            #expect(files.last?.fileSize == received.last)
            try provider.close()
            delegate.files.withLock { $0 = [] }
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(delegate.files.withLock { $0 }.isEmpty)
            try provider.close()
        }
    }
}
