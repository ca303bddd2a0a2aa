import ArgumentParser
import Dispatch
import Foundation
import ODataModel
import ODataProxy
import ODataServer
import ODataText

/// `odata serve`: exposes sample data, a SQLite database, a model or another service as an OData service.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract:
            "Run an OData service over sample data, an existing SQLite database, a model, or another service.",
        discussion: """
            --database exposes every table and view of the file; change tracking is added beside the \
            tables, whose columns stay as they are. --sample makes data from a seed, in the file that \
            --database names or in a temporary one. The service runs until it is interrupted; \
            'odata service untrack' takes the tracking out of the file again.

            --model makes a new database from a CSDL document: entity sets, singletons, derived and complex types, \
            enumerations, collections, links, contained entities and streams, with the rows of --rows. Started again \
            with the same file, rows, tokens and tags are as they were; a larger document adds to the file, \
            another one is refused. --reference-model DIR does so with the reference model of V4 test suites.

            With a --database that is there, --model says what of it is offered, under which names and types; 'odata \
            service init' writes a first one.

            --proxy reads another service of V2 or V4 at intervals (--every) and when a request asks for newer \
            data ('Cache-Control: max-age=SECONDS' or no-cache), and offers its entity sets with delta links. \
            --database names the file that keeps rows and tokens from one run to the next. Answers say in Age and \
            Cache-Status how old they are. Clients read only, unless --proxy-writes passes their changes on; a \
            change that comes again under its repeatability identity then has no second effect, whether that \
            service knows such identities or not.

            --database postgres://USER@HOST/DATABASE reads and changes the tables of a schema of PostgreSQL \
            (--schema). The password comes from --password-file, PGPASSWORD or ~/.pgpass, not from the address.

            Without --access whoever reaches the service reads and changes everything that it exposes, and without \
            --tls-certificate everything is sent in clear. So it listens on this machine only unless both are given, or \
            --insecure is; --include, --exclude and --read-only say what it exposes. SIGHUP reads access file, \
            certificate and key again.

            Each option may stand in the file of --configuration, or in the environment, as ODATA_OPTION_PAGE_SIZE; that of \
            the command line counts before that of the environment, and that before the file's.
            """)

    // Taken before the arguments are parsed (``ServeSettings``).
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file with any of these options, as {\"port\": 8080, \"read-only\": true}.",
            valueName: "file"),
        completion: .file())
    var configuration: String?

    @Option(name: .long, help: "Sample data to make: fieldservice.")
    var sample: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The SQLite file to expose, or the address of a PostgreSQL database.",
            valueName: "file"),
        completion: .file())
    var database: String?

    @Option(name: .long, help: "About how many rows the sample has in all.")
    var scale = 1_000

    @Option(name: .long, help: "The seed that the sample is made from.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port to listen on; 0 takes a free one.")
    var port = 8080

    @Option(name: .long, help: "Rows of a page when the client asks for nothing.")
    var pageSize = 1_000

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A table or view to expose, '*' standing for any characters; may be repeated.",
            valueName: "name"))
    var include: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A table or view to leave out, in the same form; may be repeated.", valueName: "name"))
    var exclude: [String] = []

    @Flag(name: .long, help: "Let clients read only.")
    var readOnly = false

    @Flag(
        name: .long,
        help: "Listen beyond this machine, though nothing guards the data there or on the way.")
    var insecure = false

    @Option(
        name: .customLong("accept-host"),
        help: ArgumentHelp(
            "A further name that clients call the service by; may be repeated.", valueName: "name"))
    var acceptedHosts: [String] = []

    @Flag(name: .customLong("csrf"), help: "Ask for a CSRF token with every change.")
    var guardsAgainstCSRF = false

    @Flag(name: .customLong("v2"), help: "Speak OData V2 (JSON) in place of V4.")
    var speaksV2 = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file that declares functions and actions in SQL.", valueName: "file"),
        completion: .file())
    var functions: String?

    @OptionGroup var postgres: PostgresOptions

    @OptionGroup var model: ModelOptions

    @OptionGroup var proxy: ProxyOptions

    @OptionGroup var access: AccessOptions

    @OptionGroup var tls: TLSOptions

    @OptionGroup var operations: OperationsOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if sample == nil, database == nil, proxy.proxy == nil, !model.isGiven {
            throw ValidationError("Expected --sample, --database, --model or --proxy, found none.")
        }
        if model.isGiven,
            sample != nil || proxy.proxy != nil || functions != nil || speaksV2
                || !include.isEmpty || !exclude.isEmpty
        {
            throw ValidationError(
                "--model: expected none of --sample, --proxy, --functions, --v2, --include and --exclude."
            )
        }
        try postgres.check(database, isProxy: proxy.proxy != nil)
        if let database, ServiceRoot.isURL(database), !PostgresOptions.isAddress(database) {
            // It may hold a password: nothing of it is repeated.
            throw ValidationError("--database: expected a SQLite file, found a URL.")
        }
        if proxy.proxy != nil,
            sample != nil || functions != nil || !include.isEmpty || !exclude.isEmpty
        {
            throw ValidationError(
                "--proxy: expected none of --sample, --functions, --include and --exclude.")
        }
        if proxy.takesChanges, readOnly {
            throw ValidationError("--proxy-writes: expected no --read-only.")
        }
        if let sample, sample != FieldServiceSample.name {
            throw ValidationError("--sample: expected \(FieldServiceSample.name).")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port: expected 0 to 65535.")
        }
        let isGuarded = access.access != nil && tls.certificate != nil
        guard insecure || isGuarded || ServiceConfiguration.isLoopback(host) else {
            throw ValidationError(
                "--host \(host): expected --access and --tls-certificate, or --insecure, with an address beyond this machine."
            )
        }
        guard (20...100_000_000).contains(scale) else {
            throw ValidationError("--scale: expected 20 to 100000000.")
        }
        guard (1...100_000).contains(pageSize) else {
            throw ValidationError("--page-size: expected 1 to 100000.")
        }
    }

    func run() throws {
        let console = output.console
        let folder = database == nil ? try TemporaryFolder("odata-serve") : nil
        defer { folder?.remove() }
        let path = database ?? folder?.file("sample.sqlite") ?? ""
        if sample == nil, proxy.proxy == nil, !model.isGiven, !PostgresOptions.isAddress(path) {
            try DatabaseFile.check(path)
        }
        let configuration = try configuration(path)
        Self.allowManyConnections()
        if let url = proxy.proxy {
            if database == nil {
                console.note("note: without --database, delta links end with this run.")
            }
            let running = try DeltaProxy(try proxy.settings(url, configuration))
            try serve(
                running.service, console, { _ = try running.start() }, { try running.close() },
                stop: { running.stopReading() })
        } else {
            let service =
                try postgres.service(configuration) ?? ODataService(configuration)
            try serve(service, console, { try service.start() }, { try service.close() })
        }
    }

    /// Each client that waits for changes keeps a connection: many systems begin with a limit of 1,024 open files, or of 256,
    /// that the process may raise.
    private static func allowManyConnections() {
        #if canImport(Glibc)
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let kind = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_000))
        setrlimit(kind, &limit)
    }

    private func configuration(_ path: String) throws -> ServiceConfiguration {
        var configuration = ServiceConfiguration(
            databasePath: path,
            sample: sample.map {
                ServiceConfiguration.Sample(name: $0, scale: scale, seed: seed)
            })
        configuration.model = try model.document()
        configuration.access = try access.control()
        configuration.tls = try tls.context()
        try operations.apply(to: &configuration)
        configuration.host = host
        configuration.port = port
        configuration.speaksV2 = speaksV2
        configuration.tables = TableChoice(included: include, excluded: exclude)
        configuration.isReadOnly = readOnly
        configuration.guardsAgainstCSRF = guardsAgainstCSRF
        if !acceptedHosts.isEmpty { configuration.acceptedHosts = acceptedHosts }
        configuration.defaultPageSize = pageSize
        configuration.maximumPageSize = max(pageSize, configuration.maximumPageSize)
        if let functions {
            configuration.operations = try ServiceOperation.parse(try InputFile.bytes(functions))
        }
        return configuration
    }

    /// Serves until the process is asked to end.
    ///
    /// - Parameter stop: called at once when it is, also while `start` is at work.
    /// - Throws: `interrupted` after Ctrl-C; SIGTERM is how a service ends, and no failure.
    private func serve(
        _ service: ODataService, _ console: Console, _ start: () throws -> Void,
        _ close: () throws -> Void, stop: @escaping @Sendable () -> Void = {}
    ) throws {
        let end = DispatchSemaphore(value: 0)
        let signals = StopSignals {
            stop()
            end.signal()
        }
        defer { signals.cancel() }
        let reload = ReloadSignal.listen {
            let wrong = service.reload()
            for sentence in wrong { console.note("note: " + sentence) }
            if wrong.isEmpty { console.note("note: access file, certificate and key are read.") }
        }
        defer { reload.cancel() }
        try start()
        if signals.status == nil { announce(service, console) }
        end.wait()
        service.drain(within: .seconds(operations.drainTime))
        try close()
        if let status = signals.status, status == StopSignals.status(SIGINT) {
            throw CommandError.interrupted("The service was interrupted.", status: status)
        }
    }

    private func announce(_ service: ODataService, _ console: Console) {
        for note in service.notes { console.note("note: " + note) }
        let url = service.url ?? ""
        let sets = service.graph.entitySets.map(\.name)
        if console.isJSON {
            console.print(
                JSONValue.object(
                    JSONObject(
                        [
                            .init(name: "url", value: .string(url)),
                            .init(name: "entitySets", value: .array(sets.map { .string($0) })),
                        ]
                            + (service.managementURL.map {
                                [.init(name: "management", value: .string($0))]
                            } ?? []))
                ).text)
        } else {
            console.print("serving \(sets.joined(separator: ", "))")
            console.print("listening on \(url)")
            if let management = service.managementURL { console.print("managed on \(management)") }
        }
    }
}
