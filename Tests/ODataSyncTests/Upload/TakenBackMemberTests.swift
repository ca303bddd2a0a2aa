import ODataClasses
import ODataQuery
import ODataServer
import ODataTesting
import SAPOData
import Synchronization
import Testing
import WorkplaceFixture

/// What the app takes back while an upload looks at the service for the set of changes that it is in.
@Suite struct TakenBackMemberTests {
    @Test func theRestOfTheSetGoesWithoutIt() async throws {
        try await ServiceWorkplace.run { place in
            try place.sync.open()
            try place.sync.pinServiceProfile("update", to: "put")
            // Rows that are known in part are read before they are replaced.
            place.sync.noDefaultEntityDownload()
            try place.sync.createDownloadQuery(
                name: "some", query: place.query("WorkOrders?$select=Id,Number,Title"),
                streams: false)
            try place.sync.download()
            let changes = ChangeSet()
            for id in 1...3 {
                let order = try place.order(id)
                order.put("Title", "changed \(id)")
                changes.updateEntity(order)
            }
            try OfflineDataService(provider: place.sync).applyChanges(changes)
            let before = try place.servedTitle(2)
            let taken = try place.sync.entities(place.query("WorkOrders?$filter=Id eq 2"))
            let isTakenBack = Mutex(false)
            place.observer.setFaults { request, _ in
                guard request.method == "GET", request.url.contains("WorkOrders(") else {
                    return nil
                }
                let isFirst = isTakenBack.withLock { done in
                    defer { done = true }
                    return !done
                }
                if isFirst { try? place.sync.undoPendingChanges(for: taken) }
                return nil
            }
            try place.sync.upload()
            #expect(isTakenBack.withLock { $0 })
            #expect(try place.servedTitle(1) == "changed 1")
            #expect(try place.servedTitle(2) == before)
            #expect(try place.servedTitle(3) == "changed 3")
            #expect(try place.sync.failed().isEmpty && place.sync.queued().isEmpty)
        }
    }
}
