// swift-format-ignore-file
// The layout is that of generated code and of the templates of its years.

import Foundation
import SAPCommon
import SAPFoundation
import SAPOData
import SAPOfflineOData

/// Opens the shop's store and keeps it in step; told of the steps by the delegate of these years.
public class OfflineController {
    private let logger = Logger.shared(named: "OfflineController")
    private let delegate = OfflineControllerDelegate()
    public private(set) var service: Shop<OfflineODataProvider>!

    public init() {}

    public var failed: [OfflineODataFailedRequest] { return self.delegate.failed }

    public func configure(url: URL, folder: URL) throws {
        let parameters = OfflineODataParameters()
        parameters.storePath = folder
        parameters.storeName = "shop22"
        let provider = try OfflineODataProvider(serviceRoot: url, parameters: parameters, sapURLSession: SAPURLSession(), delegate: self.delegate)
        for set in [ShopMetadata.EntitySets.customers, ShopMetadata.EntitySets.orders] {
            try provider.add(definingQuery: OfflineODataDefiningQuery(name: set.localName, query: set.localName, automaticallyRetrievesStreams: false))
        }
        self.service = Shop(provider: provider)
        self.service.completionQueue = OperationQueue()
    }

    public func open(completionHandler: @escaping (OfflineODataError?) -> Void) {
        self.service.open { error in
            if let error = error {
                self.logger.error("Could not open offline store.", error: error)
            }
            completionHandler(error)
        }
    }

    public func upload(completionHandler: @escaping (OfflineODataError?) -> Void) {
        self.service.upload(completionHandler: completionHandler)
    }

    public func download(completionHandler: @escaping (OfflineODataError?) -> Void) {
        self.service.download(completionHandler: completionHandler)
    }

    public func hasUnsentChanges() throws -> Bool {
        return try !self.service.requestQueueIsEmpty()
    }

    /// What the service refused.
    public func errors() throws -> [OfflineODataErrorArchiveEntity] {
        return try self.service.fetchErrorArchive(matching: DataQuery().expand(OfflineODataErrorArchiveEntity.affectedEntity))
    }

    /// Takes a refused change back.
    public func giveUp(_ error: OfflineODataErrorArchiveEntity) throws {
        try self.service.deleteEntity(error)
    }
}

class OfflineControllerDelegate: OfflineODataProviderDelegate {
    var failed: [OfflineODataFailedRequest] = []
    var steps: [String] = []

    func offlineODataProvider(_ provider: OfflineODataProvider, didUpdateOpenProgress progress: OfflineODataProviderOperationProgress) {
        self.steps.append("\(progress.currentStepNumber) of \(progress.totalNumberOfSteps)")
    }

    func offlineODataProvider(_ provider: OfflineODataProvider, requestDidFail request: OfflineODataFailedRequest) {
        self.failed.append(request)
    }
}
