import Crypto
import CryptoExtras
import Foundation
import ODataText

/// What is kept of a password: `$scrypt$ln=15,r=8,p=1$salt$hash`, salt and hash in Base64 (RFC 7914; the form is that of
/// password hashing competitions).
package struct PasswordHash: Sendable, Hashable {
    let logRounds: Int
    let blockSize: Int
    let parallelism: Int
    let salt: [UInt8]
    let hash: [UInt8]

    /// Takes about 30 ms and 32 MiB on a machine of today.
    private static let usualLogRounds = 15
    private static let byteCount = 32
    /// What one derivation may take.
    private static let maximumMemory = 256 << 20

    /// - Throws: what the derivation throws.
    package init(of password: String, salt: [UInt8], logRounds: Int? = nil) throws {
        self.logRounds = logRounds ?? Self.usualLogRounds
        blockSize = 8
        parallelism = 1
        self.salt = salt
        hash = try Self.derive(
            password, salt: salt, self.logRounds, blockSize, parallelism, Self.byteCount)
    }

    /// Nil for a text of another form, and for one that would take too much memory or time.
    package init?(parsing text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let salt = Base64.bytes(parts[3]), let hash = Base64.bytes(parts[4]),
            salt.count >= 8, (16...64).contains(hash.count)
        else { return nil }
        var numbers: [String: Int] = [:]
        for item in parts[2].split(separator: ",") {
            let pair = item.split(separator: "=")
            guard pair.count == 2, let number = Int(pair[1]) else { return nil }
            numbers[String(pair[0])] = number
        }
        guard let log = numbers["ln"], let block = numbers["r"], let parallel = numbers["p"],
            numbers.count == 3, (4...20).contains(log), (1...32).contains(block),
            (1...16).contains(parallel), 128 * block << log <= Self.maximumMemory
        else { return nil }
        (logRounds, blockSize, parallelism) = (log, block, parallel)
        (self.salt, self.hash) = (salt, hash)
    }

    package var text: String {
        "$scrypt$ln=\(logRounds),r=\(blockSize),p=\(parallelism)"
            + "$\(Base64.text(salt, urlSafe: false, isPadded: false))"
            + "$\(Base64.text(hash, urlSafe: false, isPadded: false))"
    }

    /// Whether it is this password's, in a time that does not tell how much of it is.
    package func matches(_ password: String) -> Bool {
        let derived = try? Self.derive(
            password, salt: salt, logRounds, blockSize, parallelism, hash.count)
        guard let derived, derived.count == hash.count else { return false }
        return zip(derived, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func derive(
        _ password: String, salt: [UInt8], _ log: Int, _ block: Int, _ parallel: Int, _ count: Int
    ) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Array(password.utf8), salt: salt, outputByteCount: count, rounds: 1 << log,
            blockSize: block, parallelism: parallel
        ).withUnsafeBytes { Array($0) }
    }
}
