import APIErrorFixture
import ErrorFixture
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// The history of what succeeded.
@Suite struct EventTests {
    private static func live(_ place: ServiceWorkplace) throws {
        try place.prepare()
        try place.retitle(1, "x")
        try place.sync.upload()
        place.sync.downloadInGroup("places", place.set("Sites"))
        try place.sync.download(["places"])
    }

    // CSP-170
    @Test func downloadsAndUploadsAreListed() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.cutNetwork()
            #expect(
                failure { try place.sync.download() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/$batch"))
            place.restoreNetwork()
            #expect(try place.sync.eventHistory(matching: nil).isEmpty)
            try Self.live(place)
            try place.reopen()
            let events = try place.sync.eventHistory(matching: nil).toArray()
            #expect(events.map(\.type) == ["download", "upload", "download"])
            #expect(events.map(\.details) == [nil, nil, "places"])
            #expect(events.map(\.eventID) == events.map(\.eventID).sorted())
        }
    }

    // CSP-171
    @Test func aQueryNarrowsAndSortsTheHistory() async throws {
        try await ServiceWorkplace.run { place in
            try Self.live(place)
            let downloads = try place.sync.eventHistory(
                matching: DataQuery().filter(SyncEvent.type.equal("download"))
                    .orderBy(SyncEvent.eventID, .descending))
            #expect(downloads.map(\.details) == ["places", nil])
            let first = try place.sync.eventHistory(
                matching: DataQuery().orderBy(SyncEvent.time).top(1))
            #expect(first.map(\.type) == ["download"])
        }
    }
}
