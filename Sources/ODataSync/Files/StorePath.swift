import Foundation
import ODataText

/// Where the file behind a database URL lies.
package enum StorePath {
    /// The absolute path for `sqlite:PATH` or a path alone; `~` stands for the app's own data folder.
    ///
    /// - Throws: `usage` for another scheme or an empty path.
    package static func path(of url: String) throws -> String {
        let isURL = url.hasPrefix("sqlite:")
        let path = isURL ? String(url.dropFirst("sqlite:".count)) : url
        guard !path.isEmpty, isURL || url.prefixMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]+:/#) == nil
        else {
            throw ODataError(
                .usage, "Expected a database URL such as sqlite:~/name.db, or a path.",
                at: .path(url))
        }
        if path.hasPrefix("~/") { return dataFolder + String(path.dropFirst(1)) }
        if path.hasPrefix("/") { return path }
        return FileManager.default.currentDirectoryPath + "/" + path
    }

    /// The folder for the app's own data: application support on Apple platforms, `XDG_DATA_HOME` elsewhere.
    package static var dataFolder: String {
        let name = ProcessInfo.processInfo.processName
        if let folder = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], !folder.isEmpty {
            return folder + "/" + name
        }
        #if canImport(Darwin)
            let folders = NSSearchPathForDirectoriesInDomains(
                .applicationSupportDirectory, .userDomainMask, true)
            return (folders.first ?? NSHomeDirectory()) + "/" + name
        #else
            return NSHomeDirectory() + "/.local/share/" + name
        #endif
    }
}
