import Foundation
import ODataTesting
import ODataText

/// Where a client is killed in one round.
struct KillRound {
    enum Kind: String, CaseIterable {
        case ingest, index, localWrite, beforeSending, beforeAnswer, beforeRecord, checkpoint
    }

    /// What the service makes of the request that the client does not live to see answered.
    enum Lost { case request, answer }

    var number: Int
    let kind: Kind
    /// The round begins with a new store and its first download.
    let isFresh: Bool
    var trap: KillingWorld.Trap
    var lost: Lost?

    /// The round of this number in the sequence that the seed gives: the seven kinds in turn.
    init(_ number: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
        self.number = number
        kind = Kind.allCases[number % Kind.allCases.count]
        let turn = number / Kind.allCases.count
        let isEven = turn % 2 == 0
        func trap(
            _ point: String, _ passages: Int, then: String? = nil, within delay: Int = 0
        ) -> KillingWorld.Trap {
            KillingWorld.Trap(
                point: point, passages: passages, then: then,
                delayMicroseconds: delay == 0 ? 0 : UInt32(1 + random.below(delay)))
        }
        switch kind {
        case .ingest:
            isFresh = turn % 3 != 2
            // Time is read between the rows of a first load, and when a delta has been applied but not committed.
            switch (isEven, isFresh) {
            case (true, true): self.trap = trap("uptime", 1 + random.below(24))
            case (true, false):
                self.trap = trap("ingest.commit", 1 + random.below(5), then: "clock")
            case (false, _): self.trap = trap("ingest.commit", 1 + random.below(isFresh ? 10 : 6))
            }
        case .index:
            isFresh = isEven
            // After the statements and before the commit, or while the statements run.
            self.trap =
                isEven
                ? trap("index.build", 3 + random.below(6), then: "clock")
                : trap("index.build", 1 + random.below(2), within: 3_000)
        case .localWrite:
            isFresh = turn % 8 == 0
            let last = [1, 2, 3, 5, 6, 7, 9, 10, 11, 13][random.below(10)]
            self.trap =
                isEven ? trap("write.local", last, then: "clock") : trap("write.local", last)
        case .beforeSending:
            isFresh = false
            // Behind the transaction that says that it may have left.
            self.trap = trap("upload.frozen", 1 + random.below(4))
        case .beforeAnswer:
            isFresh = turn % 8 == 1
            lost = isEven ? .answer : .request
            self.trap = trap("upload.request", 1 + random.below(4))
        case .beforeRecord:
            isFresh = false
            self.trap = trap("upload.answered", 1 + random.below(4), within: isEven ? 0 : 4_000)
        case .checkpoint:
            isFresh = turn % 8 == 2
            self.trap = trap("store.checkpoint", 1, within: isEven ? 600 : 6_000)
        }
    }
}
