import Foundation
import SAPOData

// Start a service with `odata serve --sample fieldservice --port 8080`, then run this.
let online = OnlineODataProvider(serviceName: "FieldService", serviceRoot: "http://127.0.0.1:8080")
let store = SQLDatabaseProvider(serviceName: "FieldService", databaseURL: "sqlite:~/field.db")
let service = OfflineDataService(
    provider: CloudSyncProvider(onlineProvider: online, offlineStore: store))
try service.open()
try service.download()

// From here on no network is needed.
let orders = service.entitySet(withName: "WorkOrders")
let (status, title) = (
    orders.entityType.property(withName: "Status"), orders.entityType.property(withName: "Title")
)
let open = try service.executeQuery(
    DataQuery().from(orders).filter(status.equal("Open")).orderBy(title).top(5)
).entityList()
for order in open {
    print(title.stringValue(from: order))
    status.setStringValue(in: order, to: "Done")
    try service.updateEntity(order)
}

// When there is a network again:
try service.upload()
try service.download()
