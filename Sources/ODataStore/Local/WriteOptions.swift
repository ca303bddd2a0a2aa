import ODataModel
import ODataQuery
import ODataSyncPlan

/// What an app may say about one change (`RequestOptions` and its offline relatives).
package struct WriteOptions: Sendable, Hashable {
    package var headers = HeaderFields()
    package var changeSet: String?
    package var customTag: String?
    package var uploadGroup: String?
    package var transactionID: String?
    /// The created row completes the name of the transaction; anything but a create is refused.
    package var namesTransactionByRow = false
    /// The created row completes the name of the upload group; anything but a create is refused.
    package var namesGroupByRow = false
    package var flags: QueuedRequest.Flags = []
    /// The content that the change brings, stored before; nil for changes without a stream.
    package var stream: Int64?
    /// Taken instead of the ETag of the stored row.
    package var ifMatch: String?

    package init(
        headers: HeaderFields = HeaderFields(), changeSet: String? = nil, customTag: String? = nil,
        uploadGroup: String? = nil, transactionID: String? = nil,
        flags: QueuedRequest.Flags = [], ifMatch: String? = nil
    ) {
        self.headers = headers
        self.changeSet = changeSet
        self.customTag = customTag
        self.uploadGroup = uploadGroup
        self.transactionID = transactionID
        self.flags = flags
        self.ifMatch = ifMatch
    }
}

/// One change of the local store, as the app asks for it.
package enum LocalWrite: Sendable {
    /// Creates an entity in a set; nested entities in navigation slots are inserted with it.
    case create(table: String, value: StructureValue, binds: [RequestBody.Bind])
    /// Creates an entity in a collection of another entity.
    case createRelated(
        parent: RowReference, navigation: String, value: StructureValue, binds: [RequestBody.Bind])
    case update(
        RowReference, changes: StructureValue, binds: [RequestBody.Bind],
        mode: QueuedRequest.UpdateMode)
    case delete(RowReference)
    case createLink(RowReference, navigation: String, target: RowReference)
    case updateLink(RowReference, navigation: String, target: RowReference)
    /// A nil target removes the link of a to-one property.
    case deleteLink(RowReference, navigation: String, target: RowReference?)
    /// Gives the entity the content of ``WriteOptions/stream``; nil names the media stream.
    case putStream(RowReference, property: String?)
    case deleteStream(RowReference, property: String?)
    /// Rewrites the failed request in place and makes it wait again (offline reference, section 6).
    case fix(request: Int64, changes: StructureValue, binds: [RequestBody.Bind])
}
