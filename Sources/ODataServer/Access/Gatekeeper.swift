import ODataQuery
import ODataText
import ODataWire
import ODataWorld

/// What a request has to pass before its body is taken: how many the client has sent, and who that is.
final class Gatekeeper: Sendable {
    private let access: AccessControl?
    private let rates: RequestRates?
    /// Proofs that were wrong, by address and user: guessing is slow.
    private let failures = RequestRates(perSecond: 0.2, burst: 20)
    private let world: any World

    /// Nil where there is nothing to pass.
    init?(_ configuration: ServiceConfiguration) {
        let rate = configuration.requestsPerSecond
        guard configuration.access != nil || rate != nil else { return nil }
        access = configuration.access
        rates = rate.map { RequestRates(perSecond: $0, burst: max(1, $0 * 2)) }
        world = configuration.world
    }

    /// - Parameters:
    ///   - address: where it comes from.
    ///   - mayBlock: false on an event loop: nil is what it would have to block for.
    func admission(
        _ head: RequestMessage, from address: String, mayBlock: Bool
    ) -> AccessControl.Admission? {
        let now = world.uptime()
        guard let access else {
            if let wait = rates?.take(address, at: now) { return .refused(Self.tooMany(wait)) }
            return .admitted(.service)
        }
        var decided = access.quickAdmission(head.headers)
        if decided == nil {
            // A name of its own for each user, for many may come from one address.
            let guess = Self.user(head.headers).map { address + " " + $0 }
            if let guess, let wait = failures.wait(guess, at: now) {
                return .refused(Self.tooMany(wait))
            }
            guard mayBlock else { return nil }
            decided = access.admission(head.headers)
            if let guess, case .refused? = decided { _ = failures.take(guess, at: now) }
        }
        guard case .admitted(let client)? = decided else { return decided }
        let name = client.principal?.name.map { "user " + $0 } ?? address
        if let wait = rates?.take(name, at: now) { return .refused(Self.tooMany(wait)) }
        return decided
    }

    /// Whose password is tried; nil for what is none.
    private static func user(_ headers: HeaderFields) -> String? {
        let parts = headers["Authorization"]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let bytes = Base64.bytes(parts[1])
        else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }

    /// 429 with the time after which another request is taken (RFC 6585, section 4).
    private static func tooMany(_ wait: Duration) -> ResponseMessage {
        var answer = ErrorAnswer.response(
            429, code: "tooManyRequests",
            message: "Expected fewer requests of one client; nothing was done about this one.")
        answer.headers["OData-Version"] = "4.0"
        let (seconds, rest) = wait.components
        answer.headers["Retry-After"] = String(max(1, seconds + (rest > 0 ? 1 : 0)))
        return answer
    }
}
