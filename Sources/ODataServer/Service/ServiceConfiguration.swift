import ODataWorld

/// Everything that decides what a service serves, where and within which limits.
package struct ServiceConfiguration: Sendable {
    /// Sample data to make when the database does not hold it yet.
    package struct Sample: Sendable {
        package var name: String
        package var scale: Int
        package var seed: UInt64

        package init(name: String = FieldServiceSample.name, scale: Int = 1_000, seed: UInt64 = 1) {
            self.name = name
            self.scale = scale
            self.seed = seed
        }
    }

    /// The SQLite file to expose; it is made when a sample is asked for and it does not exist.
    package var databasePath: String
    package var sample: Sample?
    /// The CSDL document that the database is made from; nil for a database that is there, unless it was made from one.
    package var model: ModelDocument?
    /// Which tables and views are exposed.
    package var tables = TableChoice()
    /// True lets clients read only.
    package var isReadOnly = false
    /// Functions and actions that are offered; actions only where changes are taken.
    package var operations: [ServiceOperation] = []
    /// Namespace of the metadata; nil takes `FieldService` for the sample and `Database` for anything else.
    package var namespace: String?
    package var host = "127.0.0.1"
    /// 0 lets the system choose.
    package var port = 0
    /// Path of the service root, with a slash at both ends.
    package var rootPath = "/"
    /// Rows of a page when the client asks for nothing, and at most.
    package var defaultPageSize = 1_000
    package var maximumPageSize = 10_000
    /// Related entities below an entity, before a next link leads to the rest; nil expands collections whole.
    package var nestedPageSize: Int?
    package var maximumBodyBytes = 64 << 20
    /// Bytes of one stream; those of a body beyond ``maximumBodyBytes`` go to the database while they arrive.
    package var maximumStreamBytes: Int64 = 16 << 30
    /// Bytes that the answers of one batch may come to; what does not fit is refused before it happens.
    package var maximumBatchBytes = 128 << 20
    /// Requests of one batch.
    package var maximumBatchRequests = 1_000
    /// Threads that run SQL.
    package var workerThreads = 4
    /// True answers a change without `If-Match` with 428 (Protocol 4.01, section 11.4.1.1).
    package var requiresPreconditions = false
    /// Names that clients may call the service by (`Host`), beside those of this machine and ``host``. Nil takes every
    /// name where the service listens beyond this machine, whose names it cannot know.
    package var acceptedHosts: [String]?
    /// Requests that may wait for a thread; further ones are answered with 503 at once.
    package var maximumWaiting = 1_000
    /// How long one request may wait for a thread; it is answered with 503 then, without any work.
    package var waitingTime = Duration.seconds(300)
    /// Requests that may be held until there is something to answer (`Prefer: wait`); further ones are answered at once.
    package var maximumHeld = 4_000
    /// How long one request may be held; 0 holds none.
    package var holdTime = Duration.seconds(60)
    /// How long one request may be worked at; it is ended then, and answered with 503.
    package var requestTime = Duration.seconds(30)
    /// Bytes of rows that one request may hold at a time; pages get shorter where rows are long.
    package var maximumRowBytes = 256 << 20
    /// How long a connection may bring no (whole) request.
    package var idleTime = Duration.seconds(75)
    /// How long a client may bring next to nothing of a body, or take nothing more of an answer.
    package var stallTime = Duration.seconds(60)
    /// How long a write waits for other programs that hold the database before it is answered with 503.
    package var busySeconds = 2.0
    /// True asks for a CSRF token with every change (`X-CSRF-Token`).
    package var guardsAgainstCSRF = false
    /// Changes kept in the log; tokens from before them expire with 410.
    package var retainedChanges = 1_000_000
    /// Bytes of the log, about; tokens from before what fits expire with 410.
    package var retainedChangeBytes: Int64 = 1 << 30
    /// How long changes stay in the log; tokens from before expire with 410.
    package var retainedChangeSeconds: Int64 = 90 * 24 * 3_600
    /// How long answers to repeatable requests are remembered.
    package var repeatabilitySeconds: Int64 = 30 * 24 * 3_600
    /// True speaks V2 in place of V4.
    package var speaksV2 = false
    /// What stands before the requests of a service whose data is another one's.
    package var gate: (any ServiceGate)?
    /// The service whose data this is, where it takes changes; nil lets clients of another one's data read only.
    package var origin: (any MirrorOrigin)?
    /// Repeatable requests that a proxy remembers; further ones are answered with 503.
    package var rememberedRequests = 100_000
    /// Where copies of clients' stores are kept that people send who ask for help; nil takes none.
    package var copies: StoreCopies?
    /// Who may do what; nil lets everybody do everything.
    package var access: AccessControl?
    /// What connections are encrypted with; nil for HTTP in clear.
    package var tls: TLSContext?
    /// What the URLs of the service begin with.
    var scheme: String { tls == nil ? "http" : "https" }
    /// Requests of one client in each second, in the long run; nil takes all.
    package var requestsPerSecond: Double?
    /// Where whoever watches over the service asks for its health; nil for nowhere, 0 lets the system choose.
    package var managementPort: Int?
    package var managementHost = "127.0.0.1"
    /// True logs each request.
    package var logsRequests = false
    /// The clock and the source of identifiers.
    package var world: any World = LiveWorld()
    package var observer = ServiceObserver()

    /// True for addresses and names that only this machine reaches.
    package static func isLoopback(_ host: String) -> Bool {
        HostName.isLoopback(host.lowercased())
    }

    package init(databasePath: String, sample: Sample? = nil) {
        self.databasePath = databasePath
        self.sample = sample
    }
}
