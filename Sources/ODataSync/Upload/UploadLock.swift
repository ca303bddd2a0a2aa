import Foundation
import ODataSQLite
import ODataText
import ODataWorld

/// Lets one upload of a store run at a time over all processes: what one has sent and not heard of yet would look to another
/// like something that was left behind.
///
/// An advisory lock on `STORE-upload`, which the system gives back when its process ends, however it ends. The file says who
/// has it. A store that is opened through a symbolic link is the one that the link leads to.
struct UploadLock {
    /// How long another upload is waited for.
    static let patience: Duration = .seconds(600)
    private static let interval: Duration = .milliseconds(50)

    private let descriptor: Int32

    /// Waits until no other upload of the store runs.
    ///
    /// - Throws: `cancelled`; `conflict` that says who has the store when its patience is at an end; `storage` where there
    ///   can be no such file.
    init(
        store path: String, world: any World, cancellation: CancellationFlag,
        patience: Duration = Self.patience, waiting: (String) -> Void = { _ in }
    ) throws {
        let file = Self.file(of: path)
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ODataError(
                .storage, "Expected to make a file beside the store, found error \(errno).",
                at: .path(file))
        }
        let end = world.uptime() + patience
        var isTold = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR else {
                close(descriptor)
                throw ODataError(
                    .storage, "Expected to lock a file beside the store, found error \(code).",
                    at: .path(file))
            }
            let holder = Self.holder(file)
            if !isTold {
                isTold = true
                waiting(holder)
            }
            let isOver = world.uptime() >= end
            guard !isOver, world.sleep(Self.interval, token: cancellation) else {
                close(descriptor)
                throw isOver
                    ? ODataError(
                        .conflict, "Expected the store for an upload, found one by \(holder).",
                        at: .path(path))
                    : ODataError(.cancelled, "The upload was cancelled before it began.")
            }
        }
        note("process \(ProcessInfo.processInfo.processIdentifier)")
    }

    /// Lets the next upload run.
    func release() {
        ftruncate(descriptor, 0)
        close(descriptor)
    }

    private static func file(of path: String) -> String { RealPath.of(path) + "-upload" }

    private func note(_ text: String) {
        ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    private static func holder(_ file: String) -> String {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.isEmpty ? "another process" : text
    }
}
