import APIErrorFixture
import ErrorFixture
import Foundation
import GRDB
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataServer
import ODataSyncPlan
import ODataTesting
import Testing
import WorkplaceFixture

/// How changes of the service reach the store, and what a download says of itself.
@Suite struct DownloadBehaviourTests {
    private static let columns = "Id, SiteId, Number, Title, Priority, Status, Cost, AssignedTo"

    /// The work orders of a file as text.
    private static func served(_ place: ServiceWorkplace) throws -> [String] {
        try place.serviceRows("SELECT \(columns) FROM WorkOrders ORDER BY Id").map(text)
    }

    private static func stored(_ place: ServiceWorkplace) throws -> [String] {
        try place.entities("WorkOrders?$orderby=Id").map { order in
            columns.split(separator: ", ").map { order.text(String($0)) ?? "-" }
                .joined(separator: "|")
        }
    }

    private static func text(_ row: Row) -> String {
        columns.split(separator: ", ").map { name in
            let value: DatabaseValue = row[String(name)]
            if name == "Cost", let cost = Double.fromDatabaseValue(value) {
                let cents = Int((cost * 100).rounded())
                return "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
            }
            return value.isNull ? "-" : String.fromDatabaseValue(value) ?? "\(value)"
        }.joined(separator: "|")
    }

    /// Inserts, updates and removals by somebody else.
    private static func changeService(_ place: ServiceWorkplace) throws {
        try place.atService(
            """
            UPDATE WorkOrders SET Title = 'changed there', Priority = 2, AssignedTo = NULL
                WHERE Id IN (2, 9);
            DELETE FROM WorkOrders WHERE Id IN (4, 25);
            INSERT INTO WorkOrders (SiteId, Number, Title, Priority, Status, CreatedAt, IsBillable)
                VALUES (1, 'NEW-1', 'made there', 1, 'Open', '2025-01-02T03:04:05Z', 1);
            """)
    }

    private static func expectSame(_ place: ServiceWorkplace) throws {
        let served = try served(place).map { $0.replacing(".00|", with: "|") }
        let stored = try stored(place).map { $0.replacing(".00|", with: "|") }
        #expect(served == stored)
        #expect(served.contains { $0.contains("made there") })
    }

    // CSP-127, CSP-128
    @Test func aSecondDownloadBringsInsertsUpdatesAndRemovalsByDeltaLinks() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try Self.changeService(place)
            try place.sync.download()
            let reads = place.requests("GET WorkOrders")
            #expect(reads.count == 1 && reads[0].contains("$deltatoken="))
            try Self.expectSame(place)
            #expect(try place.storeCount("TimeEntries") == place.serviceCount("TimeEntries"))
        }
    }

    // CSP-129
    @Test func changeTrackingIsAskedFor() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.observer.forget()
            try place.sync.download()
            let reads = place.observer.requests.filter { $0.method == "GET" }
            #expect(reads.count == 6)
            #expect(
                reads.allSatisfy { $0.headers["Prefer"]?.contains("odata.track-changes") == true })
        }
    }

    // CSP-130
    @Test func setsWithoutDeltaLinksAreReadInFullAndCompared() async throws {
        try await ServiceWorkplace.run(pageSize: 10) { place in
            try place.sync.open()
            place.sync.downloadWithoutDeltaLinks(place.set("WorkOrders"))
            try place.sync.download()
            try Self.changeService(place)
            place.observer.forget()
            try place.sync.download()
            let reads = place.requests("GET WorkOrders")
            #expect(reads.count == 3 && reads[0] == "GET WorkOrders")
            #expect(reads.allSatisfy { !$0.contains("$deltatoken") })
            #expect(place.requests("GET Sites").allSatisfy { $0.contains("$deltatoken") })
            try Self.expectSame(place)
        }
    }

    // CSP-131
    @Test func withoutArgumentsNoSetUsesDeltaLinks() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            place.sync.downloadWithoutDeltaLinks()
            try place.sync.download()
            try Self.changeService(place)
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("GET ").count == 6)
            #expect(place.requests("GET ").allSatisfy { !$0.contains("$deltatoken") })
            try Self.expectSame(place)
        }
    }

    // CSP-132
    @Test func nextLinksAreFollowed() async throws {
        try await ServiceWorkplace.run(pageSize: 4) { place in
            try place.prepare()
            try place.sync.clear()
            try place.sync.open()
            try place.sync.download()
            #expect(
                place.requests("GET WorkOrders").filter { $0.contains("$skiptoken") }.count == 6)
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(try Self.served(place).count == Self.stored(place).count)
        }
    }

    @Test func changesOfManyPagesArriveWhole() async throws {
        try await ServiceWorkplace.run(pageSize: 4) { place in
            try place.prepare()
            try place.atService("UPDATE WorkOrders SET Title = 'all changed'")
            try Self.changeService(place)
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").count > 3)
            try Self.expectSame(place)
        }
    }

    @Test func anExpiredTokenLeadsToAFullRead() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try Self.changeService(place)
            try place.service.expireChanges(keepingLast: 0)
            try place.sync.download()
            let reads = place.requests("GET WorkOrders")
            // What a batch refuses is asked for once more by itself.
            #expect(reads.count == 3 && reads[..<2].allSatisfy { $0.contains("$deltatoken") })
            #expect(reads.last == "GET WorkOrders")
            try Self.expectSame(place)
            place.observer.forget()
            try place.sync.download()
            #expect(place.requests("GET WorkOrders").count == 1)
        }
    }

    // CSP-133
    @Test func initialDataIsThereAfterTheFirstSuccess() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            #expect(try !place.sync.hasInitialData())
            place.cutNetwork()
            #expect(
                failure { try place.sync.download() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/$batch"))
            #expect(try !place.sync.hasInitialData())
            place.restoreNetwork()
            try place.sync.download()
            #expect(try place.sync.hasInitialData())
            try place.reopen()
            #expect(try place.sync.hasInitialData())
        }
    }

    // CSP-134
    @Test func aFailedDownloadIsPendingUntilOneSucceeds() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            #expect(try !place.sync.hasPendingDownload())
            place.cutNetwork()
            #expect(
                failure { try place.sync.download() }
                    == Failure(DataNetworkError.self, .network, at: "127.0.0.1/$batch"))
            #expect(try place.sync.hasPendingDownload())
            try place.reopen()
            #expect(try place.sync.hasPendingDownload())
            place.restoreNetwork()
            try place.sync.download()
            #expect(try !place.sync.hasPendingDownload())
        }
    }

    // CSP-135, CSP-139
    @Test func aRunningDownloadIsPendingAndReportsItsProgress() async throws {
        try await ServiceWorkplace.run(pageSize: 5) { place in
            try place.sync.open()
            let sync = place.sync
            let notices = Recorder<SyncProgress>()
            let pending = Recorder<Bool?>()
            sync.progressListener = ProgressListener { progress in
                notices.add(progress)
                if progress.fractionCompleted < 1 { pending.add(try? sync.hasPendingDownload()) }
            }
            try sync.download()
            let fractions = notices.all.map(\.fractionCompleted)
            #expect(fractions.count > 6)
            #expect(fractions == fractions.sorted() && fractions.last == 1)
            #expect(Set(fractions).count > 5)
            #expect(notices.all.allSatisfy { $0.operation == .download })
            #expect(pending.all.count > 5 && pending.all.allSatisfy { $0 == true })
            #expect(try !sync.hasPendingDownload())
        }
    }

    // CSP-136
    @Test func aCancelledDownloadEndsAndStaysPending() async throws {
        try await ServiceWorkplace.run(pageSize: 5) { place in
            try place.sync.open()
            let sync = place.sync
            sync.progressListener = ProgressListener { progress in
                if progress.entityCount > 0 { try? sync.cancelDownload() }
            }
            let error = #expect(throws: DataNetworkError.self) { try sync.download() }
            #expect(error?.code == .cancelled)
            #expect(error?.toString().lowercased().contains("cancel") == true)
            #expect(try sync.hasPendingDownload() && !sync.hasInitialData())
            sync.progressListener = nil
            try sync.download()
            #expect(try place.storeCount("WorkOrders") == 25)
            #expect(try !sync.hasPendingDownload())
        }
    }

    // CSP-137
    @Test func aTokenCancelsItsOwnDownload() async throws {
        try await ServiceWorkplace.run(pageSize: 5) { place in
            try place.sync.open()
            let token = CancelToken()
            let options = SyncOptions().cancelable(token).listen(
                ProgressListener { progress in if progress.entityCount > 0 { token.cancel() } })
            #expect(
                failure {
                    try place.sync.download(groups: [], options: options)
                }
                    == Failure(
                        DataNetworkError.self, .cancelled,
                        "The download was cancelled; what was stored stays."))
            #expect(try place.sync.hasPendingDownload())
            try place.sync.download()
            #expect(try !place.sync.hasPendingDownload())
        }
    }

    // CSP-138
    @Test func theTimeOfTheLastDownloadIsKept() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            #expect(try place.sync.lastDownloadTime() == nil)
            let before = GlobalDateTime.now()
            try place.sync.download()
            let first = try #require(try place.sync.lastDownloadTime())
            // Kept to the millisecond.
            #expect(first.utc().timeIntervalSince(before.utc()) > -0.001)
            #expect(first <= GlobalDateTime.now())
            try place.sync.download()
            let second = try #require(try place.sync.lastDownloadTime())
            #expect(second > first)
            try place.reopen()
            #expect(try place.sync.lastDownloadTime()?.toString() == second.toString())
        }
    }

    // CSP-144
    @Test func unsentChangesStayVisibleOverADownload() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.retitle(1, "mine")
            try place.sync.delete(place.order(2))
            try place.createOrder("MINE-1")
            try place.atService(
                "UPDATE WorkOrders SET Title = 'theirs', AssignedTo = 'them' WHERE Id IN (1, 2)")
            try place.sync.download()
            #expect(try place.storedTitle(1) == "mine")
            #expect(try place.order(1).text("AssignedTo") == "them")
            #expect(try place.entities("WorkOrders?$filter=Id eq 2").isEmpty)
            #expect(try place.entities("WorkOrders?$filter=Number eq 'MINE-1'").count == 1)
            #expect(try place.sync.queued().length == 3)
        }
    }

    @Test func aRemovalByTheServiceLeavesAnUnsentChangeVisible() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try place.retitle(5, "mine")
            try place.atService("DELETE FROM WorkOrders WHERE Id = 5")
            try place.sync.download()
            #expect(try place.storedTitle(5) == "mine")
            try place.sync.cancelPendingRequests(nil)
            #expect(try place.entities("WorkOrders?$filter=Id eq 5").isEmpty)
        }
    }
}
