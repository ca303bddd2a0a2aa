import ODataQuery
import ODataWire
import ODataWorld
import Synchronization

/// Tokens that changes have to carry, so that a page of another site cannot make a browser send them: asked for with
/// `X-CSRF-Token: Fetch`, bound to a session cookie.
final class CSRFTokens: Sendable {
    private struct State {
        var tokens: [String: String] = [:]
        /// In the order in which they began; the oldest ends when there are too many.
        var sessions: [String] = []
    }

    private let world: any World
    private let path: String
    private let version: (name: String, value: String)
    private let state = Mutex(State())

    init(_ configuration: ServiceConfiguration) {
        world = configuration.world
        path = configuration.rootPath
        version =
            configuration.speaksV2 ? ("DataServiceVersion", "2.0") : ("OData-Version", "4.0")
    }

    /// 403 for a change without the token of its session; nil for everything else.
    func refusal(_ request: RequestMessage) -> ResponseMessage? {
        guard RequestKind(request.method) == .write else { return nil }
        let token = Self.session(of: request).flatMap { session in
            state.withLock { $0.tokens[session] }
        }
        guard token == nil || token != request.headers[Self.header] else { return nil }
        var answer = ErrorAnswer.response(
            403, code: "csrfTokenRequired",
            message: "Expected the X-CSRF-Token of the session; fetch one.")
        answer.headers[Self.header] = "Required"
        answer.headers[version.name] = version.value
        return answer
    }

    /// Gives a token to whoever asks for one.
    func add(to answer: inout ResponseMessage, for request: RequestMessage) {
        guard request.headers[Self.header]?.lowercased() == "fetch",
            RequestKind(request.method) == .read
        else { return }
        if let session = Self.session(of: request),
            let token = state.withLock({ $0.tokens[session] })
        {
            answer.headers[Self.header] = token
            return
        }
        let (session, token) = (identifier(), identifier())
        state.withLock { state in
            state.tokens[session] = token
            state.sessions.append(session)
            if state.sessions.count > Self.maximumSessions {
                state.tokens[state.sessions.removeFirst()] = nil
            }
        }
        answer.headers[Self.header] = token
        answer.headers.append(
            name: "Set-Cookie",
            value: "\(Self.cookie)=\(session); Path=\(path); HttpOnly; SameSite=Strict")
    }

    private func identifier() -> String {
        world.makeToken()
    }

    private static func session(of request: RequestMessage) -> String? {
        for field in request.headers.values("Cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookie else {
                    continue
                }
                return String(parts[1])
            }
        }
        return nil
    }

    private static let header = "X-CSRF-Token"
    private static let cookie = "odata_session"
    private static let maximumSessions = 10_000
}
