import ODataQuery
import ODataWire

/// How often one request may still be repeated, and after how long.
struct RetryBudget: Sendable {
    private var networkFailures = 0
    private var refusals = 0
    private var tokenRefreshes = 0
    private var redirects = 0
    private var hasRefreshedCredentials = false

    private static let maximumNetworkFailures = 2
    private static let maximumRefusals = 1
    private static let maximumTokenRefreshes = 2
    private static let maximumRedirects = 10
    private static let longestPause: Int64 = 30

    /// True twice: the security token may be fetched again, also where the session ends with the fetch.
    mutating func takeTokenRefresh() -> Bool {
        tokenRefreshes += 1
        return tokenRefreshes <= Self.maximumTokenRefreshes
    }

    /// True a few times: a write may be sent where the service says.
    mutating func takeRedirect() -> Bool {
        redirects += 1
        return redirects <= Self.maximumRedirects
    }

    /// True once: the credentials may be renewed.
    mutating func takeCredentialRefresh() -> Bool {
        defer { hasRefreshedCredentials = true }
        return !hasRefreshedCredentials
    }

    /// The pause before a read is repeated after a network failure; nil when the budget is spent.
    mutating func pauseAfterNetworkFailure() -> Duration? {
        guard networkFailures < Self.maximumNetworkFailures else { return nil }
        networkFailures += 1
        return .milliseconds(50 << networkFailures)
    }

    /// The pause before a read is repeated after 429 or 503; nil when the answer stands.
    ///
    /// - Parameter now: seconds since 1970, for a `Retry-After` that names an instant (RFC 9110, section 10.2.3).
    mutating func pause(
        after status: Int, _ headers: HeaderFields, now: Int64
    ) -> Duration? {
        guard status == 429 || status == 503, refusals < Self.maximumRefusals,
            let text = headers["Retry-After"],
            let seconds = Int64(text)
                ?? HTTPDate.secondsSince1970(text).map({ max(0, $0 - now) }),
            seconds >= 0, seconds <= Self.longestPause
        else { return nil }
        refusals += 1
        return .seconds(seconds)
    }
}
