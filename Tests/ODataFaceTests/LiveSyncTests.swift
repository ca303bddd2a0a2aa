import Foundation
import OData
import ODataQuery
import ODataServer
import ODataTesting
import Testing

@Suite("The Swift face: a synchronisation that goes on by itself")
struct LiveSyncTests {
    private static func run(
        _ body: @escaping @Sendable (Workshop, OfflineStore, PacedWorld) async throws -> Void
    ) async throws {
        try await Workshop.run { place in
            let world = PacedWorld()
            let store = try await OfflineStore(
                service: place.service.url, at: .file(place.file),
                download: [.set(WorkOrder.self), .set(Site.self), .set(TimeEntry.self)],
                world: world)
            let result: Result<Void, any Error>
            do { result = .success(try await body(place, store, world)) } catch {
                result = .failure(error)
            }
            try await store.close()
            try result.get()
        }
    }

    @Test(
        "SWI-041 It begins at once, goes on at its interval, and at once after a local change or a wake"
    )
    func rounds() async throws {
        try await Self.run { place, store, world in
            var waits = world.waits.makeAsyncIterator()
            let live = try store.startLiveSync(every: .seconds(30), asksToBeTold: false)
            let first = try #require(await waits.next())
            #expect(first >= .seconds(27) && first <= .seconds(33))
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            try await place.changeService(
                "UPDATE WorkOrders SET Title = 'Theirs' WHERE Id = \(order.id)")
            world.pass()
            _ = await waits.next()
            #expect(try await store.fetch(order.ref)?.title == "Theirs")
            // No wait ends here by its time.
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Ours" }
            }
            try await done.settled()
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(order.id)")
                    == "Ours")
            _ = await waits.next()
            try await place.changeService(
                "UPDATE WorkOrders SET Title = 'Again' WHERE Id = \(order.id)")
            live.wake()
            _ = await waits.next()
            #expect(try await store.fetch(order.ref)?.title == "Again")
            await live.stop()
        }
    }

    @Test("SWI-041 While it fails it waits longer each time, up to a bound, says why, and recovers")
    func failures() async throws {
        try await Self.run { place, store, world in
            var waits = world.waits.makeAsyncIterator()
            let live = try store.startLiveSync(every: .seconds(10), asksToBeTold: false)
            _ = await waits.next()
            let service = place.service
            let script = try FaultScript("lose-request any times 9999")
            try await onOwnThread { service.play(script) }
            var before = Duration.zero
            for round in 0..<12 {
                world.pass()
                let wait = try #require(await waits.next())
                if round == 0 { #expect(wait <= .seconds(3)) }
                if round < 6 { #expect(wait > before) }
                #expect(wait <= .seconds(330))
                before = wait
            }
            #expect(before >= .seconds(270))
            var states = live.states.makeAsyncIterator()
            var state = await states.next()
            while state == .synchronising { state = await states.next() }
            guard case .retrying(let error)? = state else {
                Issue.record("Expected a failure, found \(String(describing: state))")
                return
            }
            #expect(error.code == .network)
            try await onOwnThread { service.play(nil) }
            live.wake()
            let wait = try #require(await waits.next())
            #expect(wait >= .seconds(9) && wait <= .seconds(11))
            await live.stop()
        }
    }

    @Test("SWI-041 It stops when it is told to, when another takes its place, and with the store")
    func endings() async throws {
        try await Self.run { place, store, world in
            var waits = world.waits.makeAsyncIterator()
            let first = try store.startLiveSync(asksToBeTold: false)
            _ = await waits.next()
            place.service.service.forgetRequests()
            let second = try store.startLiveSync(asksToBeTold: false)
            #expect(first.state == .stopped)
            _ = await waits.next()
            let ofOneRound = place.service.requests.count
            place.service.service.forgetRequests()
            await second.stop()
            #expect(second.state == .stopped)
            var states = second.states.makeAsyncIterator()
            #expect(await states.next() == .stopped)
            #expect(await states.next() == nil)
            // It does nothing any more.
            second.wake()
            world.pass()
            let third = try store.startLiveSync(asksToBeTold: false)
            _ = await waits.next()
            #expect(place.service.requests.count == ofOneRound)
            try await store.close()
            #expect(third.state == .stopped)
            #expect(throws: ODataError.self) { try store.startLiveSync() }
        }
        try await Workshop.run { place in
            try await place.filledStore().close()
            let reader = try await place.store(role: .reader)
            #expect(throws: ODataError.self) { try reader.startLiveSync() }
        }
    }

    @Test("SWI-041 It waits while the store is suspended, and goes on when that is over")
    func suspension() async throws {
        try await Self.run { place, store, world in
            var waits = world.waits.makeAsyncIterator()
            let live = try store.startLiveSync(asksToBeTold: false)
            _ = await waits.next()
            await store.suspend()
            try await place.changeService("UPDATE WorkOrders SET Title = 'Meanwhile'")
            world.pass()
            // It waits for its interval: that is no failure.
            let wait = try #require(await waits.next())
            #expect(wait >= .seconds(54) && live.state == .waiting)
            try await store.resume()
            _ = await waits.next()
            #expect(
                try await store.fetch(WorkOrder.all.where { $0.title != "Meanwhile" }).isEmpty)
        }
    }

    // MARK: Told by the service

    /// Waits until the service tells of so many downloads.
    private static func told(_ count: Int, _ live: LiveSync) async {
        for _ in 0..<30_000 where live.toldDownloads != count {
            try? await Task.sleep(for: .milliseconds(1))
        }
        #expect(live.toldDownloads == count)
    }

    /// A change that another client makes at the service.
    private static func change(_ order: WorkOrder, to title: String, _ place: Workshop) async throws
    {
        let service = place.service.service.service
        let answer = try await onOwnThread {
            service.respond(
                to: RequestMessage(
                    method: "PATCH", url: "/WorkOrders(\(order.id))",
                    headers: ["Host": "localhost", "Content-Type": "application/json"],
                    body: Array(#"{"Title":"\#(title)"}"#.utf8)))
        }
        #expect(answer.status == 204, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    @Test(
        "SWI-049 What the service tells of is read when it happens, and nothing else is asked for")
    func toldChanges() async throws {
        try await Self.run { place, store, world in
            let live = try store.startLiveSync(every: .seconds(30))
            await Self.told(3, live)
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            var lists = store.live(
                WorkOrder.all.where { $0.title == "Told" || $0.title == "Twice" }
            )
            .makeAsyncIterator()
            #expect(try await lists.next()?.isEmpty == true)
            place.service.service.forgetRequests()
            // No wait ends here by its time.
            try await Self.change(order, to: "Told", place)
            #expect(try await lists.next()?.first?.title == "Told")
            await Self.told(3, live)
            try await Self.change(order, to: "Twice", place)
            #expect(try await lists.next()?.first?.title == "Twice")
            let read = place.service.requests.filter {
                $0.method == "GET" && $0.header("Prefer")?.contains("wait=") != true
            }
            #expect(!read.isEmpty && read.allSatisfy { $0.url.contains("WorkOrders?") }, "\(read)")
            await live.stop()
        }
    }

    @Test("SWI-049 A device that is to be spared holds nothing, and four intervals pass")
    func sparing() async throws {
        try await Self.run { place, store, world in
            var waits = world.waits.makeAsyncIterator()
            let live = try store.startLiveSync(every: .seconds(30))
            _ = await waits.next()
            await Self.told(3, live)
            live.hints = LiveSync.Hints(isMetered: true)
            let wait = try #require(await waits.next())
            #expect(wait >= .seconds(107) && wait <= .seconds(133))
            await Self.told(0, live)
            #expect(live.hints == LiveSync.Hints(isMetered: true))
            live.hints = LiveSync.Hints()
            await Self.told(3, live)
            await live.stop()
        }
    }

    @Test("SWI-049 Who stops, suspends or closes lets go of what the service holds")
    func lettingGo() async throws {
        try await Self.run { place, store, world in
            let service = place.service.service.service
            func held(_ count: Int) async {
                for _ in 0..<30_000 where service.heldRequests != count {
                    try? await Task.sleep(for: .milliseconds(1))
                }
                #expect(service.heldRequests == count)
            }
            let live = try store.startLiveSync()
            await held(3)
            await store.suspend()
            await held(0)
            try await store.resume()
            await held(3)
            await live.stop()
            await held(0)
            try store.startLiveSync()
            await held(3)
            try await store.close()
            await held(0)
        }
    }
}
