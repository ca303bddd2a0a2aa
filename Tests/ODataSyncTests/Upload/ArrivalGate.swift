import Foundation
import Synchronization

/// Holds callers until a number of them has arrived, and tells how many that were; guarded by `condition`.
final class ArrivalGate: @unchecked Sendable {
    private let condition = NSCondition()
    private let count: Int
    private var arrived = 0

    init(_ count: Int) { self.count = count }

    /// Blocks until enough have arrived, at most five minutes: beside all other tests that takes longer than alone.
    func arrive() {
        condition.lock()
        defer { condition.unlock() }
        arrived += 1
        condition.broadcast()
        let limit = Date(timeIntervalSinceNow: 300)
        while arrived < count, condition.wait(until: limit) {}
    }

    var arrivals: Int {
        condition.lock()
        defer { condition.unlock() }
        return arrived
    }
}
