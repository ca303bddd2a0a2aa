import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// Who opens an offline store, and what that means.
@Suite struct OfflineUserTests {
    private static func opened(
        _ school: SchoolService, _ user: String?,
        _ adjust: (OfflineODataParameters) -> Void = { _ in }
    ) throws -> OfflineODataProvider {
        let parameters = school.parameters()
        parameters.currentUser = user
        adjust(parameters)
        let provider = try school.provider(parameters: parameters)
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        return provider
    }

    private static func events(_ school: SchoolService) throws -> [String?] {
        try school.storeRows("SELECT details FROM _odata_event WHERE type = 'userSwitch'")
            .map { $0[0] }
    }

    private static let served = "SELECT NAME FROM Teachers WHERE ID = 1"

    @Test("PAR-053 without forced upload another user is noted, and no more than that")
    func anotherUserIsNoted() async throws {
        try await SchoolService.run { school in
            let first = try Self.opened(school, "mia")
            try OfflineOpeningTests.rename(first, "by mia")
            try first.close()
            #expect(try Self.events(school).isEmpty)
            let second = try Self.opened(school, "noah")
            #expect(try Self.events(school) == ["mia"])
            #expect(try school.serviceRows(Self.served) == [["Ada"]])
            #expect(try !second.requestQueueIsEmpty())
            // The log of synchronisations has it not.
            #expect(
                try DataService(provider: second).fetchEventLog().map(\.eventType) == ["Download"])
            try second.close()
        }
    }

    @Test func anotherUserCanBeRefused() async throws {
        try await SchoolService.run { school in
            let first = try Self.opened(school, "mia")
            try OfflineOpeningTests.rename(first, "by mia")
            try first.close()
            let parameters = school.parameters()
            parameters.currentUser = "noah"
            parameters.refuseOpenOnUserSwitch = true
            let second = try school.provider(parameters: parameters)
            let error = SchoolService.wait { second.open(completionHandler: $0) }
            #expect(error?.errorName == .userSwitchRefused)
            guard case .preconditionFailed? = error else {
                Issue.record("Expected preconditionFailed, found \(String(describing: error)).")
                return
            }
            #expect(try second.getPreviousUser() == "mia")
            #expect(throws: OfflineODataError.self) { try second.requestQueueIsEmpty() }
            #expect(try school.storeRows("SELECT count(*) FROM _odata_request") == [["1"]])
            let third = try Self.opened(school, "mia") { $0.refuseOpenOnUserSwitch = true }
            #expect(try !third.requestQueueIsEmpty())
            try third.close()
        }
    }

    @Test("PAR-046 only another user forces an upload", arguments: ["mia", "noah", nil])
    func anUploadIsForcedByAnotherUserOnly(user: String?) async throws {
        try await SchoolService.run { school in
            let first = try Self.opened(school, "mia") { $0.forceUploadOnUserSwitch = true }
            try OfflineOpeningTests.rename(first, "by mia")
            try first.close()
            let second = try Self.opened(school, user) { $0.forceUploadOnUserSwitch = true }
            let isSame = user == "mia"
            #expect(try school.serviceRows(Self.served) == [[isSame ? "Ada" : "by mia"]])
            #expect(try second.requestQueueIsEmpty() == !isSame)
            #expect(try !second.hasPendingUpload())
            #expect(try Self.events(school) == (isSame ? [] : ["mia"]))
            try second.close()
        }
    }

    @Test("PAR-046 the changes of the user before go with that user's session where the app has it")
    func theChangesOfTheUserBeforeGoWithTheirSession() async throws {
        let observer = ServiceObserver()
        try await SchoolService.run(adjust: { $0.observer = observer }) { school in
            let first = try Self.opened(school, "mia")
            try OfflineOpeningTests.rename(first, "by mia")
            try first.close()
            let parameters = school.parameters()
            parameters.currentUser = "noah"
            parameters.forceUploadOnUserSwitch = true
            parameters.customHeaders = ["Authorization": "Bearer of noah", "X-Site": "north"]
            let second = try school.provider(parameters: parameters)
            second.sessionOfUser = { user in
                guard user == "mia" else { return nil }
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpAdditionalHeaders = ["Authorization": "Bearer of mia"]
                return SAPURLSession(configuration: configuration)
            }
            let before = observer.requests.count
            #expect(SchoolService.wait { second.open(completionHandler: $0) } == nil)
            #expect(try school.serviceRows(Self.served) == [["by mia"]])
            let sent = observer.requests.dropFirst(before).filter {
                $0.method != "GET" && !$0.isInBatch
            }
            #expect(sent.map { $0.headers["Authorization"] } == ["Bearer of mia"])
            #expect(sent.map { $0.headers["X-Site"] } == ["north"])
            // What the present user does goes with theirs.
            try OfflineOpeningTests.rename(second, "by noah")
            #expect(SchoolService.wait { second.upload(completionHandler: $0) } == nil)
            let later = observer.requests.filter { $0.method != "GET" && !$0.isInBatch }
            #expect(later.last?.headers["Authorization"] == "Bearer of noah")
            try second.close()
        }
    }

    @Test("PAR-048 a user who has opened without the flag owns what is there")
    func whoHasTakenTheStoreOverOwnsIt() async throws {
        try await SchoolService.run { school in
            let first = try Self.opened(school, "mia") { $0.forceUploadOnUserSwitch = true }
            try OfflineOpeningTests.rename(first, "refused")
            try first.close()
            #expect(throws: OfflineODataError.self) {
                try Self.opened(school, "noah") { $0.forceUploadOnUserSwitch = true }
            }
            try Self.opened(school, "noah").close()
            // No switch any more, so nothing is forced, and nothing is refused.
            let third = try Self.opened(school, "noah") { $0.forceUploadOnUserSwitch = true }
            #expect(try !third.requestQueueIsEmpty())
            let archive = third.metadata.entitySet(withName: "ErrorArchive")
            let entries = try DataService(provider: third)
                .executeQuery(DataQuery().from(archive)).entityList()
            try third.deleteEntity(entries.first(), headers: .empty, options: .none)
            #expect(try third.requestQueueIsEmpty())
            #expect(try school.serviceRows(Self.served) == [["Ada"]])
            try third.close()
        }
    }
}
