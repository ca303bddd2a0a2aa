import Foundation
import ODataSQLite

/// The folder that `~` stands for in the file names of the API; the same as in the URLs of local databases.
package struct PrivateFolder: Sendable {
    package var path: String

    package init(path: String? = nil) {
        self.path = path ?? StorePath.dataFolder
    }

    /// `file` with a leading `~/` replaced by the folder.
    package func expanding(_ file: String) -> String {
        file.hasPrefix("~/") ? path + file.dropFirst(1) : file
    }

    package func hasFile(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: expanding(file))
    }

    /// What a file holds; nil when there is none.
    package func read(_ file: String) throws -> [UInt8]? {
        let place = expanding(file)
        guard FileManager.default.fileExists(atPath: place) else { return nil }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
    }

    /// Writes a file as a whole, its folders with it, for its owner alone.
    package func write(_ bytes: [UInt8], to file: String) throws {
        let place = expanding(file)
        try PrivateFiles.makeFolder((place as NSString).deletingLastPathComponent)
        try PrivateFiles.write(bytes, to: place)
    }

    /// Removes a file, where there is one.
    package func remove(_ file: String) throws {
        let place = expanding(file)
        guard FileManager.default.fileExists(atPath: place) else { return }
        try FileManager.default.removeItem(atPath: place)
    }
}
