import Foundation
import OData
import Testing

@Suite("The Swift face: live queries, conflicts and status")
struct LiveTests {
    @Test("SWI-027 A live query says when nothing is merely not downloaded, and then what changes")
    func differences() async throws {
        try await Workshop.run { place in
            let store = try await place.store()
            var lists = store.live(WorkOrder.all.order(by: \.title)).makeAsyncIterator()
            let empty = try #require(try await lists.next())
            #expect(empty.isEmpty && !empty.isComplete)
            try await store.sync()
            var full = try #require(try await lists.next())
            while !full.isComplete { full = try #require(try await lists.next()) }
            #expect(
                try await place.atService("SELECT count(*) FROM WorkOrders") == "\(full.count)")
            let order = try #require(full.last)
            try await store.write { tx in
                try tx.update(order) { $0.title = " first of all" }
            }
            let moved = try #require(try await lists.next())
            #expect(moved.first?.ref == order.ref && moved.count == full.count)
            #expect(moved.changes.contains(.move(old: full.count - 1, new: 0)))
            try await store.write { tx in try tx.delete(order) }
            let rest = try #require(try await lists.next())
            #expect(rest.changes == [.remove(old: 0)] && rest.count == full.count - 1)
        }
    }

    @Test("SWI-028 A set that is downloaded and empty is complete")
    func emptySet() async throws {
        try await Workshop.run { place in
            let store = try await place.store()
            var lists = store.live(WorkOrder.all.where { $0.title == "Nowhere" })
                .makeAsyncIterator()
            #expect(try await lists.next()?.isComplete == false)
            try await store.sync()
            let rows = try #require(try await lists.next())
            #expect(rows.isEmpty && rows.isComplete && rows.changes.isEmpty)
        }
    }

    @Test(
        "SWI-029 Applying the changes to what was there gives what is there, for tuples and expanded rows too"
    )
    func replay() async throws {
        try await Workshop.run(rows: 200) { place in
            let store = try await place.filledStore()
            var lists = store.live(WorkOrder.all.order(by: \.priority).select(\.id, \.priority))
                .makeAsyncIterator()
            var sites = store.live(Site.all.order(by: \.id).expand(\.workOrders))
                .makeAsyncIterator()
            var known = Array(try #require(try await lists.next()))
            let site = try #require(
                try await sites.next()?.first { !((try? $0.workOrders.get()) ?? []).isEmpty })
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(6))
            let mine = try #require(try site.workOrders.get().first)
            try await store.write { tx in
                for (index, order) in orders.enumerated() {
                    if index % 3 == 0 {
                        try tx.delete(order)
                    } else {
                        try tx.update(order) { $0.priority = index }
                    }
                }
                if !orders.contains(where: { $0.ref == mine.ref }) {
                    try tx.update(mine) { $0.title = "Seen through its site" }
                }
            }
            let next = try #require(try await lists.next())
            Self.replay(next, on: &known)
            #expect(known.map(\.0) == next.map(\.0) && known.map(\.1) == next.map(\.1))
            let again = try #require(try await sites.next()?.first { $0.ref == site.ref })
            #expect(again != site || orders.contains { $0.ref == mine.ref })
        }
    }

    /// As a view would do it: only what the changes name is taken from the new rows.
    private static func replay<Element>(_ rows: Rows<Element>, on known: inout [Element]) {
        var (leaving, coming): ([Int], [Int]) = ([], [])
        for change in rows.changes {
            switch change {
            case .remove(let old): leaving.append(old)
            case .insert(let new): coming.append(new)
            case .move(let old, let new):
                leaving.append(old)
                coming.append(new)
            case .update: break
            }
        }
        for old in leaving.sorted(by: >) { known.remove(at: old) }
        for new in coming.sorted() { known.insert(rows[new], at: new) }
        for case .update(let new) in rows.changes { known[new] = rows[new] }
    }

    @Test("SWI-030 A loop ends when its task is cancelled")
    func cancellation() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let task = Task {
                var count = 0
                for try await rows in store.live(Site.all) { count += rows.count }
                return count
            }
            task.cancel()
            _ = try await task.value
        }
    }

    @Test("SWI-031 A box for views follows a query")
    @MainActor
    func box() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let count = try await store.fetch(Site.all).count
            let found = await Self.rowsOfBox(store)
            #expect(found == count)
        }
    }

    @MainActor
    private static func rowsOfBox(_ store: OfflineStore) async -> Int {
        let box = LiveBox(store.live(Site.all))
        let task = Task { await box.follow() }
        while box.rows.isEmpty, box.error == nil { await Task.yield() }
        task.cancel()
        await task.value
        return box.isComplete ? box.rows.count : -1
    }

    @Test(
        "SWI-032 A change that meets another's is listed, and a rule decides it where there is one")
    func conflicts() async throws {
        try await Workshop.run { place in
            let rule = ConflictRule.resolve(WorkOrder.self) { conflict in
                guard var merged = conflict.server, let local = conflict.local else { return .ask }
                guard conflict.base?.title != local.title else { return .keepServer }
                merged.title = local.title + " + " + merged.title
                return .merge(merged)
            }
            let store = try await place.filledStore(conflicts: [rule])
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            for order in orders {
                try await place.changeService(
                    "UPDATE WorkOrders SET Title = 'Theirs' WHERE Id = \(order.id)")
            }
            let (_, merged) = try await store.write { tx in
                try tx.update(first) { $0.title = "Ours" }
            }
            let (_, dropped) = try await store.write { tx in
                try tx.update(second) { $0.priority = 9 }
            }
            let report = try await store.sync()
            #expect(report.refused == 0)
            try await merged.settled()
            await #expect(code { try await dropped.settled() } == .undone)
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(first.id)")
                    == "Ours + Theirs")
            #expect(try await store.fetch(second.ref)?.priority == second.priority)
            #expect(try await store.fetch(second.ref)?.title == "Theirs")
        }
    }

    @Test(
        "SWI-033 Without a rule a conflict is listed; it is undone or sent again as somebody decides"
    )
    func undecided() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            try await place.changeService("UPDATE WorkOrders SET Title = 'Theirs'")
            let (_, undone) = try await store.write { try $0.update(first) { $0.title = "A" } }
            let (_, again) = try await store.write { try $0.update(second) { $0.title = "B" } }
            try await store.sync()
            var lists = store.refusals.makeAsyncIterator()
            let refusals = try #require(await lists.next())
            #expect(refusals.map(\.error.status) == [412, 412])
            var states = store.status.makeAsyncIterator()
            let state = await states.next()
            #expect(state?.refused == 2 && state?.pending == 0 && state?.lastSync != nil)
            try await #require(refusals.first).undo()
            try await #require(refusals.last).retry()
            await #expect(code { try await undone.settled() } == .undone)
            try await store.sync()
            try await again.settled()
            #expect(try await store.fetch(first.ref)?.title == "Theirs")
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(second.id)")
                    == "B")
        }
    }

    @Test(
        "SWI-027 Links that nobody has downloaded are unknown in a live list, and known once they are"
    )
    func linksBecomeKnown() async throws {
        let linked = """
            {"value":[{"Id":1,"Name":"Rex","Boss":{"Id":2,"Name":"Tom"},"Friends":[{"Id":2,"Name":"Tom"}]},
            {"Id":2,"Name":"Tom","Boss":null,"Friends":[]}]}
            """
        try await WrittenService.run([
            "GET Animals": #"{"value":[{"Id":1,"Name":"Rex"},{"Id":2,"Name":"Tom"}]}"#,
            "GET Animals?$expand=Boss,Friends": linked,
        ]) { place in
            let plain = try await place.store(.set(Animal.self))
            try await plain.sync()
            let query = Animal.all.order(by: \.id).expand(\.boss).expand(\.friends)
            let found = try await plain.fetch(query)
            #expect(found.map(\.boss.isLoaded) == [false, false])
            var before = plain.live(query).makeAsyncIterator()
            let unknown = try #require(try await before.next())
            #expect(unknown.map(\.boss.isLoaded) == [false, false])
            #expect(unknown.map(\.friends.isLoaded) == [false, false])
            try await plain.write { tx in
                let found = try tx.fetch(query)
                #expect(found.map(\.friends.isLoaded) == [false, false])
                #expect(found.map(\.boss.isLoaded) == [false, false])
            }
            try await plain.close()
            let store = try await place.store(
                .set(Animal.self) { $0.expand(\.boss).expand(\.friends) })
            var lists = store.live(query).makeAsyncIterator()
            _ = try await lists.next()
            try await store.sync()
            var rows = try #require(try await lists.next())
            while rows.map(\.boss.isLoaded) != [true, true] {
                rows = try #require(try await lists.next())
            }
            #expect(try rows.map { try $0.boss.get()?.name } == ["Tom", nil])
            #expect(try rows.map { try $0.friends.get().map(\.id) } == [[2], []])
            // A transaction knows the same, and what it has changed.
            let (rex, tom) = (rows[0], rows[1])
            try await store.write { tx in
                let friends = try tx.fetch(query).map { try $0.friends.get().map(\.id) }
                #expect(friends == [[2], []])
                try tx.update(tom) { $0.boss.set(rex) }
                let bosses = try tx.fetch(query).map { try $0.boss.get()?.id }
                #expect(bosses == [2, 1])
            }
        }
    }

    @Test("SWI-032 A merge that would change a link decides nothing: the change stays listed")
    func mergedLink() async throws {
        try await Workshop.run { place in
            let rule = ConflictRule.resolve(WorkOrder.self) { conflict in
                guard var merged = conflict.server else { return .ask }
                merged.site.clear()
                return .merge(merged)
            }
            let store = try await place.filledStore(conflicts: [rule])
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            try await place.changeService(
                "UPDATE WorkOrders SET Title = 'Theirs' WHERE Id = \(order.id)")
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Ours" }
            }
            try await store.sync()
            await #expect(code { try await done.settled() } == .refused)
            var lists = store.refusals.makeAsyncIterator()
            #expect(await lists.next()?.map(\.error.status) == [412])
            let sql = "SELECT Title FROM WorkOrders WHERE SiteId IS NOT NULL AND Id = \(order.id)"
            #expect(try await place.atService(sql) == "Theirs")
        }
    }
}
