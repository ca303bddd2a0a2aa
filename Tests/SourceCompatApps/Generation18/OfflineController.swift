// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPFoundation
import SAPOData
import SAPOfflineOData

/// Opens the shop's store and keeps it in step, as the assistants' templates do.
public class OfflineController: OfflineODataDelegate {
    private let logger = Logger.shared(named: "OfflineController")
    public private(set) var service: Shop<OfflineODataProvider>!
    public private(set) var isStoreOpened = false
    public private(set) var failed: [OfflineODataFailedRequest] = []

    public init() {}

    public func configure(url: URL, folder: URL, urlSession: SAPURLSession) throws {
        let parameters = OfflineODataParameters()
        parameters.storePath = folder
        parameters.storeName = "shop18"
        parameters.enableRepeatableRequests = true
        let provider = try OfflineODataProvider(serviceRoot: url, parameters: parameters, sapURLSession: urlSession, delegate: self)
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: ShopMetadata.EntitySets.customers.localName, query: "/\(ShopMetadata.EntitySets.customers.localName)", automaticallyRetrievesStreams: false))
        try provider.add(definingQuery: OfflineODataDefiningQuery(name: ShopMetadata.EntitySets.orders.localName, query: "/\(ShopMetadata.EntitySets.orders.localName)", automaticallyRetrievesStreams: false))
        self.service = Shop(provider: provider)
        self.service.completionQueue = OperationQueue()
    }

    public func open(completionHandler: @escaping (Error?) -> Void) {
        self.service.open { error in
            if let error = error {
                self.logger.error("Could not open offline store.", error: error)
                completionHandler(error)
                return
            }
            self.isStoreOpened = true
            self.logger.info("Offline store opened.")
            completionHandler(nil)
        }
    }

    public func synchronize(completionHandler: @escaping (Error?) -> Void) {
        guard self.isStoreOpened else {
            completionHandler(nil)
            return
        }
        self.service.upload { error in
            if let error = error {
                completionHandler(error)
                return
            }
            self.service.download { error in
                completionHandler(error)
            }
        }
    }

    public func close() throws {
        try self.service.close()
        self.isStoreOpened = false
    }

    /// What the service refused, as the store keeps it.
    public func errors() throws -> [(message: String, body: String, customer: Customer?)] {
        let errorArchive = self.service.entitySet(withName: "ErrorArchive")
        let affected = errorArchive.entityType.property(withName: "AffectedEntity")
        let list = try self.service.executeQuery(DataQuery().selectAll().from(errorArchive)).entityList()
        var errors: [(String, String, Customer?)] = []
        for error in list {
            let message = errorArchive.entityType.property(withName: "Message").stringValue(from: error)
            let body = errorArchive.entityType.property(withName: "RequestBody").stringValue(from: error)
            try self.service.loadProperty(affected, into: error)
            errors.append((message, body, affected.optionalEntity(from: error) as? Customer))
        }
        return errors
    }

    // MARK: OfflineODataDelegate

    public func offlineODataProvider(_ provider: OfflineODataProvider, didUpdateDownloadProgress progress: OfflineODataProgress) {
        self.logger.info("downloadProgress: \(progress.bytesSent)  \(progress.bytesReceived)")
    }

    public func offlineODataProvider(_ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest) {
        self.failed.append(request)
    }

    public func offlineODataProvider(_ provider: OfflineODataProvider, stateDidChange newState: OfflineODataStoreState) {
        self.logger.info("stateChanged: \(newState.contains(.open))")
    }
}
