import ODataSQLite
import ODataText
import Synchronization

/// A disk that remembers which writes were synced, so that power can be lost at any moment afterwards.
///
/// What was not synced may be lost or be there, each write by itself: the disk orders nothing.
package final class PowerLossDisk: FileWatch {
    /// The files as they would be found after the power was lost.
    package struct Moment: Sendable {
        /// What ``PowerLossDisk/acknowledge()`` had counted.
        package let acknowledged: Int
        /// Contents by path; only files that were synced, or written and kept.
        package let files: [String: [UInt8]]
    }

    private enum Pending {
        case write(offset: Int, bytes: [UInt8])
        case truncate(size: Int)
    }

    private struct File {
        var durable: [UInt8]?
        var pending: [Pending] = []
    }

    private struct State {
        var files: [String: File] = [:]
        var acknowledged = 0
        var moments: [Moment] = []
        var number = 0
        var random: SeededGenerator
        let every: Int
    }
    private let state: Mutex<State>

    /// - Parameter every: Power is lost after each so manieth change of a file.
    package init(seed: UInt64, every: Int = 1) {
        state = Mutex(State(random: SeededGenerator(seed: seed), every: max(1, every)))
    }

    /// A disk that has these files already, which it has synced.
    package convenience init(seed: UInt64, every: Int = 1, files: [String: [UInt8]]) {
        self.init(seed: seed, every: every)
        state.withLock { state in
            for (path, content) in files { state.files[path] = File(durable: content) }
        }
    }

    /// What was written up to now was acknowledged to the app.
    package func acknowledge() { state.withLock { $0.acknowledged += 1 } }

    package var moments: [Moment] { state.withLock { $0.moments } }

    package func before(_ operation: FileOperation) -> Int32 { 0 }

    package func after(_ operation: FileOperation, bytes: UnsafeRawBufferPointer) {
        guard let path = operation.path else { return }
        state.withLock { state in
            switch operation.kind {
            case .open:
                if state.files[path] == nil { state.files[path] = File() }
                return
            case .read: return
            case .write:
                state.files[path, default: File()].pending.append(
                    .write(offset: Int(operation.offset), bytes: Array(bytes)))
            case .truncate:
                state.files[path, default: File()].pending.append(
                    .truncate(size: Int(operation.offset)))
            case .sync: Self.sync(&state.files[path, default: File()])
            case .delete: state.files[path] = nil
            }
            state.number += 1
            if state.number % state.every == 0 { Self.losePower(&state) }
        }
    }

    private static func sync(_ file: inout File) {
        file.durable = apply(file.pending, to: file.durable ?? [])
        file.pending = []
    }

    private static func apply(_ changes: [Pending], to content: [UInt8]) -> [UInt8] {
        var content = content
        for change in changes {
            switch change {
            case .write(let offset, let bytes):
                let end = offset + bytes.count
                if content.count < end {
                    content += [UInt8](repeating: 0, count: end - content.count)
                }
                content.replaceSubrange(offset..<end, with: bytes)
            case .truncate(let size):
                if content.count > size { content.removeLast(content.count - size) }
            }
        }
        return content
    }

    /// Notes what would be found now: everything synced, and of the rest nothing, all, or any part.
    private static func losePower(_ state: inout State) {
        state.moments.append(
            Moment(acknowledged: state.acknowledged, files: filesAfterLoss(&state)))
    }

    /// The files as they would be found if the power were lost now, by path.
    package func losePower() -> [String: [UInt8]] {
        state.withLock { Self.filesAfterLoss(&$0) }
    }

    private static func filesAfterLoss(_ state: inout State) -> [String: [UInt8]] {
        let keeping = state.random.below(3)
        var files: [String: [UInt8]] = [:]
        for (path, file) in state.files.sorted(by: { $0.key < $1.key }) {
            var kept: [Pending] = []
            for change in file.pending {
                if keeping == 1 || (keeping == 2 && state.random.below(2) == 0) {
                    kept.append(change)
                }
            }
            guard file.durable != nil || !kept.isEmpty else { continue }
            files[path] = apply(kept, to: file.durable ?? [])
        }
        return files
    }
}
