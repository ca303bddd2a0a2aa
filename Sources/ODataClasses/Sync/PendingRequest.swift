import ODataModel
import ODataQuery
import ODataSyncPlan

/// What a pending request needs of the provider that listed it.
package protocol PendingRequestOwner: AnyObject, Sendable {
    func cancel(request: Int64) throws
    func retry(request: Int64) throws
    func affectedEntity(of request: QueuedRequest, fixRequest: Bool) throws -> EntityValue?
    func confirm(request: QueuedRequest, as entity: EntityValue?) throws
}

/// A change that the service has not accepted yet: queued, or failed.
///
/// A snapshot: what happens to the request later does not show in it.
open class PendingRequest: DataValue, @unchecked Sendable {
    // Constant after initialisation.
    package final let request: QueuedRequest?
    private final let preview: RequestMessage?
    private final let sending: SendingRecord?
    private weak var owner: (any PendingRequestOwner)?

    /// Creates a request that stands for nothing.
    public override init() {
        request = nil
        preview = nil
        sending = nil
        super.init()
    }

    /// - Parameters:
    ///   - preview: the HTTP request as it was sent, or would be sent now.
    ///   - sending: what is known of its sendings; nil when there was none.
    package init(
        _ request: QueuedRequest, preview: RequestMessage?, sending: SendingRecord? = nil,
        owner: (any PendingRequestOwner)?
    ) {
        self.request = request
        self.preview = preview
        self.sending = sending
        self.owner = owner
        super.init()
    }

    /// The number of the request, which rises with each request of the store and is never reused.
    open var requestID: Int64 { request?.id ?? 0 }
    /// `POST`, `PATCH`, `PUT` or `DELETE`.
    open var httpMethod: String { preview?.method ?? "" }
    /// The URL relative to the service root.
    open var requestURL: String { preview?.url ?? "" }
    /// The header fields.
    open var requestHeaders: HTTPHeaders { HTTPHeaders(preview?.headers ?? HeaderFields()) }
    /// The body as text; nil when there is none.
    open var requestBody: String? {
        guard let body = preview?.body, !body.isEmpty else { return nil }
        return String(decoding: body, as: UTF8.self)
    }
    /// The status of the service's refusal; nil while there is no answer.
    open var httpStatus: Int? { request?.state.failure?.status }
    /// The code of the service's refusal.
    open var errorCode: String? { request?.state.failure?.code }
    /// The message of the service's refusal, or why the request was held back.
    open var errorMessage: String? {
        switch request?.state {
        case .failed(let failure): failure.message
        case .blocked(let cause): "Request \(cause), which this one depends on, failed."
        case .unknown(let reason):
            reason ?? "No answer came, and the service cannot tell whether it acted."
        default: nil
        }
    }
    /// The body of the service's refusal as received.
    open var responseBody: String? { request?.state.failure?.responseBody }
    /// The name of the entity set that the request is about.
    open var entitySetName: String { request?.target.table ?? "" }
    /// The change set that the app named.
    open var changeSet: String? { request?.changeSet }
    /// The mark that the app gave.
    open var customTag: String? { request?.customTag }
    /// The upload group that the app named.
    open var uploadGroup: String? { request?.uploadGroup }
    /// Whose change it is: the `currentUser` that the store was open for when it was recorded. Nil where there was none, and for
    /// requests of a store from before that was noted.
    ///
    /// It stays so when somebody else's session sends the request, and changes of another user do not join into it.
    open var user: String? { request?.user }
    /// When it was first sent; nil while it was not.
    open var firstSent: GlobalDateTime? {
        request?.identity.firstSent.map(GlobalDateTime.milliseconds)
    }
    /// How often it was tried to send it, those times included when nobody was reached.
    open var attempts: Int { sending?.count ?? 0 }
    /// When that was tried last; nil while it was not.
    open var lastSent: GlobalDateTime? {
        (sending?.lastSent).map(GlobalDateTime.milliseconds)
    }
    /// The status of the last answer, whether or not it settled anything; nil where none came.
    open var lastStatus: Int? { sending?.answer?.status }
    /// What the last answer said, or why none came; nil while it was not sent.
    ///
    /// A sending of which nobody noted the end, because the process ended with it, has no answer either.
    open var lastAnswer: String? {
        guard let sending else { return nil }
        return sending.answer?.message ?? "no answer: the upload ended before one came"
    }
    /// True when the service refused it, or it depends on one that was refused.
    open var isFailed: Bool { request?.state.isFailure ?? false }
    /// True while it waits for an answer of the service.
    open var isQueued: Bool { request.map { !$0.state.isFailure } ?? false }

    /// Drops this request and every request that depends on it; rows return to what remains.
    ///
    /// One that was sent and has no answer yet cannot be taken back: it is not sent again, leaves the queue once an upload or a
    /// download finds that it had no effect, and stays where it had one.
    ///
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails, `DataServiceError` with
    ///   status 409 for one without an answer, which it names; what depends on it is dropped all the same.
    open func cancel() throws {
        guard let request, let owner else { return }
        try owner.cancel(request: request.id)
    }

    /// True when the app has cancelled it or undone it while it had no answer: it is not sent again, and leaves the queue once it
    /// is known that it had no effect.
    open var isCancelled: Bool { request?.isCancelled ?? false }

    /// The present local state of the entity that the request is about; nil when there is none.
    ///
    /// - Parameter fixRequest: true for an entity whose next update corrects this very request instead of adding one.
    /// - Throws: `UsageError` while the store is closed, `DataStorageError` when its file fails.
    open func affectedEntity(fixRequest: Bool = false) throws -> EntityValue? {
        guard let request, let owner else { return nil }
        return try owner.affectedEntity(of: request, fixRequest: fixRequest)
    }

    /// Lets the next upload send a failed request again, as a new one and with the entity tag that the store has by now: the
    /// app has seen what stood against it. One of unknown fate goes as the same request, under the identity that it had, so
    /// that a service that recognises repetitions does not act twice; to any other it is a new one.
    ///
    /// - Throws: an error for a request that has not failed, and for one that was cancelled while it had no answer.
    open func retry() throws {
        guard let request, let owner else { return }
        try owner.retry(request: request.id)
    }

    /// True when no answer came and the service cannot tell whether it acted: the request is not sent again by itself.
    ///
    /// ``cancel()`` drops it, a correction through ``affectedEntity(fixRequest:)`` sends it again, and
    /// ``confirm(as:)`` records that the service did act.
    open var isUnknown: Bool { request?.state.isUnknown ?? false }

    /// Records that the service carried the request out, as its present state shows; what waited for it goes on.
    ///
    /// - Parameter entity: the entity that a create made, by its key; not needed for other requests.
    /// - Throws: an error for a request whose fate is known, and when the service has no such entity.
    open func confirm(as entity: EntityValue? = nil) throws {
        guard let request, let owner else { return }
        try owner.confirm(request: request, as: entity)
    }

    /// Method and URL.
    open override func toString() -> String { "\(requestID) \(httpMethod) \(requestURL)" }
}

extension PendingRequest {
    private class func property(_ name: String) -> Property {
        SyncMetadata.property(name, of: SyncMetadata.pendingRequest)
    }

    /// Filters and sorts by ``changeSet``.
    public class var changeSet: Property { property("changeSet") }
    /// Filters and sorts by ``customTag``.
    public class var customTag: Property { property("customTag") }
    /// Filters and sorts by ``firstSent``.
    public class var firstSent: Property { property("firstSent") }
    /// Filters and sorts by ``httpMethod``.
    public class var httpMethod: Property { property("httpMethod") }
    /// Filters and sorts by ``httpStatus``.
    public class var httpStatus: Property { property("httpStatus") }
    /// Filters and sorts by ``requestID``.
    public class var requestID: Property { property("requestID") }
    /// Filters and sorts by ``requestURL``.
    public class var requestURL: Property { property("requestURL") }
    /// Filters and sorts by ``uploadGroup``.
    public class var uploadGroup: Property { property("uploadGroup") }
}

/// A list of pending requests.
open class PendingRequestList: TypedList<PendingRequest>, @unchecked Sendable {
    /// The requests that fit all three: the query's set, filter and order; every given header with the same value; the
    /// change set, tag and group of the options where they are set.
    package static func matching(
        _ query: DataQuery?, headers: HTTPHeaders?, options: RequestOptions?,
        in requests: [PendingRequest]
    ) throws -> PendingRequestList {
        let chosen = requests.filter { request in
            let set = query?.entitySet?.localName
            return (set == nil || set == request.entitySetName)
                && matches(request, headers) && matches(request, options)
        }
        guard let query else { return fromArray(chosen) }
        let positions = try ListEvaluator(
            ExpressionEvaluator(graph: SyncMetadata.document.graph)
        ).positions(query.options, of: chosen.map(\.value))
        return fromArray(positions.map { chosen[$0] })
    }

    private static func matches(_ request: PendingRequest, _ headers: HTTPHeaders?) -> Bool {
        guard let headers, let carried = request.request?.headers else { return true }
        return headers.fields.fields.allSatisfy { carried[$0.name] == $0.value }
    }

    private static func matches(_ request: PendingRequest, _ options: RequestOptions?) -> Bool {
        guard let options else { return true }
        let pairs = [
            (options.changeSet, request.changeSet), (options.customTag, request.customTag),
            (options.uploadGroup, request.uploadGroup),
        ]
        return pairs.allSatisfy { wanted, found in wanted == nil || wanted == found }
    }
}

extension PendingRequest {
    fileprivate var value: StructureValue {
        SyncMetadata.value(
            SyncMetadata.pendingRequest,
            [
                .integer(requestID), .string(httpMethod), .string(requestURL),
                httpStatus.map { .integer(Int64($0)) }, firstSent?.scalar,
                changeSet.map(Scalar.string), customTag.map(Scalar.string),
                uploadGroup.map(Scalar.string),
            ])
    }
}

extension GlobalDateTime {
    /// The instant so many milliseconds after 1970 began, in UTC.
    package static func milliseconds(_ milliseconds: Int64) -> GlobalDateTime {
        let (seconds, rest) = milliseconds.quotientAndFloorRemainder(1_000)
        let instant = OffsetDateTime(seconds: seconds, picoseconds: rest * 1_000_000_000)
        return GlobalDateTime(instant ?? .epoch)
    }
}

extension Int64 {
    fileprivate func quotientAndFloorRemainder(
        _ divisor: Int64
    ) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
