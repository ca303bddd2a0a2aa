import ArgumentParser

/// `odata queue`: the changes of a store that the service has not answered.
struct QueueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "List, show, cancel or export the changes that wait to be sent.",
        usage: """
            odata queue --store <file> [list | export]
            odata queue --store <file> show <id>
            odata queue --store <file> cancel <id>
            odata queue --store <file> undo 'Orders(1)'
            """,
        discussion: """
            cancel drops a request and what depends on it; undo takes back every unsent change of an \
            entity.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "list, show, cancel, undo or export.")
    var action = PendingAction.list

    @Argument(help: "The number of a request, or an entity.")
    var argument: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if action == .retry || action == .confirm {
            throw ValidationError("\(action.rawValue) is for refused requests: see 'odata errors'.")
        }
    }

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        try PendingRequests(session: session, console: output.console, isFailed: false)
            .run(action, argument)
    }
}
