import Foundation
import GRDB
import ODataQuery
import ODataServer
import ODataTesting
import ODataWorld
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// Sources that have nothing new end together, and each as it would alone.
@Suite struct QuietReadTests {
    private final class CountingWorld: VariedWorld {
        let live = LiveWorld()
        private let writes = Mutex(0)

        var count: Int { writes.withLock { $0 } }

        func checkpoint(_ name: StaticString) {
            if "\(name)" == "store.write" { writes.withLock { $0 += 1 } }
        }
    }

    private static func add(_ place: ServiceWorkplace, _ numbers: ClosedRange<Int>) throws {
        for number in numbers {
            try place.sync.createDownloadQuery(
                name: "q\(number)", query: place.query("WorkOrders?$filter=Id le \(number)"),
                streams: false)
        }
    }

    private static func links(_ place: ServiceWorkplace) throws -> [String: String] {
        let rows = try place.storeRows(
            "SELECT query, link FROM _odata_delta WHERE link IS NOT NULL")
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["query"], $0["link"]) })
    }

    @Test func nothingChangedTakesNoMoreTransactionsWithMoreSources() async throws {
        try await ServiceWorkplace.run { place in
            let world = CountingWorld()
            try place.use(world)
            try place.prepare()
            func transactions() throws -> Int {
                let before = world.count
                try place.sync.download()
                return world.count - before
            }
            try Self.add(place, 1...2)
            try place.sync.download()
            let few = try transactions()
            try Self.add(place, 3...20)
            try place.sync.download()
            let many = try transactions()
            #expect(many == few)
            #expect(try Self.links(place).keys.contains("query:q20"))
        }
    }

    @Test func whatHasChangedAmongThemComesAndLaterDoesNotComeAgain() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try Self.add(place, 1...8)
            try place.sync.download()
            let before = try Self.links(place)
            try place.atService("UPDATE WorkOrders SET Title = 'from there' WHERE Id = 5")
            try place.sync.download()
            #expect(try place.storedTitle(5) == "from there")
            // Each source has its link of this read, whether it had rows or not.
            let after = try Self.links(place)
            #expect(before.keys == after.keys)
            for number in 1...8 {
                #expect(before["query:q\(number)"] != after["query:q\(number)"], "\(number)")
            }
            try place.sync.download()
            #expect(try place.storedTitle(5) == "from there")
        }
    }

    @Test("CSP-124 a query that is deleted meanwhile takes no other with it")
    func aQueryThatGoesMeanwhile() async throws {
        try await ServiceWorkplace.run { place in
            try place.prepare()
            try Self.add(place, 1...6)
            try place.sync.download()
            let before = try Self.links(place)
            // The service goes on, so that links of this read are others.
            try place.atService("UPDATE WorkOrders SET Title = 'elsewhere' WHERE Id = 20")
            let isDone = Mutex(false)
            let sync = place.sync
            place.observer.setFaults { request, _ in
                let isFirst =
                    request.url.contains("$batch")
                    && isDone.withLock { done in
                        defer { done = true }
                        return !done
                    }
                if isFirst { try? sync.deleteDownloadQuery(name: "q3") }
                return nil
            }
            try place.sync.download()
            #expect(isDone.withLock { $0 })
            let after = try Self.links(place)
            #expect(after["query:q3"] == nil)
            for number in [1, 2, 4, 5, 6] {
                #expect(after["query:q\(number)"] != nil)
                #expect(before["query:q\(number)"] != after["query:q\(number)"], "\(number)")
            }
            #expect(try !place.sync.hasPendingDownload())
        }
    }
}
