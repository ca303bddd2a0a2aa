import APIErrorFixture
import ErrorFixture
import ODataClasses
import ODataTesting
import SAPOData
import Testing
import WorkplaceFixture

/// Changes of rows whose tags the answers to the changes before them left out.
@Suite struct UntoldTagTests {
    /// The first change is accepted already, and its answer has told no tag.
    private static func run(
        takesUntagged: Bool = false,
        _ body: @escaping @Sendable (ServiceWorkplace, StrictV2Service) throws -> Void
    ) async throws {
        let habits = StrictV2Service.Habits(keepsTags: true, takesUntagged: takesUntagged)
        try await StrictV2Service.run(habits) { place, service in
            place.sync.batchEntityUploads = false
            place.sync.throwUploadFailures = false
            try change(place, "uno")
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno"])
            #expect(looks(place) == 0)
            try body(place, service)
        }
    }

    private static func order(_ place: ServiceWorkplace) throws -> EntityValue {
        try place.entity("Orders", "Id eq 1")
    }

    private static func change(_ place: ServiceWorkplace, _ title: String) throws {
        let order = try order(place)
        place.property("Orders", "Title").setStringValue(in: order, to: title)
        try place.sync.update(order)
    }

    private static func theirs(_ service: StrictV2Service) {
        service.change {
            $0.titles[1] = "theirs"
            $0.versions[1, default: 0] += 1
        }
    }

    /// How often the row alone was read.
    private static func looks(_ place: ServiceWorkplace) -> Int {
        place.requests("GET Orders(1)").count
    }

    @Test(arguments: [true, false])
    func aChangeDoesNotGoOverWhatSomebodyElseMadeOfTheRow(isDownloaded: Bool) async throws {
        try await Self.run(takesUntagged: true) { place, service in
            try Self.change(place, "due")
            Self.theirs(service)
            if isDownloaded { try place.sync.download() }
            for _ in 0..<3 {
                try place.sync.upload()
                #expect(service.now.titles[1] == "theirs")
                #expect(try place.sync.failed().map { $0.httpStatus } == [412])
                #expect(try place.sync.failed().map { $0.errorCode } == ["RowChanged"])
                try place.sync.download()
            }
            #expect(Self.looks(place) == (isDownloaded ? 0 : 1))
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            #expect(service.now.titles[1] == "due")
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }

    /// The service takes nothing without the present tag.
    @Test(arguments: [true, false])
    func aChangeTakesTheTagOfTheRowThatItWasMadeFor(isDownloaded: Bool) async throws {
        try await Self.run { place, service in
            try Self.change(place, "due")
            if isDownloaded { try place.sync.download() }
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno", "merge due"])
            #expect(Self.looks(place) == (isDownloaded ? 0 : 1))
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }

    @Test func aRowThatADownloadHasBroughtIsNotReadAgain() async throws {
        try await Self.run { place, service in
            try place.sync.upload()
            try place.sync.download()
            try Self.change(place, "due")
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno", "merge due"])
            #expect(Self.looks(place) == 0)
        }
    }

    @Test(arguments: [true, false])
    func aDeletionTakesAwayOnlyTheRowThatItWasMadeFor(isChanged: Bool) async throws {
        try await Self.run(takesUntagged: isChanged) { place, service in
            try place.sync.delete(Self.order(place))
            if isChanged { Self.theirs(service) }
            try place.sync.upload()
            #expect(service.now.titles[1] == (isChanged ? "theirs" : nil))
            #expect(
                try place.sync.failed().map { $0.errorCode } == (isChanged ? ["RowChanged"] : []))
            #expect(Self.looks(place) == 1)
        }
    }

    /// Nothing waits when the answer to the creation comes, and no download comes before the change.
    @Test(arguments: [true, false])
    func aChangeOfWhatWasCreatedWithoutATagDoesNotGoOverOthers(isChanged: Bool) async throws {
        try await Self.run(takesUntagged: isChanged) { place, service in
            let set = place.set("Orders")
            let order = EntityValue.ofType(set.entityType).inSet(set)
            let title = place.property("Orders", "Title")
            title.setStringValue(in: order, to: "made")
            try place.sync.create(order)
            try place.sync.upload()
            let made = try place.entity("Orders", "Title eq 'made'")
            title.setStringValue(in: made, to: "mine")
            try place.sync.update(made)
            if isChanged {
                service.change {
                    $0.titles[3] = "theirs"
                    $0.versions[3] = 2
                }
            }
            try place.sync.upload()
            #expect(service.now.titles[3] == (isChanged ? "theirs" : "mine"))
            #expect(
                try place.sync.failed().map { $0.errorCode } == (isChanged ? ["RowChanged"] : []))
        }
    }

    @Test func aChangeWaitsUntilItsRowIsShown() async throws {
        try await Self.run(takesUntagged: true) { place, service in
            try Self.change(place, "due")
            service.change { $0.habits.isPortal = true }
            #expect(throws: DataNetworkError.self) { try place.sync.upload() }
            #expect(try place.sync.failed().isEmpty)
            service.change {
                $0.habits.isPortal = false
                $0.habits.hidesRows = true
            }
            try place.sync.upload()
            #expect(try place.sync.failed().map { $0.errorCode } == ["RowNotShown"])
            #expect(service.now.effects == ["merge uno"])
            service.change { $0.habits.takesUntagged = false }
            try place.sync.download()
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno", "merge due"])
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }

    @Test func whatAPolicyDecidesGoesWithTheTagThatItSaw() async throws {
        try await Self.run { place, service in
            place.sync.setConflictPolicy(.clientWins, for: place.set("Orders"))
            try Self.change(place, "due")
            Self.theirs(service)
            try place.sync.upload()
            #expect(service.now.effects == ["merge uno", "merge due"])
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }
}
