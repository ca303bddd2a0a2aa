import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import ODataTransport
import SAPFoundation
import SAPOfflineOData
import Synchronization
import Testing

@Suite struct OfflineParametersTests {
    /// PAR-001, PAR-016
    @Test func defaultsAreAsDocumented() {
        let parameters = OfflineODataParameters()
        #expect(parameters.storeEncryptionKey == nil && parameters.storeName == nil)
        #expect(parameters.storePath == nil && parameters.urlSuffix == nil)
        #expect(parameters.extraStreamParameters == nil)
        #expect(parameters.extraDatabaseConnectionParameters == nil)
        #expect(parameters.customHeaders.isEmpty && parameters.customCookies.isEmpty)
        #expect(parameters.enableRepeatableRequests)
        #expect(OfflineODataParameters.noPaging == nil)
        #expect(parameters.pageSize == OfflineODataParameters.noPaging)
        #expect(parameters.timeout == nil)
        #expect(!parameters.enableRequestQueueOptimization && !parameters.enableUndoLocalCreation)
        #expect(!parameters.enableTransactionBuilder)
        #expect(!parameters.enableIndividualErrorArchiveDeletion)
        #expect(parameters.enableBackgroundDataTransfer && !parameters.forceUploadOnUserSwitch)
        #expect(!parameters.refreshInOrderOfAddition && !parameters.autoRegisterClient)
        #expect(parameters.currentUser == nil && !parameters.enableClientOnlyMetadata)
        #expect(parameters.forcePurgeClientOnlyDataOnUserSwitch)
        #expect(!parameters.forcePurgeClientOnlyDataOnMetadataChange)
    }

    private static func opened(
        _ school: SchoolService, _ parameters: OfflineODataParameters
    ) throws -> OfflineODataProvider {
        let provider = try school.provider(parameters: parameters)
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        return provider
    }

    private static func rename(_ provider: OfflineODataProvider, _ text: String) throws {
        let service = DataService(provider: provider)
        let teachers = service.entitySet(withName: "Teachers")
        let teacher = try service.executeQuery(DataQuery().from(teachers).top(1)).requiredEntity()
        teachers.entityType.property(withName: "NAME").setStringValue(in: teacher, to: text)
        try service.updateEntity(teacher)
    }

    /// PAR-002, PAR-004, PAR-007
    @Test func aStoreWithoutNameAndKeyIsAPlainFileInItsFolder() async throws {
        try await SchoolService.run { school in
            let provider = try Self.opened(school, school.parameters(name: nil))
            let file = school.folder.appendingPathComponent("localstore.db")
            #expect(try Data(contentsOf: file).starts(with: Data("SQLite format 3".utf8)))
            #expect(
                try school.storeRows("SELECT count(*) FROM Teachers", store: "localstore")
                    == [["3"]])
            try provider.close()
        }
    }

    /// PAR-005
    @Test func twoNamesAreTwoStores() async throws {
        try await SchoolService.run { school in
            let first = try Self.opened(school, school.parameters(name: "first"))
            let second = try Self.opened(school, school.parameters(name: "second"))
            try Self.rename(first, "here only")
            let sql = "SELECT NAME FROM Teachers WHERE ID = 1"
            #expect(try school.storeRows(sql, store: "first") == [["here only"]])
            #expect(try school.storeRows(sql, store: "second") == [["Ada"]])
            try first.close()
            try second.close()
        }
    }

    /// PAR-008
    @Test func theSuffixIsInEachRequest() async throws {
        try await SchoolService.run(adjust: { $0.rootPath = "/School/behind/proxy/" }) { school in
            let parameters = school.parameters()
            parameters.urlSuffix = "/behind/proxy"
            let root = try #require(
                URL(string: school.url.absoluteString.replacing("behind/proxy/", with: "")))
            let provider = try OfflineODataProvider(
                serviceRoot: root, parameters: parameters, sapURLSession: SAPURLSession())
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "T", query: "Teachers", automaticallyRetrievesStreams: false))
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            let requests = school.service.observer.requests.filter { !$0.isInBatch }
            #expect(!requests.isEmpty)
            #expect(requests.allSatisfy { $0.url.hasPrefix("/School/behind/proxy/") })
            school.service.observer.forget()
            try Self.rename(provider, "new")
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            let changes = school.service.observer.requests.filter { !$0.isInBatch }
            #expect(!changes.isEmpty)
            #expect(changes.allSatisfy { $0.url.hasPrefix("/School/behind/proxy/") })
            #expect(try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["new"]])
            try provider.close()
        }
    }

    /// PAR-012, PAR-013
    @Test func headersAndCookiesAreInEachRequest() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.customHeaders = ["X-Shift": "night"]
            parameters.customCookies = ["region": "north", "badge": "7"]
            let provider = try Self.opened(school, parameters)
            try Self.rename(provider, "new")
            provider.providerParameters.customHeaders = ["X-Shift": "day"]
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            let requests = school.service.observer.requests.filter { !$0.isInBatch }
            let shifts = requests.map { $0.headers["X-Shift"] ?? "none" }
            #expect(shifts.first == "night" && shifts.last == "day" && !shifts.contains("none"))
            for request in requests {
                let cookies = (request.headers["Cookie"] ?? "").components(separatedBy: "; ")
                #expect(cookies.contains("region=north") && cookies.contains("badge=7"))
            }
            try provider.close()
        }
    }

    /// PAR-014, PAR-015
    @Test(arguments: [true, false])
    func repeatableRequestsAreASwitch(isOn: Bool) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.enableRepeatableRequests = isOn
            let provider = try Self.opened(school, parameters)
            try Self.rename(provider, "new")
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            let changes = school.service.observer.requests.filter { $0.method == "PATCH" }
            #expect(changes.count == 1)
            for change in changes {
                #expect((change.headers["Repeatability-Request-ID"] != nil) == isOn)
                #expect((change.headers["Repeatability-First-Sent"] != nil) == isOn)
                #expect((change.headers["RequestID"]?.count == 32) == isOn)
                #expect((change.headers["RepeatabilityCreation"] != nil) == isOn)
            }
            try provider.close()
        }
    }

    /// PAR-017, PAR-018
    @Test func aLocalReadIsCutIntoPages() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.pageSize = 3
            let provider = try Self.opened(school, parameters)
            let service = DataService(provider: provider)
            let students = service.entitySet(withName: "Students")
            let (id, name) = (
                students.entityType.property(withName: "ID"),
                students.entityType.property(withName: "NAME")
            )
            var page = try service.executeQuery(DataQuery().from(students).orderBy(id)).entityList()
            #expect(page.length == 3)
            var names = page.map { name.stringValue(from: $0) }
            var links = 0
            while let link = page.nextLink, links < 5 {
                let next = DataQuery()
                next.url = link
                page = try service.executeQuery(next).entityList()
                names += page.map { name.stringValue(from: $0) }
                links += 1
            }
            #expect(links == 1)
            #expect(names == ["Dora", "Emil", "Fritz", "Gus"])
            let all = DataQuery().from(students).top(3)
            #expect(try service.executeQuery(all).entityList().nextLink == nil)
            try provider.close()
        }
    }

    /// A system that is asked for time, and what it was told.
    private final class Clock: BackgroundTime {
        let told = Mutex<[String]>([])

        func ask(for reason: String) -> @Sendable () -> Void {
            told.withLock { $0.append(reason) }
            return { [self] in told.withLock { $0.append("end") } }
        }
    }

    /// PAR-044: whatever becomes of the operation, the system is told that it is over.
    @Test(arguments: [true, false]) func operationsAskForTimeInTheBackground(
        isEnabled: Bool
    ) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            #expect(parameters.enableBackgroundDataTransfer)
            parameters.enableBackgroundDataTransfer = isEnabled
            parameters.storeName = "timed"
            let clock = Clock()
            let provider = try school.provider(parameters: parameters)
            provider.backgroundTime = clock
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            try school.service.close()
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } != nil)
            let asked = ["open", "download", "upload", "download"].flatMap {
                ["timed: " + $0, "end"]
            }
            #expect(clock.told.withLock { $0 } == (isEnabled ? asked : []))
            try provider.close()
        }
    }

    /// PAR-034
    @Test func transactionsAreIgnoredWithoutBuilder() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            let provider = try Self.opened(school, parameters)
            let service = DataService(provider: provider)
            let teachers = service.entitySet(withName: "Teachers")
            for id in [10, 11] {
                let teacher = EntityValue.ofType(teachers.entityType).inSet(teachers)
                teachers.entityType.property(withName: "ID").setIntValue(in: teacher, to: id)
                teachers.entityType.property(withName: "NAME")
                    .setStringValue(in: teacher, to: id == 10 ? "good" : "refused")
                let options = OfflineODataRequestOptions()
                options.transactionID = try TransactionID(stringLiteral: "1")
                try service.createEntity(teacher, options: options)
            }
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            // One change set would have failed as a whole.
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID >= 10") == [["good"]])
            try provider.close()
        }
    }

    /// PAR-045, PAR-053
    @Test func theUserCountsOnlyWithForcedUpload() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.currentUser = "mia"
            let provider = try Self.opened(school, parameters)
            try Self.rename(provider, "by mia")
            try provider.close()
            let other = school.parameters()
            other.currentUser = "noah"
            let second = try Self.opened(school, other)
            #expect(try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["Ada"]])
            #expect(try second.getPreviousUser() == nil)
            try second.close()
        }
    }

    /// PAR-046
    @Test func aForcedUploadSendsTheQueueOfTheUserBefore() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.currentUser = "mia"
            parameters.forceUploadOnUserSwitch = true
            let provider = try Self.opened(school, parameters)
            try Self.rename(provider, "by mia")
            try provider.close()
            parameters.currentUser = "noah"
            let second = try Self.opened(school, parameters)
            #expect(
                try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["by mia"]])
            #expect(try second.requestQueueIsEmpty())
            #expect(try second.getPreviousUser() == "mia")
            try second.close()
        }
    }

    /// PAR-019
    @Test func aSlowServiceEndsTheDownload() async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            let provider = try Self.opened(school, parameters)
            parameters.timeout = 1
            let slow = SlowService(school)
            let error = SchoolService.wait { provider.download(completionHandler: $0) }
            #expect(slow.isHolding && slow.isLimit(of: error))
            slow.letGo()
            guard case .communicationError? = error else {
                Issue.record("Expected communicationError, found \(String(describing: error)).")
                return
            }
            #expect(try provider.hasPendingDownload())
            try provider.close()
        }
    }
}

/// Keeps every request of a school's service waiting, until the test lets go or ten minutes are over.
final class SlowService: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)
    private let gaveUp = Mutex(0)

    init(_ school: SchoolService) {
        school.service.observer.setFaults { [self] _, _ in
            arrivals.signal()
            if gate.wait(timeout: .now() + 600) == .timedOut { gaveUp.withLock { $0 += 1 } }
            return .loseRequest
        }
    }

    /// True where a request has come, and every one that came still waits. On a busy machine the client may have given up before
    /// the service sees what it has sent.
    var isHolding: Bool {
        guard arrivals.wait(timeout: .now() + 60) == .success else { return false }
        arrivals.signal()
        return gaveUp.withLock { $0 == 0 }
    }

    /// True for an error that names the one second that the tests allow; by the clock it may have been more.
    func isLimit(of error: (any Error)?) -> Bool {
        "\(String(describing: error))".contains("nothing came for 1s")
    }

    func letGo() {
        for _ in 0..<64 { gate.signal() }
    }
}
