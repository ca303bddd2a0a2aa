import Foundation
import ODataText
import Synchronization

/// Files and folders for their owner alone (modes 0600 and 0700), whatever the mask of the process leaves to others.
package enum PrivateFiles {
    private static let fileMode: mode_t = 0o600
    private static let folderMode: mode_t = 0o700
    /// What SQLite puts behind a database's name. It gives these files the mode of the database.
    private static let companions = ["", "-wal", "-shm", "-journal"]
    private static let turn = Mutex(())

    /// Makes an empty file for a database where there is none; SQLite takes it for new. Where there is one, others lose what
    /// they may do with it and with the files beside it. What cannot be done here is refused by SQLite, with its reason.
    package static func prepare(database path: String) {
        let isMade = turn.withLock { _ in
            // In turn: to close a file beside SQLite takes the locks of this process away, so nobody may have it open yet.
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
            guard descriptor >= 0 else { return false }
            fchmod(descriptor, fileMode)
            close(descriptor)
            return true
        }
        if !isMade { restrict(database: path) }
    }

    /// Takes from others what they may do with a database and the files beside it.
    package static func restrict(database path: String) {
        for companion in companions { restrict(path + companion) }
    }

    private static func restrict(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o077 != 0
        else { return }
        chmod(path, status.st_mode & 0o700)
    }

    /// Makes a folder, and those above it, where they are missing; others stay as they are.
    ///
    /// - Throws: `storage` when one cannot be made.
    package static func makeFolder(_ path: String) throws {
        var missing: [String] = []
        var folder = URL(fileURLWithPath: path).path
        while !folder.isEmpty, folder != "/", !isFolder(folder) {
            missing.append(folder)
            folder = (folder as NSString).deletingLastPathComponent
        }
        for folder in missing.reversed() where mkdir(folder, folderMode) != 0 {
            let reason = errno
            // Somebody else may have made it meanwhile.
            guard reason != EEXIST || !isFolder(folder) else { continue }
            throw failure("Expected to make a folder", reason, folder)
        }
    }

    /// Writes a file as a whole: either the old one or the new one is there.
    ///
    /// - Throws: `storage` when it cannot be written; nothing is left then.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        let part = path + "-" + UUID().uuidString.lowercased()
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
        guard descriptor >= 0 else { throw failure("Expected to write a file", errno, path) }
        fchmod(descriptor, fileMode)
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        } catch {
            unlink(part)
            throw ODataError(
                .storage, "Expected to write a file, it could not be written in full.",
                at: .path(path), underlying: error)
        }
        guard rename(part, path) == 0 else {
            let reason = errno
            unlink(part)
            throw failure("Expected to write a file", reason, path)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func failure(_ what: String, _ reason: Int32, _ path: String) -> ODataError {
        ODataError(.storage, "\(what): \(String(cString: strerror(reason))).", at: .path(path))
    }
}
