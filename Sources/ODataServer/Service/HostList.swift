import ODataQuery
import ODataText
import ODataWire

/// The names that a service answers to over the network: a page of another site may let its own name lead to this
/// machine, and its requests are told by that name.
struct HostList {
    private let host: String
    private let accepted: [String]?

    init(_ configuration: ServiceConfiguration) {
        host = configuration.host.lowercased()
        accepted = configuration.acceptedHosts?.map { $0.lowercased() }
    }

    /// 400 for a request that names no host or none that could be one, 421 for another host than this; nil for all others.
    func refusal(_ request: RequestMessage) -> ResponseMessage? {
        guard let authority = Self.authority(of: request),
            let name = HostName.split(authority)?.name, !name.isEmpty
        else {
            return answer(400, "badHost", "Expected a Host with a name or address.")
        }
        guard isOurs(name) else {
            return answer(
                421, ServiceCode.misdirected.description,
                "Expected a name of this service as Host, found another name.")
        }
        return nil
    }

    private func answer(_ status: Int, _ code: String, _ message: String) -> ResponseMessage {
        var answer = ErrorAnswer.response(status, code: code, message: message)
        answer.headers["OData-Version"] = "4.0"
        return answer
    }

    private func isOurs(_ name: String) -> Bool {
        if HostName.isLoopback(name) || name == host || name == "[\(host)]" { return true }
        if let accepted { return accepted.contains(name) }
        return !HostName.isLoopback(host)
    }

    /// An absolute URL goes before the header (RFC 9112, section 3.2.2).
    private static func authority(of request: RequestMessage) -> String? {
        let hosts = request.headers.values("Host")
        guard hosts.count == 1 else { return nil }
        if request.url.utf8.first == UInt8(ascii: "/") { return hosts[0] }
        let lowered = request.url.prefix(8).lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://") else { return hosts[0] }
        let rest = request.url.drop { $0 != ":" }.dropFirst(3)
        return String(rest.prefix { !"/?#".contains($0) })
    }
}
