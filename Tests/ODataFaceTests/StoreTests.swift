import Foundation
import OData
import ODataTesting
import Testing

@Suite("The Swift face: stores")
struct StoreTests {
    @Test("SWI-001 A store opens without a network once it has been opened with one")
    func reopening() async throws {
        try await Workshop.run { place in
            let first = try await place.filledStore()
            let count = try await first.fetch(WorkOrder.all).count
            try await first.close()
            let service = place.service
            try await onOwnThread { service.close() }
            let second = try await place.store()
            #expect(try await second.fetch(WorkOrder.all).count == count)
            #expect(count > 0)
            await #expect(code { try await second.sync() } == .network)
            var states = second.status.makeAsyncIterator()
            let state = await states.next()
            #expect(state?.lastError?.code == .network && state?.phase == .idle)
        }
    }

    @Test("SWI-002 A closed store says so, and does nothing")
    func closing() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            try await store.close()
            await #expect(code { _ = try await store.fetch(Site.all) } == .storeClosed)
            await #expect(code { try await store.sync() } == .storeClosed)
            await #expect(code { _ = try await store.write { _ in } } == .storeClosed)
            await #expect(
                code { for try await _ in store.live(Site.all) {} } == .storeClosed)
        }
    }

    @Test("SWI-003 A store in memory is gone when it is closed, and hides nothing of the service")
    func memory() async throws {
        try await Workshop.run { place in
            let store = try await OfflineStore(
                service: place.service.url, at: .memory, download: .set(Site.self))
            let report = try await store.sync()
            #expect(report.isComplete && report.received > 0)
            #expect(try await store.fetch(Site.all).count == report.received)
            try await store.close()
        }
    }

    @Test("SWI-004 A sealed store opens with its key only, and its file has no name in clear")
    func keys() async throws {
        try await Workshop.run { place in
            func open(_ key: StoreKey) async throws -> OfflineStore {
                try await OfflineStore(
                    service: place.service.url, at: .file(place.file), key: key,
                    download: .set(Site.self))
            }
            let key = StoreKey.bytes(Data(repeating: 7, count: 32))
            let store = try await open(key)
            try await store.sync()
            let name = try #require(try await store.fetch(Site.all).first).name
            try await store.close()
            let bytes = try Data(contentsOf: place.file)
            #expect(bytes.range(of: Data(name.utf8)) == nil)
            await #expect(code { _ = try await open(.none) } == .storage)
            await #expect(
                code { _ = try await open(.bytes(Data(repeating: 8, count: 32))) } == .storage)
            #expect(try await open(key).fetch(Site.all).first?.name == name)
        }
    }

    @Test(
        "SWI-005 What is downloaded is what was said, and another word at the next opening replaces it"
    )
    func downloads() async throws {
        try await Workshop.run(rows: 400) { place in
            func open(_ limit: Int) async throws -> OfflineStore {
                try await OfflineStore(
                    service: place.service.url, at: .file(place.file),
                    download: .set(WorkOrder.self) {
                        $0.where { $0.priority <= limit }.expand(\.timeEntries)
                    })
            }
            let first = try await open(2)
            try await first.sync()
            let few = try await first.fetch(WorkOrder.all)
            let sql = "SELECT count(*) FROM WorkOrders WHERE Priority <= "
            #expect(try await place.atService(sql + "2") == "\(few.count)")
            #expect(try await first.fetch(Site.all).isEmpty)
            #expect(try await !first.fetch(TimeEntry.all).isEmpty)
            try await first.close()
            let second = try await open(3)
            try await second.sync()
            let more = try await second.fetch(WorkOrder.all).count
            #expect(try await place.atService(sql + "3") == "\(more)")
            #expect(more > few.count)
        }
    }

    @Test("SWI-006 A synchronisation that has no time ends, says so, and goes on the next time")
    func limits() async throws {
        try await Workshop.run(rows: 40, pageSize: 1) { place in
            let store = try await place.store()
            let cut = try await store.sync(within: .zero)
            let whole = try await store.sync()
            #expect(!cut.isComplete && whole.isComplete)
            #expect(
                try await place.atService("SELECT count(*) FROM WorkOrders")
                    == "\(try await store.fetch(WorkOrder.all).count)")
        }
    }

    @Test("SWI-007 A reader sees what the owner has, and may neither write nor synchronise")
    func readers() async throws {
        try await Workshop.run { place in
            await #expect(code { _ = try await place.store(role: .reader) } == .notFound)
            let owner = try await place.filledStore()
            let reader = try await place.store(role: .reader)
            let order = try #require(try await reader.fetch(WorkOrder.all).first)
            await #expect(code { try await reader.sync() } == .readOnly)
            await #expect(
                code { _ = try await reader.write { try $0.delete(order) } } == .readOnly)
            var lists = reader.live(WorkOrder.all.where { $0.title == "Seen by all" })
                .makeAsyncIterator()
            #expect(try await lists.next()?.isEmpty == true)
            _ = try await owner.write { try $0.update(order) { $0.title = "Seen by all" } }
            #expect(try await lists.next()?.first?.ref == order.ref)
        }
    }
}
