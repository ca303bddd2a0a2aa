import Foundation
import ODataQuery
import ODataText

/// A SQLite database as an OData service with change tracking, in the process that makes it.
///
/// Tables become entity sets, foreign keys navigation properties, views read-only sets. Tracking is kept in tables and
/// triggers beside those of the database, whose own columns stay as they are.
///
/// ```swift
/// let service = try CompanionService(database: "shop.sqlite")
/// let url = try service.start()
/// // … clients read and write below `url` …
/// try service.close()
/// ```
///
/// Its calls wait for files and sockets: make them from a thread of your own, never from an `async` function. They may
/// come from any thread.
public final class CompanionService: Sendable {
    /// What is served, to whom, and how.
    public struct Settings: Sendable {
        /// The address to listen on.
        public var host = "127.0.0.1"
        /// True lets ``host`` be an address that other machines reach though there is no ``accessFile`` or no
        /// ``certificateFile``: nothing guards the data there, or nothing on the way.
        public var listensBeyondThisMachine = false
        /// The port to listen on; 0 takes one that is free.
        public var port = 0
        /// The path of the service root, with a slash at both ends.
        public var rootPath = "/"
        /// True speaks OData V2 (JSON) in place of V4.
        public var speaksV2 = false
        /// True lets clients read only; every change is answered with 405.
        public var isReadOnly = false
        /// Names of tables and views to expose, in which `*` stands for any characters; empty for all.
        public var includedTables: [String] = []
        /// Names, in the same form, of tables and views to leave out even if they are included.
        public var excludedTables: [String] = []
        /// Rows of a page for a client that asks for no other number.
        public var pageSize = 1_000
        /// True asks for a CSRF token (`X-CSRF-Token: Fetch`) with every change.
        public var requiresCSRFToken = false
        /// How many seconds one request may take, a day at the longest; it is ended then, answered with 503, and leaves nothing behind.
        public var requestSeconds = 30.0
        /// A JSON file that says who may do what: users and their passwords, keys of tokens, roles, and the rows that each may
        /// see. Nil lets whoever reaches the service do everything.
        public var accessFile: String?
        /// Certificates in PEM, the service's own first, and in ``keyFile`` its key without a passphrase: the service speaks
        /// HTTPS. Nil for HTTP in clear.
        public var certificateFile: String?
        /// The key of the certificate in ``certificateFile``.
        public var keyFile: String?
        /// A folder for copies of their stores that clients send for somebody to examine (`$database`), at most 100 of 1 GiB each;
        /// it is made where there is none. Nil refuses them.
        public var storeCopiesFolder: String?

        /// A service of V4 for this machine, on a free port, with everything in it.
        public init() {}
    }

    package let service: ODataService

    /// Opens a database and adds change tracking to it; nothing listens yet.
    ///
    /// - Parameters:
    ///   - path: The SQLite file.
    ///   - settings: What is served, where, and within which bounds.
    /// - Throws: An error that says what is wrong when there is no such file, when it is no database or the store of a
    ///   client, with the access file or the certificate, or when ``Settings/host`` is reached by other machines and that
    ///   is not allowed.
    public convenience init(database path: String, settings: Settings = Settings()) throws {
        try self.init(ServiceConfiguration(databasePath: path), settings)
    }

    /// Makes a database from a CSDL document of V4, or opens the one that was made from it; nothing listens yet.
    ///
    /// The database has tables for all that the document describes: entity sets, singletons, derived and complex types,
    /// enumerations, collections, links, contained entities and streams. A document with more than the file has adds to it.
    /// Of a database that others made it says what is offered, under which names and types.
    ///
    /// - Parameters:
    ///   - document: The file with the document, as XML or JSON.
    ///   - rows: A folder of files named `SET.json`, each with the entities that a new database begins with.
    ///   - path: The SQLite file; it is made where there is none.
    ///   - settings: What is served, where, and within which bounds.
    /// - Throws: An error that names the element of the document that the service has no place for, or that the file has
    ///   in another form; nothing is changed then.
    public convenience init(
        model document: String, rows: String? = nil, database path: String,
        settings: Settings = Settings()
    ) throws {
        var configuration = ServiceConfiguration(databasePath: path)
        configuration.model = try ModelDocument(file: document, rows: rows)
        try self.init(configuration, settings)
    }

    package init(_ base: ServiceConfiguration, _ settings: Settings) throws {
        let isGuarded = settings.accessFile != nil && settings.certificateFile != nil
        guard
            settings.listensBeyondThisMachine || isGuarded
                || ServiceConfiguration.isLoopback(settings.host)
        else {
            throw ODataError(
                .usage,
                "Expected an address of this machine, an access file and a certificate, or listensBeyondThisMachine."
            )
        }
        guard (settings.certificateFile == nil) == (settings.keyFile == nil) else {
            throw ODataError(.usage, "Expected a certificate with its key, found one of the two.")
        }
        var configuration = base
        configuration.access = try settings.accessFile.map {
            try AccessControl(file: $0, world: base.world)
        }
        if let certificate = settings.certificateFile, let key = settings.keyFile {
            configuration.tls = try TLSContext(
                certificate: certificate, key: key, world: base.world)
        }
        configuration.host = settings.host
        configuration.port = settings.port
        configuration.rootPath = settings.rootPath
        configuration.speaksV2 = settings.speaksV2
        configuration.isReadOnly = settings.isReadOnly
        configuration.tables = TableChoice(
            included: settings.includedTables, excluded: settings.excludedTables)
        configuration.defaultPageSize = max(1, settings.pageSize)
        configuration.maximumPageSize = max(
            configuration.maximumPageSize, configuration.defaultPageSize)
        configuration.guardsAgainstCSRF = settings.requiresCSRFToken
        configuration.requestTime = Self.time(settings.requestSeconds)
        configuration.copies = try settings.storeCopiesFolder.map { try StoreCopies(folder: $0) }
        service = try ODataService(configuration)
    }

    /// What is renamed, restricted or left out of the database, and values that are none of their column's type.
    public var notes: [String] { service.notes }

    /// Listens, and returns the service root when connections are accepted.
    ///
    /// - Throws: An error when the service runs already, or its address is taken.
    @discardableResult
    public func start() throws -> URL {
        try service.start()
        guard let url else { throw ODataError(.network, "Expected the service to listen.") }
        return url
    }

    /// The service root; nil while nothing listens.
    public var url: URL? { service.url.flatMap { URL(string: $0) } }

    /// Closes the port and every connection, ending requests that run. The database stays open for another
    /// ``start()``.
    public func stop() { service.stop() }

    /// Reads access file, certificate and key again, for connections and requests to come. What is wrong keeps nothing else
    /// from being taken, and leaves what there was.
    ///
    /// - Returns: A sentence for each that is wrong.
    @discardableResult
    public func reload() -> [String] { service.reload() }

    /// Takes no connection any more, answers requests that are held, and waits until those that run are through, for so many
    /// seconds at most, a day at the longest; ``stop()`` or ``close()`` follows.
    public func drain(seconds: Double) { service.drain(within: Self.time(seconds)) }

    private static func time(_ seconds: Double) -> Duration {
        .seconds(seconds.isNaN ? 0 : min(max(0, seconds), 86_400))
    }

    /// Stops, and closes the database.
    ///
    /// - Throws: An error of SQLite when the file cannot be closed.
    public func close() throws { try service.close() }

    /// Takes everything that services added out of a database that no service has open.
    ///
    /// - Throws: An error when the file is no database of a service, or in use; nothing is changed then.
    public static func untrack(database path: String) throws { try ODataService.untrack(path) }
}

extension CompanionService {
    /// One request as the service saw it.
    public struct SeenRequest: Sendable, Hashable {
        /// The method in capitals, such as `PATCH`.
        public var method: String
        /// The URL as it was sent: a path, or an absolute URL; in a batch often relative to the root.
        public var url: String
        /// Header fields in order, names as they were sent.
        public var headers: [HeaderField]
        /// The length of the body.
        public var bodyBytes: Int
        /// True for a member of a batch, which follows the batch itself.
        public var isInBatch: Bool
        /// The change set it was a member of, counted over all batches from 1; nil for every other request.
        public var changeSet: Int?

        /// One header field.
        public struct HeaderField: Sendable, Hashable {
            /// The name as it was sent.
            public var name: String
            /// The value without blanks around it.
            public var value: String
        }

        /// The first value of a header field, its name compared without regard to case; nil when it was not sent.
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// The requests so far, the last 20,000 of them, members of batches behind their batch.
    public var requests: [SeenRequest] {
        service.observer.requests.map { seen in
            SeenRequest(
                method: seen.method, url: seen.url,
                headers: seen.headers.fields.map { .init(name: $0.name, value: $0.value) },
                bodyBytes: seen.bodyBytes, isInBatch: seen.isInBatch, changeSet: seen.changeSet)
        }
    }

    /// Forgets the requests so far.
    public func forgetRequests() { service.observer.forget() }
}
