import ArgumentParser

/// `odata`: what all its subcommands hang from.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "odata",
        abstract: "Serve, synchronise, query and change OData, online and offline.",
        discussion: """
            A store is one SQLite file. It remembers its service and its download queries, so after \
            the first 'odata sync' the other commands need only --store.

            Results go to standard output (as JSON with --json), everything else to standard error. \
            The status is 0, 1 when the operation failed, 2 when the input cannot be understood, 130 after Ctrl-C.
            """,
        version: "odata 0.1.0",
        subcommands: [
            DemoCommand.self, ServeCommand.self, ServiceCommand.self, MetadataCommand.self,
            CheckURICommand.self, SyncCommand.self, DownloadCommand.self, UploadCommand.self,
            VerifyCommand.self,
            QueryCommand.self, CreateCommand.self, UpdateCommand.self, DeleteCommand.self,
            LinkCommand.self, GenerateCommand.self,
            QueueCommand.self, ErrorsCommand.self, EventsCommand.self, StoreCommand.self,
        ])
}
