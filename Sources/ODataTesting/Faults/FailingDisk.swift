import ODataSQLite
import Synchronization

/// A disk whose n-th operation fails, once or from then on.
package final class FailingDisk: FileWatch {
    package struct Fault: Sendable {
        /// Counted from 1 over the operations of `kinds`.
        package var at: Int
        package var kinds: Set<FileOperation.Kind>
        /// Everything of these kinds fails from there on, as when the disk is full.
        package var lasts: Bool
        /// SQLite's result code.
        package var code: Int32

        /// An input/output error.
        package static func once(_ kind: FileOperation.Kind, at number: Int) -> Fault {
            let codes: [FileOperation.Kind: Int32] = [
                .open: 14, .read: 10 | 1 << 8, .write: 10 | 3 << 8, .sync: 10 | 4 << 8,
                .truncate: 10 | 6 << 8, .delete: 10 | 10 << 8,
            ]
            return Fault(at: number, kinds: [kind], lasts: false, code: codes[kind] ?? 10)
        }

        /// `SQLITE_FULL` for every write.
        package static func full(from number: Int) -> Fault {
            Fault(at: number, kinds: [.write], lasts: true, code: 13)
        }
    }

    private struct State {
        var fault: Fault?
        var passed = 0
        var hits = 0
        var counts: [FileOperation.Kind: Int] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    /// What fails from now on; counting begins anew.
    package func set(_ fault: Fault?) {
        state.withLock { state in
            state.fault = fault
            state.passed = 0
            state.hits = 0
        }
    }

    /// Operations so far, failed ones included.
    package func count(of kind: FileOperation.Kind) -> Int {
        state.withLock { $0.counts[kind] ?? 0 }
    }

    /// How many operations have failed since the fault was set.
    package var hits: Int { state.withLock { $0.hits } }

    package func before(_ operation: FileOperation) -> Int32 {
        state.withLock { state in
            state.counts[operation.kind, default: 0] += 1
            guard let fault = state.fault, fault.kinds.contains(operation.kind) else { return 0 }
            state.passed += 1
            guard fault.lasts ? state.passed >= fault.at : state.passed == fault.at else {
                return 0
            }
            state.hits += 1
            return fault.code
        }
    }

    package func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {}
}
