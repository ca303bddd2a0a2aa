// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPFoundation
import SAPOData
import SAPOfflineOData

// Classes that apps derive from those of the interface, each with an initialiser and an override of its own.

public class OwnOnlineProvider: OnlineODataProvider {
    let tenant: String

    public init(name: String, root: String, tenant: String) {
        self.tenant = tenant
        super.init(serviceName: name, serviceRoot: root)
    }

    override open func acquireToken() throws { try super.acquireToken() }

    override open func createEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {
        try super.createEntity(entity, headers: headers, options: options)
    }

    override open func processBatch(_ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions) throws {
        try super.processBatch(batch, headers: headers, options: options)
    }
}

public class OwnSyncProvider: CloudSyncProvider {
    let tenant: String

    public init(online: OnlineODataProvider, tenant: String) {
        self.tenant = tenant
        super.init(onlineProvider: online)
    }

    override open func download(groups: StringList, options: SyncOptions) throws {
        try super.download(groups: groups, options: options)
    }

    override open var encryptionKey: String? {
        get { return super.encryptionKey }
        set { super.encryptionKey = newValue }
    }
}

public class OwnStore: SQLDatabaseProvider {
    public init(folder: URL) {
        super.init(serviceName: "own", databaseURL: "sqlite:" + folder.appendingPathComponent("own.db").path)
    }

    override open func open() throws { try super.open() }
}

public class OwnService: BaseDataService {
    public override init(provider: DataServiceProvider) { super.init(provider: provider) }

    override open var metadata: CSDLDocument {
        get { return super.metadata }
        set { super.metadata = newValue }
    }

    override open var metadataLock: MetadataLock { return MetadataLock() }

    override open func refreshMetadata() throws { try super.refreshMetadata() }
}

public class OwnLegacyService<Provider: DataServiceProvider>: LegacyDataService<Provider> {
    public override init(provider: Provider) { super.init(provider: provider) }

    override open func refreshMetadata(completionHandler: @escaping (Error?) -> Void) {
        super.refreshMetadata(completionHandler: completionHandler)
    }
}

public class OwnHeaders: HTTPHeaders {
    let tenant: String

    public init(tenant: String) {
        self.tenant = tenant
        super.init()
        setHeader(withName: "X-Tenant", value: tenant)
    }
}

public class OwnOptions: OfflineODataRequestOptions {
    public override init() {
        super.init()
        customTag = "own"
    }
}

public class OwnListener: ProgressListener {
    var last = 0.0

    override open func notify(_ progress: SyncProgress) { last = progress.fractionCompleted }
}

public class OwnFetcher: CSDLFetcher {
    override open func fetch(_ uri: String, _ namespace: String) throws -> String { return "" }
}

public class OwnToken: CancelToken {
    override open func cancel() { super.cancel() }
}

public class OwnError: SAPOData.ErrorBase {}

/// One class for both ways in which a store tells how far it is.
public class OwnDelegate: NSObject, OfflineODataDelegate, OfflineODataProviderDelegate {
    public var failed = 0

    public func offlineODataProvider(_ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest) {
        failed += 1
    }
}

/// Facts of a property that apps walk through as pairs.
public func dependents(of property: Property) -> [String] {
    var pairs: [String] = []
    for (dependent, principal) in property.referentialConstraints { pairs.append(dependent + "=" + principal) }
    for pair in property.referentialConstraints { pairs.append(pair.key + "=" + pair.value) }
    return pairs
}

/// A provider of an app's own, for its tests.
public class MemoryProvider: DataServiceProvider {
    public var serviceName: String { return "memory" }
    public var hasMetadata: Bool { return true }
    public var metadata: CSDLDocument = ShopMetadata.document
    public var rows: [EntityValue] = []

    public init() {}

    public func loadMetadata(headers: HTTPHeaders, options: RequestOptions) throws {}
    public func fetchMetadata(headers: HTTPHeaders, options: RequestOptions) throws -> CSDLDocument { return metadata }
    public func unloadMetadata() throws {}
    public func createEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws { rows.append(entity) }
    public func updateEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func deleteEntity(_ entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws { rows.removeAll { $0 === entity } }
    public func createLink(from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func updateLink(from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func deleteLink(from: EntityValue, property: Property, to: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func createMedia(entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func uploadMedia(entity: EntityValue, content: StreamBase, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func uploadStream(entity: EntityValue, link: StreamLink, content: StreamBase, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func downloadMedia(entity: EntityValue, headers: HTTPHeaders, options: RequestOptions) throws -> ByteStream { return ByteStream.fromBinary(data: Data()) }
    public func downloadStream(entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions) throws -> ByteStream { return ByteStream.fromBinary(data: Data()) }
    public func deleteStream(entity: EntityValue, link: StreamLink, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func deleteByQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func executeQuery(_ query: DataQuery, headers: HTTPHeaders, options: RequestOptions) throws -> QueryResult { return QueryResult(query: query, result: EntityValueList.fromArray(rows)) }
    public func executeMethod(_ method: DataMethod, parameters: ParameterList, headers: HTTPHeaders, options: RequestOptions) throws -> DataValue? { return nil }
    public func processBatch(_ batch: RequestBatch, headers: HTTPHeaders, options: RequestOptions) throws {}
    public func pingServer(headers: HTTPHeaders, options: RequestOptions) throws {}
}
