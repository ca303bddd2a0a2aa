import ODataSQLite
import ODataTesting
import Synchronization

/// A disk that has no room for a while; what it has room for goes to another watch.
final class FullDisk: FileWatch {
    private let isFull = Mutex(false)
    private let base: (any FileWatch)?

    init(_ base: (any FileWatch)? = nil) { self.base = base }

    var hasRoom: Bool {
        get { isFull.withLock { !$0 } }
        set { isFull.withLock { $0 = !newValue } }
    }

    func before(_ operation: FileOperation) -> Int32 {
        // SQLITE_FULL.
        if operation.kind == .write, isFull.withLock({ $0 }) { return 13 }
        return base?.before(operation) ?? 0
    }

    func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {
        base?.after(operation, bytes: bytes)
    }
}
