import GRDB
import ODataModel
import ODataQuery
import ODataServer
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// Conflicts that a policy of the entity set decides: what the service is sent, and what both sides have in the end.
@Suite struct ConflictPolicyTests {
    /// What the provider's listener was told.
    private final class Told: Sendable {
        private let list = Mutex<[EntityOverwrite]>([])
        var all: [EntityOverwrite] { list.withLock { $0 } }
        func add(_ overwrite: EntityOverwrite) { list.withLock { $0.append(overwrite) } }
    }

    private static func run(
        _ policy: ConflictPolicy,
        _ body: @escaping @Sendable (ServiceWorkplace, Told) throws -> Void
    ) async throws {
        try await ServiceWorkplace.run { place in
            place.sync.throwUploadFailures = false
            try place.prepare()
            place.sync.setConflictPolicy(policy, for: place.set("WorkOrders"))
            let told = Told()
            place.sync.overwriteListener = { told.add($0) }
            try body(place, told)
        }
    }

    private static func collide(_ place: ServiceWorkplace) throws {
        try place.retitle(1, "mine")
        try place.atService("UPDATE WorkOrders SET Title = 'theirs', Priority = 9 WHERE Id = 1")
    }

    private static func overwriteEvents(_ place: ServiceWorkplace) throws -> [String] {
        try place.storeRows("SELECT details FROM _odata_event WHERE type = 'overwrite'")
            .map { $0[0] }
    }

    private static func expectNothingLeft(_ place: ServiceWorkplace) throws {
        #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        try place.sync.download()
        #expect(try place.storedTitle(1) == place.servedTitle(1))
    }

    @Test func theClientWinsAndTheEventTellsWhatWasThere() async throws {
        try await Self.run(.clientWins) { place, told in
            try Self.collide(place)
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "mine")
            // Only what was changed here is overwritten.
            #expect(try place.serviceText("SELECT Priority FROM WorkOrders WHERE Id = 1") == "9")
            let details = try Self.overwriteEvents(place)
            #expect(details.count == 1)
            #expect(details.first?.contains(#""entity":"WorkOrders(1)""#) == true)
            #expect(details.first?.contains(#""policy":"clientWins""#) == true)
            let before = try #require(details.first?.range(of: #""Title":"theirs""#))
            let after = try #require(details.first?.range(of: #""Title":"mine""#))
            #expect(before.upperBound < after.lowerBound)
            let overwrite = try #require(told.all.first)
            #expect(told.all.count == 1 && overwrite.side == .service)
            #expect(overwrite.before?.text("Title") == "theirs")
            #expect(overwrite.after?.text("Title") == "mine")
            #expect(overwrite.properties == ["Title"] && !overwrite.description.contains("mine"))
            try Self.expectNothingLeft(place)
        }
    }

    @Test func theServerWinsAndTheRowIsAsTheServiceHasIt() async throws {
        try await Self.run(.serverWins) { place, told in
            place.sync.combineLocalUpdates = false
            try Self.collide(place)
            try place.retitle(1, "mine again")
            try place.retitle(2, "another row")
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try place.storedTitle(1) == "theirs")
            #expect(try place.servedTitle(2) == "another row")
            #expect(try !place.order(1).inErrorState)
            #expect(told.all.map(\.side) == [.local])
            #expect(told.all.first?.before?.text("Title") == "mine again")
            #expect(try Self.overwriteEvents(place).count == 1)
            try Self.expectNothingLeft(place)
        }
    }

    @Test func aResolverSeesBaseLocalAndServerAndMerges() async throws {
        let policy = ConflictPolicy.resolve { conflict in
            #expect(conflict.entitySetName == "WorkOrders" && !conflict.isDeletion)
            #expect(conflict.base?.text("Title") != "mine")
            let merged = try #require(conflict.server)
            merged.put(
                "Title",
                "\(conflict.local?.text("Title") ?? "") and \(merged.text("Title") ?? "")")
            return .merged(merged)
        }
        try await Self.run(policy) { place, told in
            try Self.collide(place)
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "mine and theirs")
            #expect(try place.storedTitle(1) == "mine and theirs")
            #expect(told.all.map(\.policy) == ["resolver"])
            try Self.expectNothingLeft(place)
        }
    }

    private static let anotherSite =
        "INSERT INTO Sites SELECT 9001, CustomerId, 'there', Street, City, PostalCode, Country, Latitude,"
        + " Longitude, OpensAt, HasParking FROM Sites WHERE Id = 1"

    private struct Undecided: Error {}

    @Test(arguments: [false, true])
    func whatAResolverLeavesStaysListed(throws: Bool) async throws {
        let policy = ConflictPolicy.resolve { _ in
            if `throws` { throw Undecided() }
            return .leave
        }
        try await Self.run(policy) { place, told in
            try Self.collide(place)
            try place.sync.upload()
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "theirs")
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
            #expect(told.all.isEmpty)
            #expect(try Self.overwriteEvents(place).isEmpty)
        }
    }

    /// Somebody else is quicker each time: after three more attempts it is listed, and nothing was overwritten.
    @Test func attemptsAreBounded() async throws {
        try await Self.run(.clientWins) { place, _ in
            try Self.collide(place)
            let count = Mutex(0)
            place.observer.setFaults { request, _ in
                guard request.method == "PATCH" else { return nil }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                try? place.atService("UPDATE WorkOrders SET Title = 'n\(number)' WHERE Id = 1")
                return nil
            }
            try place.sync.upload()
            place.observer.setFaults(nil)
            #expect(count.withLock { $0 } == 4)
            #expect(try place.servedTitle(1) == "n4")
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
        }
    }

    private static func downloadAnotherSite(
        _ place: ServiceWorkplace, _ policy: ConflictPolicy
    ) throws {
        place.sync.throwUploadFailures = false
        try place.prepare()
        place.sync.setConflictPolicy(policy, for: place.set("Sites"))
        try place.atService(anotherSite)
        try place.sync.download()
    }

    /// Uploads the change of a site that the service has deleted meanwhile.
    private static func changeASiteThatGoes(
        _ place: ServiceWorkplace, _ policy: ConflictPolicy
    ) throws {
        try downloadAnotherSite(place, policy)
        let site = try place.entity("Sites", "Id eq 9001")
        site.put("Name", "kept")
        try place.sync.update(site)
        try place.atService("DELETE FROM Sites WHERE Id = 9001")
        try place.sync.upload()
    }

    @Test func anUpdateOfARowThatIsGoneMakesItAgainWhereTheClientWins() async throws {
        try await ServiceWorkplace.run { place in
            try Self.changeASiteThatGoes(place, .clientWins)
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
            #expect(try place.serviceCount("Sites", "Name = 'kept'") == 1)
            try place.sync.download()
            #expect(try place.storeCount("Sites", "Name = 'kept'") == 1)
        }
    }

    @Test func anUpdateOfARowThatIsGoneGoesWhereTheServerWins() async throws {
        try await ServiceWorkplace.run { place in
            try Self.changeASiteThatGoes(place, .serverWins)
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
            #expect(try place.storeCount("Sites", "Id = 9001") == 0)
            #expect(try Self.overwriteEvents(place).first?.contains(#""after":null"#) == true)
        }
    }

    @Test(arguments: [ConflictPolicy.clientWins, .serverWins])
    func aDeletionOfARowThatWasChanged(policy: ConflictPolicy) async throws {
        try await ServiceWorkplace.run { place in
            try Self.downloadAnotherSite(place, policy)
            try place.sync.delete(try place.entity("Sites", "Id eq 9001"))
            try place.atService("UPDATE Sites SET Name = 'theirs' WHERE Id = 9001")
            try place.sync.upload()
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
            let count = if case .clientWins = policy { 0 } else { 1 }
            #expect(try place.serviceCount("Sites", "Id = 9001") == count)
            #expect(try place.storeCount("Sites", "Id = 9001 AND Name = 'theirs'") == count)
            #expect(try Self.overwriteEvents(place).count == 1)
        }
    }

    /// Doing nothing sends the same request again: the same tag and the same identity; a retry is another request.
    @Test func withoutAPolicyTheSameRequestGoesAgain() async throws {
        try await Self.run(.report) { place, _ in
            try Self.collide(place)
            try place.sync.upload()
            try place.sync.upload()
            func patches() -> [(tag: String?, identity: String?)] {
                place.observer.requests.filter { $0.method == "PATCH" }.map {
                    ($0.headers["If-Match"], $0.headers["Repeatability-Request-ID"])
                }
            }
            let same = patches()
            #expect(same.count == 2 && same[0].tag == same[1].tag)
            #expect(same[0].identity != nil && same[0].identity == same[1].identity)
            try place.sync.download()
            try place.sync.failed().toArray().first?.retry()
            try place.sync.upload()
            let all = patches()
            #expect(all.count == 3 && all[2].tag != all[0].tag)
            #expect(all[2].identity != all[0].identity)
            #expect(try place.servedTitle(1) == "mine")
        }
    }

    // MARK: Remembered policies

    /// An upload that somebody else than the app starts, as the command does.
    private static func uploadByOthers(
        _ place: ServiceWorkplace, _ change: (inout WriteRules) -> Void = { _ in }
    ) throws -> UploadProgress {
        place.sync.engine.change {
            $0.rules = WriteRules()
            $0.usesRememberedRules = true
            change(&$0.rules)
        }
        return try place.sync.uploadReporting(groups: [], SyncOptions()) { _ in }
    }

    @Test func anUploadThatTheAppDoesNotStartKeepsToItsPolicy() async throws {
        try await Self.run(.serverWins) { place, _ in
            try place.sync.upload()
            #expect(
                try place.storeRows("SELECT value FROM _odata_meta WHERE name = 'writeRules'")
                    .map { $0[0] } == [#"{"WorkOrders":{"conflicts":"serverWins"}}"#])
            try Self.collide(place)
            let progress = try Self.uploadByOthers(place)
            #expect(progress.overwrites.map(\.policy) == ["serverWins"])
            #expect(try place.servedTitle(1) == "theirs" && place.storedTitle(1) == "theirs")
            // What is said for one run goes before, and is not remembered.
            try place.retitle(1, "mine")
            try place.atService("UPDATE WorkOrders SET Title = 'theirs again' WHERE Id = 1")
            let other = try Self.uploadByOthers(place) { $0.conflicts["WorkOrders"] = .clientWins }
            #expect(other.overwrites.map(\.policy) == ["clientWins"])
            #expect(try place.servedTitle(1) == "mine")
            try place.retitle(1, "mine at last")
            try place.atService("UPDATE WorkOrders SET Title = 'theirs at last' WHERE Id = 1")
            #expect(try Self.uploadByOthers(place).overwrites.map(\.policy) == ["serverWins"])
        }
    }

    @Test func aPolicyThatTheAppHasTakenBackIsForgottenWithItsNextUpload() async throws {
        try await Self.run(.clientWins) { place, _ in
            try place.sync.upload()
            place.sync.setConflictPolicy(.report, for: place.set("WorkOrders"))
            try place.sync.upload()
            try Self.collide(place)
            let progress = try Self.uploadByOthers(place)
            #expect(progress.overwrites.isEmpty && progress.refused == 1)
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
            #expect(try place.servedTitle(1) == "theirs")
        }
    }

    @Test func aFunctionOfTheAppIsNamedAndItsConflictsStayListed() async throws {
        try await Self.run(.resolve { _ in .takeServer }) { place, _ in
            try place.sync.upload()
            try Self.collide(place)
            let progress = try Self.uploadByOthers(place)
            #expect(progress.undecidedSets == ["WorkOrders"] && progress.refused == 1)
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
        }
    }

    @Test func aPolicyOfTheSetDoesNotDecideAboutLinks() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.throwUploadFailures = false
            place.sync.batchEntityUploads = false
            try place.prepare()
            place.sync.setConflictPolicy(.clientWins, for: place.set("Sites"))
            let service = OfflineDataService(provider: place.sync)
            let customer = try service.executeQuery(place.query("Customers?$top=1"))
                .requiredEntity()
            try service.updateLink(
                from: try place.entity("Sites", "Id eq 2"),
                property: place.property("Sites", "Customer"),
                to: customer)
            place.observer.setFaults { request, _ in
                guard request.url.contains("$ref") else { return nil }
                return .answer(
                    ResponseMessage(
                        status: 412,
                        headers: ["Content-Type": "application/json", "OData-Version": "4.0"],
                        body: Array(#"{"error":{"code":"Changed","message":"No."}}"#.utf8)))
            }
            let progress = try place.sync.uploadReporting(groups: [], SyncOptions())
            #expect(progress.refused == 1 && progress.overwrites.isEmpty)
            #expect(progress.undecidedConflicts.count == 1)
            #expect(progress.undecidedConflicts.first?.contains("what the link belongs to") == true)
            #expect(try place.sync.failed().map(\.httpStatus) == [412])
        }
    }
}
