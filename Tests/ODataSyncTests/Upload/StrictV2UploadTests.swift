import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// Uploads to a V2 service that is as strict as the texts allow.
@Suite struct StrictV2UploadTests {
    private static func change(_ place: ServiceWorkplace, _ id: Int, _ title: String) throws {
        let order = try place.entity("Orders", "Id eq \(id)")
        place.property("Orders", "Title").setStringValue(in: order, to: title)
        try place.sync.update(order)
    }

    private static func create(_ place: ServiceWorkplace, _ title: String) throws {
        let set = place.set("Orders")
        let order = EntityValue.ofType(set.entityType).inSet(set)
        place.property("Orders", "Title").setStringValue(in: order, to: title)
        try place.sync.create(order)
    }

    /// The metadata is asked for with the newest version that is read here, and once more without; nothing else is.
    private static let metadataWithVersion = ["400 GET"]

    @Test(arguments: [true, false])
    func independentChangesGoInChangeSetsOfTheirOwn(isBatched: Bool) async throws {
        try await StrictV2Service.run { place, service in
            place.sync.batchEntityUploads = isBatched
            try Self.change(place, 1, "uno")
            try Self.change(place, 2, "due")
            try Self.create(place, "tre")
            try place.sync.upload()
            #expect(service.now.effects.sorted() == ["create tre", "merge due", "merge uno"])
            #expect(service.now.refusals == Self.metadataWithVersion)
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.sync.failed().isEmpty)
        }
    }

    @Test func aTokenIsFetchedOnceForAllWorkers() async throws {
        try await StrictV2Service.run(.init(wantsToken: true)) { place, service in
            place.sync.batchEntityUploads = false
            for number in 0..<8 { try Self.create(place, "n\(number)") }
            try place.sync.upload()
            #expect(service.now.effects.count == 8)
            #expect(service.now.tokenFetches == 1)
            #expect(try place.sync.queued().isEmpty)
        }
    }

    @Test func whatTheAppHasPinnedIsNotLearnedOver() async throws {
        try await StrictV2Service.run(.init(tunnelsOnly: true)) { place, service in
            place.sync.batchEntityUploads = false
            try place.sync.pinServiceProfile("tunnel", to: "no")
            try Self.change(place, 1, "uno")
            #expect(throws: DataServiceError.self) { try place.sync.upload() }
            #expect(service.now.refusals == Self.metadataWithVersion + ["405 MERGE", "405 PATCH"])
            #expect(service.now.effects == [])
            #expect(try place.sync.failed().count == 1)
        }
    }

    @Test func methodsThatDoNotPassGoInAHeader() async throws {
        try await StrictV2Service.run(.init(tunnelsOnly: true)) { place, service in
            place.sync.batchEntityUploads = false
            try Self.change(place, 1, "uno")
            try place.sync.upload()
            #expect(service.now.refusals == Self.metadataWithVersion + ["405 MERGE"])
            try Self.change(place, 2, "due")
            try place.sync.upload()
            // What was learned is kept.
            #expect(service.now.refusals == Self.metadataWithVersion + ["405 MERGE"])
            #expect(service.now.effects == ["merge uno", "merge due"])
        }
    }

    @Test func waitingDecidesNoConflict() async throws {
        try await StrictV2Service.run { place, service in
            try Self.change(place, 1, "mine")
            service.change {
                $0.titles[1] = "theirs"
                $0.versions[1] = 2
            }
            for _ in 0..<3 {
                _ = try? place.sync.upload()
                try place.sync.download()
                #expect(service.now.titles[1] == "theirs")
                #expect(try place.sync.failed().map { $0.httpStatus } == [412])
            }
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(service.now.titles[1] == "mine")
            #expect(try place.sync.failed().isEmpty)
        }
    }

    /// The tag stands in `__metadata` of the row.
    @Test func aTagThatAnAnswerLeavesOutIsReadFromTheRow() async throws {
        try await StrictV2Service.run(.init(keepsTags: true)) { place, service in
            place.sync.batchEntityUploads = false
            try Self.change(place, 1, "uno")
            try Self.change(place, 1, "due")
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno", "merge due"])
            #expect(service.now.refusals == Self.metadataWithVersion)
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }

    @Test func aTagThatCannotBeReadLosesNoChange() async throws {
        let habits = StrictV2Service.Habits(keepsTags: true, hidesRows: true)
        try await StrictV2Service.run(habits) { place, service in
            place.sync.batchEntityUploads = false
            place.sync.throwUploadFailures = false
            try Self.change(place, 1, "uno")
            try Self.change(place, 1, "due")
            try Self.change(place, 2, "tre")
            try place.sync.upload()
            // It goes with the tag that is known, and never without one.
            #expect(service.now.effects.sorted() == ["merge tre", "merge uno"])
            #expect(try place.sync.failed().map { $0.httpStatus } == [412])
            service.change { $0.habits.hidesRows = false }
            try place.sync.download()
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(service.now.titles == [1: "due", 2: "tre"])
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }

    @Test func aPageOfSomebodyElseSettlesNothing() async throws {
        try await StrictV2Service.run { place, service in
            try Self.change(place, 1, "uno")
            try Self.create(place, "tre")
            service.change { $0.habits.isPortal = true }
            let error = #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(error?.code == .network)
            #expect(error?.place?.path == "/Orders")
            #expect(error?.message?.contains("Not the service: text/html (Log on)") == true)
            #expect(try place.sync.queued().count == 2)
            service.change { $0.habits.isPortal = false }
            #expect(
                failure { try place.sync.upload() }
                    == Failure(
                        DataServiceError.self, .service, "The service refused 1 of 2 requests."))
            #expect(service.now.titles[1] == "uno")
            // Nobody can look for a row whose key the service would have chosen.
            #expect(try place.sync.failed().map { $0.isUnknown } == [true])
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(service.now.effects.sorted() == ["create tre", "merge uno"])
        }
    }
}
