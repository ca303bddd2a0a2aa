import ODataTesting
import ODataText
import ODataWorld
import Synchronization

/// A world in which time and identifiers are counted, so that two runs of the same work write the same rows.
final class CountingWorld: VariedWorld {
    let live = LiveWorld()
    private let count = Mutex<UInt64>(0)

    private func next() -> UInt64 {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func now() -> Instant { Instant(seconds: 1_800_000_000) }
    func makeIdentifier() -> (UInt64, UInt64) { (0x4000, 0x8000_0000_0000_0000 | next()) }
    func random() -> UInt64 { next() }
}
