import ArgumentParser
import ODataServer
import ODataText

/// A service whose database is made from a CSDL document.
struct ModelOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A CSDL document (XML or JSON, V4) to make the database from.", valueName: "file"),
        completion: .file())
    var model: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder of SET.json files with the rows that a new database begins with.",
            valueName: "folder"), completion: .directory)
    var rows: String?

    /// True where a database is made from a document.
    var isGiven: Bool { model != nil }

    func validate() throws {
        if rows != nil, model == nil {
            throw ValidationError("--rows: expected --model with it.")
        }
    }

    /// The document with its rows; nil where none is asked for.
    func document() throws -> ModelDocument? {
        try model.map { try ModelDocument(file: $0, rows: rows) }
    }
}
