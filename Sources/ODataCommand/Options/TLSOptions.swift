import ArgumentParser
import ODataServer

/// What connections to a service are encrypted with.
struct TLSOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp(
            "Certificates in PEM, the service's own first: the service speaks HTTPS.",
            valueName: "file"), completion: .file())
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp(
            "The key of the certificate, in PEM and without a passphrase.", valueName: "file"),
        completion: .file())
    var key: String?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--tls-certificate: expected --tls-key with it.")
        }
    }

    /// - Throws: bad input that names the file.
    func context() throws -> TLSContext? {
        guard let certificate, let key else { return nil }
        for file in [certificate, key] { _ = try InputFile.bytes(file) }
        return try TLSContext(certificate: certificate, key: key)
    }
}
