import ODataClasses

/// The steps of opening, uploading and downloading.
public enum OfflineODataOperationStep: Int, Sendable, Hashable, CaseIterable {
    /// The store is made or opened.
    case buildingEntityStore = 1
    /// The store's first form is made. Not reported: there is none here.
    case creatingBootStrapDatabase = 2
    /// The request queue is made or opened.
    case creatingRequestQueueDatabase = 3
    /// A whole store is downloaded. Not reported: services send rows, not stores.
    case downloadingEntityStore = 4
    /// Requests that are settled leave the queue.
    case erasingExpiredRequests = 5
    /// Metadata is read.
    case loadingMetadata = 6
    /// Requests of one entity are joined.
    case performingRequestQueueMerge = 7
    /// Requests of one transaction are put together.
    case performingTransactionMerge = 8
    /// Creations that were taken back are left out.
    case performingCreateDeleteMerge = 9
    /// Defining queries are asked.
    case processingDefiningQueries = 10
    /// Requests are carried out.
    case processingRequests = 11
    /// Local changes are put over what was downloaded.
    case reapplyingChanges = 12
    /// What was received is read.
    case analyzingReceivedData = 13
    /// Data comes from the service.
    case receivingDataFromServer = 14
    /// Relations that ended are removed.
    case removingDeletedRelationships = 15
    /// Data goes to the service.
    case sendingDataToServer = 16
    /// A copy of the store is sent.
    case sendingEntityStoreDatabase = 17
}

extension OfflineODataOperationStep {
    /// What the step does, for people.
    var message: String {
        switch self {
        case .buildingEntityStore: "Opening the store"
        case .creatingBootStrapDatabase: "Preparing the store"
        case .creatingRequestQueueDatabase: "Opening the request queue"
        case .downloadingEntityStore: "Downloading the store"
        case .erasingExpiredRequests: "Removing settled requests"
        case .loadingMetadata: "Reading metadata"
        case .performingRequestQueueMerge: "Joining requests"
        case .performingTransactionMerge: "Building transactions"
        case .performingCreateDeleteMerge: "Leaving out undone creations"
        case .processingDefiningQueries: "Asking the defining queries"
        case .processingRequests: "Processing requests"
        case .reapplyingChanges: "Applying local changes"
        case .analyzingReceivedData: "Reading received data"
        case .receivingDataFromServer: "Receiving data"
        case .removingDeletedRelationships: "Removing ended relationships"
        case .sendingDataToServer: "Sending data"
        case .sendingEntityStoreDatabase: "Sending the store"
        }
    }

    static let open: [OfflineODataOperationStep] = [
        .creatingRequestQueueDatabase, .buildingEntityStore, .loadingMetadata,
        .processingDefiningQueries, .receivingDataFromServer, .analyzingReceivedData,
    ]
    /// The first three come only with the parameter that asks for them.
    static let upload: [OfflineODataOperationStep] = [
        .performingRequestQueueMerge, .performingTransactionMerge, .performingCreateDeleteMerge,
        .sendingDataToServer, .processingRequests,
    ]
    static let download: [OfflineODataOperationStep] = [
        .loadingMetadata, .processingDefiningQueries, .receivingDataFromServer,
        .analyzingReceivedData, .removingDeletedRelationships, .reapplyingChanges,
        .erasingExpiredRequests,
    ]
}
