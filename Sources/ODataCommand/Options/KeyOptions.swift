import ArgumentParser

/// Where the encryption key of a store is.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A file with the encryption key of the store: 64 hexadecimal digits, 32 bytes, or a line with a passphrase.",
            valueName: "file"),
        completion: .file())
    var keyFile: String?

    /// The key in the file; nil when none was named.
    ///
    /// - Throws: bad input when the file cannot be read or its content is no key (``KeyFile``).
    func key() throws -> String? {
        try keyFile.map(KeyFile.key)
    }
}
