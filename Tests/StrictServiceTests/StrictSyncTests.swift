import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Offline work with a strict V4 service whose only batches are in JSON: reads, tags, conflicts.
@Suite struct StrictSyncTests {
    private func tool(_ place: StrictPlace, _ id: Int) throws -> EntityValue {
        let set = place.sync.metadata.entitySet(withName: "Tools")
        return try place.sync.executeQuery(
            DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(id))),
            headers: .empty, options: .none
        ).requiredEntity()
    }

    private func rename(_ place: StrictPlace, _ id: Int, _ title: String) throws {
        let tool = try tool(place, id)
        tool.entityType.property(withName: "Title").setStringValue(in: tool, to: title)
        try place.sync.updateEntity(tool, headers: .empty, options: .none)
    }

    @Test func everyKindOfChangeArrivesOnce() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.sync.open()
            try place.sync.download()
            #expect(
                try place.rows("SELECT ifnull(Title, 'null') FROM Tools ORDER BY Id")
                    == ["Saw", "null", "Drill & <bit>"])
            try rename(place, 1, "Bow saw")
            try place.sync.deleteEntity(tool(place, 3), headers: .empty, options: .none)
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let new = EntityValue.ofType(set.entityType).inSet(set)
            new.entityType.property(withName: "Title").setStringValue(in: new, to: "Plane")
            try place.sync.createEntity(new, headers: .empty, options: .none)
            try place.sync.upload()
            #expect(
                place.service.effects.sorted() == [
                    "create Tools(101)", "delete Tools(3)", "update Tools(1)",
                ])
            try place.sync.download()
            #expect(
                try place.rows("SELECT Id || ' ' || ifnull(Title, 'null') FROM Tools ORDER BY Id")
                    == ["1 Bow saw", "2 null", "101 Plane"])
            #expect(unexpected(place).isEmpty, "\(unexpected(place))")
        }
    }

    @Test func aConflictIsListedAndNothingIsOverwritten() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.sync.open()
            try place.sync.download()
            try rename(place, 1, "mine")
            place.service.rename(1, "theirs")
            for _ in 1...3 {
                try? place.sync.upload()
                try place.sync.download()
                #expect(place.service.title(1) == "theirs")
                #expect(place.service.effects.isEmpty)
            }
            #expect(try place.rows("SELECT state FROM _odata_request") == ["failed"])
            #expect(try place.rows("SELECT Title FROM Tools WHERE Id = 1") == ["mine"])
        }
    }

    /// What a service may refuse of a client that does not know it: multipart batches (Protocol 4.01, 11.7 lets it choose) and
    /// query options that it does not have.
    private func unexpected(_ place: StrictPlace) -> [Refusal] {
        place.service.refusals.filter { $0.clause != "Protocol 4.01, 8.1.1" && $0.status != 501 }
    }
}
