import ArgumentParser

/// `odata download`: reads what is new from the service of a store.
struct DownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Read what is new from the service into the store.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "An entity set or download query to read; may be repeated.")
    var group: [String] = []

    @Flag(name: .long, help: "Read everything again, whatever the service can tell of changes.")
    var full = false

    @Flag(
        name: .long,
        help: "Count the rows of each set also where nothing has changed, which reads all of them.")
    var rows = false

    @OptionGroup var time: TimeOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store, within: time.start())
        defer { session.close() }
        let received = try session.download(
            try session.groups(group), output.console, readsAll: full)
        var report = try session.report(countsRows: rows || received.hasChanged)
        report.received = received.entities
        report.settled = received.settled
        report.skipped = received.skipped
        report.unknownLinks = received.unknownLinks
        report.print(to: output.console)
        try received.throwIfRefused()
    }
}
