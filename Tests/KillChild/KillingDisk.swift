import ODataSQLite
import ODataTesting
import Synchronization

/// Passes the point `disk` of a world at each operation that changes a file of the store, before it is done.
final class KillingDisk: FileWatch {
    private let world: KillingWorld

    private let passed = Mutex(0)

    init(_ world: KillingWorld) { self.world = world }

    /// Operations so far.
    var count: Int { passed.withLock { $0 } }

    func before(_ operation: FileOperation) -> Int32 {
        switch operation.kind {
        case .write, .truncate, .sync, .delete:
            passed.withLock { $0 += 1 }
            world.checkpoint("disk")
        case .open, .read: break
        }
        return 0
    }

    func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {}
}
