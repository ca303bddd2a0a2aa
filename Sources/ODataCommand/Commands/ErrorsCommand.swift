import ArgumentParser

/// `odata errors`: the changes of a store that the service refused.
struct ErrorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "List, show, cancel, retry or export the changes that the service refused.",
        usage: """
            odata errors --store <file> [list | export]
            odata errors --store <file> show <id>
            odata errors --store <file> cancel <id>
            odata errors --store <file> retry <id>
            odata errors --store <file> undo 'Orders(1)'
            """,
        discussion: """
            retry lets the next upload send a request again, with the entity tag that the store has \
            by now. Changing the entity first ('odata update') corrects the request.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "list, show, cancel, retry, undo or export.")
    var action = PendingAction.list

    @Argument(help: "The number of a request, or an entity.")
    var argument: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        try PendingRequests(session: session, console: output.console, isFailed: true)
            .run(action, argument)
    }
}
