import Synchronization

/// How many requests of one client there may be: so many at once, and so many more with each second.
struct TokenBucket: Sendable, Hashable {
    private(set) var level: Double
    private var time: Duration

    init(full burst: Double, at now: Duration) {
        level = burst
        time = now
    }

    /// Takes one; how long it is until there is one where there is none.
    mutating func take(perSecond rate: Double, burst: Double, at now: Duration) -> Duration? {
        fill(perSecond: rate, burst: burst, at: now)
        guard level < 1 else {
            level -= 1
            return nil
        }
        return .seconds((1 - level) / rate)
    }

    mutating func fill(perSecond rate: Double, burst: Double, at now: Duration) {
        let (seconds, rest) = max(.zero, now - time).components
        level = min(burst, level + rate * (Double(seconds) + Double(rest) / 1e18))
        time = max(time, now)
    }
}

/// The requests of all clients, each counted by its name.
final class RequestRates: Sendable {
    private let rate: Double
    private let burst: Double
    private let buckets = Mutex<[String: TokenBucket]>([:])

    init(perSecond rate: Double, burst: Double) {
        self.rate = rate
        self.burst = burst
    }

    /// Counts a request; how long the client is to wait where it has sent too many.
    func take(_ client: String, at now: Duration) -> Duration? {
        buckets.withLock { buckets in
            if buckets.count >= Self.maximumCount, buckets[client] == nil { tidy(&buckets, now) }
            return buckets[client, default: TokenBucket(full: burst, at: now)].take(
                perSecond: rate, burst: burst, at: now)
        }
    }

    /// Whether the client has to wait; nothing is counted.
    func wait(_ client: String, at now: Duration) -> Duration? {
        buckets.withLock { buckets in
            var bucket = buckets[client]
            return bucket?.take(perSecond: rate, burst: burst, at: now)
        }
    }

    /// Those that are full again are as good as none.
    private func tidy(_ buckets: inout [String: TokenBucket], _ now: Duration) {
        for (client, var bucket) in buckets {
            bucket.fill(perSecond: rate, burst: burst, at: now)
            if bucket.level >= burst { buckets[client] = nil }
        }
        if buckets.count >= Self.maximumCount { buckets = [:] }
    }

    private static let maximumCount = 20_000
}
