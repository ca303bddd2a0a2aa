import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// A V2 service that knows Atom alone: it answers 406 to who asks for JSON, 415 to who sends it, and its errors are XML.
@Suite struct StrictAtomTests {
    private func tools(_ place: StrictPlace) throws -> [String] {
        try place.rows("SELECT Id || ' ' || ifnull(Title, 'null') FROM Tools ORDER BY Id")
    }

    private func set(_ place: StrictPlace) -> EntitySet {
        place.sync.metadata.entitySet(withName: "Tools")
    }

    private func tool(_ place: StrictPlace, _ id: Int) throws -> EntityValue {
        try place.sync.executeQuery(
            DataQuery().from(set(place)).withKey(
                EntityKey().with(name: "Id", value: IntValue(id))),
            headers: .empty, options: .none
        ).requiredEntity()
    }

    private func rename(_ place: StrictPlace, _ tool: EntityValue, _ title: String) {
        set(place).entityType.property(withName: "Title").setStringValue(in: tool, to: title)
    }

    @Test func pagesChangesAndTombstonesAreReadAndTheFormIsRemembered() async throws {
        try await StrictPlace.run(.v2Atom) { place in
            try place.sync.open()
            try place.sync.download()
            #expect(try tools(place) == ["1 Saw", "2 null", "3 Drill & <bit>"])
            #expect(try place.rows("SELECT Name FROM Members ORDER BY Id") == ["Mia", "Noah ☃"])
            #expect(
                try place.rows("SELECT details FROM _odata_event WHERE type = 'profile'")
                    .contains("learned: refuses JSON (406)"))
            let start = place.service.refusals.count
            place.service.rename(2, "Plane & square")
            place.service.remove(3)
            try place.sync.download()
            #expect(try tools(place) == ["1 Saw", "2 Plane & square"])
            #expect(place.service.lines.contains { $0.contains("deltatoken") })
            // Nobody asks for JSON any more.
            #expect(place.service.refusals.count == start, "\(place.service.refusals)")
        }
    }

    /// Entries are sent as JSON only: what the service refuses of them is listed in its words, and a deletion has no body.
    @Test func changesAreRefusedByNameAndStay() async throws {
        try await StrictPlace.run(.v2Atom) { place in
            try place.sync.open()
            try place.sync.download()
            let saw = try tool(place, 1)
            rename(place, saw, "Bow saw")
            try place.sync.updateEntity(saw, headers: .empty, options: .none)
            let members = place.sync.metadata.entitySet(withName: "Members")
            let zoe = EntityValue.ofType(members.entityType).inSet(members)
            members.entityType.property(withName: "Id").setIntValue(in: zoe, to: 9)
            members.entityType.property(withName: "Name").setStringValue(in: zoe, to: "Zoe")
            try place.sync.createEntity(zoe, headers: .empty, options: .none)
            try place.sync.deleteEntity(tool(place, 3), headers: .empty, options: .none)
            let error = #expect(throws: ErrorBase.self) { try place.sync.upload() }
            #expect((error as? DataServiceError)?.status == 415)
            #expect(error?.message?.contains("Content-Type: application/json") == true)
            #expect(place.service.effects == ["delete Tools(3)"])
            #expect(
                try place.rows(
                    "SELECT operation || ' ' || state || ' ' || status FROM _odata_request"
                        + " ORDER BY operation"
                ) == ["create failed 415", "merge failed 415"])
            try place.sync.download()
            #expect(try tools(place) == ["1 Bow saw", "2 null"])
            #expect(
                try place.rows("SELECT Name FROM Members ORDER BY Id") == ["Mia", "Noah ☃", "Zoe"])
        }
    }
}
