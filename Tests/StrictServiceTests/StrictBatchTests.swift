import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Batches in JSON with groups that are all or nothing, at a service that checks ids and references (JSON Format 4.01, 19).
@Suite struct StrictBatchTests {
    private func rename(_ place: StrictPlace, _ tool: EntityValue, _ title: String) {
        tool.entityType.property(withName: "Title").setStringValue(in: tool, to: title)
    }

    @Test func aGroupIsAllOrNothing() async throws {
        try await StrictPlace.run(.v4) { place in
            place.online.serviceOptions.batchAsJSON = true
            try place.online.loadMetadata()
            let (first, second) = (try place.entity("Tools", 1), try place.entity("Tools", 2))
            place.service.rename(2, "changed meanwhile")
            rename(place, first, "Bow saw")
            rename(place, second, "Plane")
            let changes = ChangeSet()
            changes.updateEntity(first)
            changes.updateEntity(second)
            let query = DataQuery().from(place.set("Members"))
            let batch = RequestBatch()
            batch.addChanges(changes)
            batch.addQuery(query)
            try place.online.processBatch(batch)
            #expect(changes.error != nil)
            #expect(try batch.queryResult(for: query).entityList().length == 2)
            #expect(place.service.effects.isEmpty)
            #expect(
                place.service.title(1) == "Saw" && place.service.title(2) == "changed meanwhile")
            #expect(place.service.refusals.map(\.status) == [412])
        }
    }

    @Test func whatDependsOnACreationRefersToItByItsID() async throws {
        try await StrictPlace.run(.v4) { place in
            place.online.serviceOptions.batchAsJSON = true
            try place.online.loadMetadata()
            let set = place.set("Tools")
            let tool = EntityValue.ofType(set.entityType).inSet(set)
            rename(place, tool, "Plane")
            let changes = ChangeSet()
            changes.createEntity(tool)
            let batch = RequestBatch()
            batch.addChanges(changes)
            try place.online.processBatch(batch)
            #expect(changes.error == nil, "\(String(describing: changes.error))")
            #expect(place.text(tool, "Id") == "101")
            #expect(place.service.effects == ["create Tools(101)"])
            let sent = try #require(place.service.requests.last { $0.target.hasSuffix("$batch") })
            #expect(sent["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(sent.text.contains("\"atomicityGroup\""))
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    /// The service keeps itself honest: what it is built to refuse it refuses.
    @Test(arguments: [
        (
            #"[{"id":"1","method":"get","url":"$2/Owner","dependsOn":["2"]},{"id":"2","method":"get","url":"Tools(1)"}]"#,
            400
        ),
        (
            #"[{"id":"1","method":"get","url":"Tools(1)"},{"id":"1","method":"get","url":"Tools(2)"}]"#,
            400
        ),
        (
            #"[{"id":"1","method":"get","url":"Tools(1)"},{"id":"2","method":"get","url":"$1"}]"#,
            400
        ),
        (
            #"[{"id":"1","method":"get","url":"Tools(1)"},{"id":"2","method":"get","url":"Tools(2)","dependsOn":["1"],"if":"$1/Title eq 'Saw'"}]"#,
            200
        ),
    ])
    func theServiceChecksIDs(requests: String, status: Int) async throws {
        try await StrictPlace.run(.v4) { place in
            let answer = place.service.ask(
                "POST", "$batch", ["Content-Type": "application/json"], "{\"requests\":\(requests)}"
            )
            #expect(answer.status == status, "\(String(decoding: answer.body, as: UTF8.self))")
        }
    }
}
