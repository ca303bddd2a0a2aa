import ArgumentParser
import ODataServer

/// Who may use a service.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A JSON file with users, keys of tokens, roles and the rows that they may see.",
            valueName: "file"), completion: .file())
    var access: String?

    /// Who may do what; nil where everybody may do everything.
    ///
    /// - Throws: bad input with the place in the file.
    func control() throws -> AccessControl? {
        try access.map { path in
            // The file itself is named as it was given, and once.
            _ = try InputFile.bytes(path)
            return try AccessControl(file: path)
        }
    }
}
