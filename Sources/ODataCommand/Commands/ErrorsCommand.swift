import ArgumentParser

/// `odata errors`: the changes of a store that the service refused.
struct ErrorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "errors",
        abstract: "List, show, settle or export the changes that the service refused.",
        usage: """
            odata errors --store <file> [list | export]
            odata errors --store <file> show <id>
            odata errors --store <file> cancel <id>
            odata errors --store <file> retry <id>
            odata errors --store <file> confirm <id> ['Orders(17)']
            odata errors --store <file> undo 'Orders(1)'
            """,
        discussion: """
            show writes the request, the answer, and the entity as the service last said it (base), as it is \
            here (local) and as the service says it now (server); of a creation whose answer was lost, the rows \
            that came since and may be what it made (candidates). retry lets the next upload send a request again, with the entity tag that the store has \
            by now. Changing the entity first ('odata update') corrects the request. confirm says that \
            the service did carry out a request of which no answer came; for a create it names the entity.
            """)

    @OptionGroup var store: StoreOptions

    @Argument(help: "list, show, cancel, retry, confirm, undo or export.")
    var action = PendingAction.list

    @Argument(help: "The number of a request, or an entity.")
    var argument: String?

    @Argument(help: "confirm: the entity that a create made.")
    var entity: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession.open(store)
        defer { session.close() }
        try PendingRequests(session: session, console: output.console, isFailed: true)
            .run(action, argument, entity: entity)
    }
}
