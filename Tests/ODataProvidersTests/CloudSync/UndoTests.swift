import GRDB
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// Taking changes back restores what was downloaded, exactly.
@Suite struct UndoTests {
    static let tables = ["WorkOrders", "Sites", "TimeEntries", "Photos", "Equipment", "Customers"]

    /// Everything that the data tables of the store hold.
    static func dump(_ place: ServiceWorkplace) throws -> [String] {
        try tables.flatMap { table in
            try place.storeRows("SELECT * FROM \"\(table)\" ORDER BY 1").map { "\(table) \($0)" }
        }
    }

    private static func change(_ place: ServiceWorkplace) throws {
        try place.retitle(1, "changed")
        try place.retitle(1, "changed again")
        try place.sync.delete(place.order(2))
        let new = try place.createOrder("NEW-1")
        new.put("Title", "and changed")
        try place.sync.update(new)
        try place.sync.updateLink(
            from: place.order(3), property: place.property("WorkOrders", "Site"),
            to: place.entity("Sites", "Id eq 5"), headers: .empty, options: .none)
    }

    // CSP-166
    @Test func cancellingEverythingLeavesWhatWasDownloaded() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let before = try Self.dump(place)
            try Self.change(place)
            #expect(try Self.dump(place) != before)
            try place.sync.cancelPendingRequests(nil)
            #expect(try place.sync.queued().isEmpty)
            #expect(try place.storeRows("SELECT 1 FROM _odata_request").isEmpty)
            #expect(try Self.dump(place) == before)
            try place.sync.upload()
            #expect(place.observer.requests.isEmpty)
        }
    }

    // CSP-167
    @Test func cancellingAnEmptyListChangesNothing() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try Self.change(place)
            let before = try Self.dump(place)
            let queue = try place.sync.queued().map { $0.toString() }
            try place.sync.cancelPendingRequests([])
            #expect(try Self.dump(place) == before)
            #expect(try place.sync.queued().map { $0.toString() } == queue)
        }
    }

    // CSP-168
    @Test func cancellingSomeTakesWhatDependsOnThemAndNothingElse() async throws {
        try await ServiceWorkplace.run { place in
            place.sync.combineLocalUpdates = false
            try place.prepare()
            let new = try place.createOrder("NEW-1")
            new.put("Title", "depends on the creation")
            try place.sync.update(new)
            try place.retitle(3, "independent")
            let queue = try place.sync.queued()
            #expect(queue.map(\.httpMethod) == ["POST", "PATCH", "PATCH"])
            try place.sync.cancelPendingRequests([queue[0]])
            #expect(try place.sync.queued().map(\.requestURL) == ["WorkOrders(3)"])
            #expect(try place.entities("WorkOrders?$filter=Number eq 'NEW-1'").isEmpty)
            #expect(try place.storedTitle(3) == "independent")
        }
    }

    // CSP-169
    @Test func theChangesOfSomeEntitiesCanBeUndone() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let before = try Self.dump(place)
            let changed = try place.retitle(1, "changed")
            let new = try place.createOrder("NEW-1")
            let gone = try place.order(2)
            try place.sync.delete(gone)
            try place.retitle(3, "kept")
            try place.sync.undoPendingChanges(
                for: EntityValueList.fromArray([changed, new, gone]))
            #expect(try place.sync.queued().map(\.requestURL) == ["WorkOrders(3)"])
            #expect(try place.storedTitle(3) == "kept")
            try place.sync.cancelPendingRequests(nil)
            #expect(try Self.dump(place) == before)
        }
    }

    /// What the service made of a change whose answer was lost is not known: that is said, and all else is taken back.
    @Test func whatWasSentWithoutAnAnswerIsNotTakenBackSilently() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let sent = try place.retitle(1, "sent")
            place.observer.setFaults { request, _ in
                request.method == "GET" ? nil : .loseAnswer
            }
            #expect(throws: (any Error).self) { try place.sync.upload() }
            let other = try place.retitle(2, "not sent")
            let open = try place.sync.queued()
            #expect(open.count == 2)
            #expect(throws: DataServiceError.self) {
                try place.sync.undoPendingChanges(for: EntityValueList.fromArray([other, sent]))
            }
            #expect(try place.sync.queued().map(\.requestID) == [open[0].requestID])
            #expect(try place.sync.queued().toArray().allSatisfy { $0.isCancelled })
            #expect(try place.storedTitle(1) == "sent" && place.storedTitle(2) != "not sent")
            #expect(throws: DataServiceError.self) { try place.sync.cancelPendingRequests(open) }
            #expect(throws: DataServiceError.self) { try place.sync.cancelPendingRequests(nil) }
            #expect(try place.sync.queued().map(\.requestID) == [open[0].requestID])
            place.restoreNetwork()
            try place.sync.upload()
            #expect(try place.servedTitle(1) == "sent" && place.sync.queued().isEmpty)
            #expect(try place.servedTitle(2) != "not sent")
        }
    }
}
