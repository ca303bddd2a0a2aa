/// What the device wants to be spared while a synchronisation goes on by itself.
package struct LiveHints: Sendable, Hashable {
    /// The network is paid for by what goes over it.
    package var isMetered = false
    /// The device saves energy.
    package var isLowPower = false

    package init(isMetered: Bool = false, isLowPower: Bool = false) {
        (self.isMetered, self.isLowPower) = (isMetered, isLowPower)
    }

    var isSparing: Bool { isMetered || isLowPower }
}

/// How long a synchronisation that goes on by itself waits before its next round: the interval after a round that ended well,
/// and after failures longer each time up to a bound. Scattered, so that many devices do not come at once.
package struct LivePace: Sendable, Hashable {
    /// The first wait after a failure.
    package static let firstRetry: Duration = .seconds(2)
    /// No wait is longer but for the interval itself.
    package static let longestRetry: Duration = .seconds(300)
    /// The part of a wait that chance decides.
    package static let scatter = 0.2
    /// How many intervals pass between rounds of a device that wants to be spared.
    package static let sparing = 4

    package let interval: Duration
    package var hints = LiveHints()
    /// Rounds that have failed since the last one that ended well.
    package private(set) var failures = 0

    /// - Parameter interval: At least a second counts.
    package init(interval: Duration) { self.interval = max(interval, .seconds(1)) }

    package mutating func succeed() { failures = 0 }

    package mutating func fail() { failures = min(failures + 1, 30) }

    /// Whether the service may be asked to hold requests: not while it fails, and a connection that is kept open costs energy
    /// and, with what keeps it open, money.
    package var mayHold: Bool { failures == 0 && !hints.isSparing }

    /// - Parameter chance: From 0 to 1.
    package func wait(chance: Double) -> Duration {
        let interval = hints.isSparing ? self.interval * Self.sparing : self.interval
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
