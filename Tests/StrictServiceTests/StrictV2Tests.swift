import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Synchronising with a V2 service that answers in Atom where Atom is asked for first, and has tombstones there only.
@Suite struct StrictV2Tests {
    private func tools(_ place: StrictPlace) throws -> [String] {
        try place.rows("SELECT Id || ' ' || ifnull(Title, 'null') FROM Tools ORDER BY Id")
    }

    @Test func pagesNullsTypesAndTombstonesReachTheStore() async throws {
        try await StrictPlace.run(.v2) { place in
            try place.sync.open()
            try place.sync.download()
            #expect(try tools(place) == ["1 Saw", "2 null", "3 Drill & <bit>"])
            #expect(
                try place.rows(
                    "SELECT Id || ' ' || _odata_type FROM Tools WHERE _odata_type IS NOT NULL"
                )
                .contains { $0.hasPrefix("3 ") && $0.hasSuffix("PowerTool") })
            #expect(try place.rows("SELECT Name FROM Members ORDER BY Id") == ["Mia", "Noah ☃"])
            place.service.rename(2, "Plane & square")
            place.service.rename(1, nil)
            place.service.remove(3)
            try place.sync.download()
            #expect(try tools(place) == ["1 null", "2 Plane & square"])
            let last = place.service.lines.last { $0.contains("deltatoken") }
            #expect(last != nil)
            #expect(unexpected(place).isEmpty, "\(unexpected(place))")
        }
    }

    @Test func changesAreMergesWithTheTagThatAtomTold() async throws {
        try await StrictPlace.run(.v2) { place in
            try place.sync.open()
            try place.sync.download()
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let tool = try place.sync.executeQuery(
                DataQuery().from(set).withKey(EntityKey().with(name: "Id", value: IntValue(1))),
                headers: .empty, options: .none
            ).requiredEntity()
            tool.entityType.property(withName: "Title").setStringValue(in: tool, to: "Bow saw")
            try place.sync.updateEntity(tool, headers: .empty, options: .none)
            try place.sync.upload()
            #expect(place.service.title(1) == "Bow saw")
            #expect(place.service.effects == ["update Tools(1)"])
            let sent = try #require(place.service.requests.last { $0.method == "MERGE" })
            #expect(sent["If-Match"] == "W/\"1\"")
            #expect(try place.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(unexpected(place).isEmpty, "\(unexpected(place))")
        }
    }

    /// All refusals but the one to `$batch`, which nothing in V2 metadata announces.
    private func unexpected(_ place: StrictPlace) -> [Refusal] {
        place.service.refusals.filter { $0.clause != "V2 Batch Processing" }
    }
}
