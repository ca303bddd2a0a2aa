import Foundation
import GRDB
import GeneratedStructs
import OData
import ODataServer
import ODataTesting
import Testing

/// The committed structs against services: the sample in this process, and one by hand.
@Suite struct GeneratedStructsTests {
    private static func sample(
        _ body: @Sendable (TestService, URL) async throws -> Void
    ) async throws {
        let folder = try TestFolder.makeFast("odata-structs-")
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try await onOwnThread {
            try TestService(sampleRows: 120, settings: CompanionService.Settings())
        }
        do {
            try await body(service, folder.appendingPathComponent("store.odata"))
        } catch {
            try await onOwnThread { service.close() }
            throw error
        }
        try await onOwnThread { service.close() }
    }

    private static func atService(_ service: TestService, _ sql: String) async throws -> String? {
        try await onOwnThread { try service.text(sql) }
    }

    @Test("SWI-061 Queries of generated structs are typed, and links are expanded")
    func queriesAreTypedAndLinksAreExpanded() async throws {
        try await Self.sample { service, file in
            let store = try await OfflineStore(
                service: service.url, at: .file(file), download: .set(WorkOrder.self),
                .set(Site.self), .set(TimeEntry.self))
            try await store.sync()
            let city = try #require(
                try await Self.atService(
                    service,
                    "SELECT s.City FROM WorkOrders w JOIN Sites s ON s.Id = w.SiteId WHERE w.IsBillable"
                ))
            let found = try await store.fetch(
                WorkOrder.all.where { $0.isBillable == true && $0.site.city.hasPrefix(city) }
                    .order(by: \.id).expand(\.site).expand(\.timeEntries))
            let ids = try await Self.atService(
                service,
                """
                SELECT group_concat(Id) FROM (SELECT w.Id FROM WorkOrders w JOIN Sites s ON s.Id = w.SiteId
                WHERE w.IsBillable AND s.City = '\(city)' ORDER BY w.Id)
                """)
            #expect(!found.isEmpty && found.map { "\($0.id)" }.joined(separator: ",") == ids)
            for order in found {
                #expect(try order.site.get()?.id == order.siteID)
                #expect(try order.timeEntries.get().allSatisfy { $0.workOrderID == order.id })
                #expect(order.row.entityTag != nil && !order.row.isPending)
                #expect(!order.equipment.isLoaded)
            }
            let columns = try await store.fetch(
                TimeEntry.all.where { $0.hours > 1 }.select(\.duration, \.hours))
            #expect(columns.allSatisfy { $0.0 > .zero && $0.1 > 1 })
        }
    }

    @Test("SWI-061 Drafts, updates and deletions of generated structs reach the service")
    func draftsUpdatesAndDeletionsReachTheService() async throws {
        try await Self.sample { service, file in
            let store = try await OfflineStore(
                service: service.url, at: .file(file), download: .set(WorkOrder.self),
                .set(Site.self), .set(TimeEntry.self))
            try await store.sync()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id))
            let (first, last) = (try #require(orders.first), try #require(orders.last))
            let customer = try #require(try await store.fetch(Site.all).first).customerID
            let now = try #require(OffsetDateTime("2026-03-01T10:00:00Z"))
            let (made, done) = try await store.write { tx in
                // With keys, with links, and with a key that a link makes.
                let site = try tx.insert(
                    Site.Draft(
                        customerID: customer, name: "New", city: "Walldorf", country: "DE",
                        hasParking: true, postalCode: "69190"))
                let order = try tx.insert(
                    WorkOrder.Draft(
                        site: site, number: "N-1", title: "First", priority: 2, status: "Open",
                        createdAt: now, isBillable: false))
                let entry = try tx.insert(
                    TimeEntry.Draft(
                        workOrder: order, position: 1, technician: "T", startedAt: now,
                        duration: .seconds(5_400), hours: 1.5, isOvertime: false))
                try tx.update(first) {
                    $0.title = "Changed"
                    $0.cost = 12.5
                    $0.assignedTo = nil
                }
                try tx.delete(last)
                return (site: site, order: order, entry: entry)
            }
            let before = try #require(
                try await store.fetch(WorkOrder.all.where { $0.number == "N-1" }.expand(\.site))
                    .first)
            #expect(before.ref == made.order && before.site.ref == made.site)
            #expect(before.row.isLocal && before.row.isPending)
            try await store.sync()
            try await done.settled()
            #expect(
                try await Self.atService(
                    service,
                    """
                    SELECT s.City || '|' || s.PostalCode || '|' || w.Priority || '|' || t.Hours || '|' || t.Technician
                    FROM WorkOrders w JOIN Sites s ON s.Id = w.SiteId JOIN TimeEntries t ON t.WorkOrderId = w.Id
                    WHERE w.Number = 'N-1'
                    """) == "Walldorf|69190|2|1.5|T")
            #expect(
                try await Self.atService(
                    service,
                    "SELECT Title || '|' || Cost FROM WorkOrders WHERE Id = \(first.id)")
                    == "Changed|12.5")
            #expect(
                try await Self.atService(
                    service, "SELECT Id FROM WorkOrders WHERE Id = \(last.id)") == nil)
            let after = try #require(try await store.fetch(made.order))
            #expect(after.id > 0 && !after.row.isPending)
            #expect(try await store.fetch(made.entry)?.workOrderID == after.id)
        }
    }

    // MARK: What the sample has not

    private static func depot(
        _ body: @Sendable (Depot.Service, OfflineStore) async throws -> Void
    ) async throws {
        let folder = try TestFolder.makeFast("odata-structs-")
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try await onOwnThread { try Depot.Service() }
        let store = try await OfflineStore(
            service: try #require(service.url),
            at: .file(folder.appendingPathComponent("store.odata")), download: .set(Part.self),
            .set(OldParts.self), .set(Shelf.self))
        try await store.sync()
        try await body(service, store)
        try await store.close()
    }

    @Test("SWI-062 Complex values and members that nobody knew survive a round trip")
    func complexValuesAndMembersThatNobodyKnewSurvive() async throws {
        try await Self.depot { service, store in
            let part = try #require(
                try await store.fetch(Part.all.where { $0.box.label == "B" }).first)
            #expect(part.kind.rawValue == "Loan" && part.rights == [.lend, .scrap])
            #expect(part.box?.width == 12.5 && part.box?.fits == part.kind)
            #expect(part.spares.map(\.fits) == [.tool] && part.words == ["a", "b"])
            #expect(part.origin == "Ulm" && part.changedAt != nil)
            #expect(try await store.fetch(Part.all.where { $0.kind == .spare }).isEmpty)
            #expect(
                try await store.fetch(Part.all.where { $0.rights == [.lend, .scrap] }).count == 2)
            #expect(try await store.fetch(Part.all.where { $0.rights == .lend }).isEmpty)
            let (_, done) = try await store.write { tx in
                try tx.update(part) {
                    $0.name = "Hammer"
                    $0.rights.remove(.scrap)
                    $0.box?.width = nil
                    $0.spares.append(Box(label: "T", fits: part.kind, width: 1))
                }
            }
            try await store.sync()
            try await done.settled()
            let sent = try #require(service.bodies("PATCH").first)
            #expect(Set(sent.keys) == ["Name", "Rights", "Box", "Spares"])
            let now = try #require(service.part("A1"))
            #expect(now["Rights"] as? String == "Lend" && now["Kind"] as? String == "Loan")
            let box = now["Box"] as? [String: Any]
            #expect(box?["Width"] is NSNull && box?["Fits"] as? String == "Loan")
            let spares = now["Spares"] as? [[String: Any]]
            #expect(spares?.map { $0["Fits"] as? String } == ["Tool", "Loan"])
        }
    }

    @Test("SWI-062 A draft says what the service does not make")
    func aDraftSaysWhatTheServiceDoesNotMake() async throws {
        try await Self.depot { service, store in
            let shelf = try #require(
                try await store.fetch(Shelf.all.where { $0.path == nil }).first)
            let (made, done) = try await store.write { tx in
                try tx.insert(
                    Part.Draft(
                        code: "N1", name: "Saw", kind: .tool, rights: .lend, shelf: shelf.ref,
                        origin: "Bonn"))
            }
            // What the service will say is not there yet, and no reason not to read the part.
            let before = try #require(try await store.fetch(made))
            #expect(before.changedAt == nil && before.count == 1 && before.shelfID == 2)
            // Required and for reading only: no draft can say it, and none has to.
            #expect(before.stock == nil)
            try await store.sync()
            try await done.settled()
            let sent = try #require(service.bodies("POST").last)
            #expect(sent["ChangedAt"] == nil && sent["Stock"] == nil)
            #expect(sent["Origin"] as? String == "Bonn")
            #expect(service.part("N1")?["ShelfId"] as? Int == 2)
            #expect(service.part("N1")?["Kind"] as? String == "Tool")
            #expect(try await store.fetch(made)?.changedAt != nil)
            #expect(try await store.fetch(made)?.stock == 0)
        }
    }

    @Test func setsOfOneTypeHaveStructsOfTheirOwn() async throws {
        try await Self.depot { _, store in
            #expect(Part.entitySet == "Parts" && OldParts.entitySet == "OldParts")
            #expect(try await store.fetch(Part.all.order(by: \.code)).map(\.code) == ["A1", "M1"])
            let old = try await store.fetch(OldParts.all.expand(\.shelf))
            #expect(old.map(\.code) == ["Z9"])
            // `path` and `row` of the service beside those of the code.
            let shelf = try #require(try old.first?.shelf.get())
            #expect(shelf.path == "a/b" && shelf.row_ == "R" && shelf.id == 1)
        }
    }

    @Test("SWI-063 Derived types and operations are structs, too")
    func derivedTypesAndOperationsAreStructsToo() async throws {
        try await Self.depot { service, store in
            let machines = try await store.fetch(Part.all.where { $0.machine.watts > 500 })
            #expect(machines.map(\.code) == ["M1"])
            #expect(
                try await store.fetch(Part.all.where { !$0.isMachine }).map(\.code) == ["A1"])
            let machine = try #require(try await store.fetch(Machine.all).first)
            #expect(machine.watts == 700 && machine.name == "Drill")
            let (_, done) = try await store.write { tx in try tx.update(machine) { $0.watts = 800 }
            }
            try await store.sync()
            try await done.settled()
            #expect(service.part("M1")?["Watts"] as? Int == 800)

            let part = try #require(
                try await store.fetch(Part.all.where { $0.code == "A1" }).first)
            let scrap = Scrap(on: OperationTarget.entity(part.ref), reason: "old")
            #expect(try await store.call(scrap))
            #expect(service.bodies("POST").last?["reason"] as? String == "old")
            #expect(try await store.call(CountOf(kind: .tool)) == 7)
        }
    }
}
