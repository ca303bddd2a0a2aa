import Foundation
import ODataSQLite

/// Lets a store have one owner at a time, over all processes and inside one.
///
/// An advisory lock on `STORE-owner`, which the system gives back when its process ends, however it ends. The file says who
/// has it, and stays: to delete it would let two have it. A store that is opened through a symbolic link is the one that the
/// link leads to.
final class OwnerLock: Sendable {
    static let suffix = "-owner"

    private let descriptor: Int32

    /// Takes the lock, or says who has it; waits for nobody.
    ///
    /// - Throws: `storeInUse` where the store has an owner, `storage` where there can be no such file.
    init(store path: String) throws {
        let file = Self.file(of: path)
        let folder = (file as NSString).deletingLastPathComponent
        if !folder.isEmpty {
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ODataError(
                .storage, "Expected to make a file beside the store, found error \(errno).",
                at: file)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw ODataError(
                    .storage, "Expected to lock a file beside the store, found error \(code).",
                    at: file)
            }
            let holder = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            throw ODataError(
                .storeInUse,
                "Expected a store without an owner, found one that belongs to"
                    + " \(holder.isEmpty ? "another process" : holder): open it as a reader.",
                at: path)
        }
        ftruncate(descriptor, 0)
        let text = "process \(ProcessInfo.processInfo.processIdentifier)"
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func file(of path: String) -> String { RealPath.of(path) + suffix }
}
