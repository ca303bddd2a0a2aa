import Foundation
import ODataClasses
import ODataSync

/// Where the file of a store is.
struct StoreLocation: Sendable {
    static let defaultName = "localstore"
    static let suffix = ".db"

    /// The file's path.
    let path: String

    /// The store of this name in a folder; nil stands for the default name and the app's own folder.
    init(folder: URL?, name: String?) {
        let folder = folder?.path ?? Self.documents
        path = folder + "/" + (name ?? Self.defaultName) + Self.suffix
    }

    var databaseURL: String { "sqlite:" + path }

    var exists: Bool { FileManager.default.fileExists(atPath: path) }

    /// The documents folder on Apple platforms, `XDG_DATA_HOME` or its default elsewhere.
    private static var documents: String {
        #if canImport(Darwin)
            let folders = NSSearchPathForDirectoriesInDomains(
                .documentDirectory, .userDomainMask, true)
            return folders.first ?? NSHomeDirectory()
        #else
            let environment = ProcessInfo.processInfo.environment
            let home = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            return (home ?? NSHomeDirectory() + "/.local/share") + "/"
                + ProcessInfo.processInfo.processName
        #endif
    }
}
