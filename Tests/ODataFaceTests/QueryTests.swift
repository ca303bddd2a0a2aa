import Foundation
import OData
import ODataTesting
import Testing

@Suite("The Swift face: queries")
struct QueryTests {
    @Test("SWI-008 Rows come with the types of Swift, as the service has them")
    func values() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all.order(by: \.id)).first)
            let sql = "FROM WorkOrders ORDER BY Id LIMIT 1"
            #expect(try await place.atService("SELECT Title \(sql)") == order.title)
            #expect(try await place.atService("SELECT Status \(sql)") == order.status.rawValue)
            let entry = try #require(try await store.fetch(TimeEntry.all).first)
            #expect(entry.hours > 0 && entry.duration > .zero)
            let site = try #require(try await store.fetch(Site.all.limit(1)).first)
            #expect(
                try await place.atService(
                    "SELECT lower(CustomerId) FROM Sites WHERE Id = \(site.id)")
                    == site.customerID.uuidString.lowercased())
        }
    }

    @Test("SWI-009 Conditions find what SQL finds at the service")
    func conditions() async throws {
        try await Workshop.run(rows: 400) { place in
            try await place.changeService("DELETE FROM TimeEntries WHERE WorkOrderId < 5")
            let store = try await place.filledStore()
            func check(_ query: Query<WorkOrder, WorkOrder>, _ sql: String) async throws {
                let found = try await store.fetch(query).count
                let count = try await place.atService(
                    "SELECT count(*) FROM WorkOrders o WHERE \(sql)")
                #expect("\(found)" == count, "\(sql)")
                #expect(found > 0, "\(sql)")
            }
            let orders = WorkOrder.all
            try await check(orders.where { $0.status == .open }, "Status = 'Open'")
            try await check(orders.where { $0.status != .open }, "Status <> 'Open'")
            try await check(
                orders.where { $0.isBillable == true && $0.priority <= 2 },
                "IsBillable = 1 AND Priority <= 2")
            try await check(orders.where { !($0.cost == nil) }, "Cost IS NOT NULL")
            try await check(orders.where { $0.cost > 100.5 }, "CAST(Cost AS REAL) > 100.5")
            try await check(orders.where { $0.description.isNull }, "Description IS NULL")
            try await check(
                orders.where { $0.title.lowercased.contains("e") || $0.id.in([1, 2]) },
                "lower(Title) LIKE '%e%' OR Id IN (1, 2)")
            try await check(
                orders.where { $0.priority.between(2, 3) }.where { $0.title.hasPrefix("R") },
                "Priority BETWEEN 2 AND 3 AND Title LIKE 'R%'")
            try await check(
                orders.where { $0.site.city.hasSuffix("n") },
                "EXISTS (SELECT 1 FROM Sites s WHERE s.Id = o.SiteId AND s.City LIKE '%n')")
            try await check(
                orders.where { $0.timeEntries.any { $0.hours > 2 && $0.workOrder.priority < 5 } },
                "o.Priority < 5 AND EXISTS (SELECT 1 FROM TimeEntries t WHERE t.WorkOrderId = o.Id"
                    + " AND CAST(t.Hours AS REAL) > 2)")
            try await check(
                orders.where { $0.timeEntries.isEmpty },
                "NOT EXISTS (SELECT 1 FROM TimeEntries t WHERE t.WorkOrderId = o.Id)")
            try await check(
                orders.where { $0.timeEntries.count >= 2 },
                "(SELECT count(*) FROM TimeEntries t WHERE t.WorkOrderId = o.Id) >= 2")
        }
    }

    @Test("SWI-010 Thirty queries of all kinds fit the service and run")
    func thirty() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            #expect(ThirtyQueries.orders.count + ThirtyQueries.sites.count + 1 == 30)
            for query in ThirtyQueries.orders { _ = try await store.fetch(query) }
            for query in ThirtyQueries.sites { _ = try await store.fetch(query) }
            #expect(try await store.fetch(ThirtyQueries.cards).allSatisfy { $0.1 == .open })
        }
    }

    @Test("SWI-011 Order, limit and selected fields give tuples in that order")
    func selection() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let rows = try await store.fetch(
                WorkOrder.all.order(by: \.priority, .descending).order(by: \.site.city)
                    .order(by: \.id).offset(1).limit(2).select(\.title, \.priority, \.cost))
            let sql = """
                SELECT o.Title FROM WorkOrders o JOIN Sites s ON s.Id = o.SiteId
                ORDER BY o.Priority DESC, s.City, o.Id LIMIT 1 OFFSET 1
                """
            #expect(rows.count == 2)
            #expect(try await place.atService(sql) == rows.first?.0)
            let titles: [String] = try await store.fetch(WorkOrder.all.select(\.title))
            #expect(titles.count == (try await store.fetch(WorkOrder.all)).count)
            // A list is no single value, and not nothing either.
            let listed = WorkOrder.all.where { !($0.id == 1 || $0.titles == ["a"]) }
            await #expect(code { _ = try await store.fetch(listed) } == .notImplemented)
        }
    }

    @Test("SWI-012 Links are there where they are expanded, and unknown where they are not")
    func links() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let plain = try #require(try await store.fetch(WorkOrder.all).first)
            #expect(!plain.site.isLoaded && !plain.timeEntries.isLoaded)
            #expect(throws: ODataError.self) { try plain.site.get() }
            #expect(throws: ODataError.self) { try plain.timeEntries.get() }
            let site = try #require(
                try await store.fetch(
                    Site.all.where { $0.workOrders.any { $0.timeEntries.count > 0 } }.limit(1)
                        .expand(\.workOrders) { orders in
                            orders.where { $0.timeEntries.count > 0 }.order(by: \.id)
                                .expand(\.site).expand(\.timeEntries)
                        }
                ).first)
            let orders = try site.workOrders.get()
            let first = try #require(orders.first)
            #expect(try first.site.get()?.ref == site.ref)
            #expect(first.site.ref == site.ref)
            let entries = try first.timeEntries.get()
            #expect(!entries.isEmpty && entries.allSatisfy { $0.workOrderID == first.id })
            #expect(
                try await place.atService(
                    "SELECT count(*) FROM TimeEntries WHERE WorkOrderId = \(first.id)")
                    == "\(entries.count)")
        }
    }

    @Test("SWI-013 What is linked to and was never downloaded is not taken for nothing")
    func unknownLinks() async throws {
        try await Workshop.run { place in
            let store = try await OfflineStore(
                service: place.service.url, at: .file(place.file), download: .set(WorkOrder.self))
            try await store.sync()
            let query = WorkOrder.all.expand(\.site).expand(\.timeEntries)
            let order = try #require(try await store.fetch(query).first)
            #expect(!order.site.isLoaded && !order.timeEntries.isLoaded)
            await #expect(code { _ = try order.timeEntries.get() } == .notLoaded)
            var plain = store.live(WorkOrder.all).makeAsyncIterator()
            #expect(try await plain.next()?.isComplete == true)
            var joined = store.live(WorkOrder.all.where { $0.site.city == "Bremen" })
                .makeAsyncIterator()
            #expect(try await joined.next()?.isComplete == false)
            try await store.close()
            // Brought along, and empty for some.
            try await place.changeService("DELETE FROM TimeEntries WHERE WorkOrderId = \(order.id)")
            let other = try await OfflineStore(
                service: place.service.url, at: .file(place.file),
                download: .set(WorkOrder.self) { $0.expand(\.timeEntries) })
            try await other.sync()
            let again = try #require(
                try await other.fetch(query.where { $0.id == order.id }).first)
            #expect(try again.timeEntries.get().isEmpty)
            var lists = other.live(WorkOrder.all.expand(\.timeEntries)).makeAsyncIterator()
            #expect(try await lists.next()?.isComplete == true)
        }
    }

    @Test("SWI-014 What does not fit the service is refused with a code, and nothing traps")
    func misfits() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            await #expect(code { _ = try await store.fetch(Misfit.all) } == .unknownName)
            await #expect(
                code { _ = try await store.fetch(Misfit.all.where { $0.wrong == 1 }) }
                    == .unknownName)
            await #expect(code { _ = try await store.fetch(NoSet.all) } == .unknownName)
            let described = try await place.atService("SELECT count(Description) FROM WorkOrders")
            #expect(described != "0")
            await #expect(code { _ = try await store.fetch(Strict.all) } == .unexpectedNull)
            await #expect(code { _ = try await store.fetch(WrongType.all) } == .wrongType)
        }
    }
}

/// Reads of the work orders what is not there, or not so.
private struct OneField<Shape: OneFieldShape>: Entity {
    static var entitySet: String { Shape.set }
    let ref: Ref<Self>
    let value: Shape.Value
    init(_ row: Row) throws(ODataError) {
        ref = row.ref()
        value = try row.value(Shape.name)
    }
    func write(to values: inout Values) {}
    struct Fields: FieldSet {
        let path: FieldPath
        init(_ path: FieldPath) { self.path = path }
        var wrong: Field<Int> { path.field("Wrong") }
    }
}

private protocol OneFieldShape: Sendable, Hashable {
    associatedtype Value: FieldValue
    static var set: String { get }
    static var name: String { get }
}

private enum MisfitShape: OneFieldShape {
    typealias Value = String
    static let (set, name) = ("WorkOrders", "Nowhere")
}
private enum NoSetShape: OneFieldShape {
    typealias Value = String
    static let (set, name) = ("Nothing", "Title")
}
private enum StrictShape: OneFieldShape {
    typealias Value = String
    static let (set, name) = ("WorkOrders", "Description")
}
private enum WrongTypeShape: OneFieldShape {
    typealias Value = Bool
    static let (set, name) = ("WorkOrders", "Title")
}
private typealias Misfit = OneField<MisfitShape>
private typealias NoSet = OneField<NoSetShape>
private typealias Strict = OneField<StrictShape>
private typealias WrongType = OneField<WrongTypeShape>
