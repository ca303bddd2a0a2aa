import OData
import ODataTesting
import Testing

@Suite("The Swift face: fields behind links, and aggregates")
struct SelectionTests {
    @Test("SWI-040 Fields behind a link are selected, and those of nothing have no value")
    func selectedBehindLinks() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let query = WorkOrder.all.order(by: \.id)
            let rows = try await store.fetch(query.select(\.id, \.site.city, \.site.name))
            let whole = try await store.fetch(query.expand(\.site))
            #expect(rows.map(\.0) == whole.map(\.id) && !rows.isEmpty)
            #expect(rows.map(\.1) == (try whole.map { try $0.site.get()?.city }))
            #expect(rows.map(\.2) == (try whole.map { try $0.site.get()?.name }))
            let only = try await store.fetch(query.select(\.site.country))
            #expect(only == (try whole.map { try $0.site.get()?.country ?? "" }))
            let deep = TimeEntry.all.order(by: \.workOrderID).order(by: \.position)
            let cities = try await store.fetch(deep.select(\.position, \.workOrder.site.city))
            #expect(!cities.isEmpty && cities.allSatisfy { !$0.1.isEmpty })
            // A site that is not here is not taken for none.
            let other = try await OfflineStore(
                service: place.service.url, at: .memory, download: .set(WorkOrder.self))
            try await other.sync()
            await #expect(
                code { _ = try await other.fetch(query.select(\.id, \.site.city)) } == .notLoaded)
            var lists = store.live(query.select(\.id, \.site.city)).makeAsyncIterator()
            #expect(try await lists.next()?.map(\.1) == rows.map(\.1))
            let site = try #require(try whole.first?.site.get())
            try await store.write { tx in try tx.update(site) { $0.city = "Elsewhere" } }
            #expect(try await lists.next()?.first?.1 == "Elsewhere")
            try await store.write { tx in
                try tx.update(site) { $0.city = "Inside" }
                #expect(try tx.fetch(query.select(\.site.city)).first == "Inside")
            }
        }
    }

    @Test("SWI-047 Groups have the sums and averages that SQL finds at the service")
    func groups() async throws {
        try await Workshop.run(rows: 400) { place in
            let store = try await place.filledStore()
            let few = WorkOrder.all.where { $0.priority <= 3 }
            let groups = try await store.groups(
                of: few, by: \.status, \.priority, with: .count, .sum(\.priority),
                .maximum(\.title), .countDistinct(\.number))
            let found = groups.map { group in
                let (status, priority) = group.key
                let (count, sum, title, numbers) = group.values
                return
                    "\(status.rawValue) \(priority) \(count) \(sum ?? 0) \(title ?? "") \(numbers)"
            }
            let sql = """
                SELECT group_concat(line, ';') FROM (
                SELECT Status || ' ' || Priority || ' ' || count(*) || ' ' || sum(Priority) || ' ' || max(Title)
                || ' ' || count(DISTINCT Number) AS line
                FROM WorkOrders WHERE Priority <= 3 GROUP BY Status, Priority ORDER BY Status, Priority)
                """
            #expect(try await place.atService(sql) == found.joined(separator: ";"))
            #expect(found.count > 1)
            // A group of one key and one value; no group without entities.
            let byDay = try await store.groups(
                of: WorkOrder.all.limit(5), by: \.completedOn, with: .count)
            #expect(byDay.map(\.values).reduce(0, +) == 5)
            let none = WorkOrder.all.where { $0.priority > 1_000 }
            #expect(try await store.groups(of: none, by: \.status, with: .count).isEmpty)
            await #expect(
                code {
                    _ = try await store.groups(of: few, by: \.site.city, with: .count)
                } == .notImplemented)
        }
    }

    @Test("SWI-047 Averages have the type of what they are of, and integers have fractions")
    func averages() async throws {
        try await Workshop.run(rows: 400) { place in
            let store = try await place.filledStore()
            let all = try await store.fetch(WorkOrder.all)
            let mean = try #require(try await store.average(of: \.priority, in: WorkOrder.all))
            let sum = all.map(\.priority).reduce(0, +)
            #expect(abs(mean - Double(sum) / Double(all.count)) < 1e-9)
            let costly = try #require(all.first { $0.cost != nil })
            let one = WorkOrder.all.where { $0.id == costly.id }
            #expect(try await store.average(of: \.cost, in: one) == costly.cost)
            let group = try await store.groups(of: one, by: \.id, with: .average(\.cost))
            #expect(group.map(\.values) == [costly.cost])
            let hours = try await store.average(of: \.estimatedDuration, in: one)
            #expect(hours == costly.estimatedDuration)
            let none = WorkOrder.all.where { $0.priority > 1_000 }
            #expect(try await store.average(of: \.priority, in: none) == nil)
        }
    }

    @Test("SWI-039 Counts, sums and extremes are what SQL finds at the service")
    func aggregates() async throws {
        try await Workshop.run(rows: 400) { place in
            let store = try await place.filledStore()
            let few = WorkOrder.all.where { $0.priority <= 2 }
            let filter = " FROM WorkOrders WHERE Priority <= 2"
            let count = try await store.count(few)
            #expect(try await place.atService("SELECT count(*)" + filter) == "\(count)")
            #expect(try await store.count(few.order(by: \.title).offset(1).limit(2)) == 2)
            #expect(try await store.count(few.offset(count)) == 0)
            let sum = try await store.sum(of: \.priority, in: few)
            #expect(
                try await place.atService("SELECT sum(Priority)" + filter) == sum.map { "\($0)" })
            let cost = try await store.maximum(of: \.cost, in: few)
            #expect(
                cost == (try await store.fetch(few).compactMap(\.cost).max { $0 < $1 })
                    && cost != nil)
            let title = try await store.minimum(of: \.title, in: few)
            #expect(try await place.atService("SELECT min(Title)" + filter) == title)
            let last = try await store.minimum(
                of: \.id, in: WorkOrder.all.order(by: \.id, .descending).limit(3))
            #expect(
                try await place.atService("SELECT max(Id) - 2 FROM WorkOrders")
                    == last.map { "\($0)" })
            let none = WorkOrder.all.where { $0.priority > 1_000 }
            #expect(try await store.sum(of: \.priority, in: none) == nil)
        }
    }
}
