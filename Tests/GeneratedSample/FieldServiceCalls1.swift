// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Calls of `FieldService`, which derives from this.
open class FieldServiceCalls1: BaseDataService, @unchecked Sendable {

    /// The entities of `Customers` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Customer] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.customers)
        let result = try executeQuery(call, headers: headers, options: options)
        return Customer.array(from: try result.entityList())
    }

    /// The entities of `Customers` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchCustomers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[Customer], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.customers)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[Customer], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return Customer.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Customers` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Customer {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.customers)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Customer>.from(try result.requiredEntity())
    }

    /// The one entity of `Customers` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchCustomer(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Customer, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.customers)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Customer, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Customer>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Customers` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchCustomerWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Customer {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.customers).withKey(Customer.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Customer>.from(try result.requiredEntity())
    }

    /// The entity of `Customers` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchCustomerWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Customer, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.customers).withKey(Customer.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Customer, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Customer>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Equipment` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipment(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [EquipmentItem] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.equipment)
        let result = try executeQuery(call, headers: headers, options: options)
        return EquipmentItem.array(from: try result.entityList())
    }

    /// The entities of `Equipment` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEquipment(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[EquipmentItem], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.equipment)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[EquipmentItem], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return EquipmentItem.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Equipment` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipmentItem(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> EquipmentItem {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.equipment)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<EquipmentItem>.from(try result.requiredEntity())
    }

    /// The one entity of `Equipment` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEquipmentItem(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<EquipmentItem, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.equipment)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<EquipmentItem, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<EquipmentItem>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Equipment` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchEquipmentItemWithKey(serialNumber: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> EquipmentItem {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.equipment).withKey(EquipmentItem.key(serialNumber: serialNumber))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<EquipmentItem>.from(try result.requiredEntity())
    }

    /// The entity of `Equipment` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchEquipmentItemWithKey(serialNumber: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<EquipmentItem, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.equipment).withKey(EquipmentItem.key(serialNumber: serialNumber))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<EquipmentItem, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<EquipmentItem>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Photo] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return Photo.array(from: try result.entityList())
    }

    /// The entities of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[Photo], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[Photo], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return Photo.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Photo {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Photo>.from(try result.requiredEntity())
    }

    /// The one entity of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Photo, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Photo, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Photo>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Photos` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotoWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Photo {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.photos).withKey(Photo.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Photo>.from(try result.requiredEntity())
    }

    /// The entity of `Photos` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotoWithKey(id: GuidValue?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Photo, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.photos).withKey(Photo.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Photo, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Photo>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Sites` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSites(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Site] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.sites)
        let result = try executeQuery(call, headers: headers, options: options)
        return Site.array(from: try result.entityList())
    }

    /// The entities of `Sites` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchSites(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[Site], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.sites)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[Site], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return Site.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Sites` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSite(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Site {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.sites)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Site>.from(try result.requiredEntity())
    }

    /// The one entity of `Sites` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchSite(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Site, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.sites)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Site, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Site>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Sites` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchSiteWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Site {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.sites).withKey(Site.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Site>.from(try result.requiredEntity())
    }

    /// The entity of `Sites` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchSiteWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Site, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.sites).withKey(Site.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Site, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Site>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `TimeEntries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [TimeEntry] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.timeEntries)
        let result = try executeQuery(call, headers: headers, options: options)
        return TimeEntry.array(from: try result.entityList())
    }

    /// The entities of `TimeEntries` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTimeEntries(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[TimeEntry], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.timeEntries)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[TimeEntry], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return TimeEntry.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `TimeEntries` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntry(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> TimeEntry {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.timeEntries)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<TimeEntry>.from(try result.requiredEntity())
    }

    /// The one entity of `TimeEntries` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTimeEntry(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<TimeEntry, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.timeEntries)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<TimeEntry, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<TimeEntry>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `TimeEntries` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTimeEntryWithKey(workOrderID: Int64?, position: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> TimeEntry {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.timeEntries).withKey(TimeEntry.key(workOrderID: workOrderID, position: position))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<TimeEntry>.from(try result.requiredEntity())
    }

    /// The entity of `TimeEntries` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTimeEntryWithKey(workOrderID: Int64?, position: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<TimeEntry, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.timeEntries).withKey(TimeEntry.key(workOrderID: workOrderID, position: position))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<TimeEntry, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<TimeEntry>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `WorkOrders` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WorkOrder] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrders)
        let result = try executeQuery(call, headers: headers, options: options)
        return WorkOrder.array(from: try result.entityList())
    }

    /// The entities of `WorkOrders` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrders(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WorkOrder], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrders)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WorkOrder], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WorkOrder.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `WorkOrders` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WorkOrder {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.workOrders)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WorkOrder>.from(try result.requiredEntity())
    }

    /// The one entity of `WorkOrders` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrder(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WorkOrder, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.workOrders)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WorkOrder, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WorkOrder>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `WorkOrders` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrderWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WorkOrder {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrders).withKey(WorkOrder.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WorkOrder>.from(try result.requiredEntity())
    }

    /// The entity of `WorkOrders` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrderWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WorkOrder, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrders).withKey(WorkOrder.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WorkOrder, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WorkOrder>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Memos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMemos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [Memo] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.memos)
        let result = try executeQuery(call, headers: headers, options: options)
        return Memo.array(from: try result.entityList())
    }

    /// The entities of `Memos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMemos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[Memo], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.memos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[Memo], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return Memo.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }
}
