import ODataStore
import ODataSyncPlan
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// Uploads of updates to services of V2 that do not know `MERGE`: what has its effect, and what the store has learned.
@Suite struct UpdateMethodTests {
    private static func rename(_ place: ServiceWorkplace, _ id: Int, _ title: String) throws {
        let order = try place.entity("Orders", "Id eq \(id)")
        place.property("Orders", "Title").setStringValue(in: order, to: title)
        try place.sync.update(order)
    }

    private static func learned(_ place: ServiceWorkplace) throws -> UpdateMethod? {
        try place.sync.offlineStore.store().serviceProfile().updates
    }

    private static func refusedUpdates(_ service: StrictV2Service) -> Int {
        service.now.refusals.filter { $0.hasPrefix("405") }.count
    }

    @Test(arguments: [("PATCH", true), ("PATCH", false), ("PUT", true)])
    func updatesGoByTheMethodThatIsTaken(_ method: String, _ allows: Bool) async throws {
        try await StrictV2Service.run(.init(updates: [method], allows: allows)) { place, service in
            place.sync.batchEntityUploads = false
            try Self.rename(place, 1, "uno")
            try Self.rename(place, 2, "due")
            try place.sync.upload()
            let verb = method.lowercased()
            #expect(service.now.effects.sorted() == ["\(verb) due", "\(verb) uno"])
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.sync.failed().isEmpty)
            #expect(try Self.learned(place)?.rawValue == verb)
            // The next upload knows.
            let refused = Self.refusedUpdates(service)
            #expect(refused > 0)
            try Self.rename(place, 1, "eins")
            try place.sync.upload()
            #expect(service.now.effects.last == "\(verb) eins")
            #expect(Self.refusedUpdates(service) == refused)
        }
    }

    @Test func thePartsOfABatchMeetItToo() async throws {
        try await StrictV2Service.run(.init(updates: ["PATCH"])) { place, service in
            try Self.rename(place, 1, "uno")
            try Self.rename(place, 2, "due")
            try place.sync.upload()
            #expect(service.now.effects.sorted() == ["patch due", "patch uno"])
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.sync.failed().isEmpty)
            #expect(try Self.learned(place) == .patch)
        }
    }

    @Test func aMethodThatDoesNoBetterIsGivenUp() async throws {
        try await StrictV2Service.run(.init(updates: [], allows: false)) { place, service in
            place.sync.batchEntityUploads = false
            try Self.rename(place, 1, "uno")
            #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(try place.sync.failed().count == 1)
            #expect(try Self.learned(place) == nil)
            #expect(service.now.effects == [])
        }
    }

    @Test func aPinnedMethodIsNotLearnedOver() async throws {
        try await StrictV2Service.run(.init(updates: ["PATCH"])) { place, service in
            place.sync.batchEntityUploads = false
            try place.sync.pinServiceProfile("update", to: "merge")
            try Self.rename(place, 1, "uno")
            #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(service.now.effects == [])
            #expect(try Self.learned(place) == .merge)
        }
    }
}
