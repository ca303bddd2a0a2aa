import ODataModel
import ODataQuery
import Synchronization

/// How requests are sent. A change counts from the next operation on.
open class NetworkOptions: ObjectBase, @unchecked Sendable {
    // `stored` is guarded by its own lock.
    private final let stored = Mutex(Fields())

    package struct Fields: Sendable {
        package var allowTunneling = false
        package var tunnelingHeader = "X-HTTP-Method"
        package var compressRequests = false
        package var compressResponses = true
        package var streamDownloads = true
        package var streamUploads = true
        package var httpHandler: HTTPHandler?
        package var timeLimit: Duration?
    }

    /// Creates options of default values.
    public override init() { super.init() }

    /// The options as one value: what an operation reads when it starts.
    package final var fields: Fields {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }

    /// Kept for programs that set it; naming a method in ``tunneledMethods`` is enough.
    open var allowTunneling: Bool {
        get { fields.allowTunneling }
        set { stored.withLock { $0.allowTunneling = newValue } }
    }

    /// The header that names the method of a tunneled request.
    open var tunnelingHeader: String {
        get { fields.tunnelingHeader }
        set { stored.withLock { $0.tunnelingHeader = newValue } }
    }

    /// How long one exchange with the service may take at most, its body included, however steadily its bytes come; nil for as
    /// long as they come. What takes longer ends as a timeout. Defaults to nil.
    open var timeLimit: Duration? {
        get { fields.timeLimit }
        set { stored.withLock { $0.timeLimit = newValue } }
    }

    /// True to compress request bodies. In a build without the package trait `AsyncHTTPClient` the next request is refused.
    open var compressRequests: Bool {
        get { fields.compressRequests }
        set { stored.withLock { $0.compressRequests = newValue } }
    }

    /// True to ask for compressed answers.
    open var compressResponses: Bool {
        get { fields.compressResponses }
        set { stored.withLock { $0.compressResponses = newValue } }
    }

    /// True to hand downloads on while they arrive.
    open var streamDownloads: Bool {
        get { fields.streamDownloads }
        set { stored.withLock { $0.streamDownloads = newValue } }
    }

    /// True to send uploads while they are read.
    open var streamUploads: Bool {
        get { fields.streamUploads }
        set { stored.withLock { $0.streamUploads = newValue } }
    }

    /// What sends requests in place of the library; nil leaves it to the library.
    open var httpHandler: HTTPHandler? {
        get { fields.httpHandler }
        set { stored.withLock { $0.httpHandler = newValue } }
    }

    /// The methods that are sent as `POST` with ``tunnelingHeader``; filled by the app before requests are made.
    public final let tunneledMethods = StringList()
}
