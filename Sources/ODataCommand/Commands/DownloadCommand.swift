import ArgumentParser

/// `odata download`: reads what is new from the service of a store.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Read what is new from the service into the store.",
        discussion: """
            With --live it goes on until it is asked to end (SIGINT, SIGTERM): the service is asked to hold a request for \
            changes of each set until there are some (Prefer: wait), and what has changed is read then. What the service \
            does not tell of is read at the interval of --every. Each read that brought something is a line.
            """)

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "An entity set or download query to read; may be repeated.")
    var group: [String] = []

    @Flag(name: .long, help: "Read everything again, whatever the service can tell of changes.")
    var full = false

    @Flag(
        name: .long,
        help: "Count the rows of each set also where nothing has changed, which reads all of them.")
    var rows = false

    @Flag(name: .long, help: "Go on reading what changes, until it is asked to end.")
    var live = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --live: read all sets after so many seconds, whatever the service tells (60).",
            valueName: "seconds"))
    var every: Double?

    @OptionGroup var time: TimeOptions

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard let every else { return }
        guard live else { throw ValidationError("--every: expected --live with it.") }
        guard every >= 1, every <= 86_400 else {
            throw ValidationError("--every: expected 1 to 86400 seconds, found \(every).")
        }
    }

    func run() throws {
        let session = try StoreSession.open(store, within: time.start())
        defer { session.close() }
        let groups = try session.groups(group)
        let received = try session.download(groups, output.console, readsAll: full)
        var report = try session.report(countsRows: rows || received.hasChanged)
        report.received = received.entities
        report.settled = received.settled
        report.skipped = received.skipped
        report.unknownLinks = received.unknownLinks
        report.print(to: output.console)
        if live { try session.follow(groups, every: .seconds(every ?? 60), output.console) }
        try received.throwIfRefused()
    }
}
