import ArgumentParser
import ODataServer

/// `odata service check`: what a document says that a database does not have.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what of a CSDL document does not fit a database.",
        discussion: """
            A line for each element that has no table, column or foreign key, or a type that the column does not hold. \
            Ends with status 1 where there is one. The database is only read.
            """)

    @Option(
        name: .long, help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Option(
        name: .long, help: ArgumentHelp("The CSDL document.", valueName: "file"),
        completion: .file())
    var model: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try DatabaseFile.check(database)
        let misfits = try DescribedDatabase.misfits(
            of: ModelDocument(file: model), with: database)
        for misfit in misfits { output.console.print(misfit) }
        if !misfits.isEmpty { throw ExitCode(1) }
        output.console.note("The document fits the database.")
    }
}
