import Foundation
import ODataModel
import ODataQuery
import ODataServer
import ODataTesting
import SAPOfflineOData
import Testing

/// The local set of past synchronisations.
@Suite struct EventLogTests {
    private struct Desk {
        var school: SchoolService
        var provider: OfflineODataProvider
        var service: DataService

        init(_ school: SchoolService) throws {
            self.school = school
            provider = try school.provider()
            if let error = SchoolService.wait({ [provider] in provider.open(completionHandler: $0) }
            ) {
                throw error
            }
            service = DataService(provider: provider)
        }

        func upload() -> OfflineODataError? {
            SchoolService.wait { provider.upload(completionHandler: $0) }
        }

        func download(_ names: String...) throws -> OfflineODataError? {
            let subset = try provider.definingQueries.filter { names.contains($0.name) }
            return SchoolService.wait {
                if names.isEmpty {
                    provider.download(completionHandler: $0)
                } else {
                    provider.download(withSubset: subset, completionHandler: $0)
                }
            }
        }

        var log: EntitySet { service.entitySet(withName: "EventLog") }
        func column(_ name: String) -> Property { log.entityType.property(withName: name) }
    }

    /// FEA-007, FEA-016
    @Test func theSetHasItsColumnsAndAClassOfItsOwn() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            let columns = desk.log.entityType.definition.properties.map {
                "\($0.name) \($0.type.primitive?.name ?? "") \($0.type.isNullable)"
                    + " \($0.type.facets.maxLength ?? 0)"
            }
            #expect(
                columns == [
                    "ID Int64 false 0", "Type String false 128", "Time DateTimeOffset true 0",
                    "Details String true 2048",
                ])
            #expect(desk.upload() == nil)
            let events = try desk.service.fetchEventLog()
            #expect(events.map(\.id) == [1, 2])
            #expect(events.map(\.eventType) == ["Download", "Upload"])
            #expect(events.allSatisfy { $0.time != nil && $0.details == nil })
            let last = try desk.service.fetchEventLog(
                matching: DataQuery().filter(OfflineODataEvent.eventType.equal("Upload"))
                    .orderBy(OfflineODataEvent.time, SortOrder.descending).top(1))
            #expect(last.map(\.id) == [2])
            try desk.provider.close()
        }
    }

    /// FEA-008
    @Test func onlyTheNewestHundredAreKept() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            for _ in 0..<104 { #expect(desk.upload() == nil) }
            let ids = try desk.service.fetchEventLog().map(\.id)
            #expect(ids == Array(6...105))
            try desk.provider.close()
        }
    }

    /// FEA-009, FEA-010, FEA-011
    @Test func downloadsNameTheirQueriesUnlessTheyWereFull() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            #expect(try desk.download("TeachersQuery") == nil)
            #expect(try desk.download("TeachersQuery", "StudentsQuery") == nil)
            #expect(try desk.download() == nil)
            #expect(desk.upload() == nil)
            let events = try desk.service.fetchEventLog()
            #expect(events.map(\.eventType) == Array(repeating: "Download", count: 4) + ["Upload"])
            let details = events.map(\.details)
            #expect(details[0] == nil && details[3] == nil && details[4] == nil)
            #expect(details[1] == "TeachersQuery")
            #expect(
                Set((details[2] ?? "").split(separator: ",").map(String.init))
                    == ["TeachersQuery", "StudentsQuery"])
            try desk.provider.close()
        }
    }

    /// FEA-012
    @Test func whatFailedIsNotLogged() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            school.service.stop()
            #expect(try desk.download() != nil)
            #expect(try desk.service.fetchEventLog().map(\.id) == [1])
            try desk.provider.close()
        }
    }

    /// FEA-013, FEA-014, FEA-015
    @Test func theLogAnswersQueries() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            let (type, time, details) = (
                desk.column("Type"), desk.column("Time"), desk.column("Details")
            )
            // The first download was part of opening the store.
            let (start, first) = (GlobalDateTime.now(), try desk.service.fetchEventLog())
            #expect(first.map(\.id) == [1])
            #expect(try desk.download() == nil)
            let end = GlobalDateTime.now()
            for _ in 0..<12 { #expect(desk.upload() == nil) }
            #expect(try desk.download("StudentsQuery") == nil)
            #expect(try desk.download("TeachersQuery") == nil)
            let full = DataQuery().from(desk.log)
                .filter(type.equal("Download").and(details.isNull()))
                .orderBy(time, SortOrder.descending).top(1)
            let found = try desk.service.executeQuery(full).entityList()
            #expect(found.map { desk.column("ID").longValue(from: $0) } == [2])
            let value = GlobalDateTime.castRequired(time.dataValue(from: found[0]))
            // Kept to the millisecond.
            #expect(value.utc().timeIntervalSince(start.utc()) > -0.001 && value <= end)
            let named = DataQuery().from(desk.log)
                .filter(
                    type.equal("Download").and(
                        details.isNull().or(details.indexOf("StudentsQuery").greaterEqual(0)))
                ).orderBy(desk.column("ID"), SortOrder.descending).top(1)
            let last = try desk.service.executeQuery(named).entityList()
            #expect(last.map { details.optionalString(from: $0) } == ["StudentsQuery"])
            let uploads = DataQuery().from(desk.log).select(time).filter(type.equal("Upload"))
                .orderBy(time, SortOrder.descending).top(10)
            let times = try desk.service.executeQuery(uploads).entityList()
            #expect(times.length == 10)
            let newest = try desk.service.fetchEventLog().filter { $0.eventType == "Upload" }
                .suffix(10).reversed().compactMap(\.time)
            #expect(times.map { GlobalDateTime.castRequired(time.dataValue(from: $0)) } == newest)
            #expect(times.allSatisfy { type.optionalValue(from: $0) == nil })
            try desk.provider.close()
        }
    }

    /// FEA-017
    @Test func theLogMayOnlyBeRead() async throws {
        try await SchoolService.run { school in
            let desk = try Desk(school)
            let event = try #require(try desk.service.fetchEventLog().first)
            let calls: [() throws -> Void] = [
                {
                    try desk.service.createEntity(
                        EntityValue.ofType(desk.log.entityType).inSet(desk.log))
                },
                { try desk.service.updateEntity(event) },
                { try desk.service.deleteEntity(event) },
            ]
            for call in calls {
                let error = #expect(throws: OfflineODataError.self) { try call() }
                #expect(error?.errorName == .readOnlyEntitySet)
            }
            #expect(try desk.provider.requestQueueIsEmpty())
            #expect(try desk.service.fetchEventLog().count == 1)
            try desk.provider.close()
        }
    }
}
