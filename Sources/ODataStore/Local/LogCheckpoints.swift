import GRDB
import GRDBSQLite
import ODataSQLite
import ODataWorld

/// Brings the log of a store into the file beside those who write, so that no commit of a long load takes the time for it.
///
/// What the writer's own checkpoints find to do is little then, and they still bound the log. Thread and connection are
/// made when there is enough to bring over, so that a small download has neither. Everything mutable is guarded by
/// `monitor`.
final class LogCheckpoints: @unchecked Sendable {
    private let connections: StoreConnections
    private let world: any World
    private let monitor: any Monitor
    private var worker: (any WorkerHandle)?
    /// Pages that had been written when there was last enough to bring over; nil before the first transaction.
    private var told: Int?
    private var isDue = false
    private var isOver = false

    /// Pages of the log after which they are brought over: 4 MiB.
    private static let pages = 1_024

    init(_ connections: StoreConnections, _ world: any World) {
        (self.connections, self.world) = (connections, world)
        monitor = world.makeMonitor()
    }

    /// A transaction has ended, after which the writer has written so many pages since it was opened.
    func note(pagesWritten count: Int) {
        monitor.withLock {
            guard let before = told else {
                told = count
                return
            }
            guard !isOver, count - before >= Self.pages else { return }
            told = count
            isDue = true
            monitor.signal()
            worker = worker ?? world.startWorker("odata-log") { [self] in run() }
        }
    }

    /// Waits for what is under way; nothing is brought over any more.
    func stop() {
        let worker = monitor.withLock {
            isOver = true
            monitor.signal()
            return self.worker
        }
        worker?.join()
    }

    private func run() {
        // What cannot be brought over here is left to the writer, which says why it cannot.
        guard let connection = try? connections.makeCheckpointer() else { return }
        defer { try? connection.close() }
        while waitUntilDue() {
            world.checkpoint("store.checkpoint")
            try? connection.writeWithoutTransaction {
                _ = try $0.checkpoint(.passive)
                $0.syncFile()
            }
        }
    }

    private func waitUntilDue() -> Bool {
        monitor.withLock {
            while !isDue, !isOver { _ = monitor.wait(timeout: nil) }
            isDue = false
            return !isOver
        }
    }
}

extension Database {
    // Hot: FirstSync, DuringSync
    /// Has the system write to disk what was brought into the file, so that the checkpoint of the writer, which must wait for
    /// all of it before the log begins anew, finds little to wait for.
    ///
    /// A failure is told by that checkpoint: Linux tells each open file of a page that it could not write, whoever else was
    /// told. Elsewhere the first to ask may be the only one that hears of it; there the writer's checkpoint stays alone.
    fileprivate func syncFile() {
        #if os(Linux)
            var file: UnsafeMutablePointer<sqlite3_file>?
            let code = sqlite3_file_control(
                sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
            guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return }
            _ = methods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
        #endif
    }

    /// Pages that the connection has written to the log since it was opened.
    var pagesWritten: Int {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &highest, 0)
        return Int(count)
    }
}

extension LocalStore {
    /// Runs `body`, which writes much, while another thread brings the log into the file.
    package func checkpointing(_ body: () throws -> Void) throws {
        let log = LogCheckpoints(try pool(), world)
        let isFirst = use(log)
        defer {
            if isFirst {
                use(nil)
                log.stop()
            }
        }
        try body()
    }
}
