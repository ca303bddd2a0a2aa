import Foundation
import ODataSQLite

/// Looks at a SQLite file from outside, before anything is opened.
enum DatabaseFile {
    /// - Parameter mayBeSealed: takes an encrypted store, too.
    /// - Throws: bad input unless the file is there and starts as SQLite files do.
    static func check(_ path: String, mayBeSealed: Bool = false) throws {
        guard !ServiceRoot.isURL(path) else {
            throw CommandError.badInput("Expected a SQLite file, found a URL.")
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandError.badInput("\(path): no such file.")
        }
        guard !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandError.badInput("\(path): expected a readable file.")
        }
        defer { try? handle.close() }
        let head = (try? handle.read(upToCount: 16)) ?? nil
        if mayBeSealed, let head, StoreFile.isSealed(head) { return }
        guard let head, Array(head) == Array("SQLite format 3\0".utf8) else {
            throw CommandError.badInput(
                "\(path): expected a SQLite database, found something else.")
        }
    }
}
