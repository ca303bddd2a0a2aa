import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// A name of older generations, which the compiler would warn of.
private protocol AnswersByItsOldName {
    func isRequestQueueIsEmpty() throws -> Bool
}

extension OfflineODataProvider: AnswersByItsOldName {}
extension LegacyDataService: AnswersByItsOldName where Provider: OfflineODataProvider {}

/// Services over an offline provider: its flow in async form, and what they undo.
@Suite(.serialized) struct AsyncServiceTests {
    /// The overview's flow: open, read, create, upload, download a part, download all, read the log, close.
    private static func flow(_ service: OfflineDataServiceAsync, _ school: SchoolService)
        async throws
    {
        try await service.open()
        let students = service.entitySet(withName: "Students")
        let teachers = service.entitySet(withName: "Teachers")
        for (set, name, id) in [(students, "Jacky", 999), (teachers, "Smith", 888)] {
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "NAME").setStringValue(in: entity, to: name)
            set.entityType.property(withName: "ID").setIntValue(in: entity, to: id)
            try await service.createEntity(entity)
        }
        func locals() async throws -> [[String]] {
            var found: [[String]] = []
            for set in [students, teachers] {
                let query = DataQuery().from(set).filter(OfflineODataQueryFunction.isLocal())
                found.append(
                    try await service.executeQuery(query).entityList().map {
                        $0.entityType.property(withName: "NAME").stringValue(from: $0)
                    })
            }
            return found
        }
        #expect(try await locals() == [["Jacky"], ["Smith"]])
        try await service.upload()
        #expect(try school.serviceRows("SELECT NAME FROM Students WHERE ID = 999") == [["Jacky"]])
        #expect(try await locals() == [["Jacky"], ["Smith"]])
        try await service.download(groups: ["TeachersQuery"])
        #expect(try await locals() == [["Jacky"], []])
        try await service.download()
        #expect(try await locals() == [[], []])
        let log = service.entitySet(withName: "EventLog")
        let events = try await service.executeQuery(DataQuery().from(log)).entityList().map {
            log.entityType.property(withName: "Type").stringValue(from: $0)
        }
        #expect(events == ["Download", "Upload", "Download", "Download"])
        try await service.close()
    }

    @Test("OFF-039 the overview's flow in async form")
    func theFlowRunsInTasks() async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let service = OfflineDataServiceAsync(provider: provider.syncProvider)
            let run = StartedCall.task { try await Self.flow(service, school) }
            let failure = run.call.failure()
            #expect(failure == nil)
            #expect(throws: OfflineODataError.self) { try provider.requestQueueIsEmpty() }
        }
    }

    enum Run: String, CaseIterable, Sendable { case open, download, upload }

    @Test("OFF-039 cancelling the task cancels the run", arguments: Run.allCases)
    func cancellingTheTaskCancelsTheRun(kind: Run) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let service = OfflineDataServiceAsync(provider: provider.syncProvider)
            if kind != .open {
                let opened = StartedCall.task { try await service.open() }.call.failure()
                #expect(opened == nil)
                try OfflineOpeningTests.rename(provider, "mine")
            }
            school.service.observer.forget()
            let held = HeldRequest(at: school.service.observer) { method, url in
                kind == .upload ? method != "GET" : !url.contains("$metadata")
            }
            defer { held.release() }
            let run = StartedCall.task {
                switch kind {
                case .open: try await service.open()
                case .download: try await service.download()
                case .upload: try await service.upload()
                }
            }
            #expect(held.hasCome())
            run.cancel()
            let isCancelled = run.call.failure() is CancellationError
            #expect(isCancelled)
            held.release()
            school.service.observer.setFaults(nil)
            switch kind {
            case .open:
                #expect(throws: OfflineODataError.self) { try provider.requestQueueIsEmpty() }
            case .download: #expect(try provider.hasPendingDownload())
            case .upload:
                #expect(try !provider.requestQueueIsEmpty() && provider.hasPendingUpload())
            }
            try provider.close()
        }
    }

    enum Way: String, CaseIterable, Sendable { case provider, service, syncService, legacy }

    @Test(
        "FEA-057 undoing and the state of the queue are the same through every service",
        arguments: Way.allCases)
    func undoingThroughTheService(way: Way) async throws {
        try await SchoolService.run { school in
            let provider = try school.provider()
            let opened = SchoolService.wait { provider.open(completionHandler: $0) }
            #expect(opened == nil)
            let service = DataService(provider: provider)
            let sync = OfflineDataService(provider: provider.syncProvider)
            let legacy = LegacyDataService<OfflineODataProvider>(provider: provider)
            func expectQueue(isEmpty: Bool) throws {
                #expect(try legacy.provider.requestQueueIsEmpty() == isEmpty)
                #expect(try legacy.requestQueueIsEmpty() == isEmpty)
                for place in [provider, legacy] as [any AnswersByItsOldName] {
                    #expect(try place.isRequestQueueIsEmpty() == isEmpty)
                }
                #expect(try sync.hasQueuedRequests() == !isEmpty)
            }
            try expectQueue(isEmpty: true)
            let set = service.entitySet(withName: "Teachers")
            let name = set.entityType.property(withName: "NAME")
            let new = EntityValue.ofType(set.entityType).inSet(set)
            set.entityType.property(withName: "ID").setIntValue(in: new, to: 50)
            name.setStringValue(in: new, to: "New")
            try service.createEntity(new)
            let changed = try service.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "ID", value: IntValue.of(1)))
            ).requiredEntity()
            name.setStringValue(in: changed, to: "Changed")
            try service.updateEntity(changed)
            try expectQueue(isEmpty: false)
            for entity in [new, changed] {
                switch way {
                case .provider: try provider.undoPendingChanges(for: entity)
                case .service: try service.undoPendingChanges(for: entity)
                case .syncService: try sync.undoPendingChanges(for: entity)
                case .legacy: try legacy.provider.undoPendingChanges(for: entity)
                }
            }
            try expectQueue(isEmpty: true)
            #expect(
                try school.storeRows("SELECT ID, NAME FROM Teachers ORDER BY ID")
                    == school.serviceRows("SELECT ID, NAME FROM Teachers ORDER BY ID"))
            school.service.observer.forget()
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(!school.service.observer.requests.contains { $0.method != "GET" })
            try provider.close()
        }
    }
}
