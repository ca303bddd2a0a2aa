import ArgumentParser
import Foundation
import ODataServer
import ODataText

/// `odata service init`: a first document of a database.
struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a first CSDL document of a database, to be edited.",
        discussion: """
            The document has everything that a service over the database offers. Rename sets, types and \
            properties, take out what clients are not to see, pin types, and say by annotations what they may change; \
            OfflineOData.V1.Table, Column and ForeignKey say what each element is of the database, and stay. \
            'odata serve --database FILE --model FILE' serves it so.

            The database is only read.
            """)

    @Option(
        name: .long, help: ArgumentHelp("The SQLite file.", valueName: "file"), completion: .file())
    var database: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file to write, which must not be there; without it the document is printed.",
            valueName: "file"), completion: .file())
    var out: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        try DatabaseFile.check(database)
        let described = try DescribedDatabase.document(of: database)
        for note in described.notes { output.console.note("note: " + note) }
        guard let out else { return output.console.print(described.text) }
        guard !FileManager.default.fileExists(atPath: out) else {
            throw ODataError(.usage, "Expected a new file, found one.", at: .path(out))
        }
        do {
            try Data(described.text.utf8).write(to: URL(fileURLWithPath: out))
        } catch {
            throw ODataError(
                .storage, "Expected a file that can be written.", at: .path(out), underlying: error)
        }
    }
}
