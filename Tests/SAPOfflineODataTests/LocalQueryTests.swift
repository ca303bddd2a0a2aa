import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// Lambda expressions, related entities and pages of local reads, without a network.
@Suite struct LocalQueryTests {
    private struct Desk {
        var service: DataService
        var teachers: EntitySet
        var students: EntitySet

        func names(_ query: DataQuery) throws -> [String] {
            try service.executeQuery(query).entityList().map {
                $0.entityType.property(withName: "NAME").stringValue(from: $0)
            }
        }

        /// The names of the entities that a filter keeps, by number.
        func kept(_ set: EntitySet, _ filter: QueryFilter) throws -> [String] {
            try names(DataQuery().from(set).filter(filter).orderBy(property("ID", set)).top(3))
        }

        func navigation(_ set: EntitySet) -> Property {
            set.entityType.properties.first { $0.isNavigation }
                ?? set.entityType.property(withName: "ID")
        }

        func property(_ name: String, _ set: EntitySet) -> Property {
            set.entityType.property(withName: name)
        }
    }

    private static func run(_ body: @escaping @Sendable (Desk) throws -> Void) async throws {
        try await SchoolService.run { school in
            try school.change("INSERT INTO Students VALUES (5, NULL, 2)")
            let provider = try school.provider()
            if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) {
                throw error
            }
            school.service.stop()
            let service = DataService(provider: provider)
            try body(
                Desk(
                    service: service, teachers: service.entitySet(withName: "Teachers"),
                    students: service.entitySet(withName: "Students")))
            try provider.close()
        }
    }

    /// FEA-018, FEA-019, FEA-020
    @Test func relatedEntitiesAreMatchedByAnyAndAll() async throws {
        try await Self.run { desk in
            let lambda = DataPath.lambda("d")
            let name = lambda.path(desk.property("NAME", desk.students))
            let students = desk.navigation(desk.teachers)
            let contains = name.contains("i")
            let expected: [(QueryFilter, [String])] = [
                (students.any(lambda, contains), ["Ada", "Blaise"]),
                (students.any(lambda, name.startsWith("D")), ["Ada"]),
                // Carl has no students; one of Blaise's has no name, for which nothing holds.
                (students.all(lambda, name.length().greaterThan(3)), ["Ada", "Carl"]),
                (students.all(lambda, contains), ["Carl"]),
                (students.all(lambda, contains).not(), ["Ada", "Blaise"]),
                (students.any().not(), ["Carl"]),
            ]
            for (filter, names) in expected {
                let found = try desk.kept(desk.teachers, filter)
                #expect(found == names)
            }
        }
    }

    /// FEA-021
    @Test func theVariablesPathLeadsToRelatedProperties() async throws {
        try await Self.run { desk in
            let lambda = DataPath.lambda("d")
            let teacher = desk.navigation(desk.students)
            let path = lambda.path(teacher).path(desk.property("NAME", desk.teachers))
            let query = DataQuery().from(desk.teachers)
                .filter(desk.navigation(desk.teachers).any(lambda, path.equal("Blaise")))
            let found = try desk.names(query)
            #expect(found == ["Blaise"])
        }
    }

    /// FEA-001, FEA-002, FEA-003
    @Test func aRelatedEntityMayBeThereOrNot() async throws {
        try await Self.run { desk in
            let exists = OfflineQueryFunction.entityExists(desk.navigation(desk.students).toPath())
            let (found, missing) = (
                try desk.kept(desk.students, exists), try desk.kept(desk.students, exists.not())
            )
            #expect(found == ["Dora", "Emil", "Fritz"])
            #expect(missing == ["Gus"])
            let many = OfflineQueryFunction.entityExists(desk.navigation(desk.teachers).toPath())
            #expect(
                failure { try desk.names(DataQuery().from(desk.teachers).filter(many)) }
                    == Failure(
                        DataQueryError.self, .invalidQuery,
                        "Expected a single value, found a collection of entities."))
        }
    }

    private static func prefer(_ value: String) -> HTTPHeaders {
        let headers = HTTPHeaders()
        headers.setHeader(withName: "Prefer", value: value)
        return headers
    }

    /// FEA-004
    @Test func aPreferredPageSizeCutsTheReadIntoPages() async throws {
        try await Self.run { desk in
            let (id, name) = (
                desk.property("ID", desk.students), desk.property("NAME", desk.students)
            )
            let query = DataQuery().from(desk.students).select(name)
                .filter(id.greaterThan(1)).orderBy(name, SortOrder.descending).count()
            query.countOnly = false
            query.countInline = true
            let first = try desk.service.executeQuery(
                query, headers: Self.prefer("odata.maxpagesize=2"))
            let page = try first.entityList()
            #expect(page.map { name.optionalString(from: $0) } == ["Gus", "Fritz"])
            #expect(try first.inlineCount() == 4)
            // What is inserted in front of the page and deleted from it moves nothing.
            let added = EntityValue.ofType(desk.students.entityType).inSet(desk.students)
            id.setIntValue(in: added, to: 99)
            name.setStringValue(in: added, to: "Zoe")
            try desk.service.createEntity(added)
            try desk.service.deleteEntity(page[0])
            let second = try desk.service.executeQuery(first.nextQuery())
            #expect(
                try second.entityList().map { name.optionalString(from: $0) } == ["Emil", nil])
            #expect(try second.entityList().nextLink == nil)
        }
    }

    @Test func pagesKeepTheirSizeAndEndAtTop() async throws {
        try await Self.run { desk in
            let query = DataQuery().from(desk.students).page(1).top(3)
            var result = try desk.service.executeQuery(query)
            var sizes = [try result.entityList().length]
            while try result.entityList().nextLink != nil, sizes.count < 9 {
                result = try desk.service.executeQuery(result.nextQuery())
                sizes.append(try result.entityList().length)
            }
            #expect(sizes == [1, 1, 1])
            let foreign = DataQuery()
            foreign.url = "Teachers?$skiptoken=abc"
            #expect(
                failure { _ = try desk.service.executeQuery(foreign) }
                    == Failure(
                        DataQueryError.self, .invalidQuery,
                        "Expected a token that this service gave out, found another text."))
        }
    }

    /// FEA-005
    @Test func otherPreferencesAreIgnored() async throws {
        try await Self.run { desk in
            let query = DataQuery().from(desk.teachers)
            let result = try desk.service.executeQuery(
                query, headers: Self.prefer("return=minimal, respond-async"))
            #expect(try result.entityList().length == 3)
            #expect(try result.entityList().nextLink == nil)
        }
    }

    /// FEA-006
    @Test(arguments: ["0", "-1", "many"])
    func aPageHoldsARow(size: String) async throws {
        try await Self.run { desk in
            let error = #expect(throws: OfflineODataError.self) {
                _ = try desk.service.executeQuery(
                    DataQuery().from(desk.teachers),
                    headers: Self.prefer("odata.maxpagesize=\(size)"))
            }
            guard case .invalidInput? = error else {
                Issue.record("Expected invalidInput, found \(String(describing: error)).")
                return
            }
        }
    }
}
