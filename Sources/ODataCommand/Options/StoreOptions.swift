import ArgumentParser
import Foundation
import ODataText

/// Which store is meant and what opens it.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The store: one SQLite file.", valueName: "file"),
        completion: .file())
    var store: String

    @OptionGroup var sealing: KeyOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A header to send with every request, as 'Name: value'; may be repeated.",
            valueName: "header"))
    var header: [String] = []

    /// The first line of the key file; nil when none was named.
    func key() throws -> String? {
        try sealing.key()
    }

    /// Names and values of ``header``.
    func headers() throws -> [(name: String, value: String)] {
        try HeaderArgument.parse(header)
    }
}

/// Headers as the command line gives them.
enum HeaderArgument {
    static func parse(_ texts: [String]) throws -> [(name: String, value: String)] {
        try texts.map { text in
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
                !text.contains(where: \.isNewline)
            else {
                throw CommandError.badInput("--header: expected 'Name: value', found no colon.")
            }
            let value = text[text.index(after: colon)...]
            return (
                text[..<colon].trimmingCharacters(in: .whitespaces),
                value.trimmingCharacters(in: .whitespaces)
            )
        }
    }
}

/// Files that the command line names.
enum InputFile {
    static let maximumBytes = 256 << 20

    /// The file's bytes.
    ///
    /// - Throws: bad input when it is missing, unreadable or too large.
    static func bytes(_ path: String) throws -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError.badInput("\(path): no such file.")
        }
        guard !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError.badInput("\(path): expected a readable file.")
        }
        defer { try? handle.close() }
        guard let data = try? handle.read(upToCount: maximumBytes + 1) else { return [] }
        guard data.count <= maximumBytes else {
            throw CommandError.badInput("\(path): expected at most \(maximumBytes) bytes.")
        }
        return Array(data)
    }

    /// The key that a file holds.
    static func firstLine(_ path: String) throws -> String {
        let line = try text(path).split(separator: "\n", omittingEmptySubsequences: false).first
        guard let line, !line.isEmpty else {
            throw CommandError.badInput("\(path): expected a key on the first line, found none.")
        }
        return String(line)
    }

    /// The file's text.
    static func text(_ path: String) throws -> String {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw CommandError.badInput("\(path): expected UTF-8 text.")
        }
        return text
    }
}
