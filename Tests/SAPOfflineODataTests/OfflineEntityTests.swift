import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

@Suite struct OfflineEntityTests {
    private struct Desk {
        var provider: OfflineODataProvider
        var service: DataService
        var teachers: EntitySet
        var students: EntitySet

        func property(_ name: String, _ set: EntitySet) -> Property {
            set.entityType.property(withName: name)
        }

        func make(_ id: Int, _ name: String, in set: EntitySet) -> EntityValue {
            let entity = EntityValue.ofType(set.entityType).inSet(set)
            property("ID", set).setIntValue(in: entity, to: id)
            property("NAME", set).setStringValue(in: entity, to: name)
            return entity
        }

        func names(_ set: EntitySet, _ filter: QueryFilter) throws -> [String] {
            let name = property("NAME", set)
            let query = DataQuery().from(set).filter(filter).orderBy(property("ID", set))
            return try service.executeQuery(query).entityList().map {
                name.stringValue(from: $0)
            }
        }
    }

    private static func desk(
        _ school: SchoolService, parameters: OfflineODataParameters? = nil
    ) throws -> Desk {
        let provider = try school.provider(parameters: parameters)
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        let service = DataService(provider: provider)
        return Desk(
            provider: provider, service: service,
            teachers: service.entitySet(withName: "Teachers"),
            students: service.entitySet(withName: "Students"))
    }

    /// OFF-020, OFF-021, OFF-022
    @Test func aCreatedEntityIsThereAtOnceAndLocal() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            school.service.stop()
            let entity = desk.make(888, "Smith", in: desk.teachers)
            #expect(desk.property("ID", desk.teachers).intValue(from: entity) == 888)
            try desk.service.createEntity(entity)
            #expect(entity.isLocal && entity.hasPendingChanges)
            #expect(try school.storeRows("SELECT NAME FROM Teachers WHERE ID = 888") == [["Smith"]])
            #expect(try desk.names(desk.teachers, OfflineODataQueryFunction.isLocal()) == ["Smith"])
            #expect(
                try desk.names(desk.teachers, OfflineODataQueryFunction.isLocal().not())
                    == ["Ada", "Blaise", "Carl"])
            #expect(try !desk.provider.requestQueueIsEmpty())
            try desk.provider.close()
        }
    }

    /// OFF-023, OFF-024, OFF-025
    @Test func anUploadedEntityIsLocalUntilItsQueryIsDownloaded() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            try desk.service.createEntity(desk.make(888, "Smith", in: desk.teachers))
            try desk.service.createEntity(desk.make(999, "Jacky", in: desk.students))
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            #expect(try desk.provider.requestQueueIsEmpty())
            let (isLocal, isPending) = (
                OfflineODataQueryFunction.isLocal(), OfflineODataQueryFunction.hasPendingChanges()
            )
            #expect(try desk.names(desk.teachers, isLocal) == ["Smith"])
            #expect(try desk.names(desk.students, isLocal) == ["Jacky"])
            #expect(try desk.names(desk.teachers, isPending) == [])
            let subset = try desk.provider.definingQueries.filter { $0.name == "TeachersQuery" }
            #expect(
                SchoolService.wait {
                    desk.provider.download(withSubset: subset, completionHandler: $0)
                } == nil)
            #expect(try desk.names(desk.teachers, isLocal) == [])
            #expect(try desk.names(desk.students, isLocal) == ["Jacky"])
            #expect(SchoolService.wait { desk.provider.download(completionHandler: $0) } == nil)
            #expect(try desk.names(desk.students, isLocal) == [])
            #expect(try desk.names(desk.teachers, isLocal.not()).last == "Smith")
            let details = try BuiltInSets.texts("Details", in: "EventLog", desk.service)
            #expect(details == [nil, nil, "TeachersQuery", nil])
            try desk.provider.close()
        }
    }

    @Test func aSetOfAnErrorIsFoundByItsState() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            try desk.service.createEntity(desk.make(5, "refused", in: desk.teachers))
            let inError = OfflineODataQueryFunction.inErrorState()
            #expect(try desk.names(desk.teachers, inError) == [])
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            #expect(try desk.names(desk.teachers, inError) == ["refused"])
            try desk.provider.close()
        }
    }

    @Test func relatedEntitiesAreAskedFor() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let navigation = try #require(
                desk.students.entityType.properties.first { $0.isNavigation })
            let exists = OfflineQueryFunction.entityExists(navigation.toPath())
            #expect(try desk.names(desk.students, exists) == ["Dora", "Emil", "Fritz"])
            #expect(try desk.names(desk.students, exists.not()) == ["Gus"])
            try desk.provider.close()
        }
    }

    /// OFF-036
    @Test func theSameCodeReadsAndWritesOnlineAndOffline() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let online = OnlineODataProvider(serviceName: "School", serviceRoot: school.url)
            try online.loadMetadata()
            func names(_ service: DataService) throws -> [String] {
                let set = service.entitySet(withName: "Students")
                let name = set.entityType.property(withName: "NAME")
                let query = DataQuery().from(set)
                    .filter(name.contains("r").or(name.equal("Gus")))
                    .orderBy(name, .descending).top(3)
                return try service.executeQuery(query).entityList().map {
                    name.stringValue(from: $0)
                }
            }
            func rename(_ service: DataService, _ id: Int, _ text: String) throws {
                let set = service.entitySet(withName: "Students")
                let key = EntityKey().with(name: "ID", value: IntValue.of(id))
                let found = try service.executeQuery(DataQuery().from(set).withKey(key))
                    .requiredEntity()
                set.entityType.property(withName: "NAME").setStringValue(in: found, to: text)
                try service.updateEntity(found)
            }
            let remote = DataService(provider: online)
            let (here, there) = (try names(desk.service), try names(remote))
            #expect(here == ["Gus", "Fritz", "Dora"] && here == there)
            try rename(remote, 1, "Online")
            try rename(desk.service, 2, "Offline")
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Students WHERE ID < 3 ORDER BY ID")
                    == [["Online"], ["Offline"]])
            try desk.provider.close()
        }
    }

    @Test func undoGoesBackToWhatWasDownloaded() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let name = desk.property("NAME", desk.teachers)
            let ada = try desk.service.executeQuery(DataQuery().from(desk.teachers).top(1))
                .requiredEntity()
            name.setStringValue(in: ada, to: "other")
            try desk.service.updateEntity(ada)
            try desk.provider.undoPendingChanges(for: ada)
            #expect(try school.storeRows("SELECT NAME FROM Teachers WHERE ID = 1") == [["Ada"]])
            #expect(try desk.provider.requestQueueIsEmpty())
            try desk.provider.close()
        }
    }

    @Test func categoriesAreUploadedAlone() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let options = OfflineODataRequestOptions()
            options.uploadCategory = try UploadCategory(stringLiteral: "urgent")
            try desk.service.createEntity(
                desk.make(10, "now", in: desk.teachers), options: options)
            try desk.service.createEntity(desk.make(11, "later", in: desk.teachers))
            let urgent = try UploadCategory(stringLiteral: "urgent")
            #expect(
                SchoolService.wait {
                    desk.provider.upload(categories: [urgent], completionHandler: $0)
                } == nil)
            let rows = "SELECT NAME FROM Teachers WHERE ID >= 10 ORDER BY ID"
            #expect(try school.serviceRows(rows) == [["now"]])
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            #expect(try school.serviceRows(rows) == [["now"], ["later"]])
            #expect(
                throws: OfflineODataError.invalidInput(
                    code: OfflineODataErrorName.invalidArgument.rawValue,
                    message: "Expected a name for the category, found blanks only.")
            ) { try UploadCategory(stringLiteral: " ") }
            try desk.provider.close()
        }
    }

    @Test func aCreatedEntityMayLeaveAfterItsUpload() async throws {
        try await SchoolService.run { school in
            let desk = try Self.desk(school)
            let options = OfflineODataRequestOptions()
            options.removeCreatedEntityAfterUpload = true
            try desk.service.createEntity(
                desk.make(10, "gone", in: desk.teachers), options: options)
            #expect(SchoolService.wait { desk.provider.upload(completionHandler: $0) } == nil)
            #expect(try school.serviceRows("SELECT NAME FROM Teachers WHERE ID = 10") == [["gone"]])
            #expect(try school.storeRows("SELECT NAME FROM Teachers WHERE ID = 10") == [])
            try desk.provider.close()
        }
    }
}

/// Reads of the store's own sets.
enum BuiltInSets {
    /// One property of all entities of a set, as text.
    static func texts(
        _ property: String, in set: String, _ service: DataService
    ) throws -> [String?] {
        let set = service.entitySet(withName: set)
        let property = set.entityType.property(withName: property)
        return try service.executeQuery(DataQuery().from(set)).entityList().map {
            property.optionalValue(from: $0)?.toString()
        }
    }
}
