import ODataQuery
import ODataServer
import ODataTesting
import ODataText
import StrictService
import Synchronization

/// Hands requests on to a strict service, or loses them; hides its tags where it is told to.
final class StrictFront: Sendable {
    enum Fault: Sendable {
        case loseRequest, loseAnswer
        case answer(ResponseMessage)
        /// Runs before the request is looked at.
        case before(@Sendable () -> Void)
        /// Runs behind it, before its answer goes.
        case after(@Sendable () -> Void)
    }

    typealias Rule = @Sendable (RequestMessage) -> Fault?

    private final class State: Sendable {
        let rule = Mutex<Rule?>(nil)
        let hidesTags = Mutex(false)
    }

    private let state: State
    private let service: LoopbackService

    init(_ strict: StrictService) throws {
        let state = State()
        self.state = state
        service = try LoopbackService { request, _ in
            let fault = state.rule.withLock { $0 }?(request)
            switch fault {
            case .loseRequest?: return .hangUp
            case .answer(let answer)?: return .answer(answer)
            case .before(let body)?: body()
            default: break
            }
            let answer = Self.forwarded(request, strict, state.hidesTags.withLock { $0 })
            switch fault {
            case .loseAnswer?: return .hangUp
            case .after(let body)?: body()
            default: break
            }
            return .answer(answer)
        }
    }

    /// The root as the strict service has it, at another port.
    var root: String { service.host + "/w/" }

    var requests: [RequestMessage] { service.requests }

    /// Changes that came to the front, lost ones among them. The readings of the proxy ask for batches, too.
    var changes: [RequestMessage] { requests.filter(Self.isChange) }

    private static func isChange(_ request: RequestMessage) -> Bool {
        request.method != "GET" && !request.url.hasSuffix("$batch")
    }

    func setFault(_ rule: Rule?) { state.rule.withLock { $0 = rule } }

    /// One fault for the next change.
    func failNextChange(_ fault: Fault) {
        let isDone = Flag()
        setFault { request in
            guard Self.isChange(request), isDone.value.withLock({ !$0 }) else { return nil }
            isDone.value.withLock { $0 = true }
            return fault
        }
    }

    private final class Flag: Sendable { let value = Mutex(false) }

    /// From now on the service is one without entity tags.
    func hideTags() { state.hidesTags.withLock { $0 = true } }

    private static func forwarded(
        _ request: RequestMessage, _ strict: StrictService, _ hidesTags: Bool
    ) -> ResponseMessage {
        var headers: [String: String] = [:]
        for field in request.headers.fields where field.name.lowercased() != "host" {
            headers[field.name] = field.value
        }
        if hidesTags, request.method != "GET" { headers["If-Match"] = "*" }
        let target = request.url.hasPrefix("/w/") ? String(request.url.dropFirst(3)) : request.url
        let found = strict.ask(
            request.method, target, headers, String(decoding: request.body, as: UTF8.self))
        var answer = ResponseMessage(status: found.status, headers: [:], body: found.body)
        for (name, value) in found.headers { answer.headers.append(name: name, value: value) }
        if hidesTags {
            answer.headers["ETag"] = nil
            answer.body = Array(
                String(decoding: answer.body, as: UTF8.self)
                    .replacing(#/"@odata.etag":"[^,]*",/#, with: "").utf8)
        }
        return answer
    }
}
