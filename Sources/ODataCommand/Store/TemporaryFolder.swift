import Foundation
import ODataSQLite

/// A folder of its own in the system's place for temporary files.
package struct TemporaryFolder: Sendable {
    package let path: String

    package init(_ name: String) throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("\(name)-\(UUID().uuidString.lowercased())")
        try PrivateFiles.makeFolder(url.path)
        path = url.path
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// Deletes the folder with everything in it.
    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
