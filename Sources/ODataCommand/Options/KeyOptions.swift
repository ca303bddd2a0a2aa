import ArgumentParser

/// Where the encryption key of a store is.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file whose first line is the encryption key of the store.", valueName: "file"),
        completion: .file())
    var keyFile: String?

    /// The first line of the key file; nil when none was named.
    ///
    /// - Throws: bad input when the file cannot be read or has no first line.
    func key() throws -> String? {
        try keyFile.map(InputFile.firstLine)
    }
}
