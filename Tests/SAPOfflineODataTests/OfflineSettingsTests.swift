import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPCommon
import SAPOfflineOData
import Synchronization
import Testing

/// Keeps the messages of the offline providers.
private final class KeepingHandler: LogHandler, Sendable {
    private let kept = Mutex<[String]>([])
    var messages: [String] { kept.withLock { $0 } }

    func handle(_ entry: LogEntry) {
        kept.withLock { $0.append("\(entry.level): \(entry.message)") }
    }
}

@Suite struct OfflineSettingsTests {
    private struct Desk {
        var provider: OfflineODataProvider
        var service: DataService
        var teachers: EntitySet
        var name: Property

        func teacher(_ id: Int) throws -> EntityValue {
            let key = EntityKey().with(name: "ID", value: IntValue.of(id))
            return try service.executeQuery(DataQuery().from(teachers).withKey(key))
                .requiredEntity()
        }

        func rename(_ id: Int, _ text: String) throws {
            let teacher = try teacher(id)
            name.setStringValue(in: teacher, to: text)
            try service.updateEntity(teacher)
        }

        func create(_ id: Int, _ text: String) throws -> EntityValue {
            let teacher = EntityValue.ofType(teachers.entityType).inSet(teachers)
            teachers.entityType.property(withName: "ID").setIntValue(in: teacher, to: id)
            name.setStringValue(in: teacher, to: text)
            try service.createEntity(teacher)
            return teacher
        }
    }

    private static func desk(_ provider: OfflineODataProvider) throws -> Desk {
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        let service = DataService(provider: provider)
        let teachers = service.entitySet(withName: "Teachers")
        return Desk(
            provider: provider, service: service, teachers: teachers,
            name: teachers.entityType.property(withName: "NAME"))
    }

    private static let queueLength = "SELECT count(*) FROM _odata_request"

    /// PAR-028, PAR-033
    @Test func whatWasCreatedAndDeletedIsHiddenAndStillSent() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(try school.provider())
            let teacher = try desk.create(10, "short")
            desk.name.setStringValue(in: teacher, to: "shorter")
            try desk.service.updateEntity(teacher)
            try desk.service.deleteEntity(teacher)
            #expect(
                try desk.service.executeQuery(DataQuery().from(desk.teachers).count()).count() == 3)
            #expect(try school.storeRows(Self.queueLength) == [["3"]])
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            let sent = school.service.observer.requests.map(\.method)
                .filter { ["POST", "PATCH", "DELETE"].contains($0) }
            #expect(sent.suffix(3) == ["POST", "PATCH", "DELETE"])
            #expect(try school.storeRows(Self.queueLength) == [["0"]])
            #expect(try school.serviceRows("SELECT count(*) FROM Teachers") == [["3"]])
            try desk.provider.close()
        }
    }

    /// Ours: a header that is named as volatile does not turn a delta into a full read.
    @Test(arguments: [true, false])
    func volatileHeadersLeaveTheDeltaLinks(isNamed: Bool) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            #expect(parameters.volatileHeaders.isEmpty)
            parameters.customHeaders = ["X-Turn": "1"]
            if isNamed { parameters.volatileHeaders = ["X-Turn"] }
            let desk = try Self.desk(try school.provider(parameters: parameters))
            parameters.customHeaders = ["X-Turn": "2"]
            school.service.observer.forget()
            if let error = SchoolService.wait({ desk.provider.download(completionHandler: $0) }) {
                throw error
            }
            let reads = school.service.observer.requests.map(\.url)
                .filter { $0.contains("Teachers") }
            #expect(!reads.isEmpty)
            #expect(reads.allSatisfy { $0.contains("deltatoken") == isNamed }, "\(reads)")
            try desk.provider.close()
        }
    }

    /// PAR-006
    @Test func withoutAPathTheStoreLandsInTheAppsOwnFolder() async throws {
        try await SchoolService.run { school in
            // A name of its own, because the folder is the one of all programs with this name.
            let name = "store-" + school.folder.lastPathComponent
            let parameters = school.parameters(name: name)
            parameters.storePath = nil
            let provider = try school.provider(parameters: parameters)
            defer { try? provider.clear() }
            let desk = try Self.desk(provider)
            let variables = ProcessInfo.processInfo.environment
            let home = variables["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share"
            let file = home + "/" + ProcessInfo.processInfo.processName + "/" + name + ".db"
            #expect(FileManager.default.fileExists(atPath: file))
            try desk.provider.close()
        }
    }

    /// PAR-047, PAR-048
    @Test(arguments: [true, false])
    func aRefusedForcedUploadKeepsTheStoreClosed(thenUndoes: Bool) async throws {
        try await SchoolService.run { school in
            let parameters = school.parameters()
            parameters.currentUser = "mia"
            parameters.forceUploadOnUserSwitch = true
            let first = try Self.desk(try school.provider(parameters: parameters))
            try first.rename(1, "refused")
            try first.provider.close()

            parameters.currentUser = "noah"
            let second = try school.provider(parameters: parameters)
            let error = SchoolService.wait { second.open(completionHandler: $0) }
            #expect(error != nil)
            #expect(try second.getPreviousUser() == "mia")
            #expect(
                throws: OfflineODataError.preconditionFailed(
                    code: OfflineODataErrorName.storeNotOpen.rawValue,
                    message: "Expected an open store: call open first and wait for it.")
            ) { try second.requestQueueIsEmpty() }
            #expect(try school.storeRows(Self.queueLength) == [["1"]])

            parameters.forceUploadOnUserSwitch = false
            let third = try Self.desk(second)
            let (sql, result) = (
                "SELECT NAME FROM Teachers WHERE ID = 1", thenUndoes ? "Ada" : "ok"
            )
            if thenUndoes {
                try third.provider.undoPendingChanges(for: try third.teacher(1))
            } else {
                try third.rename(1, "ok")
                #expect(SchoolService.wait { third.provider.upload(completionHandler: $0) } == nil)
            }
            #expect(try school.storeRows(Self.queueLength) == [["0"]])
            #expect(try school.storeRows(sql) == [[result]])
            #expect(try school.serviceRows(sql) == [[result]])
            try third.provider.close()
        }
    }

    /// PAR-009, PAR-011, PAR-020
    @Test func settingsAsTextTakeEffectOrAreLogged() async throws {
        try await SchoolService.run { school in
            let handler = KeepingHandler()
            let logger = Logger.shared(named: "OData.Offline")
            logger.add(handler: handler)
            defer { logger.remove(handler: handler) }
            let parameters = school.parameters()
            parameters.timeout = 17
            parameters.extraStreamParameters = "colour=red; timeout=1"
            parameters.extraDatabaseConnectionParameters = "kerberos=yes"
            let desk = try Self.desk(try school.provider(parameters: parameters))
            let warnings = handler.messages.filter { $0.hasPrefix("warn: ") }
            #expect(warnings.contains { $0.contains("timeout of 17 seconds") })
            #expect(warnings.contains { $0.contains("colour") })
            #expect(!warnings.contains { $0.contains("stream parameter timeout") })
            #expect(warnings.contains { $0.contains("kerberos") })
            #expect(try school.storeRows("SELECT count(*) FROM Teachers") == [["3"]])

            parameters.timeout = nil
            let slow = SlowService(school)
            let error = SchoolService.wait { desk.provider.download(completionHandler: $0) }
            #expect(slow.isHolding && slow.isLimit(of: error))
            #expect(error?.errorName == .networkFailure)
            slow.letGo()
            try desk.provider.close()
        }
    }

    @Test func locksOfObjectsNestAndExclude() async throws {
        try await SchoolService.run { _ in
            #if !canImport(ObjectiveC)
                let object = Logger.shared(named: "OData.Lock")
                let counter = Mutex(0)
                let group = DispatchGroup()
                for _ in 0..<8 {
                    DispatchQueue.global().async(group: group) {
                        for _ in 0..<200 {
                            objc_sync_enter(object)
                            objc_sync_enter(object)
                            let before = counter.withLock { $0 }
                            counter.withLock { $0 = before + 1 }
                            objc_sync_exit(object)
                            objc_sync_exit(object)
                        }
                    }
                }
                group.wait()
                #expect(counter.withLock { $0 } == 1_600)
                #expect(objc_sync_exit(object) != 0)
            #endif
        }
    }
}
