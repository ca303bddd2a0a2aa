// odata-generate: FieldSync. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class FieldSync: OfflineDataServiceAsync, @unchecked Sendable {
    // Set once, while the service is made.
    private final var companion: FieldSync?

    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: any DataSyncProvider) {
        super.init(provider: provider)
        provider.metadata = FieldSyncMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: FieldSyncMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self] in
            if let service { FieldSyncMetadataChanges.merge(metadata: service.metadata) }
        }
        guard !ProxyInternal.isOnlineSetupActive(provider: provider) else { return }
        ProxyInternal.onlineSetupStarting(provider: provider)
        let online = FieldSync(provider: provider)
        ProxyInternal.enableOnlineMode(service: online)
        companion = online
        ProxyInternal.onlineSetupFinished(provider: provider)
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { FieldSyncMetadata.lock }

    /// The same service, asked past the store.
    public final var online: FieldSync { companion ?? self }

    /// The entity set `Customers`.
    open class var customers: EntitySet {
        get { FieldSyncMetadata.EntitySets.customers }
        set(value) { FieldSyncMetadata.EntitySets.customers = value }
    }

    /// The entity set `Equipment`.
    open class var equipment: EntitySet {
        get { FieldSyncMetadata.EntitySets.equipment }
        set(value) { FieldSyncMetadata.EntitySets.equipment = value }
    }

    /// The entity set `Photos`.
    open class var photos: EntitySet {
        get { FieldSyncMetadata.EntitySets.photos }
        set(value) { FieldSyncMetadata.EntitySets.photos = value }
    }

    /// The entity set `Sites`.
    open class var sites: EntitySet {
        get { FieldSyncMetadata.EntitySets.sites }
        set(value) { FieldSyncMetadata.EntitySets.sites = value }
    }

    /// The entity set `TimeEntries`.
    open class var timeEntries: EntitySet {
        get { FieldSyncMetadata.EntitySets.timeEntries }
        set(value) { FieldSyncMetadata.EntitySets.timeEntries = value }
    }

    /// The entity set `WorkOrders`.
    open class var workOrders: EntitySet {
        get { FieldSyncMetadata.EntitySets.workOrders }
        set(value) { FieldSyncMetadata.EntitySets.workOrders = value }
    }

    /// The entities of `Customers` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncCustomer] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.customers)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncCustomer.array(from: try result.entityList())
    }

    /// The one entity of `Customers` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncCustomer {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.customers)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncCustomer>.from(try result.requiredEntity())
    }

    /// The entity of `Customers` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomerWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncCustomer {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.customers).withKey(AsyncCustomer.key(id: id))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncCustomer>.from(try result.requiredEntity())
    }

    /// The entities of `Equipment` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipment(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncEquipmentItem] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.equipment)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncEquipmentItem.array(from: try result.entityList())
    }

    /// The one entity of `Equipment` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipmentItem(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncEquipmentItem {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.equipment)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncEquipmentItem>.from(try result.requiredEntity())
    }

    /// The entity of `Equipment` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipmentItemWithKey(serialNumber: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncEquipmentItem {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.equipment).withKey(AsyncEquipmentItem.key(serialNumber: serialNumber))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncEquipmentItem>.from(try result.requiredEntity())
    }

    /// The entities of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncPhoto] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.photos)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncPhoto.array(from: try result.entityList())
    }

    /// The one entity of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncPhoto {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.photos)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncPhoto>.from(try result.requiredEntity())
    }

    /// The entity of `Photos` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotoWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncPhoto {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.photos).withKey(AsyncPhoto.key(id: id))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncPhoto>.from(try result.requiredEntity())
    }

    /// The entities of `Sites` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSites(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncSite] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.sites)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncSite.array(from: try result.entityList())
    }

    /// The one entity of `Sites` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSite(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncSite {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.sites)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncSite>.from(try result.requiredEntity())
    }

    /// The entity of `Sites` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSiteWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncSite {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.sites).withKey(AsyncSite.key(id: id))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncSite>.from(try result.requiredEntity())
    }

    /// The entities of `TimeEntries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncTimeEntry] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.timeEntries)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncTimeEntry.array(from: try result.entityList())
    }

    /// The one entity of `TimeEntries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntry(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncTimeEntry {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.timeEntries)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncTimeEntry>.from(try result.requiredEntity())
    }

    /// The entity of `TimeEntries` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntryWithKey(workOrderID: Int64?, position: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncTimeEntry {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.timeEntries).withKey(AsyncTimeEntry.key(workOrderID: workOrderID, position: position))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncTimeEntry>.from(try result.requiredEntity())
    }

    /// The entities of `WorkOrders` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncWorkOrder] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.workOrders)
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncWorkOrder.array(from: try result.entityList())
    }

    /// The one entity of `WorkOrders` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncWorkOrder {
        let call = query.fromDefault(FieldSyncMetadata.EntitySets.workOrders)
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncWorkOrder>.from(try result.requiredEntity())
    }

    /// The entity of `WorkOrders` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrderWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> AsyncWorkOrder {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldSyncMetadata.EntitySets.workOrders).withKey(AsyncWorkOrder.key(id: id))
        let result = try await executeQuery(call, headers: headers, options: options)
        return CastRequired<AsyncWorkOrder>.from(try result.requiredEntity())
    }

    /// Calls the function `GetOrdersOf`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func ordersOf(site: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> [AsyncWorkOrder] {
        let call = DataQuery.newIfNull(query: query).invoke(FieldSyncMetadata.FunctionImports.getOrdersOf, ParameterList().with(name: "site", value: LongValue.of(site)))
        let result = try await executeQuery(call, headers: headers, options: options)
        return AsyncWorkOrder.array(from: try result.entityList())
    }

    /// Calls the function `GetOrderCount`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func orderCount(priority: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws -> Int64? {
        let call = DataQuery.newIfNull(query: query).invoke(FieldSyncMetadata.FunctionImports.getOrderCount, ParameterList().with(name: "priority", value: ShortValue.of(optional: priority)))
        let result = try await executeQuery(call, headers: headers, options: options)
        return LongValue.optional(try result.optionalBasic())
    }

    /// Calls the action `CloseOrder`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func closeOrder(id: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) async throws {
        let call = DataQuery.newIfNull(query: query).invoke(FieldSyncMetadata.ActionImports.closeOrder, ParameterList().with(name: "id", value: LongValue.of(id)))
        return try await asyncAction { [self] in
            try checkIfCancelled(options?.cancelToken)
            let result = try ProxyInternal.executeQuery(service: self, query: call, headers: headers, options: options)
            _ = try result.checkedResult()
        }
    }
}
