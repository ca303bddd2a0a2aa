// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Calls of `FieldService`, which derives from this.
open class FieldServiceCalls2: FieldServiceCalls1, @unchecked Sendable {

    /// The one entity of `Memos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMemo(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Memo {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.memos)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Memo>.from(try result.requiredEntity())
    }

    /// The one entity of `Memos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMemo(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Memo, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.memos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Memo, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Memo>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Memos` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMemoWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Memo {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.memos).withKey(Memo.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<Memo>.from(try result.requiredEntity())
    }

    /// The entity of `Memos` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMemoWithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Memo, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.memos).withKey(Memo.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Memo, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<Memo>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `WorkOrderDrafts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrderDrafts(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WorkOrder] {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts)
        let result = try executeQuery(call, headers: headers, options: options)
        return WorkOrder.array(from: try result.entityList())
    }

    /// The entities of `WorkOrderDrafts` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrderDrafts(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WorkOrder], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WorkOrder], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WorkOrder.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `WorkOrderDrafts` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrder1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WorkOrder {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WorkOrder>.from(try result.requiredEntity())
    }

    /// The one entity of `WorkOrderDrafts` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrder1(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WorkOrder, any Error>) -> Void) {
        let call = query.fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WorkOrder, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WorkOrder>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `WorkOrderDrafts` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchWorkOrder1WithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WorkOrder {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts).withKey(WorkOrder.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WorkOrder>.from(try result.requiredEntity())
    }

    /// The entity of `WorkOrderDrafts` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchWorkOrder1WithKey(id: Int64?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WorkOrder, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(FieldServiceMetadata.EntitySets.workOrderDrafts).withKey(WorkOrder.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WorkOrder, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WorkOrder>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `GetOrdersOf`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func ordersOf(site: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WorkOrder] {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.FunctionImports.getOrdersOf, ParameterList().with(name: "site", value: LongValue.of(site)))
        let result = try executeQuery(call, headers: headers, options: options)
        return WorkOrder.array(from: try result.entityList())
    }

    /// Calls the function `GetOrdersOf`. The handler is called on `completionQueue`.
    @preconcurrency
    open func ordersOf(site: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WorkOrder], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.FunctionImports.getOrdersOf, ParameterList().with(name: "site", value: LongValue.of(site)))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WorkOrder], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WorkOrder.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `GetOrderCount`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func orderCount(priority: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Int64? {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.FunctionImports.getOrderCount, ParameterList().with(name: "priority", value: ShortValue.of(optional: priority)))
        let result = try executeQuery(call, headers: headers, options: options)
        return LongValue.optional(try result.optionalBasic())
    }

    /// Calls the function `GetOrderCount`. The handler is called on `completionQueue`.
    @preconcurrency
    open func orderCount(priority: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Int64?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.FunctionImports.getOrderCount, ParameterList().with(name: "priority", value: ShortValue.of(optional: priority)))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<Int64?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return LongValue.optional(try result.optionalBasic())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the action `CloseOrder`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func closeOrder(id: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.ActionImports.closeOrder, ParameterList().with(name: "id", value: LongValue.of(id)))
        let result = try executeQuery(call, headers: headers, options: options)
        _ = try result.checkedResult()
    }

    /// Calls the action `CloseOrder`. The handler is called on `completionQueue`.
    @preconcurrency
    open func closeOrder(id: Int64, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(FieldServiceMetadata.ActionImports.closeOrder, ParameterList().with(name: "id", value: LongValue.of(id)))
        asyncAction { [service = self as BlockingDataService] in
            let outcome = Result<Void, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                _ = try result.checkedResult()
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }
}
