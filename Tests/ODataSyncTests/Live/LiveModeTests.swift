import ODataSync
import ODataSyncPlan
import ODataWorld
import Synchronization
import Testing

@Suite struct LiveModeTests {
    private final class Place: Sendable {
        let mode = Mutex<LiveMode?>(nil)
        let states = Mutex<[LiveMode.State]>([])
    }

    /// Who stops it while the links are looked for has stopped it before the round says what came of it.
    @Test func nothingIsToldBehindTheEnd() {
        let place = Place()
        let mode = LiveMode(
            LiveWorld(), every: .seconds(60), hints: LiveHints(),
            LiveMode.Work(
                turn: { $0() }, round: { _, _ in .done },
                links: {
                    place.mode.withLock { $0 }?.stop()
                    return nil
                }, told: { state in place.states.withLock { $0.append(state) } }))
        place.mode.withLock { $0 = mode }
        mode.start()
        #expect(place.states.withLock { $0 } == [.synchronising, .stopped])
        place.mode.withLock { $0 = nil }
    }
}
