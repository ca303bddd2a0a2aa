import APIErrorFixture
import ErrorFixture
import Foundation
import ODataClasses
import SAPOData
import ODataModel
import ODataQuery
import ODataTesting
import Synchronization
import Testing
import WorkplaceFixture

/// Observed queries of a synchronised store: after local changes and downloads, as listener and as sequence.
@Suite struct ObservationTests {
    /// Gathers updates; a test waits until there are enough.
    private final class Inbox: Sendable {
        private let updates = Mutex<[LiveQueryUpdate]>([])
        private let arrived = DispatchSemaphore(value: 0)

        func put(_ update: LiveQueryUpdate) {
            updates.withLock { $0.append(update) }
            arrived.signal()
        }

        /// The next update; nil when none comes.
        func next(within seconds: Double = 20) -> LiveQueryUpdate? {
            guard arrived.wait(timeout: .now() + seconds) == .success else { return nil }
            return updates.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    @Test func aListenerHearsOfLocalChangesAndDownloads() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let title = place.property("WorkOrders", "Title")
            let inbox = Inbox()
            let query = DataQuery().from(place.set("WorkOrders"))
                .filter(place.property("WorkOrders", "Id").lessEqual(5)).orderBy(title)
            // The listener may use the store: nothing is held while it runs.
            let sync = place.sync
            let token = try OfflineDataService(provider: sync).observe(query) { update in
                _ = try? sync.entities(
                    DataQuery().from(query.entitySet ?? EntitySet.undefined).top(1))
                inbox.put(update)
            }
            let first = try #require(inbox.next())
            #expect(first.isFirst && first.inserted.count == 5 && first.deleted.isEmpty)
            try place.retitle(3, "AAAA")
            let second = try #require(inbox.next())
            #expect(!second.isFirst && second.inserted.isEmpty)
            #expect(second.updated.map { title.stringValue(from: $0.entity) } == ["AAAA"])
            #expect(second.updated.first?.position == 0)
            #expect(second.updated.first?.entity.hasPendingChanges == true)
            try place.sync.delete(try place.order(3))
            let third = try #require(inbox.next())
            #expect(third.deleted.map(\.position) == [0])
            try place.atService("UPDATE WorkOrders SET Title = 'ZZZZ' WHERE Id = 4")
            try place.sync.download()
            var heard = false
            while !heard, let update = inbox.next() {
                heard = update.updated.contains { title.stringValue(from: $0.entity) == "ZZZZ" }
            }
            #expect(heard)
            token.cancel()
            try place.retitle(1, "unheard")
            #expect(inbox.next(within: 0.3) == nil)
        }
    }

    @Test func aSequenceEndsWithItsTask() async throws {
        let (place, updates) = try await onOwnThread {
            let place = try ServiceWorkplace()
            try place.prepare()
            let query = DataQuery().from(place.set("WorkOrders"))
                .filter(place.property("WorkOrders", "Id").equal(2))
            return (place, try OfflineDataService(provider: place.sync).updates(of: query))
        }
        let seen = Mutex(0)
        let task = Task {
            var titles: [String] = []
            for try await update in updates {
                for row in update.inserted + update.updated {
                    titles.append(
                        place.property("WorkOrders", "Title").stringValue(from: row.entity))
                }
                seen.withLock { $0 += 1 }
                if update.isFirst {
                    _ = try await onOwnThread { try place.retitle(2, "seen") }
                } else {
                    break
                }
            }
            return titles
        }
        let titles = try await task.value
        #expect(titles.count == 2 && titles.last == "seen")
        let endless = Task {
            var count = 0
            for try await _ in updates { count += 1 }
            return count
        }
        endless.cancel()
        _ = try await endless.value
        try await onOwnThread { place.close() }
    }

    @Test func aQueryForNoEntitiesIsRefused() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            let counting = DataQuery().from(place.set("WorkOrders")).count()
            #expect(
                failure {
                    _ = try place.sync.offlineStore.observe(counting) { _ in }
                }
                    == Failure(
                        DataServiceError.self, .notImplemented, at: "WorkOrders", status: 501))
            let online = OnlineDataService(provider: place.sync.onlineProvider)
            #expect(
                failure {
                    _ = try online.observe(DataQuery().from(place.set("WorkOrders"))) { _ in }
                }
                    == Failure(
                        DataServiceError.self, .notImplemented,
                        "Expected a provider with a local store to observe.", status: 501))
        }
    }
}
