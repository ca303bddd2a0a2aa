import ODataTesting
import ODataText

/// One round of work at a store that nobody synchronises meanwhile: where it is killed, and at what.
struct StoreKillRound {
    enum Work: String, CaseIterable { case migrate, adopt, repair, export, rekey }

    let number: Int
    private(set) var random: SeededGenerator

    init(_ number: Int, seed: UInt64) {
        self.number = number
        random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    /// A moment of the work, a change of the disk, or what follows a point.
    mutating func trap(_ work: Work, _ child: KilledWork) -> KillingWorld.Trap {
        func trap(
            _ point: String, _ passages: Int = 1, then: String? = nil, _ delay: Int = 0
        ) -> KillingWorld.Trap {
            KillingWorld.Trap(
                point: point, passages: passages, then: then, delayMicroseconds: UInt32(delay))
        }
        let whenever = trap("work.begin", 1, 1 + below(max(1, child.microseconds * 95 / 100)))
        switch (work, below(3)) {
        case (_, 0), (.export, _): return whenever
        case (.repair, 1): return trap("store.repair.replace", 1, 1 + below(1_500))
        case (.repair, _):
            // While the new file is filled and put in order, before a write and inside of it.
            return below(2) == 0
                ? trap("store.write", 1 + below(2), 1 + below(3_000))
                : trap("store.write", 1 + below(2))
        case (.migrate, _), (.adopt, _): return trap("disk", 1 + below(max(1, child.operations)))
        // Each slot of the header is written and synced.
        case (.rekey, _): return trap("disk", 1 + below(4), below(2) * (1 + below(3_000)))
        }
    }
}
