import ODataQuery

/// How often one request may still be repeated, and after how long.
struct RetryBudget: Sendable {
    private var networkFailures = 0
    private var refusals = 0
    private var hasRefreshedToken = false

    private static let maximumNetworkFailures = 2
    private static let maximumRefusals = 1
    private static let longestPause = 30

    /// True once: the security token may be fetched again.
    mutating func takeTokenRefresh() -> Bool {
        defer { hasRefreshedToken = true }
        return !hasRefreshedToken
    }

    /// The pause before a read is repeated after a network failure; nil when the budget is spent.
    mutating func pauseAfterNetworkFailure() -> Duration? {
        guard networkFailures < Self.maximumNetworkFailures else { return nil }
        networkFailures += 1
        return .milliseconds(50 << networkFailures)
    }

    /// The pause before a read is repeated after 429 or 503; nil when the answer stands.
    mutating func pause(after status: Int, _ headers: HeaderFields) -> Duration? {
        guard status == 429 || status == 503, refusals < Self.maximumRefusals,
            let seconds = headers["Retry-After"].flatMap({ Int($0) }), seconds >= 0,
            seconds <= Self.longestPause
        else { return nil }
        refusals += 1
        return .seconds(seconds)
    }
}
