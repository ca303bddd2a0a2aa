import Foundation
import ODataSQLite
import ODataText
import ODataWorld

/// Where a service keeps copies of clients' stores, which people send who ask for help: each as a database, under the key that
/// its sender chose or in clear, with a JSON file beside it that says when it came, from whom and why.
package struct StoreCopies: Sendable {
    /// What the URL is called below the service root.
    static let path = "$database"

    package var folder: String
    /// Bytes of one copy.
    package var maximumBytes: Int64 = 1 << 30
    /// Copies in the folder; further ones are refused until somebody has taken some away.
    package var maximumCount = 100

    /// - Throws: `storage` when the folder cannot be made.
    package init(folder: String) throws {
        self.folder = folder
        try PrivateFiles.makeFolder(folder)
    }

    /// Takes the body of one request.
    func intake(contentType: String?, world: any World) -> StoreCopyIntake {
        StoreCopyIntake(self, contentType: contentType, world: world)
    }

    func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .count { $0.hasSuffix(StoreCopyIntake.suffix) }
    }
}
