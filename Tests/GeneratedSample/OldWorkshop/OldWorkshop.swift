// odata-generate: OldWorkshop. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class OldWorkshop<Provider: DataServiceProvider>: LegacyDataService<Provider>, @unchecked Sendable {
    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: Provider) {
        super.init(provider: provider)
        provider.metadata = OldWorkshopMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: OldWorkshopMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self as BlockingDataService] in
            if let service { OldWorkshopMetadataChanges.merge(metadata: service.metadata) }
        }
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { OldWorkshopMetadata.lock }

    /// The entities of `Tools` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTools(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldTool] {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.tools)
        let result = try executeQuery(call, headers: headers, options: options)
        return OldTool.array(from: try result.entityList())
    }

    /// The entities of `Tools` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTools(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldTool]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.tools)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldTool.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The one entity of `Tools` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchTool(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldTool {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.tools)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldTool>.from(try result.requiredEntity())
    }

    /// The one entity of `Tools` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchTool(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldTool?, (any Error)?) -> Void) {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.tools)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldTool>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entity of `Tools` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchToolWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldTool {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.tools).withKey(OldTool.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldTool>.from(try result.requiredEntity())
    }

    /// The entity of `Tools` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchToolWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldTool?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.tools).withKey(OldTool.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldTool>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entities of `Members` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMembers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldMember] {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.members)
        let result = try executeQuery(call, headers: headers, options: options)
        return OldMember.array(from: try result.entityList())
    }

    /// The entities of `Members` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMembers(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldMember]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.members)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldMember.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The one entity of `Members` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMember(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldMember {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.members)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldMember>.from(try result.requiredEntity())
    }

    /// The one entity of `Members` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMember(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldMember?, (any Error)?) -> Void) {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.members)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldMember>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entity of `Members` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchMemberWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldMember {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.members).withKey(OldMember.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldMember>.from(try result.requiredEntity())
    }

    /// The entity of `Members` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchMemberWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldMember?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.members).withKey(OldMember.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldMember>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entities of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldPhoto] {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return OldPhoto.array(from: try result.entityList())
    }

    /// The entities of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotos(matching query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldPhoto]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldPhoto.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The one entity of `Photos` that a query asks for.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldPhoto {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.photos)
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldPhoto>.from(try result.requiredEntity())
    }

    /// The one entity of `Photos` that a query asks for. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhoto(matching query: DataQuery, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldPhoto?, (any Error)?) -> Void) {
        let call = query.fromDefault(OldWorkshopMetadata.EntitySets.photos)
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldPhoto>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// The entity of `Photos` with this key.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func fetchPhotoWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldPhoto {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.photos).withKey(OldPhoto.key(id: id))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastRequired<OldPhoto>.from(try result.requiredEntity())
    }

    /// The entity of `Photos` with this key. The handler is called on `completionQueue`.
    @preconcurrency
    open func fetchPhotoWithKey(id: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldPhoto?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).fromDefault(OldWorkshopMetadata.EntitySets.photos).withKey(OldPhoto.key(id: id))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastRequired<OldPhoto>.from(try result.requiredEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Count`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func count(kind: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> Int? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.count, ParameterList().with(name: "kind", value: StringValue.of(optional: kind)))
        let result = try executeQuery(call, headers: headers, options: options)
        return IntValue.optional(try result.optionalBasic())
    }

    /// Calls the function `Count`. The handler is called on `completionQueue`.
    @preconcurrency
    open func count(kind: String?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (Int?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.count, ParameterList().with(name: "kind", value: StringValue.of(optional: kind)))
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = IntValue.optional(try result.optionalBasic())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Motto`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func motto(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> String? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.motto, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return StringValue.optional(try result.optionalBasic())
    }

    /// Calls the function `Motto`. The handler is called on `completionQueue`.
    @preconcurrency
    open func motto(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.motto, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = StringValue.optional(try result.optionalBasic())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Words`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func words(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [String] {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.words, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return try result.basicList().toArray().map { StringValue.unwrap($0) }
    }

    /// Calls the function `Words`. The handler is called on `completionQueue`.
    @preconcurrency
    open func words(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([String]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.words, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = try result.basicList().toArray().map { StringValue.unwrap($0) }
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Best`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func best(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldTool? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.best, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<OldTool>.from(try result.optionalEntity())
    }

    /// Calls the function `Best`. The handler is called on `completionQueue`.
    @preconcurrency
    open func best(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldTool?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.best, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastOptional<OldTool>.from(try result.optionalEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Worst`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func worst(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldTool? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.worst, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<OldTool>.from(try result.optionalEntity())
    }

    /// Calls the function `Worst`. The handler is called on `completionQueue`.
    @preconcurrency
    open func worst(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldTool?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.worst, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastOptional<OldTool>.from(try result.optionalEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Lost`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func lost(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldTool? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.lost, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<OldTool>.from(try result.optionalEntity())
    }

    /// Calls the function `Lost`. The handler is called on `completionQueue`.
    @preconcurrency
    open func lost(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldTool?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.lost, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastOptional<OldTool>.from(try result.optionalEntity())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Cheap`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func cheap(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldTool] {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.cheap, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return OldTool.array(from: try result.entityList())
    }

    /// Calls the function `Cheap`. The handler is called on `completionQueue`.
    @preconcurrency
    open func cheap(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldTool]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.cheap, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldTool.array(from: try result.entityList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the function `Sizes`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func sizes(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> [OldSize] {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.sizes, ParameterList())
        let result = try executeQuery(call, headers: headers, options: options)
        return OldSize.array(from: try result.complexList())
    }

    /// Calls the function `Sizes`. The handler is called on `completionQueue`.
    @preconcurrency
    open func sizes(query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable ([OldSize]?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.FunctionImports.sizes, ParameterList())
        asyncFunction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = OldSize.array(from: try result.complexList())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }

    /// Calls the action `Resize`.
    ///
    /// - Throws: What `executeQuery` throws; `QueryResultError` for another result than asked for.
    open func resize(height: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil) throws -> OldSize? {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.ActionImports.resize, ParameterList().with(name: "height", value: IntValue.of(optional: height)))
        let result = try executeQuery(call, headers: headers, options: options)
        return CastOptional<OldSize>.from(try result.optionalComplex())
    }

    /// Calls the action `Resize`. The handler is called on `completionQueue`.
    @preconcurrency
    open func resize(height: Int?, query: DataQuery? = nil, headers: HTTPHeaders? = nil, options: RequestOptions? = nil, completionHandler: @escaping @Sendable (OldSize?, (any Error)?) -> Void) {
        let call = DataQuery.newIfNull(query: query).invoke(OldWorkshopMetadata.ActionImports.resize, ParameterList().with(name: "height", value: IntValue.of(optional: height)))
        asyncAction { [service = self as BlockingDataService] in
            do {
                try service.checkIfCancelled(options?.cancelToken)
                let result = try service.executeQuery(call, headers: headers, options: options)
                let value = CastOptional<OldSize>.from(try result.optionalComplex())
                service.completionQueue.addOperation { completionHandler(value, nil) }
            } catch {
                service.completionQueue.addOperation { completionHandler(nil, error) }
            }
        }
    }
}
