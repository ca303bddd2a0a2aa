import ArgumentParser
import Foundation

/// Which store is meant and what opens it.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The store: one SQLite file.", valueName: "file"),
        completion: .file())
    var store: String

    @OptionGroup var sealing: KeyOptions

    @OptionGroup var headers: HeaderOptions

    /// The key of the store; nil when none was named.
    func key() throws -> String? {
        try sealing.key()
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

    /// The file's text.
    static func text(_ path: String) throws -> String {
        guard let text = String(validating: try bytes(path), as: UTF8.self) else {
            throw CommandError.badInput("\(path): expected UTF-8 text.")
        }
        return text
    }
}
