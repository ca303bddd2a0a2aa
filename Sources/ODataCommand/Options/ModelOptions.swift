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

    @Option(
        name: .customLong("reference-model"),
        help: ArgumentHelp(
            "A folder with the reference model (metadata.xml and its rows), served with its functions and actions.",
            valueName: "folder"), completion: .directory)
    var referenceModel: String?

    /// True where a database is made from a document.
    var isGiven: Bool { model != nil || referenceModel != nil }

    func validate() throws {
        if model != nil, referenceModel != nil {
            throw ValidationError("--reference-model: expected no --model beside it.")
        }
        if rows != nil, model == nil {
            throw ValidationError("--rows: expected --model with it.")
        }
    }

    /// The document with its rows; nil where none is asked for.
    func document() throws -> ModelDocument? {
        if let referenceModel { return try ReferenceModel.document(in: referenceModel) }
        return try model.map { try ModelDocument(file: $0, rows: rows) }
    }
}
