import ODataSyncPlan
import ArgumentParser
import SAPOData
import ODataModel
import ODataQuery

/// `odata sync`: makes or opens a store for a service, uploads, downloads.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Make or open a store for a service; upload, then download.",
        usage: "odata sync <url> --store <file> [--query NAME=QUERY]… [--group NAME]…",
        discussion: """
            Needs nothing but the URL: version, capabilities and entity sets come from the service, \
            and every readable set is downloaded; what is skipped is reported with the reason. Links that \
            the entities themselves do not tell are asked for with $expand. Later runs read only what changed, where the service can tell.

            --query keeps a download query in the store: its set is then downloaded by its queries \
            only. --group restricts the run to an entity set or a download query.
            """)

    @Argument(help: "The service root.")
    var url: String

    @OptionGroup var store: StoreOptions

    @Option(
        name: .long,
        help: ArgumentHelp("A download query to keep; may be repeated.", valueName: "name=query"))
    var query: [String] = []

    @Option(name: .long, help: "An entity set or download query to sync; may be repeated.")
    var group: [String] = []

    @Flag(
        name: .long,
        help: "Count the rows of each set also where nothing has changed, which reads all of them.")
    var rows = false

    @OptionGroup var rules: WriteRuleOptions

    @OptionGroup var time: TimeOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let console = output.console
        let limit = time.start()
        let queries = try query.map(Self.split)
        var session = try StoreSession.open(
            store, service: try ServiceRoot(url), within: limit)
        if try !queries.isEmpty && addQueries(queries, to: session) {
            session.close()
            session = try StoreSession.open(store, within: limit)
        }
        defer { session.close() }
        try rules.apply(to: session)
        let groups = try session.groups(group)
        // What the service has is asked for even where something could not be sent.
        let sent = try session.upload(groups, console)
        let received = try session.download(groups, console)
        var report = try session.report(
            countsRows: rows || received.hasChanged || sent.accepted > 0)
        report.received = received.entities
        report.skipped = received.skipped
        report.unknownLinks = received.unknownLinks
        report.uploaded = sent.accepted
        report.upload = UploadReport(sent.progress, session.graph)
        report.settled = received.settled
        report.print(to: console)
        if let failure = sent.failure { throw failure }
        if report.failed > 0 {
            throw CommandError.failed(
                "\(report.failed) requests were refused: see 'odata errors'.")
        }
        try received.throwIfRefused()
    }

    private static func split(_ text: String) throws -> (name: String, query: String) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw CommandError.badInput("--query: expected NAME=QUERY, found '\(text)'.")
        }
        return (String(text[..<equals]), String(text[text.index(after: equals)...]))
    }

    /// Returns true when there was a new one.
    private func addQueries(
        _ queries: [(name: String, query: String)], to session: StoreSession
    ) throws -> Bool {
        var isNew = false
        for (name, text) in queries {
            let argument = try session.resource(text)
            guard argument.resource.kind == .entities, argument.resource.isDirect else {
                throw CommandError.badInput("--query \(name): expected entities of a set.")
            }
            let query = try argument.dataQuery()
            if let known = try session.provider.downloadQuery(name: name) {
                guard try known.query.urlText() == query.urlText() else {
                    throw CommandError.badInput(
                        "--query \(name): the store keeps another query of this name.")
                }
                continue
            }
            try CommandError.operation {
                try session.provider.createDownloadQuery(name: name, query: query, streams: false)
            }
            isNew = true
        }
        return isNew
    }
}
