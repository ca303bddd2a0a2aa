import Foundation
import ODataText

/// Makes the first hundred bytes of a database in clear again: they hold nothing that the rest of the file does not tell.
package struct HeaderRepair {
    let path: String
    /// What `PRAGMA user_version` and `PRAGMA application_id` are to be.
    let format: Int64
    let application: Int64

    package init(path: String, format: Int64, application: Int64) {
        self.path = path
        self.format = format
        self.application = application
    }

    private static let sizes = [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536, 512]

    /// Where copies of the file are made while the repair runs; a kill leaves them.
    package static func folder(beside path: String) -> String { path + "-header" }

    /// Tries headers on a copy of the file and its log, and writes the one that fits into the file.
    ///
    /// - Throws: `storage` when none fits; the file is as it was.
    package func run() throws {
        let folder = URL(fileURLWithPath: Self.folder(beside: path))
        try? FileManager.default.removeItem(at: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        try PrivateFiles.makeFolder(folder.path)
        for size in Self.sizes {
            let header = DatabasePages.header(
                pageSize: size, reserved: 0, format: format, application: application)
            let copy = folder.appendingPathComponent("store-\(size)").path
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            try Self.write(header, to: copy)
            if (try? fits(copy)) == true { return try Self.write(header, to: path) }
            // One copy at a time is enough beside a large file.
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: copy + suffix)
            }
        }
        throw ODataError(
            .storage, "Expected a store, found a file whose header and pages say nothing of one.",
            at: .path(path))
    }

    private func fits(_ copy: String) throws -> Bool {
        let held = try DamagedFile(holding: try StoreFile(path: copy))
        defer { held.close() }
        let pages = try DatabasePages(held, trustsHeader: false)
        // Nodes of trees say what they are; pages of long values begin with the number of another page.
        var (nodes, others) = (0, 0)
        for page in 1...max(1, pages.count) {
            let kind = pages.number(page: page, page == 1 ? 100 : 0, 1)
            if [2, 5, 10, 13].contains(kind) { nodes += 1 }
            if kind.map({ $0 > 13 }) == true { others += 1 }
        }
        return nodes > 0 && others * 8 <= pages.count
    }

    private static func write(_ header: [UInt8], to path: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: header)
        try handle.synchronize()
    }
}
