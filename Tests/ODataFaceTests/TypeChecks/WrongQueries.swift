import Foundation
import OData

// What must not compile, with a piece of what the compiler has to say in the line above. `Scripts/check-queries` compares.

func wrongQueries(store: OfflineStore, order: WorkOrder) async throws {
    // error: has no member 'titel'
    _ = WorkOrder.all.where { $0.titel == "x" }
    // error: has no dynamic member 'town'
    _ = WorkOrder.all.where { $0.site.town == "x" }
    // error: cannot convert value of type 'String'
    _ = WorkOrder.all.where { $0.priority > "high" }
    // error: cannot convert value of type 'String'
    _ = WorkOrder.all.where { $0.priority == "high" }
    // error: cannot convert value of type 'Field<Bool>'
    _ = WorkOrder.all.where { $0.isBillable }
    // error: referencing operator function '>'
    _ = WorkOrder.all.where { $0.isBillable > true }
    // error: has no member 'opened'
    _ = WorkOrder.all.where { $0.status == .opened }
    // error: cannot assign to property
    _ = WorkOrder.all.where { $0.priority = 3 }
    // error: cannot convert
    _ = WorkOrder.all.order(by: \.timeEntries)
    // error: cannot convert
    _ = WorkOrder.all.order(by: \Site.Fields.city)
    // error: no exact matches in call to instance method 'expand'
    _ = WorkOrder.all.expand(\.title)
    // error: cannot convert
    _ = WorkOrder.all.select(\.site)
    let cards = try await store.fetch(WorkOrder.all.select(\.title))
    // error: has no member 'priority'
    _ = cards.first?.priority
    // error: cannot assign to property
    try await store.write { try $0.update(order) { $0.id = 7 } }
    // error: cannot convert value of type 'Link<Site>'
    let site: Site = order.site
    let counter = Counter()
    // error: capture of 'counter' with non-Sendable type
    _ = try await store.write { _ in counter.value += 1 }
    _ = site
}

final class Counter { var value = 0 }
