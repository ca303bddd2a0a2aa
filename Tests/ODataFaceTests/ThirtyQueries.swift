import Foundation
import OData

/// Queries as apps write them. They have to type-check fast (`Scripts/check-queries`) and to run (`QueryTests`).
enum ThirtyQueries {
    private static let day = CalendarDate(year: 2026, month: 3, day: 1)
    private static let me = "Kim"

    static var orders: [Query<WorkOrder, WorkOrder>] {
        [
            WorkOrder.all,
            .all(WorkOrder.self).where { $0.status == .open },
            .all(WorkOrder.self).where { $0.status == .open && $0.site.city.hasPrefix("W") },
            WorkOrder.all.where { $0.status != .done || $0.priority > 3 },
            WorkOrder.all.where { $0.isBillable == true },
            WorkOrder.all.where { $0.isBillable == false && $0.cost == nil },
            WorkOrder.all.where { !($0.cost == nil) && $0.cost >= 100 },
            WorkOrder.all.where { $0.cost > 12.5 && $0.cost < 99.99 },
            WorkOrder.all.where { $0.cost.between(1, 3) || $0.priority.between(1, 2) },
            WorkOrder.all.where { $0.description == nil || $0.description == "" },
            WorkOrder.all.where { $0.description.contains("pump") && $0.title.hasSuffix("s") },
            WorkOrder.all.where { $0.title.lowercased.contains("pump") },
            WorkOrder.all.where { $0.id.in([1, 2, 3]) || $0.number == "WO-1" },
            WorkOrder.all.where { $0.status.in([.open, .done]) && $0.priority <= 2 },
            WorkOrder.all.where { $0.completedOn == day && $0.completedOn != nil },
            WorkOrder.all.where { $0.estimatedDuration > .seconds(3_600) },
            WorkOrder.all.where { $0.site.isNull || $0.site.country == "DE" },
            WorkOrder.all.where { $0.site.hasParking == true && $0.site.latitude > 48.5 },
            WorkOrder.all.where { $0.timeEntries.isEmpty && $0.status == .open },
            WorkOrder.all.where { $0.timeEntries.count > 2 },
            WorkOrder.all.where { $0.timeEntries.any { $0.technician == me && $0.hours > 1.5 } },
            WorkOrder.all.where { $0.timeEntries.all { $0.hours <= 8 } },
            WorkOrder.all.where {
                $0.status == .open && $0.priority <= 2 && $0.isBillable == true
                    && $0.cost != nil && $0.title.hasPrefix("R") && $0.site.city == "Walldorf"
                    && $0.id > 10 && $0.number != "WO-9"
            },
            WorkOrder.all.where {
                ($0.status == .open || $0.status == .done) && !($0.priority == 5)
                    && ($0.site.country == "DE" || $0.site.country == "FR")
            },
            WorkOrder.all.order(by: \.priority).order(by: \.site.city, .descending).limit(20),
            WorkOrder.all.where { $0.title.equals($0.number) }.offset(10).limit(10),
            WorkOrder.all.expand(\.site).expand(\.timeEntries) {
                $0.where { $0.hours > 2 }.order(by: \.position).limit(3)
            },
        ]
    }

    static var sites: [Query<Site, Site>] {
        [
            Site.all.where { $0.opensAt == ClockTime("09:30:00") || $0.opensAt == nil },
            Site.all.where {
                $0.workOrders.any { order in
                    order.status == .open && order.timeEntries.any { $0.workOrder.priority < 3 }
                }
            },
        ]
    }

    static var cards: Query<WorkOrder, (String, Status, ExactDecimal?)> {
        WorkOrder.all.where { $0.status == .open }.select(\.title, \.status, \.cost)
    }
}
