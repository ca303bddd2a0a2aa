import ODataModel
import ODataQuery
import Synchronization

/// How an update treats the properties that it does not mention (Protocol 4.01, section 11.4.3).
public enum UpdateMode: Int, Sendable, Hashable {
    /// They keep their values (`PATCH`).
    case merge
    /// They take their defaults (`PUT`).
    case replace
}

/// How one request is sent and, offline, queued.
///
/// ```swift
/// let token = CancelToken()
/// let options = RequestOptions().cancelable(token)
/// options.customTag = "visit 17"
/// try service.createEntity(report, options: options)
/// let mine = try service.queuedRequests(options: options)
/// ```
///
/// Any thread may set and read them. A call takes a copy when it begins, so later changes count for later calls; only the
/// ``cancelToken`` is the same object, which stops a call that runs. A cancelled call throws ``DataNetworkError`` with the
/// code ``ErrorBase/Code/cancelled``, an `async` one `CancellationError`.
///
/// ``repeatable`` gives a change an identity that stays with these options: the next call with them sends the same request
/// again. Another change needs options of its own, or ``repeatable`` set anew.
open class RequestOptions: ObjectBase, @unchecked Sendable {
    // Guarded by `state`. A call takes a copy when it begins, so that two calls with the same options do not meet.

    package struct Fields: Sendable {
        package var cancelToken: CancelToken?
        package var updateMode = UpdateMode.merge
        package var preferNoContent = false
        package var sendEmptyUpdate = false
        package var repeatable = false
        package var requestID: String?
        package var repeatabilityCreation: GlobalDateTime?
        package var repeatabilityDeletion: GlobalDateTime?
        package var useBatch = false
        package var canCombineRequests = true
        package var removesAfterUpload = false
        package var customTag: String?
        package var uploadGroup: String?
        package var transactionID: String?
        /// The created row completes the name of the transaction.
        package var namesTransactionByRow = false
        /// The created row completes the name of the upload group.
        package var namesGroupByRow = false
        package var changeSet: String?
        package var backgroundFile: String?
        package var backgroundName: String?
    }

    package final var fields: Fields {
        get { state.withLock { $0 } ?? Fields() }
        set { state.withLock { $0 = newValue } }
    }
    /// Nil for options that nobody set, as of most reads.
    private final let state = Mutex<Fields?>(nil)

    /// Creates options of default values.
    public override init() { super.init() }

    /// New options of default values.
    public static var none: RequestOptions { RequestOptions() }

    /// The argument, or new options in place of nil.
    public static func noneIfNull(options: RequestOptions?) -> RequestOptions { options ?? none }

    /// The options as they are now, for one call.
    package final func forCall() -> RequestOptions {
        let options = RequestOptions()
        if let fields = state.withLock({ $0 }) { options.fields = fields }
        return options
    }

    /// Keeps the identity that a call gave its request, unless there is one, so that the request can be sent again under it.
    package final func keepIdentity(of call: RequestOptions) {
        let made = call.fields
        guard made.repeatable, let id = made.requestID else { return }
        state.withLock { fields in
            guard fields?.requestID == nil else { return }
            fields?.requestID = id
            fields?.repeatabilityCreation = made.repeatabilityCreation
        }
    }

    /// Sets the token that stops the request, and returns the options.
    @discardableResult
    open func cancelable(_ token: CancelToken) -> RequestOptions {
        fields.cancelToken = token
        return self
    }

    /// The token that stops the request.
    open var cancelToken: CancelToken? {
        get { state.withLock { $0?.cancelToken } }
        set { fields.cancelToken = newValue }
    }

    /// What an update does to the properties it does not mention (Protocol 4.01, section 11.4.3).
    open var updateMode: UpdateMode {
        get { fields.updateMode }
        set { fields.updateMode = newValue }
    }

    /// True to ask for an answer without the entity (`Prefer: return=minimal`, Protocol 4.01, section 8.2.8.7).
    open var preferNoContent: Bool {
        get { fields.preferNoContent }
        set { fields.preferNoContent = newValue }
    }

    /// True to send an update that changes nothing.
    open var sendEmptyUpdate: Bool {
        get { fields.sendEmptyUpdate }
        set { fields.sendEmptyUpdate = newValue }
    }

    /// True to make the request safe to send again (OData Repeatable Requests 1.0). Setting it asks for a new identity.
    open var repeatable: Bool {
        get { fields.repeatable }
        set {
            fields.repeatable = newValue
            fields.requestID = nil
        }
    }

    /// The identity of a repeatable request; nil until it is made or set.
    open var requestID: String? {
        get { fields.requestID }
        set { fields.requestID = newValue }
    }

    /// When the identity was made.
    open var repeatabilityCreation: GlobalDateTime? {
        get { fields.repeatabilityCreation }
        set { fields.repeatabilityCreation = newValue }
    }

    /// When the service may forget the identity.
    open var repeatabilityDeletion: GlobalDateTime? {
        get { fields.repeatabilityDeletion }
        set { fields.repeatabilityDeletion = newValue }
    }

    /// True to send the request inside a batch.
    open var useBatch: Bool {
        get { fields.useBatch }
        set { fields.useBatch = newValue }
    }

    /// Offline: false keeps the request from being merged with an earlier one.
    open var canCombineRequests: Bool {
        get { fields.canCombineRequests }
        set { fields.canCombineRequests = newValue }
    }

    /// Offline: a mark by which the app finds the request again.
    open var customTag: String? {
        get { fields.customTag }
        set { fields.customTag = newValue }
    }

    /// Offline: the upload group that the request belongs to.
    open var uploadGroup: String? {
        get { fields.uploadGroup }
        set { fields.uploadGroup = newValue }
    }

    /// Offline: requests of the same name are sent in one change set.
    open var changeSet: String? {
        get { fields.changeSet }
        set { fields.changeSet = newValue }
    }

    /// The file that a background transfer reads or writes.
    open var backgroundFile: String? {
        get { fields.backgroundFile }
        set { fields.backgroundFile = newValue }
    }

    /// The name of a background transfer.
    open var backgroundName: String? {
        get { fields.backgroundName }
        set { fields.backgroundName = newValue }
    }
}
