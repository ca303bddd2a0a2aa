import Foundation
import ODataSQLite
import ODataText
import ODataWorld
import Synchronization

/// Where a service keeps copies of clients' stores, which people send who ask for help: each as a database, under the key that
/// its sender chose or in clear, with a JSON file beside it that says when it came, from whom and why.
package final class StoreCopies: Sendable {
    /// What the URL is called below the service root.
    static let path = "$database"
    static let suffix = ".db"
    static let note = ".json"
    static let partial = ".part"

    package let folder: String
    /// Bytes of one copy.
    let maximumBytes: Int64
    /// Copies in the folder, those on their way among them; further ones are refused until somebody has taken some away.
    let maximumCount: Int
    private let arriving = Mutex(0)

    /// Copies that an earlier service did not get whole are deleted.
    ///
    /// - Throws: `storage` when the folder cannot be made or read.
    package init(
        folder: String, maximumBytes: Int64 = 1 << 30, maximumCount: Int = 100
    ) throws {
        self.folder = folder
        self.maximumBytes = maximumBytes
        self.maximumCount = maximumCount
        try PrivateFiles.makeFolder(folder)
        for name in try names() where name.hasSuffix(Self.partial) {
            try? FileManager.default.removeItem(atPath: folder + "/" + name)
        }
    }

    /// Takes a place for one more copy, which ``leave()`` gives back.
    ///
    /// - Throws: `limitExceeded`, 507, where there is none.
    func enter() throws {
        try arriving.withLock { arriving in
            let kept = try names().count { $0.hasSuffix(Self.suffix) }
            guard kept + arriving < maximumCount else {
                throw ODataError(
                    .limitExceeded, "Expected at most \(maximumCount) copies to be kept here.",
                    status: 507)
            }
            arriving += 1
        }
    }

    func leave() { arriving.withLock { $0 -= 1 } }

    private func names() throws -> [String] {
        try Self.storing { try FileManager.default.contentsOfDirectory(atPath: folder) }
    }

    /// Runs what needs the folder.
    ///
    /// - Throws: `storage`, 507, for what the system says, which is none of the client's business.
    static func storing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ODataError {
            throw error
        } catch {
            throw ODataError(
                .storage, "Expected room for a copy, it could not be written.", status: 507,
                underlying: error)
        }
    }
}
