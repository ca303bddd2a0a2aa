import Foundation
import GeneratedSample
import ODataClasses
import ODataProviders
import ODataTesting
import SAPOData
import StrictService
import Testing

/// Classes of a V4 service that takes exactly what the texts say: operations of every kind, media, streams, complex values,
/// with the store and without it.
@Suite(.serialized) struct WorkshopClassesTests {
    @Test("generated calls of V4 functions and actions, unbound ones, give typed results")
    func unboundOperationsAreTyped() async throws {
        try await ServicePlace.strict(.v4) { service, place in
            let workshop = Workshop(provider: place.online)
            #expect(try workshop.total(ids: [1, 3])?.toString() == "112.49")
            #expect(try workshop.motto() == nil)
            #expect(try workshop.sizes().map(\.height) == [8, 20])
            let best = try workshop.best(kind: "it's a saw")
            #expect(best?.title == "Saw" && best?.size?.height == 20)
            #expect(try workshop.best(kind: "x") == nil)
            try workshop.reset()
            #expect(try workshop.recount(words: ["a"]) == ["one", "two"])
            let size = WsSize()
            size.height = 5
            #expect(try workshop.resize(size: size)?.height == 5)
            #expect(service.effects == ["Reset", "Recount", "Resize 5"])
            #expect(service.refusals.isEmpty, "\(service.refusals)")
        }
    }

    @Test("generated calls of bound functions and actions name what they are bound to")
    func boundOperationsAreTyped() async throws {
        try await ServicePlace.strict(.v4) { service, place in
            let workshop = Workshop(provider: place.online)
            let saw = try workshop.fetchToolWithKey(id: 1)
            let day = LocalDate.of(year: 2031, month: 5, day: 1)
            #expect(try workshop.worth(in: saw, at: day)?.doubleValue() == 12.5)
            #expect(try workshop.cheapest(in: Workshop.tools, count: 2).map(\.keyID) == [2, 1])
            let lent = try workshop.lend(in: workshop.fetchToolWithKey(id: 2), days: 3)
            #expect(lent?.keyID == 2 && lent?.entityTag == "W/\"2\"")
            #expect(service.lines.contains("GET Tools(1)/Ws.Worth(at=2031-05-01)"))
            #expect(service.effects == ["Lend Tools(2) 3"])
            #expect(service.refusals.isEmpty, "\(service.refusals)")
        }
    }

    @Test("media and streams of generated classes, online")
    func mediaAndStreams() async throws {
        try await ServicePlace.strict(.v4) { service, place in
            let workshop = Workshop(provider: place.online)
            let photo = WsPhoto()
            photo.name = "Roof"
            let content = ByteStream.fromBinary(data: Data([137, 80, 1, 2]))
            content.mediaType = "image/png"
            try workshop.createMedia(entity: photo, content: content)
            let made = try #require(service.photo(101))
            #expect(
                made.name == "Roof" && made.type == "image/png" && made.bytes == [137, 80, 1, 2])
            let yard = try workshop.fetchPhotoWithKey(id: 1)
            #expect(
                try workshop.downloadMedia(entity: yard).readAndClose()
                    == Data([137, 80, 78, 71, 1]))
            let saw = try workshop.fetchToolWithKey(id: 1)
            let manual = ByteStream.fromBinary(data: Data("Wear gloves.".utf8))
            manual.mediaType = "text/plain"
            try workshop.uploadStream(entity: saw, link: saw.manual, content: manual)
            #expect(service.manual(1) == "Wear gloves.")
            #expect(service.refusals.isEmpty, "\(service.refusals)")
        }
    }

    @Test("generated classes work over a store, and what they change is sent")
    func offline() async throws {
        try await ServicePlace.strict(.v4) { service, place in
            let workshop = Workshop(provider: place.sync)
            try place.sync.open()
            try place.sync.download()
            let tools = try workshop.fetchTools(matching: DataQuery().orderBy(WsTool.keyID))
            #expect(tools.map(\.title) == ["Saw", nil, "Drill & <bit>"])
            #expect(tools.map { $0.size?.height } == [20, nil, 8])
            tools[0].title = "Bow saw"
            try workshop.updateEntity(tools[0])
            let photo = WsPhoto()
            photo.name = "Roof"
            let content = ByteStream.fromBinary(data: Data([137, 80, 1]))
            content.mediaType = "image/png"
            try workshop.createMedia(entity: photo, content: content)
            #expect(try place.rows("SELECT Title FROM Tools WHERE Id = 1") == ["Bow saw"])
            #expect(service.effects.isEmpty)
            // Only the service knows what an operation does.
            #expect(throws: (any Error).self) { try workshop.reset() }
            #expect(service.effects.isEmpty)
            try place.sync.upload()
            #expect(
                Set(service.effects) == [
                    "update Tools(1)", "create Photos(101)", "update Photos(101)",
                ])
            #expect(service.title(1) == "Bow saw" && service.photo(101)?.name == "Roof")
        }
    }
}

/// Classes of a strict V2 service, of the generation whose handlers take a value and an error: derived types, function
/// imports, media.
@Suite(.serialized) struct OldWorkshopClassesTests {
    @Test("generated calls of V2 function imports give typed results, to handlers too")
    func importsAreTyped() async throws {
        try await ServicePlace.strict(.v2) { service, place in
            let workshop = OldWorkshop(provider: place.online)
            workshop.completionQueue = OperationQueue()
            let count = try ServicePlace.wait {
                workshop.count(kind: "it's", completionHandler: $0)
            }
            #expect(count == 3)
            #expect(try workshop.motto() == nil)
            #expect(try workshop.words() == ["one", "two"])
            #expect(try workshop.best() is OldPowerTool)
            #expect(try workshop.worst()?.keyID == 2 && workshop.lost() == nil)
            #expect(try workshop.cheap().map(\.keyID) == [1, 2])
            #expect(try workshop.sizes().map(\.height) == [1, 2])
            #expect(try workshop.resize(height: 9)?.height == 9)
            #expect(service.effects == ["Resize 9"])
            #expect(service.refusals.isEmpty, "\(service.refusals)")
        }
    }

    @Test("generated classes of derived types are told apart and changed, online")
    func derivedTypesOnline() async throws {
        try await ServicePlace.strict(.v2) { service, place in
            let workshop = OldWorkshop(provider: place.online)
            workshop.completionQueue = OperationQueue()
            let tools = try ServicePlace.wait { workshop.fetchTools(completionHandler: $0) } ?? []
            #expect(tools.map { $0 is OldPowerTool } == [false, false, true])
            #expect(tools.map { $0.size?.height } == [20, nil, 8])
            let owner = OldTool.owner
            try workshop.loadProperty(owner, into: tools[0])
            #expect(tools[0].owner?.name == "Mia")
            tools[2].title = "Hammer drill"
            try workshop.updateEntity(tools[2])
            #expect(service.title(3) == "Hammer drill" && service.effects == ["update Tools(3)"])
            let photo = OldPhoto()
            photo.name = "Roof"
            let content = ByteStream.fromBinary(data: Data([137, 80]))
            content.mediaType = "image/png"
            try workshop.createMedia(entity: photo, content: content)
            #expect(service.photo(101)?.bytes == [137, 80])
            let yard = try workshop.fetchPhotoWithKey(id: 1)
            let bytes = try ServicePlace.wait {
                workshop.downloadMedia(entity: yard, completionHandler: $0)
            }
            #expect(bytes == Data([137, 80, 78, 71, 1]))
            #expect(service.refusals.isEmpty, "\(service.refusals)")
        }
    }

    @Test("generated classes of derived types keep their class in a store")
    func derivedTypesOffline() async throws {
        try await ServicePlace.strict(.v2) { service, place in
            let workshop = OldWorkshop(provider: place.sync)
            try place.sync.open()
            try place.sync.download()
            let tools = try workshop.fetchTools(matching: DataQuery().orderBy(OldTool.keyID))
            #expect(tools.map { $0 is OldPowerTool } == [false, false, true])
            let drill = try #require(tools[2] as? OldPowerTool)
            #expect(drill.watts == 600)
            drill.title = "Hammer drill"
            try workshop.updateEntity(drill)
            #expect(
                try place.rows("SELECT Title FROM Tools WHERE _odata_type IS NOT NULL AND Id = 3")
                    == ["Hammer drill"])
            try place.sync.upload()
            #expect(service.title(3) == "Hammer drill" && service.effects == ["update Tools(3)"])
        }
    }
}
