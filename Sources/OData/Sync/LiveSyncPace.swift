/// How long a synchronisation that goes on by itself waits before its next round: the interval after a round that ended well,
/// and after failures longer each time up to a bound. Scattered, so that many devices do not come at once.
struct LiveSyncPace: Sendable, Hashable {
    /// The first wait after a failure.
    static let firstRetry: Duration = .seconds(2)
    /// No wait is longer but for the interval itself.
    static let longestRetry: Duration = .seconds(300)
    /// The part of a wait that chance decides.
    static let scatter = 0.2

    let interval: Duration
    /// Rounds that have failed since the last one that ended well.
    private(set) var failures = 0

    /// - Parameter interval: At least a second counts.
    init(interval: Duration) { self.interval = max(interval, .seconds(1)) }

    mutating func succeed() { failures = 0 }

    mutating func fail() { failures = min(failures + 1, 30) }

    /// - Parameter chance: From 0 to 1.
    func wait(chance: Double) -> Duration {
        var wait = interval
        if failures > 0 {
            wait = Self.firstRetry
            let longest = max(Self.longestRetry, interval)
            for _ in 1..<max(failures, 1) where wait < longest { wait = wait * 2 }
            wait = min(wait, longest)
        }
        return wait * (1 - Self.scatter / 2 + Self.scatter * chance)
    }
}
