import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// What one request of a JSON batch needs of another (JSON Format 4.01, 19): said where a request refers to one before it,
/// in online change sets and in uploads, and read where a service passes over what stands behind a failure.
@Suite struct StrictDependencyTests {
    /// The requests of the last batch, as `id group: METHOD url, after ids`.
    private func lastBatch(_ place: StrictPlace) throws -> [String] {
        let batch = try #require(place.service.requests.last { $0.target.hasSuffix("$batch") })
        let body = try JSONSerialization.jsonObject(with: Data(batch.body)) as? [String: Any]
        return (body?["requests"] as? [[String: Any]] ?? []).map { item in
            let needed = item["dependsOn"] as? [String] ?? []
            let method = (item["method"] as? String ?? "").uppercased()
            return "\(item["id"] ?? "") \(item["atomicityGroup"] ?? "-"): \(method)"
                + " \(item["url"] ?? "")" + (needed.isEmpty ? "" : ", after \(needed)")
        }
    }

    private func new(_ set: EntitySet, _ values: [String: String], id: Int? = nil) -> EntityValue {
        let entity = EntityValue.ofType(set.entityType).inSet(set)
        if let id { set.entityType.property(withName: "Id").setIntValue(in: entity, to: id) }
        for (name, value) in values {
            set.entityType.property(withName: name).setStringValue(in: entity, to: value)
        }
        return entity
    }

    private func online(
        _ body: @escaping @Sendable (StrictPlace) throws -> Void
    ) async throws {
        try await StrictPlace.run(.v4) { place in
            place.online.serviceOptions.batchAsJSON = true
            try place.online.loadMetadata()
            try body(place)
        }
    }

    @Test func aURLAndABodyThatReferToACreationDependOnIt() async throws {
        try await online { place in
            let (tools, members) = (place.set("Tools"), place.set("Members"))
            let zoe = new(members, ["Name": "Zoe"], id: 9)
            let (plane, rasp) = (new(tools, ["Title": "Plane"]), new(tools, ["Title": "Rasp"]))
            let owner = tools.entityType.property(withName: "Owner")
            rasp.bindEntity(zoe, to: owner)
            let changes = ChangeSet()
            changes.createEntity(zoe)
            changes.createEntity(rasp)
            changes.createEntity(plane)
            changes.createLink(from: plane, property: owner, to: try place.entity("Members", 1))
            let batch = RequestBatch()
            batch.addChanges(changes)
            try place.online.processBatch(batch)
            #expect(changes.error == nil, "\(String(describing: changes.error))")
            #expect(
                try lastBatch(place) == [
                    "1 g1: POST Members", "2 g1: POST Tools, after [\"1\"]", "3 g1: POST Tools",
                    "4 g1: PUT $3/Owner/$ref, after [\"3\"]",
                ])
            #expect(place.service.owner(101) == "Zoe")
            #expect(place.service.owner(102) == "Mia")
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    /// The dependent is answered with 424, and what is told is the refusal of what it depends on.
    @Test func aRefusedCreationIsWhatIsToldOfItsGroup() async throws {
        try await online { place in
            let tools = place.set("Tools")
            let mia = new(place.set("Members"), ["Name": "Mia again"], id: 1)
            let rasp = new(tools, ["Title": "Rasp"])
            rasp.bindEntity(mia, to: tools.entityType.property(withName: "Owner"))
            let changes = ChangeSet()
            changes.createEntity(mia)
            changes.createEntity(rasp)
            let batch = RequestBatch()
            batch.addChanges(changes)
            try place.online.processBatch(batch)
            #expect(changes.error?.status == 409)
            #expect(place.service.effects.isEmpty)
            #expect(place.service.refusals.map(\.status) == [409])
            #expect(rasp.isNew && mia.isNew)
        }
    }

    private func upload(
        _ body: @escaping @Sendable (StrictPlace, EntityValueList) throws -> Void
    ) async throws {
        try await StrictPlace.run(.v4) { place in
            place.online.serviceOptions.batchAsJSON = true
            // Downloads ask in multipart batches, which this service does not take.
            place.sync.batchEntityDownloads = false
            try place.sync.open()
            try place.sync.download()
            let set = place.sync.metadata.entitySet(withName: "Tools")
            let tools = try place.sync.executeQuery(
                DataQuery().from(set).orderBy(set.entityType.property(withName: "Id")),
                headers: .empty, options: .none
            ).entityList()
            try body(place, tools)
        }
    }

    private func rename(
        _ place: StrictPlace, _ tool: EntityValue, _ title: String, _ group: String? = nil
    ) throws {
        let options = RequestOptions()
        options.changeSet = group
        tool.entityType.property(withName: "Title").setStringValue(in: tool, to: title)
        try place.sync.updateEntity(tool, headers: .empty, options: options)
    }

    private static let queue =
        "SELECT operation || ' ' || state || ' ' || ifnull(status, '-') FROM _odata_request"

    @Test func anUploadedGroupSaysWhatDependsOnItsCreations() async throws {
        try await upload { place, _ in
            let members = place.sync.metadata.entitySet(withName: "Members")
            let tools = place.sync.metadata.entitySet(withName: "Tools")
            let options = RequestOptions()
            options.changeSet = "both"
            let zoe = new(members, ["Name": "Zoe"], id: 9)
            try place.sync.createEntity(zoe, headers: .empty, options: options)
            let rasp = new(tools, ["Title": "Rasp"])
            rasp.bindEntity(zoe, to: tools.entityType.property(withName: "Owner"))
            try place.sync.createEntity(rasp, headers: .empty, options: options)
            try place.sync.upload()
            let requests = try lastBatch(place)
            #expect(requests.count == 2)
            let ids = requests.compactMap { $0.split(separator: " ").first }
            #expect(
                requests.last?.hasSuffix("POST Tools, after [\"\(ids[0])\"]") == true, "\(requests)"
            )
            #expect(place.service.effects == ["create Members(9)", "create Tools(101)"])
            #expect(place.service.owner(101) == "Zoe")
            #expect(try place.rows(Self.queue) == [])
            // Streams are asked for in multipart batches, too.
            let unexpected = place.service.refusals.filter { $0.clause != "Protocol 4.01, 8.1.1" }
            #expect(unexpected.isEmpty, "\(unexpected)")
        }
    }

    /// What a service passes over behind a failure was not refused: it goes again in the same upload.
    @Test func whatIsPassedOverBehindAFailureIsNoRefusal() async throws {
        try await upload { place, tools in
            place.service.endBatchesAtFailures()
            place.service.rename(1, "theirs")
            try rename(place, tools[0], "mine")
            try rename(place, tools[1], "Plane")
            try rename(place, tools[2], "Drill")
            place.sync.throwUploadFailures = false
            try place.sync.upload()
            let queue = try place.rows(Self.queue)
            #expect(queue == ["merge failed 412"])
            #expect(place.service.effects == ["update Tools(2)", "update Tools(3)"])
            #expect(place.service.title(1) == "theirs" && place.service.title(3) == "Drill")
            let batches = place.service.requests.filter {
                $0.target.hasSuffix("$batch") && $0["Content-Type"] == "application/json"
            }
            #expect(batches.count == 2)
        }
    }

    /// A change set that was passed over as a whole goes again, and one that failed is refused as a whole.
    @Test func changeSetsBehindAFailureGoAgainAsAWhole() async throws {
        try await upload { place, tools in
            place.service.endBatchesAtFailures()
            place.service.rename(1, "theirs")
            try rename(place, tools[0], "mine")
            try rename(place, tools[1], "Plane", "both")
            try rename(place, tools[2], "Drill", "both")
            place.sync.throwUploadFailures = false
            try place.sync.upload()
            let queue = try place.rows(Self.queue)
            #expect(queue == ["merge failed 412"])
            #expect(place.service.effects == ["update Tools(2)", "update Tools(3)"])
        }
    }
}
