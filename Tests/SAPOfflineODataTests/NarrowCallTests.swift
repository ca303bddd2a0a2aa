import Foundation
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Synchronization
import Testing

/// Calls that name what they are about: nothing named is nothing done, and what cannot be done is said at the call.
@Suite struct NarrowCallTests {
    private final class Failures: OfflineODataDelegate, Sendable {
        private let names = Mutex<[String]>([])
        var told: [String] { names.withLock { $0 } }

        func offlineODataProvider(
            _ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest
        ) {
            names.withLock { $0.append("\(request.customTag ?? "-") \(request.httpStatusCode)") }
        }
    }

    private struct Desk {
        let school: SchoolService
        let provider: OfflineODataProvider
        let service: DataService
        let failures = Failures()

        init(_ school: SchoolService) throws {
            self.school = school
            provider = try school.provider(delegate: failures)
            if let error = SchoolService.wait({ [provider] in provider.open(completionHandler: $0) }
            ) {
                throw error
            }
            service = DataService(provider: provider)
        }

        func teacher(_ id: Int) throws -> EntityValue {
            let teachers = service.entitySet(withName: "Teachers")
            let key = EntityKey().with(name: "ID", value: LongValue(Int64(id)))
            return try service.executeQuery(DataQuery().from(teachers).withKey(key))
                .requiredEntity()
        }

        func rename(_ id: Int, _ name: String, _ category: String? = nil) throws {
            let teacher = try teacher(id)
            teacher.entityType.property(withName: "NAME").setStringValue(in: teacher, to: name)
            try service.updateEntity(teacher, options: Self.options("t\(id)", category))
        }

        static func options(
            _ tag: String, _ category: String?
        ) throws -> OfflineODataRequestOptions {
            let options = OfflineODataRequestOptions()
            options.customTag = tag
            options.uploadCategory = try category.map { try UploadCategory(stringLiteral: $0) }
            return options
        }

        func upload(_ categories: [String]) throws -> OfflineODataError? {
            let categories = try categories.map { try UploadCategory(stringLiteral: $0) }
            return SchoolService.wait {
                provider.upload(categories: categories, completionHandler: $0)
            }
        }

        func names() throws -> [String?] {
            try school.serviceRows("SELECT NAME FROM Teachers ORDER BY ID").map { $0[0] }
        }
    }

    @Test func anUploadOfNoCategorySendsNothing() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            try desk.rename(1, "changed")
            #expect(try desk.upload([]) == nil)
            #expect(try desk.names() == ["Ada", "Blaise", "Carl"])
            #expect(try school.storeRows("SELECT count(*) FROM _odata_request") == [["1"]])
            try desk.provider.close()
            #expect(try desk.upload([])?.errorName == .storeNotOpen)
        }
    }

    @Test func aDownloadOfNoQueryWantsAnOpenStore() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            func download() -> OfflineODataError? {
                SchoolService.wait {
                    desk.provider.download(withSubset: [], completionHandler: $0)
                }
            }
            school.service.observer.forget()
            #expect(download() == nil && school.service.observer.requests.isEmpty)
            try desk.provider.close()
            #expect(download()?.errorName == .storeNotOpen)
        }
    }

    /// It would be sent with neither category: all of it is refused.
    @Test(arguments: [("a", "b"), ("a", nil), (nil, "b")] as [(String?, String?)])
    func aChangeSetOfSeveralCategoriesIsRefused(first: String?, second: String?) async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            let changes = ChangeSet()
            for (id, category) in [(1, first), (2, second)] {
                let teacher = try desk.teacher(id)
                teacher.entityType.property(withName: "NAME")
                    .setStringValue(in: teacher, to: "x")
                changes.updateEntity(teacher, options: try Desk.options("t\(id)", category))
            }
            let error = #expect(throws: (any Error).self) {
                try desk.service.applyChanges(changes)
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains("one upload category"))
            #expect(try school.storeRows("SELECT count(*) FROM _odata_request") == [["0"]])
            #expect(
                try school.storeRows("SELECT NAME FROM Teachers ORDER BY ID")
                    == [["Ada"], ["Blaise"], ["Carl"]])
            try desk.provider.close()
        }
    }

    @Test("OFF-011 each refusal is told once, and what only stays listed is not told again")
    func eachRefusalIsToldOnce() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            try desk.rename(1, "refused", "first")
            try desk.rename(2, "refused", "first")
            try desk.rename(3, "Cleo", "second")
            #expect(try desk.upload(["first"]) == nil)
            let told = desk.failures.told
            #expect(told.map { String($0.prefix(4)) } == ["t1 4", "t2 4"])
            #expect(try desk.upload(["second"]) == nil)
            #expect(desk.failures.told == told)
            school.service.observer.setFaults { _, _ in .loseRequest }
            #expect(try desk.upload(["first"]) != nil)
            #expect(desk.failures.told == told)
            school.service.observer.setFaults(nil)
            #expect(try desk.upload(["first"]) == nil)
            #expect(desk.failures.told.count == 4)
            try desk.provider.close()
        }
    }

    /// What was refused stays listed until it is really sent again.
    @Test func errorsStayListedUntilTheyAreSentAgain() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            func expectListed() throws {
                let archive = desk.service.entitySet(withName: "ErrorArchive")
                let entries = try desk.service.executeQuery(DataQuery().from(archive)).entityList()
                #expect(entries.length == 2)
                #expect(try desk.teacher(1).inErrorState && desk.teacher(2).inErrorState)
            }
            try desk.rename(1, "refused", "first")
            try desk.rename(2, "refused", "first")
            try desk.rename(3, "Cleo", "second")
            #expect(try desk.upload(["first"]) == nil)
            try expectListed()
            #expect(try desk.upload(["second"]) == nil)
            #expect(try desk.names() == ["Ada", "Blaise", "Cleo"])
            try expectListed()
            school.service.stop()
            #expect(try desk.upload(["first"]) != nil)
            try expectListed()
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } != nil)
            try expectListed()
            try desk.provider.close()
        }
    }

    @Test("OFF-011 a refusal before the connection breaks is told")
    func aRefusalBeforeTheConnectionBreaksIsTold() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            let sync = try #require(desk.provider.syncProvider as? CloudSyncProvider)
            (sync.batchEntityUploads, sync.uploadWorkerThreads) = (false, 1)
            try desk.rename(1, "refused")
            try desk.rename(2, "Blanche")
            school.service.observer.setFaults { request, _ in
                request.method == "PATCH" && request.url.contains("(2)") ? .loseRequest : nil
            }
            let error = SchoolService.wait { desk.provider.upload(completionHandler: $0) }
            #expect(error != nil)
            #expect(desk.failures.told.map { String($0.prefix(4)) } == ["t1 4"])
            try desk.provider.close()
        }
    }

    /// The names of many queries are longer than the property may be.
    @Test func theDetailsOfAnEventAreNoLongerThanTheirProperty() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider([
                (String(repeating: "é", count: 1_500), "Teachers"),
                (String(repeating: "x", count: 1_500), "Students"),
            ])
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let queries = try provider.definingQueries
            #expect(
                SchoolService.wait {
                    provider.download(withSubset: queries, completionHandler: $0)
                } == nil)
            let details = try DataService(provider: provider).fetchEventLog().compactMap(\.details)
            let longest = try #require(details.max { $0.count < $1.count })
            #expect(longest.utf16.count == 2048 && longest.hasSuffix("\u{2026}"))
            try provider.close()
        }
    }
}
