import Foundation
import ODataTesting
import ODataText
import ODataWorld
import Synchronization

/// Keeps what a kill would leave: a copy of the store between any two transactions. Time and identifiers are the live world's.
final class SnapshotWorld: VariedWorld {
    let live = LiveWorld()
    private let state = Mutex<(path: String?, copies: [String])>((nil, []))

    /// Copies the file from now on; nil for no more.
    func watch(_ path: String?) { state.withLock { $0.path = path } }

    /// The copies so far.
    var copies: [String] { state.withLock { $0.copies } }

    func checkpoint(_ name: StaticString) {
        state.withLock { state in
            guard let path = state.path else { return }
            let copy = path + ".copy\(state.copies.count)"
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            state.copies.append(copy)
        }
    }
}
