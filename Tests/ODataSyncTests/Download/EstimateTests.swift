import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan
import ODataTesting
import SAPOData
import Synchronization
import Testing

/// How long downloads took, kept from one start to the next.
@Suite struct EstimateTests {
    private func file(_ place: ServiceWorkplace) -> String {
        place.folder.appendingPathComponent("TimeEstimates/FieldService.json").path
    }

    /// The notices of one download.
    private func notices(_ place: ServiceWorkplace) throws -> [SyncProgress] {
        let seen = Seen()
        let options = SyncOptions()
        options.progressListener = ProgressListener { notice in
            seen.all.withLock { $0.append(notice) }
        }
        try place.sync.download(groups: [], options: options)
        return seen.all.withLock { $0 }
    }

    private final class Seen: Sendable {
        let all = Mutex<[SyncProgress]>([])
    }

    // CSP-140, CSP-142
    @Test func whatADownloadTookIsKnownAfterARestart() async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            #expect(place.sync.autoSaveEstimates)
            try place.sync.open()
            let notices1 = try notices(place)
            #expect(notices1.allSatisfy { $0.estimatedTotal == nil })
            #expect(FileManager.default.fileExists(atPath: file(place)))
            try place.reopen()
            let later = try notices(place)
            #expect(later.allSatisfy { ($0.estimatedTotal ?? .zero) > .zero })
            #expect(later.last.map { $0.elapsed > .zero } == true)
        }
    }

    /// Otherwise asking for changes where there are none would write the file anew each time.
    @Test func timesBelowAMillisecondSayTheSameEachTime() {
        var known = TimeEstimates()
        known.note("set:WorkOrders", 0.0004)
        let before = known
        known.note("set:WorkOrders", 0.0009)
        known.note("set:WorkOrders", 0.0001)
        #expect(known == before && known.bytes == before.bytes)
        #expect(known.total(of: ["set:WorkOrders"]) == .milliseconds(1))
        known.note("set:WorkOrders", 3)
        #expect(known != before)
    }

    // CSP-140, CSP-143
    @Test func estimatesGoToAFileOfTheAppsChoice() async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            place.sync.timeEstimatesFile = "~/mine.json"
            try place.sync.open()
            try place.sync.download()
            #expect(!FileManager.default.fileExists(atPath: file(place)))
            let mine = place.folder.appendingPathComponent("mine.json").path
            let text = try String(contentsOfFile: mine, encoding: .utf8)
            #expect(text.contains("\"set:WorkOrders\":"))
            try place.sync.saveTimeEstimates(file: "~/other.json")
            try place.reopen { $0.autoSaveEstimates = false }
            let notices2 = try notices(place)
            #expect(notices2.allSatisfy { $0.estimatedTotal == nil })
            try place.reopen { $0.autoSaveEstimates = false }
            try place.sync.loadTimeEstimates(file: "~/other.json", mustExist: true)
            let notices3 = try notices(place)
            #expect(notices3.allSatisfy { $0.estimatedTotal != nil })
        }
    }

    // CSP-141
    @Test func aMissingFileIsAnErrorOnlyWhereItMustExist() async throws {
        try await ServiceWorkplace.run(scale: 20) { place in
            try place.sync.open()
            try place.sync.download()
            #expect(
                failure {
                    try place.sync.loadTimeEstimates(file: "~/nowhere.json", mustExist: true)
                } == Failure(DataServiceError.self, .notFound, at: "~/nowhere.json", status: 404))
            try place.sync.loadTimeEstimates(file: "~/nowhere.json", mustExist: false)
            let notices4 = try notices(place)
            #expect(notices4.allSatisfy { $0.estimatedTotal != nil })
            try Data("[]".utf8).write(to: place.folder.appendingPathComponent("odd.json"))
            #expect(
                failure {
                    try place.sync.loadTimeEstimates(file: "~/odd.json")
                }
                    == Failure(
                        DataFormatError.self, .invalidPayload, at: "~/odd.json")
            )
        }
    }
}
