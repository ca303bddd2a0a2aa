import Foundation
import ODataSQLite

/// The encryption key that a file holds.
///
/// - 32 bytes that are no text are the key itself.
/// - Anything else is UTF-8 text of one line; a byte order mark in front and one line end behind do not belong to it.
/// - A text of hexadecimal digits alone, 32 of them or more, is meant as a key and has 64; blanks around it do not count.
/// - Any other text is a passphrase, as it stands.
package enum KeyFile {
    private static let hexadecimalDigits = 64
    private static let shortestHexadecimal = 32
    private static let maximumBytes = 1_024

    /// - Throws: bad input that names the file and what was expected, never what stands in it.
    package static func key(in path: String) throws -> String {
        let bytes = try InputFile.bytes(path)
        guard bytes.count <= maximumBytes + 8 else {
            throw refusal(path, "a key of at most \(maximumBytes) bytes, found \(bytes.count)")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            guard bytes.count == StoreKey.byteCount else {
                throw refusal(
                    path,
                    "\(StoreKey.byteCount) bytes of a key or a line of text, found"
                        + " \(bytes.count) bytes that are no text")
            }
            return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return try key(ofLine: line(of: text, path), path)
    }

    private static func line(of text: String, _ path: String) throws -> String {
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        if scalars.last == "\n" { scalars.removeLast() }
        if scalars.last == "\r" { scalars.removeLast() }
        guard !scalars.isEmpty else { throw refusal(path, "a key, found an empty line") }
        let breaks = scalars.count { $0 == "\n" || $0 == "\r" }
        guard breaks == 0 else {
            throw refusal(path, "one line with a key, found \(breaks + 1) lines")
        }
        return String(scalars)
    }

    private static func key(ofLine line: String, _ path: String) throws -> String {
        let word = line.trimmingCharacters(in: .whitespaces)
        let isHexadecimal = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
        }
        guard isHexadecimal, word.utf8.count >= shortestHexadecimal else {
            guard !word.isEmpty else { throw refusal(path, "a key, found blanks") }
            guard line.utf8.count <= maximumBytes else {
                throw refusal(
                    path, "a passphrase of at most \(maximumBytes) bytes, found \(line.utf8.count)")
            }
            return line
        }
        guard word.utf8.count == hexadecimalDigits else {
            throw refusal(
                path,
                "\(hexadecimalDigits) hexadecimal digits (\(StoreKey.byteCount) bytes), found"
                    + " \(word.utf8.count)")
        }
        return word
    }

    private static func refusal(_ path: String, _ what: String) -> CommandError {
        .badInput("\(path): expected \(what).")
    }
}
