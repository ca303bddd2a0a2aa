import ArgumentParser
import ODataServer

/// `odata service untrack`: leaves a database as it was before it was served.
struct UntrackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "untrack",
        abstract: "Take change tracking out of a database that was served.",
        discussion: """
            Removes every trigger and table whose name begins with _odata_, puts the content of \
            streams into the rows that it belongs to, and gives the file its journal mode back. \
            Clients then read everything anew.

            With --table only the triggers of one table go: SQLite drops and renames no column \
            that a trigger names. The next service makes them anew, and clients read that one \
            table anew.

            Stop the service first: a database that is open is left as it is.
            """)

    @Option(
        name: .long, help: ArgumentHelp("The SQLite file.", valueName: "file"),
        completion: .file())
    var database: String

    @Option(
        name: .long,
        help: ArgumentHelp("Only this table, until it is served again.", valueName: "name"))
    var table: String?

    func run() throws {
        try DatabaseFile.check(database)
        guard let table else { return try ODataService.untrack(database) }
        try ODataService.untrack(table: table, in: database)
    }
}
