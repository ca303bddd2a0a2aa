import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct ErrorArchiveTests {
    private struct Desk {
        var school: SchoolService
        var provider: OfflineODataProvider
        var service: DataService

        var archive: EntitySet { service.entitySet(withName: "ErrorArchive") }

        func change(_ id: Int, _ text: String) throws {
            let notes = service.entitySet(withName: "Notes")
            let key = EntityKey().with(name: "pk", value: IntValue.of(id))
            let note = try service.executeQuery(DataQuery().from(notes).withKey(key))
                .requiredEntity()
            notes.entityType.property(withName: "BODY").setStringValue(in: note, to: text)
            try service.updateEntity(note)
        }

        func upload() -> OfflineODataError? {
            SchoolService.wait { provider.upload(completionHandler: $0) }
        }

        /// The numbers of the requests in the queue.
        func queue() throws -> [String] {
            try school.storeRows("SELECT id FROM _odata_request ORDER BY id").compactMap { $0[0] }
        }

        func entry(_ request: Int) throws -> EntityValue {
            let key = EntityKey().with(name: "RequestID", value: IntValue.of(request))
            return try service.executeQuery(DataQuery().from(archive).withKey(key))
                .requiredEntity()
        }

        func body(_ id: Int) throws -> String? {
            try school.storeRows("SELECT BODY FROM Notes WHERE pk = \(id)").first?[0]
        }
    }

    private static func desk(_ school: SchoolService, individual: Bool = false) throws -> Desk {
        let parameters = school.parameters()
        parameters.enableIndividualErrorArchiveDeletion = individual
        let provider = try school.provider([("N", "Notes")], parameters: parameters)
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        return Desk(school: school, provider: provider, service: DataService(provider: provider))
    }

    /// Two entities whose change fails, a second change of the first, an upload, and a change after it.
    private static func example(_ school: SchoolService, individual: Bool) throws -> Desk {
        let desk = try desk(school, individual: individual)
        try desk.change(101, "refused")
        try desk.change(102, "refused")
        try desk.change(101, "third")
        if let error = desk.upload() { throw error }
        try desk.change(102, "fourth")
        return desk
    }

    /// PAR-043
    @Test func whatDependsOnARefusedRequestIsNotSentAndArchived() async throws {
        try await SchoolService.run { school in
            let desk = try Self.example(school, individual: false)
            #expect(try desk.queue() == ["1", "2", "3", "4"])
            #expect(
                try BuiltInSets.texts("RequestID", in: "ErrorArchive", desk.service)
                    == ["1", "2", "3"])
            #expect(
                try BuiltInSets.texts("Domain", in: "ErrorArchive", desk.service)
                    == ["backend", "backend", "dependency"])
            let sent = school.service.observer.requests.filter { $0.method == "PATCH" }
            #expect(sent.filter { $0.url.contains("Notes(101)") }.count == 1)
            #expect(sent.count == 2)
            #expect(
                try BuiltInSets.texts("Status", in: "RequestQueue", desk.service)
                    == ["failed", "failed", "blocked", "queued"])
            try desk.provider.close()
        }
    }

    /// PAR-039, OFF-031
    @Test func deletingAnyEntryEmptiesTheArchiveAndKeepsLaterChanges() async throws {
        try await SchoolService.run { school in
            let desk = try Self.example(school, individual: false)
            try desk.service.deleteEntity(try desk.entry(3))
            #expect(try BuiltInSets.texts("RequestID", in: "ErrorArchive", desk.service).isEmpty)
            #expect(try desk.queue() == ["4"])
            #expect(try desk.body(101) == "a")
            #expect(try desk.body(102) == "fourth")
            #expect(desk.upload() == nil)
            #expect(
                try school.serviceRows("SELECT BODY FROM Notes WHERE pk > 100 ORDER BY pk")
                    == [["a"], ["fourth"]])
            try desk.provider.close()
        }
    }

    /// PAR-040, PAR-041, PAR-042
    @Test(arguments: [
        (3, ["1", "2", "4"], "refused", "fourth"), (1, ["2", "4"], "a", "fourth"),
        (2, ["1", "3"], "third", "b"),
    ])
    func individualDeletionTakesOnlyWhatDepends(
        request: Int, rest: [String], first: String, second: String
    ) async throws {
        try await SchoolService.run { school in
            let desk = try Self.example(school, individual: true)
            try desk.service.deleteEntity(try desk.entry(request))
            #expect(try desk.queue() == rest)
            #expect(try desk.body(101) == first)
            #expect(try desk.body(102) == second)
            try desk.provider.close()
        }
    }

    /// OFF-028, OFF-032
    @Test func entriesSayWhatWasRefusedAndWhy() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            #expect(
                try desk.service.executeQuery(DataQuery().from(desk.archive).count()).count() == 0)
            try desk.change(1, "refused")
            #expect(desk.upload() == nil)
            let headers = desk.archive.entityType.property(withName: "CustomHeaders")
            let entry = try desk.service.executeQuery(
                DataQuery().from(desk.archive).expand(headers)
            ).requiredEntity()
            func text(_ name: String) -> String {
                entry.entityType.property(withName: name).optionalValue(from: entry)?.toString()
                    ?? "null"
            }
            #expect(text("RequestMethod") == "PATCH")
            #expect(text("RequestURL").hasSuffix("Notes(1)"))
            #expect(text("RequestBody").contains("refused"))
            #expect((Int(text("HTTPStatusCode")) ?? 0) >= 400)
            #expect(!["", "null"].contains(text("Code")) && text("Message") != "null")
            #expect(headers.entityList(from: entry).length == 0)
            #expect(
                try desk.service.executeQuery(DataQuery().from(desk.archive).count()).count() == 1)
            try desk.service.deleteEntity(entry)
            #expect(
                try desk.service.executeQuery(DataQuery().from(desk.archive).count()).count() == 0)
            try desk.provider.close()
        }
    }

    /// OFF-029, OFF-030
    @Test func theAffectedEntityIsItsLocalStateOrNone() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let affected = desk.archive.entityType.property(withName: "AffectedEntity")
            try desk.change(1, "refused")
            #expect(desk.upload() == nil)
            let entry = try desk.entry(1)
            try desk.service.loadProperty(affected, into: entry)
            let note = try #require(affected.optionalEntity(from: entry))
            #expect(note.inErrorState)
            #expect(note.entityType.property(withName: "BODY").stringValue(from: note) == "refused")
            try desk.service.deleteEntity(note)
            try desk.service.loadProperty(affected, into: entry)
            #expect(affected.optionalEntity(from: entry) == nil)
            try desk.provider.close()
        }
    }

    /// OFF-034
    @Test(arguments: ["EventLog", "RequestQueue"])
    func otherSetsOfTheStoreMayOnlyBeRead(set: String) async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            try desk.change(1, "new")
            let set = desk.service.entitySet(withName: set)
            let entity = try desk.service.executeQuery(DataQuery().from(set).top(1))
                .requiredEntity()
            let calls: [() throws -> Void] = [
                { try desk.service.createEntity(EntityValue.ofType(set.entityType).inSet(set)) },
                { try desk.service.updateEntity(entity) },
                { try desk.service.deleteEntity(entity) },
            ]
            for call in calls {
                let error = #expect(throws: OfflineODataError.self) { try call() }
                #expect(error?.errorName == .readOnlyEntitySet)
            }
            #expect(try desk.queue() == ["1"])
            try desk.provider.close()
        }
    }

    @Test func eventsAreFilteredAndSorted() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            for _ in 0..<2 { #expect(desk.upload() == nil) }
            let log = desk.service.entitySet(withName: "EventLog")
            let (id, type, details) = (
                log.entityType.property(withName: "ID"), log.entityType.property(withName: "Type"),
                log.entityType.property(withName: "Details")
            )
            let query = DataQuery().from(log)
                .filter(type.equal("Upload").and(details.isNull()))
                .orderBy(id, SortOrder.descending).top(1)
            let found = try desk.service.executeQuery(query).entityList()
            #expect(found.map { id.longValue(from: $0) } == [3])
            try desk.provider.close()
        }
    }
}
