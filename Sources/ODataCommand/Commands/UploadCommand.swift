import ArgumentParser

/// `odata upload`: sends the changes that wait in a store.
struct UploadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Send the changes that wait in the store.",
        discussion: "The status is 1 when the service refused a change; 'odata errors' lists them.")

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "An entity set or upload group to send; may be repeated.")
    var group: [String] = []

    @OptionGroup var rules: WriteRuleOptions

    @OptionGroup var time: TimeOptions

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store, within: time.start())
        defer { session.close() }
        try rules.apply(to: session)
        let sent = try session.upload(try session.groups(group), output.console)
        var report = try session.report(countsRows: false)
        report.uploaded = sent.accepted
        report.upload = UploadReport(sent.progress, session.graph)
        report.print(to: output.console)
        if let failure = sent.failure { throw failure }
        if report.failed > 0 {
            throw CommandError.failed(
                "\(report.failed) requests were refused: see 'odata errors'.")
        }
    }
}
