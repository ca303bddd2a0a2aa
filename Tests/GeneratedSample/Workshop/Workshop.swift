// odata-generate: Workshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class Workshop: BaseDataService, @unchecked Sendable {
    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: any DataServiceProvider) {
        super.init(provider: provider)
        provider.metadata = WorkshopMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: WorkshopMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self] in
            if let service { WorkshopMetadataChanges.merge(metadata: service.metadata) }
        }
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { WorkshopMetadata.lock }

    /// The entity set `Tools`.
    open class var tools: EntitySet {
        get { WorkshopMetadata.EntitySets.tools }
        set(value) { WorkshopMetadata.EntitySets.tools = value }
    }

    /// The entity set `Members`.
    open class var members: EntitySet {
        get { WorkshopMetadata.EntitySets.members }
        set(value) { WorkshopMetadata.EntitySets.members = value }
    }

    /// The entity set `Photos`.
    open class var photos: EntitySet {
        get { WorkshopMetadata.EntitySets.photos }
        set(value) { WorkshopMetadata.EntitySets.photos = value }
    }

    /// The entities of `Tools` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTools(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WsTool] {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.tools)
        let result = try executeQuery(call, headers: headers, options: options)
        return WsTool.array(from: try result.entityList())
    }

    /// The entities of `Tools` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTools(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WsTool], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.tools)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WsTool], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WsTool.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Tools` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTool(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsTool {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.tools)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsTool>.from(try result.requiredEntity())
    }

    /// The one entity of `Tools` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTool(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsTool, any Error>) -> Void) {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.tools)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsTool, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsTool>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Tools` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchToolWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsTool {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.tools).withKey(WsTool.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsTool>.from(try result.requiredEntity())
    }

    /// The entity of `Tools` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchToolWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsTool, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.tools).withKey(WsTool.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsTool, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsTool>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Members` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMembers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WsMember] {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.members)
        let result = try executeQuery(call, headers: headers, options: options)
        return WsMember.array(from: try result.entityList())
    }

    /// The entities of `Members` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMembers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WsMember], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.members)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WsMember], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WsMember.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Members` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMember(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsMember {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.members)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsMember>.from(try result.requiredEntity())
    }

    /// The one entity of `Members` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMember(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsMember, any Error>) -> Void) {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.members)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsMember, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsMember>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Members` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMemberWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsMember {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.members).withKey(WsMember.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsMember>.from(try result.requiredEntity())
    }

    /// The entity of `Members` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMemberWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsMember, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.members).withKey(WsMember.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsMember, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsMember>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entities of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WsPhoto] {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return WsPhoto.array(from: try result.entityList())
    }

    /// The entities of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WsPhoto], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WsPhoto], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WsPhoto.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The one entity of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsPhoto {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsPhoto>.from(try result.requiredEntity())
    }

    /// The one entity of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsPhoto, any Error>) -> Void) {
        let call = query.fromDefault(WorkshopMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsPhoto, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsPhoto>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// The entity of `Photos` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotoWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsPhoto {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.photos).withKey(WsPhoto.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<WsPhoto>.from(try result.requiredEntity())
    }

    /// The entity of `Photos` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotoWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsPhoto, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(WorkshopMetadata.EntitySets.photos).withKey(WsPhoto.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsPhoto, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastRequired<WsPhoto>.from(try result.requiredEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Total`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func total(ids: [Int], query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> BigDecimal? {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.total, ParameterList().with(name: "ids", value: DataValueList.fromArray(ids.map { IntValue.of($0) })))
        let result = try executeQuery(call, headers: headers, options: options)
        return DecimalValue.optional(try result.optionalBasic())
    }

    /// Calls the function `Total`. The handler is called on `completionQueue`.
    @preconcurrency
    open func total(ids: [Int], query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<BigDecimal?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.total, ParameterList().with(name: "ids", value: DataValueList.fromArray(ids.map { IntValue.of($0) })))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<BigDecimal?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return DecimalValue.optional(try result.optionalBasic())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Motto`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func motto(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> String? {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.motto, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return StringValue.optional(try result.optionalBasic())
    }

    /// Calls the function `Motto`. The handler is called on `completionQueue`.
    @preconcurrency
    open func motto(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<String?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.motto, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<String?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return StringValue.optional(try result.optionalBasic())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Sizes`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func sizes(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WsSize] {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.sizes, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return WsSize.array(from: try result.complexList())
    }

    /// Calls the function `Sizes`. The handler is called on `completionQueue`.
    @preconcurrency
    open func sizes(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WsSize], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.sizes, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WsSize], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WsSize.array(from: try result.complexList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Best`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func best(kind: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsTool? {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.best, ParameterList().with(name: "kind", value: StringValue.of(optional: kind)))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<WsTool>.from(try result.optionalEntity())
    }

    /// Calls the function `Best`. The handler is called on `completionQueue`.
    @preconcurrency
    open func best(kind: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsTool?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.FunctionImports.best, ParameterList().with(name: "kind", value: StringValue.of(optional: kind)))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<WsTool?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastOptional<WsTool>.from(try result.optionalEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the action `Reset`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func reset(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.reset, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        _ = try result.checkedResult()
    }

    /// Calls the action `Reset`. The handler is called on `completionQueue`.
    @preconcurrency
    open func reset(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.reset, ParameterList())
        asyncAction { [service = self as BlockingDataService] in
            let outcome = Result<Void, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                _ = try result.checkedResult()
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the action `Recount`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func recount(words: [String], query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [String] {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.recount, ParameterList().with(name: "words", value: DataValueList.fromArray(words.map { StringValue.of($0) })))
        let result = try executeQuery(call, headers: headers, options: options)
        return try result.basicList().toArray().map { StringValue.unwrap($0) }
    }

    /// Calls the action `Recount`. The handler is called on `completionQueue`.
    @preconcurrency
    open func recount(words: [String], query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[String], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.recount, ParameterList().with(name: "words", value: DataValueList.fromArray(words.map { StringValue.of($0) })))
        asyncAction { [service = self as BlockingDataService] in
            let outcome = Result<[String], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return try result.basicList().toArray().map { StringValue.unwrap($0) }
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the action `Resize`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func resize(size: WsSize?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsSize? {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.resize, ParameterList().with(name: "size", value: size))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<WsSize>.from(try result.optionalComplex())
    }

    /// Calls the action `Resize`. The handler is called on `completionQueue`.
    @preconcurrency
    open func resize(size: WsSize?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsSize?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(WorkshopMetadata.ActionImports.resize, ParameterList().with(name: "size", value: size))
        asyncAction { [service = self as BlockingDataService] in
            let outcome = Result<WsSize?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastOptional<WsSize>.from(try result.optionalComplex())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Ws.Worth`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func worth(in binding: any BindingPath, at: LocalDate, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> BigDecimal? {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundFunctions.worth, ParameterList().with(name: "at", value: at))
        let result = try executeQuery(call, headers: headers, options: options)
        return DecimalValue.optional(try result.optionalBasic())
    }

    /// Calls the function `Ws.Worth`. The handler is called on `completionQueue`.
    @preconcurrency
    open func worth(in binding: any BindingPath, at: LocalDate, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<BigDecimal?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundFunctions.worth, ParameterList().with(name: "at", value: at))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<BigDecimal?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return DecimalValue.optional(try result.optionalBasic())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the function `Ws.Cheapest`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func cheapest(in binding: any BindingPath, count: Int, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [WsTool] {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundFunctions.cheapest, ParameterList().with(name: "count", value: IntValue.of(count)))
        let result = try executeQuery(call, headers: headers, options: options)
        return WsTool.array(from: try result.entityList())
    }

    /// Calls the function `Ws.Cheapest`. The handler is called on `completionQueue`.
    @preconcurrency
    open func cheapest(in binding: any BindingPath, count: Int, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<[WsTool], any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundFunctions.cheapest, ParameterList().with(name: "count", value: IntValue.of(count)))
        asyncFunction { [service = self as BlockingDataService] in
            let outcome = Result<[WsTool], any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return WsTool.array(from: try result.entityList())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }

    /// Calls the action `Ws.Lend`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func lend(in binding: any BindingPath, days: Int, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> WsTool? {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundActions.lend, ParameterList().with(name: "days", value: IntValue.of(days)))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<WsTool>.from(try result.optionalEntity())
    }

    /// Calls the action `Ws.Lend`. The handler is called on `completionQueue`.
    @preconcurrency
    open func lend(in binding: any BindingPath, days: Int, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Result<WsTool?, any Error>) -> Void) {
        let call = DataQuery.newIfNull(query: query).bind(binding).invoke(WorkshopMetadata.BoundActions.lend, ParameterList().with(name: "days", value: IntValue.of(days)))
        asyncAction { [service = self as BlockingDataService] in
            let outcome = Result<WsTool?, any Error> {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                return CastOptional<WsTool>.from(try result.optionalEntity())
            }
            service.completionQueue.addOperation { completionHandler(outcome) }
        }
    }
}
