import Foundation
import GRDB
import OData
import ODataServer
import ODataTesting
import Testing

@Suite("The Swift face: writes and what becomes of them")
struct WriteTests {
    @Test("SWI-017 An update queues what is different and nothing else, and is in view at once")
    func differences() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(
                try await store.fetch(WorkOrder.all.where { $0.status == .open }).first)
            let before = try await place.atService(
                "SELECT Title FROM WorkOrders WHERE Id = \(order.id)")
            let (old, done) = try await store.write { tx in
                try tx.update(order) { $0.status = .done }
                return order.status
            }
            #expect(old == .open && done.state == .local)
            let here = try #require(try await store.fetch(order.ref))
            #expect(here.status == .done && here.info.isPending && here.info.isLocal)
            #expect(here != order)
            #expect(
                try await place.inFile("SELECT body FROM _odata_request")
                    .map { $0.contains("Done") && !$0.contains("Title") } == [true])
            // Somebody else has changed another property meanwhile: it is not written over.
            try await store.sync()
            try await done.settled()
            #expect(done.state == .accepted)
            let sql = "SELECT Status || Title FROM WorkOrders WHERE Id = \(order.id)"
            #expect(try await place.atService(sql) == "Done" + (before ?? ""))
        }
    }

    @Test(
        "SWI-018 A write that changes nothing sends nothing and is settled; one whose body throws leaves no trace"
    )
    func nothing() async throws {
        try await Workshop.run { place in
            struct Stop: Error {}
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, same) = try await store.write { tx in
                try tx.update(order) { $0.title = order.title }
            }
            try await same.settled()
            await #expect(throws: Stop.self) {
                try await store.write { tx in
                    try tx.update(order) { $0.title = "Never" }
                    #expect(try tx.fetch(WorkOrder.all.where { $0.title == "Never" }).count == 1)
                    throw Stop()
                }
            }
            #expect(try await store.fetch(order.ref)?.title == order.title)
            #expect(try await place.inFile("SELECT id FROM _odata_request").isEmpty)
        }
    }

    @Test(
        "SWI-019 A new entity keeps its ref when the service gives it a key, and others link to it before"
    )
    func creation() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let customer = try #require(try await store.fetch(Site.all).first).customerID
            let now = try #require(OffsetDateTime("2026-03-01T10:00:00Z"))
            place.service.service.forgetRequests()
            let (made, done) = try await store.write { tx in
                let site = try tx.insert(
                    Site.Draft(customerID: customer, name: "New", city: "Walldorf"))
                let order = try tx.insert(
                    WorkOrder.Draft(number: "N-1", title: "First", createdAt: now, site: site))
                return (site: site, order: order)
            }
            let query = WorkOrder.all.where { $0.site.city == "Walldorf" && $0.number == "N-1" }
            let before = try #require(try await store.fetch(query.expand(\.site)).first)
            #expect(before.ref == made.order && before.site.ref == made.site)
            try await store.sync()
            try await done.settled()
            let site = try #require(try await store.fetch(made.site))
            let order = try #require(try await store.fetch(query.expand(\.site)).first)
            #expect(order.ref == made.order && order.site.ref == made.site)
            #expect(
                try await place.atService("SELECT SiteId FROM WorkOrders WHERE Number = 'N-1'")
                    == "\(site.id)")
            #expect(
                try await place.atService("SELECT Id FROM WorkOrders WHERE Number = 'N-1'")
                    == "\(order.id)")
            // Both went in one change set.
            let posts = place.service.requests.filter { $0.method == "POST" && $0.isInBatch }
            #expect(posts.count == 2 && Set(posts.map(\.changeSet)).count == 1)
            #expect(posts.first?.changeSet != nil)
        }
    }

    @Test("SWI-046 A query inside a transaction expands what the transaction has left so far")
    func expansions() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(
                try await store.fetch(WorkOrder.all.order(by: \.id).expand(\.site)).first)
            let other = try #require(
                try await store.fetch(Site.all).first { $0.ref != order.site.ref })
            let now = try #require(OffsetDateTime("2026-03-01T10:00:00Z"))
            try await store.write { tx in
                try tx.update(order) { $0.site.set(other) }
                try tx.update(other) { $0.city = "Moved" }
                let made = try tx.insert(
                    WorkOrder.Draft(number: "N-2", title: "New", createdAt: now, site: other.ref))
                let orders = WorkOrder.all.where { $0.id == order.id }.expand(\.site)
                #expect(try tx.fetch(orders).first?.site.get()?.city == "Moved")
                let site = try #require(
                    try tx.fetch(
                        Site.all.where { $0.id == other.id }.expand(\.workOrders) {
                            $0.expand(\.timeEntries)
                        }
                    ).first)
                let refs = try site.workOrders.get().map(\.ref)
                #expect(refs.contains(made) && refs.contains(order.ref))
                let new = try #require(try site.workOrders.get().first { $0.ref == made })
                #expect(try new.timeEntries.get().isEmpty)
            }
        }
    }

    @Test("SWI-048 What goes wrong inside a write is an error of the face, and the body may go on")
    func errorsInside() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            let now = try #require(OffsetDateTime("2026-03-01T10:00:00Z"))
            struct Taken: EntityDraft {
                typealias Target = WorkOrder
                var id: Int
                var draft: WorkOrder.Draft
                func write(to values: inout Values) {
                    draft.write(to: &values)
                    values.set("Id", id)
                }
            }
            let site = try #require(try await store.fetch(Site.all).first).ref
            let new = WorkOrder.Draft(
                number: "N-3", title: "Goes on", createdAt: now, site: site)
            let codes = try await store.write { tx in
                var codes: [ODataError.Code] = []
                do { try tx.insert(Taken(id: first.id, draft: new)) } catch let error as ODataError
                {
                    codes.append(error.code)
                }
                try tx.delete(second)
                do { try tx.delete(second) } catch let error as ODataError {
                    codes.append(error.code)
                }
                do { try tx.update(second) { $0.title = "Gone" } } catch let error as ODataError {
                    codes.append(error.code)
                }
                do { _ = try tx.fetch(Site.all.of(Dog.self)) } catch let error as ODataError {
                    codes.append(error.code)
                }
                try tx.insert(new)
                return codes
            }.value
            #expect(codes == [.conflict, .notFound, .notFound, .unknownName])
            // The changes that were possible are made, and nothing of the others.
            #expect(
                try await place.inFile("SELECT operation FROM _odata_request ORDER BY id").count
                    == 2)
            #expect(try await store.fetch(second.ref) == nil)
        }
    }

    @Test("SWI-020 Links are changed and cleared, and deletions reach the service")
    func linksAndDeletions() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).expand(\.site))
            let (first, last) = (try #require(orders.first), try #require(orders.last))
            let other = try #require(
                try await store.fetch(Site.all).first { $0.ref != first.site.ref })
            let (_, done) = try await store.write { tx in
                try tx.update(first) { $0.site.set(other) }
                try tx.delete(last)
            }
            #expect(try await store.fetch(last.ref) == nil)
            try await store.sync()
            try await done.settled()
            #expect(
                try await place.atService("SELECT SiteId FROM WorkOrders WHERE Id = \(first.id)")
                    == "\(other.id)")
            #expect(
                try await place.atService("SELECT 1 FROM WorkOrders WHERE Id = \(last.id)") == nil)
        }
    }

    @Test(
        "SWI-021 A refused write throws what the service says, and is accepted once it is corrected"
    )
    func refusal() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            let (_, done) = try await store.write { tx in
                try tx.update(second) { $0.number = first.number }
            }
            let (_, other) = try await store.write { tx in
                try tx.update(first) { $0.title = "Goes through" }
            }
            let report = try await store.sync()
            #expect(report.refused == 1 && report.accepted == 1)
            try await other.settled()
            await #expect(code { try await done.settled() } == .refused)
            var lists = store.refusals.makeAsyncIterator()
            let refusal = try #require(await lists.next()?.first)
            #expect(refusal.kind == .refused && refusal.operation == .update)
            #expect(refusal.error.status >= 400 && refusal.ref() == second.ref)
            #expect(try await store.fetch(second.ref)?.info.isRefused == true)
            try await refusal.fix(WorkOrder.self) { $0.number = "Free-1" }
            #expect(await lists.next()?.isEmpty == true)
            #expect(done.state == .local)
            try await store.sync()
            try await done.settled()
            #expect(
                try await place.atService("SELECT Number FROM WorkOrders WHERE Id = \(second.id)")
                    == "Free-1")
        }
    }

    @Test("SWI-022 What depends on a refused change is held back, says so, and goes with it")
    func heldBack() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let taken = try #require(try await store.fetch(WorkOrder.all.expand(\.site)).first)
            let site = try #require(taken.site.ref)
            let now = try #require(OffsetDateTime("2026-03-01T10:00:00Z"))
            let (ref, created) = try await store.write { tx in
                try tx.insert(
                    WorkOrder.Draft(number: taken.number, title: "A", createdAt: now, site: site))
            }
            let (_, changed) = try await store.write { try $0.update(ref) { $0.title = "B" } }
            try await store.sync()
            await #expect(code { try await created.settled() } == .refused)
            await #expect(code { try await changed.settled() } == .heldBack)
            var lists = store.refusals.makeAsyncIterator()
            let refusals = try #require(await lists.next())
            #expect(refusals.map(\.kind) == [.refused, .heldBack])
            #expect(refusals.first?.operation == .creation && refusals.first?.ref() == ref)
            try await #require(refusals.first).fix(WorkOrder.self) { $0.number = "Free-2" }
            try await store.sync()
            try await created.settled()
            try await changed.settled()
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Number = 'Free-2'")
                    == "B")
        }
    }

    @Test("SWI-043 A later write corrects a refused one, and both are accepted with it")
    func joined() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let orders = try await store.fetch(WorkOrder.all.order(by: \.id).limit(2))
            let (first, second) = (try #require(orders.first), try #require(orders.last))
            let (_, refused) = try await store.write { tx in
                try tx.update(second) { $0.number = first.number }
            }
            try await store.sync()
            await #expect(code { try await refused.settled() } == .refused)
            let (_, later) = try await store.write { tx in
                try tx.update(second) { $0.number = "Free-3" }
            }
            try await store.sync()
            try await refused.settled()
            try await later.settled()
            #expect(
                try await place.atService("SELECT Number FROM WorkOrders WHERE Id = \(second.id)")
                    == "Free-3")
        }
    }

    @Test("SWI-023 A write that is undone says so, and the entity is as the service has it")
    func undo() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, waiting) = try await store.write { tx in
                try tx.update(order) { $0.title = "For a while" }
            }
            let settling = Task { await code { try await waiting.settled() } }
            try await store.undo(order.ref)
            #expect(await settling.value == .undone)
            #expect(try await store.fetch(order.ref)?.title == order.title)
            #expect(try await place.inFile("SELECT id FROM _odata_request").isEmpty)
        }
    }

    @Test("SWI-024 Who waits for a write is told when the store is closed, or its task cancelled")
    func endings() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Waits" }
            }
            let cancelled = Task { try await done.settled() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let settling = Task { await code { try await done.settled() } }
            try await store.close()
            #expect(await settling.value == .storeClosed)
            // The change is still there, and can be followed again.
            let again = try await place.store()
            let later = try await again.confirmation(of: order.ref)
            #expect(later.state == .local)
            try await again.sync()
            try await later.settled()
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(order.id)")
                    == "Waits")
            // That nothing waits does not say how it went.
            await #expect(
                code { _ = try await again.confirmation(of: order.ref) } == .notFound)
        }
    }

    @Test("SWI-025 A write whose answer is lost is accepted once it is known, and made once")
    func lostAnswer() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Lost and found" }
            }
            let service = place.service
            // The change takes effect, its answer is lost, and then there is no network.
            let script = try FaultScript("lose-answer PATCH\nlose-request any times 99")
            try await onOwnThread { service.play(script) }
            await #expect(code { try await store.sync() } == .network)
            #expect(done.state == .sending)
            #expect(
                try await place.atService("SELECT Title FROM WorkOrders WHERE Id = \(order.id)")
                    == "Lost and found")
            try await onOwnThread { service.play(nil) }
            try await store.sync()
            try await done.settled()
            #expect(try await place.inFile("SELECT id FROM _odata_request").isEmpty)
        }
    }

    @Test("SWI-026 What another process has taken out of the queue is not called accepted")
    func elsewhere() async throws {
        try await Workshop.run { place in
            let store = try await place.filledStore()
            let order = try #require(try await store.fetch(WorkOrder.all).first)
            let (_, done) = try await store.write { tx in
                try tx.update(order) { $0.title = "Taken" }
            }
            // As another process does it, past this one.
            let file = place.file
            try await onOwnThread {
                let queue = try DatabaseQueue(path: file.path)
                try queue.write { try $0.execute(sql: "DELETE FROM _odata_request") }
                try queue.close()
            }
            try await store.sync()
            await #expect(code { try await done.settled() } == .settledElsewhere)
        }
    }
}
