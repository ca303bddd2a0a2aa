import Foundation
import ODataSQLite

/// A folder that the caller wants results in.
enum KeptFolder {
    /// Makes the folder where it is missing.
    ///
    /// - Throws: bad input when it holds databases already, or cannot be made.
    static func prepare(_ path: String) throws -> String {
        do {
            try PrivateFiles.makeFolder(path)
            let found = try FileManager.default.contentsOfDirectory(atPath: path)
            guard !found.contains(where: { $0.hasSuffix(".sqlite") }) else {
                throw CommandError.badInput("\(path): expected a folder without databases.")
            }
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError.badInput("\(path): expected a folder that can be written.")
        }
        return path
    }
}
