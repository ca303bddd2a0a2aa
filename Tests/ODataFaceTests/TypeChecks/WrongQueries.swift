// swift-format-ignore-file
import Foundation
import OData

// What must not compile, with a piece of what the compiler has to say on the line. `Scripts/check-queries` compares.

func wrongQueries(store: OfflineStore, order: WorkOrder) async throws {
    _ = WorkOrder.all.where { $0.titel == "x" }  // error: has no member 'titel'
    _ = WorkOrder.all.where { $0.site.town == "x" }  // error: has no dynamic member 'town'
    _ = WorkOrder.all.where { $0.priority > "high" }  // error: cannot convert value of type 'String'
    _ = WorkOrder.all.where { $0.priority == "high" }  // error: cannot convert value of type 'String'
    _ = WorkOrder.all.where { $0.isBillable }  // error: cannot convert value of type 'Field<Bool>'
    _ = WorkOrder.all.where { $0.isBillable > true }  // error: referencing operator function '>'
    _ = WorkOrder.all.where { $0.status == .opened }  // error: has no member 'opened'
    _ = WorkOrder.all.where { $0.priority = 3 }  // error: cannot assign to property
    _ = WorkOrder.all.order(by: \.timeEntries)  // error: cannot convert
    _ = WorkOrder.all.order(by: \Site.Fields.city)  // error: cannot convert
    _ = WorkOrder.all.expand(\.title)  // error: no exact matches in call to instance method 'expand'
    _ = WorkOrder.all.select(\.site)  // error: cannot convert
    let cards = try await store.fetch(WorkOrder.all.select(\.title))
    _ = cards.first?.priority  // error: has no member 'priority'
    try await store.write { try $0.update(order) { $0.id = 7 } }  // error: cannot assign to property
    let site: Site = order.site  // error: cannot convert value of type 'Link<Site>'
    let counter = Counter()
    _ = try await store.write { _ in counter.value += 1 }  // error: capture of 'counter' with non-Sendable type
    _ = site
}

final class Counter { var value = 0 }
