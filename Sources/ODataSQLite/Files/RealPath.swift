import Foundation

/// The file that a path leads to, through links: SQLite puts its own files beside that one, and so do we.
package enum RealPath {
    /// Nil where nothing is there.
    package static func existing(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// The path itself where nothing is there.
    package static func of(_ path: String) -> String { existing(path) ?? path }
}
