import ODataQuery
import ODataText

extension RequestSettings {
    /// A message as it is sent by itself, read or change: characters to avoid are encoded in its path, and a method that
    /// is tunnelled goes as a `POST` that names it.
    ///
    /// - Parameter tunnelsChanges: tunnels every change, for networks that let no others pass; reads came through before.
    package func sent(
        _ message: RequestMessage, tunnelsChanges: Bool = false
    ) -> RequestMessage {
        var request = message
        request.url = avoiding(in: message.url)
        let isTunnelled = tunnelledMethods.contains(message.method)
        guard isTunnelled || tunnelsChanges && !["GET", "POST"].contains(message.method) else {
            return request
        }
        request.headers[isTunnelled ? tunnellingHeader : Self.usualTunnellingHeader] =
            message.method
        request.method = "POST"
        return request
    }

    /// Percent-encodes the characters of a path that the app wants kept out of paths.
    private func avoiding(in url: String) -> String {
        guard !avoidedInPaths.isEmpty else { return url }
        let authority = url.firstRange(of: "://").map { url[$0.upperBound...] }
        let start = authority.map { $0.firstIndex(of: "/") ?? $0.endIndex } ?? url.startIndex
        let path = url[start...].prefix { $0 != "?" }
        guard path.contains(where: { avoidedInPaths.contains($0) }) else { return url }
        let encoded = path.map { character in
            guard avoidedInPaths.contains(character), character != "/", character != "%" else {
                return String(character)
            }
            return PercentCoding.escaped(String(character))
        }
        return url[..<start] + encoded.joined() + url[path.endIndex...]
    }
}
