/// How far the clock of this device is from the service's, as the `Date` of its answers tells (RFC 9110, section 6.6.1).
///
/// The time of an identity is meant by the service's clock (OASIS Repeatable Requests 1.0, section 2.2): one that is made by
/// a clock some minutes off is refused as too old, or as of the future.
package struct ServiceClock: Sendable, Hashable {
    /// Differences up to this are those of networks and of whole seconds.
    package static let toleranceSeconds: Int64 = 300

    /// Seconds that the service is ahead; nil before its first answer.
    package private(set) var aheadSeconds: Int64?

    package init() {}

    /// The service has answered, whether that told the time or not.
    package private(set) var isAsked = false

    /// - Parameters:
    ///   - date: the header `Date` of an answer; what is no date says nothing.
    ///   - now: seconds since 1970 by this device when the answer came.
    package mutating func learn(date: String?, at now: Int64) {
        isAsked = true
        guard let seconds = date.flatMap({ HTTPDate.secondsSince1970($0) }) else { return }
        aheadSeconds = seconds - now
    }

    /// The service's time in seconds since 1970, where the device is far off; else the device's own.
    package func seconds(at now: Int64) -> Int64 {
        guard let aheadSeconds, abs(aheadSeconds) > Self.toleranceSeconds else { return now }
        return now + aheadSeconds
    }
}
