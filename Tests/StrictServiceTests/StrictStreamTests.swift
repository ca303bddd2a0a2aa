import Foundation
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Content of media entities and stream properties (Protocol 4.01, 11.4.7 and 11.4.8), each with a tag of its own.
@Suite struct StrictStreamTests {
    @Test func aStreamPropertyIsReadReplacedWithItsTagAndDeleted() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.online.loadMetadata()
            let tool = try place.entity("Tools", 1)
            let manual = tool.entityType.property(withName: "Manual")
            let link = manual.streamLink(from: tool)
            let old = try place.online.downloadStream(entity: tool, link: link).readAndClose()
            #expect(String(decoding: old, as: UTF8.self) == "Mind your fingers.")
            let content = ByteStream.fromBinary(data: Data("Wear gloves.".utf8))
            content.mediaType = "text/plain"
            try place.online.uploadStream(entity: tool, link: link, content: content)
            #expect(place.service.manual(1) == "Wear gloves.")
            // The tool that was read before has the tag of the content before.
            let again = try place.entity("Tools", 1)
            place.service.rename(1, "Jigsaw")
            try place.online.deleteStream(entity: again, link: manual.streamLink(from: again))
            #expect(place.service.manual(1) == nil)
            #expect(place.service.effects == ["put Tools(1)/Manual", "delete Tools(1)/Manual"])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test func contentThatSomebodyElseReplacedIsNotOverwritten() async throws {
        try await StrictPlace.run(.v4) { place in
            try place.online.loadMetadata()
            let (mine, theirs) = (try place.entity("Tools", 1), try place.entity("Tools", 1))
            let manual = mine.entityType.property(withName: "Manual")
            func put(_ text: String, _ tool: EntityValue) throws {
                let content = ByteStream.fromBinary(data: Data(text.utf8))
                content.mediaType = "text/plain"
                try place.online.uploadStream(
                    entity: tool, link: manual.streamLink(from: tool), content: content)
            }
            try put("theirs", theirs)
            let error = #expect(throws: DataServiceError.self) { try put("mine", mine) }
            #expect(error?.status == 412)
            #expect(place.service.manual(1) == "theirs")
            #expect(place.service.refusals.map(\.clause) == ["Protocol 4.01, 8.2.4"])
        }
    }

    @Test(arguments: [StrictService.Face.v4, .v2])
    func aMediaEntityIsCreatedFromItsContent(face: StrictService.Face) async throws {
        try await StrictPlace.run(face) { place in
            try place.online.loadMetadata()
            let photo = EntityValue.ofType(place.set("Photos").entityType).inSet(
                place.set("Photos"))
            photo.entityType.property(withName: "Name").setStringValue(in: photo, to: "Roof")
            let content = ByteStream.fromBinary(data: Data([137, 80, 1, 2]))
            content.mediaType = "image/png"
            try place.online.createMedia(entity: photo, content: content)
            let made = try #require(place.service.photo(101))
            #expect(
                made.name == "Roof" && made.type == "image/png" && made.bytes == [137, 80, 1, 2])
            #expect(place.service.effects == ["create Photos(101)", "update Photos(101)"])
            #expect(place.service.refusals.isEmpty, "\(place.service.refusals)")
        }
    }

    @Test(arguments: [StrictService.Face.v4, .v2])
    func aMediaEntityMadeOfflineIsSentContentFirst(face: StrictService.Face) async throws {
        try await StrictPlace.run(face) { place in
            try place.sync.open()
            try place.sync.download()
            let set = place.sync.metadata.entitySet(withName: "Photos")
            let photo = EntityValue.ofType(set.entityType).inSet(set)
            photo.entityType.property(withName: "Name").setStringValue(in: photo, to: "Roof")
            let content = ByteStream.fromBinary(data: Data([137, 80, 3]))
            content.mediaType = "image/png"
            try place.sync.createMedia(
                entity: photo, content: content, headers: .empty, options: .none)
            try place.sync.upload()
            let made = try #require(place.service.photo(101))
            #expect(made.name == "Roof" && made.type == "image/png" && made.bytes == [137, 80, 3])
            #expect(try place.rows("SELECT count(*) FROM _odata_request") == ["0"])
            #expect(try place.rows("SELECT Id FROM Photos ORDER BY Id") == ["1", "101"])
            // $batch is tried where nothing says that there is none; the service has none in V2.
            let refused = place.service.refusals.filter {
                $0.clause != "V2 Batch Processing" && $0.status != 415
            }
            #expect(refused.isEmpty, "\(refused)")
        }
    }

    @Test(arguments: [StrictService.Face.v4, .v2])
    func aMediaEntityWithoutContentIsRefusedBeforeAnythingIsSent(
        face: StrictService.Face
    ) async throws {
        try await StrictPlace.run(face) { place in
            try place.sync.open()
            try place.sync.download()
            let asked = place.service.lines.count
            func photo(_ set: EntitySet) -> EntityValue {
                let photo = EntityValue.ofType(set.entityType).inSet(set)
                photo.entityType.property(withName: "Name").setStringValue(in: photo, to: "Roof")
                return photo
            }
            let online = photo(place.set("Photos"))
            let alone = #expect(throws: DataServiceError.self) {
                try place.online.createEntity(online, headers: .empty, options: .none)
            }
            let changes = ChangeSet()
            changes.createEntity(photo(place.set("Photos")))
            let batch = RequestBatch()
            batch.addChanges(changes)
            let inBatch = #expect(throws: DataServiceError.self) {
                try place.online.processBatch(batch)
            }
            let local = photo(place.sync.metadata.entitySet(withName: "Photos"))
            let queued = #expect(throws: DataServiceError.self) {
                try place.sync.createEntity(local, headers: .empty, options: .none)
            }
            for error in [alone, inBatch, queued] {
                #expect(error?.status == 400)
                #expect(error?.message?.contains("Expected the content") == true)
            }
            try place.sync.upload()
            #expect(place.service.lines.count == asked)
            #expect(place.service.effects.isEmpty)
            #expect(try place.rows("SELECT count(*) FROM Photos") == ["1"])
            #expect(try place.rows("SELECT count(*) FROM _odata_request") == ["0"])
        }
    }
}
