import Foundation
import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// A defining query that asks for something else under its name, as after an update of the app: the old rows stay until the
/// new ones are complete.
@Suite struct ChangedQueryTests {
    private static func open(
        _ school: SchoolService, _ queries: [(name: String, query: String)]
    ) throws -> OfflineODataProvider {
        let provider = try school.provider(queries)
        if let error = SchoolService.wait({ provider.open(completionHandler: $0) }) { throw error }
        return provider
    }

    private static func students(_ school: SchoolService) throws -> [String?] {
        try school.storeRows("SELECT NAME FROM Students WHERE (_odata_state & 4) = 0 ORDER BY ID")
            .map { $0[0] }
    }

    private static func rename(
        _ id: Int, _ name: String, _ provider: OfflineODataProvider
    ) throws {
        let service = DataService(provider: provider)
        let students = service.entitySet(withName: "Students")
        let key = EntityKey().with(name: "ID", value: IntValue.of(id))
        let student = try service.executeQuery(DataQuery().from(students).withKey(key))
            .requiredEntity()
        students.entityType.property(withName: "NAME").setStringValue(in: student, to: name)
        try service.updateEntity(student)
    }

    private static let first = [("S", "Students?$filter=TEACHER eq 1")]
    private static let second = [("S", "Students?$filter=TEACHER eq 2")]

    @Test(arguments: [false, true])
    func rowsStayOfflineUntilTheNewOnesCame(hasChanges: Bool) async throws {
        try await SchoolService.run { school in
            var provider = try Self.open(school, Self.first)
            if hasChanges { try Self.rename(1, "Dorothea", provider) }
            try provider.close()
            let old = [hasChanges ? "Dorothea" : "Dora", "Emil"]
            // Nobody is asked anything: the app is offline.
            school.service.observer.setFaults { _, _ in .loseRequest }
            for _ in 0..<2 {
                provider = try Self.open(school, Self.second)
                #expect(try Self.students(school) == old)
                #expect(try provider.hasPendingDownload())
                #expect(SchoolService.wait { provider.download(completionHandler: $0) } != nil)
                #expect(try Self.students(school) == old)
                try provider.close()
            }
            school.service.observer.setFaults { _, _ in nil }
            provider = try Self.open(school, [])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try Self.students(school) == (hasChanges ? ["Dorothea"] : []) + ["Fritz"])
            #expect(try provider.definingQueries.map(\.query).first?.contains("2") == true)
            guard hasChanges else { return try provider.close() }
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME FROM Students WHERE ID = 1")
                    == [["Dorothea"]])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try provider.requestQueueIsEmpty())
            try provider.close()
        }
    }

    @Test func aQueryOfAnotherSetTakesTheRowsOfTheOldOneWithIt() async throws {
        try await SchoolService.run { school in
            var provider = try Self.open(school, Self.first)
            try Self.rename(2, "Emilia", provider)
            try provider.close()
            provider = try Self.open(school, [("S", "Notes")])
            #expect(try Self.students(school) == ["Dora", "Emilia"])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try school.storeRows("SELECT count(*) FROM Notes") == [["4"]])
            // What is unsent stays, and goes when it is taken back.
            #expect(try Self.students(school) == ["Emilia"])
            let service = DataService(provider: provider)
            let left = try service.executeQuery(
                DataQuery().from(service.entitySet(withName: "Students"))
            ).entityList()
            for student in left.toArray() { try provider.undoPendingChanges(for: student) }
            #expect(try Self.students(school) == [])
            #expect(try provider.requestQueueIsEmpty())
            try provider.close()
        }
    }

    @Test func rowsOfExpansionsGoWithTheFirstReadOfTheNewQuery() async throws {
        try await SchoolService.run { school in
            let names = school.service.graph.structures.flatMap(\.properties)
                .filter { $0.isNavigation && !$0.type.isCollection }.map(\.name)
            let navigation = try #require(names.first)
            var provider = try Self.open(
                school, [("S", "Students?$filter=TEACHER eq 1&$expand=\(navigation)")])
            #expect(try school.storeRows("SELECT NAME FROM Teachers") == [["Ada"]])
            try provider.close()
            provider = try Self.open(school, Self.first)
            #expect(try school.storeRows("SELECT NAME FROM Teachers") == [["Ada"]])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try school.storeRows("SELECT NAME FROM Teachers") == [])
            #expect(try Self.students(school) == ["Dora", "Emil"])
            try provider.close()
        }
    }

    @Test func valuesThatTheNewQueryLeavesOutDoNotGrowOld() async throws {
        try await SchoolService.run { school in
            var provider = try Self.open(school, Self.first)
            try Self.rename(2, "Emilia", provider)
            try provider.close()
            provider = try Self.open(
                school, [("S", "Students?$select=ID,NAME&$filter=TEACHER eq 1")])
            let rows = "SELECT NAME, TEACHER FROM Students ORDER BY ID"
            #expect(try school.storeRows(rows) == [["Dora", "1"], ["Emilia", "1"]])
            #expect(SchoolService.wait { provider.download(completionHandler: $0) } == nil)
            #expect(try school.storeRows(rows) == [["Dora", nil], ["Emilia", nil]])
            #expect(SchoolService.wait { provider.upload(completionHandler: $0) } == nil)
            #expect(
                try school.serviceRows("SELECT NAME, TEACHER FROM Students WHERE ID = 2")
                    == [["Emilia", "1"]])
            try provider.close()
        }
    }

    @Test func anotherFlagForStreamsLeavesTheRows() async throws {
        try await SchoolService.run { school in
            var provider = try Self.open(school, Self.first)
            try provider.close()
            provider = try school.provider([])
            try provider.add(
                definingQuery: OfflineODataDefiningQuery(
                    name: "S", query: Self.first[0].1, automaticallyRetrievesStreams: true))
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } == nil)
            #expect(try Self.students(school) == ["Dora", "Emil"])
            #expect(try provider.definingQueries.map(\.automaticallyRetrievesStreams) == [true])
            try provider.close()
        }
    }

    /// The first load of the old query was cut off: what it brought is compared with what the new one brings.
    @Test func whatAnInterruptedLoadBroughtGoesWithTheNewQuery() async throws {
        let schema =
            "CREATE TABLE Students (ID INTEGER PRIMARY KEY, NAME TEXT, TEACHER INTEGER);"
            + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)"
            + " INSERT INTO Students SELECT i, 'S' || i, 1 + (i > 20) FROM n;"
        try await SchoolService.run(schema: schema, adjust: { $0.maximumPageSize = 5 }) { school in
            school.service.observer.setFaults { request, _ in
                request.url.contains("skiptoken") ? .loseRequest : nil
            }
            var provider = try school.provider(Self.first)
            #expect(SchoolService.wait { provider.open(completionHandler: $0) } != nil)
            #expect(try Self.students(school).count == 5)
            school.service.observer.setFaults { _, _ in nil }
            provider = try Self.open(school, Self.second)
            #expect(try Self.students(school) == (21...30).map { "S\($0)" })
            try provider.close()
        }
    }
}
