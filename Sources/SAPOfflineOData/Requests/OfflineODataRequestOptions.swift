import ODataClasses
import ODataQuery

/// What an app may say about one change of an offline store.
open class OfflineODataRequestOptions: RequestOptions, @unchecked Sendable {
    // Confined as its base class says.
    private final var transaction: TransactionID?
    private final var category: UploadCategory?

    /// Creates options of default values.
    public override init() { super.init() }

    /// Whether the created entity leaves the store once the service accepted it. Defaults to false.
    open var removeCreatedEntityAfterUpload: Bool {
        get { fields.removesAfterUpload }
        set { fields.removesAfterUpload = newValue }
    }

    /// Whether the request is sent as it is, never joined with another. Defaults to false.
    open var unmodifiableRequest: Bool {
        get { !canCombineRequests }
        set { canCombineRequests = !newValue }
    }

    /// The transaction that the request belongs to; counts only with the transaction builder. Defaults to nil.
    open var transactionID: TransactionID? {
        get { transaction }
        set {
            transaction = newValue
            fields.transactionID = newValue?.queueName
            fields.namesTransactionByRow = newValue?.type == .generatedID
        }
    }

    /// The category that the request belongs to; nil for one that only full uploads send. Defaults to nil.
    open var uploadCategory: UploadCategory? {
        get { category }
        set {
            category = newValue
            fields.uploadGroup = newValue?.groupName
            fields.namesGroupByRow = newValue?.type == .generatedID
        }
    }
}
