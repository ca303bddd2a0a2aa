import Foundation
import OData

// Model/ is what `odata generate --style swift --only WorkOrders,Sites,Customers --access internal` makes of the service.
// Start a service with `odata serve --sample fieldservice --port 8080`, then run this; stop the service, and run it again.
guard let service = URL(string: "http://127.0.0.1:8080") else { exit(1) }
let file = URL(fileURLWithPath: "first-list.odata")
let store = try await OfflineStore(
    service: service, at: .file(file), download: .set(WorkOrder.self), .set(Site.self),
    .set(Customer.self))
let syncing = Task { try await store.sync() }

// The list is there at once, without a network too, and follows what the synchronisation brings.
let open = WorkOrder.all.where { $0.status == "Open" && $0.site.city.hasPrefix("B") }
    .order(by: \.title).limit(10).expand(\.site) { $0.expand(\.customer) }
for try await orders in store.live(open) {
    print(orders.isComplete ? "\(orders.count) open orders:" : "Downloading …")
    for order in orders {
        let site = try order.site.get()
        print("  \(order.title) at \(site?.name ?? "?"), \(try site?.customer.get()?.name ?? "?")")
    }
    if orders.isComplete { break }
}
_ = try? await syncing.value
