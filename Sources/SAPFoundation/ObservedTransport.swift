import Foundation
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Passes each request by a session's observers, and a 401 by its delegate, before the base transport sends it.
struct ObservedTransport: HTTPTransport {
    let session: SAPURLSession
    let base: any HTTPTransport
    /// The task of an app that the request is; one is made for each request of a provider.
    var task: SAPURLSessionTask?

    private static let maximumRetries = 3

    /// What observers make of a request goes by the carrier, too.
    var dealsWithCarrier: Bool { true }

    func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
        guard session.isValid else {
            throw ODataError(.usage, "The URL session was invalidated.", at: .path(request.url))
        }
        guard let original = URLRequest(request) else {
            throw ODataError(.invalidQuery, "Expected an absolute URL.", at: .path(request.url))
        }
        let task = self.task ?? SAPURLSessionTask(originalRequest: original, isRunning: true)
        let options = Self.limited(
            options, idle: session.configuration.timeoutIntervalForRequest,
            total: session.configuration.timeoutIntervalForResource)
        for _ in 0..<Self.maximumRetries {
            let answer = try base.carry(try prepare(request, original, task), options: options)
            switch try judge(answer, request, task) {
            case .allow: return answer
            case .retry: answer.close()
            case .cancel:
                answer.close()
                throw ODataError(.cancelled, "An observer of the URL session gave the answer up.")
            }
        }
        throw ODataError(
            .network, "Expected an answer within \(Self.maximumRetries) tries, found none accepted."
        )
    }

    /// Time limits of the configuration count where they are shorter: that of a request for each silence, that of a resource for
    /// the whole exchange, however steadily its bytes come.
    static func limited(
        _ options: TransportOptions, idle: TimeInterval, total: TimeInterval
    ) -> TransportOptions {
        var options = options
        // What is longer than years, or infinite, is no limit.
        if idle > 0, idle < 1e9 { options.idleTimeout = min(options.idleTimeout, .seconds(idle)) }
        if total > 0, total < 1e9 {
            let total = Duration.seconds(total)
            options.totalTimeout = min(options.totalTimeout ?? total, total)
        }
        return options
    }

    private func prepare(
        _ message: RequestMessage, _ original: URLRequest, _ task: SAPURLSessionTask
    ) throws -> RequestMessage {
        var request = original
        for (name, value) in session.configuration.httpAdditionalHeaders ?? [:] {
            if let name = name as? String, request.value(forHTTPHeaderField: name) == nil {
                request.setValue("\(value)", forHTTPHeaderField: name)
            }
        }
        for observer in session.observers {
            let disposition = Self.await { done in
                observer.sapURLSession(
                    session, task: task, willSend: request, completionHandler: done)
            }
            switch disposition {
            case .use(let changed): request = changed
            case .cancel(let error):
                throw ODataError(
                    .cancelled, "An observer of the URL session gave the request up.",
                    underlying: error)
            }
        }
        task.note(current: request)
        var result = RequestMessage(request, body: message.body)
        if let credential = session.credential, result.headers["Authorization"] == nil {
            result.headers["Authorization"] =
                Credentials.basic(user: credential.user, password: credential.password).headerValue
        }
        return result
    }

    private func judge(
        _ answer: any HTTPAnswer, _ request: RequestMessage, _ task: SAPURLSessionTask
    ) throws -> SAPURLSession.ResponseDisposition {
        guard let url = URL(string: request.url),
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1",
                headerFields: answer.headers.dictionary)
        else { return .allow }
        task.note(response: response)
        if answer.status == 401, session.credential == nil, let delegate = session.delegate {
            if challenge(delegate, url, task) { return .retry }
        }
        for observer in session.observers {
            let disposition = Self.await { done in
                observer.sapURLSession(
                    session, dataTask: task, didReceive: response, completionHandler: done)
            }
            guard case .allow = disposition else { return disposition }
        }
        return .allow
    }

    /// True when the delegate gave a credential to try.
    private func challenge(
        _ delegate: any SAPURLSessionDelegate, _ url: URL, _ task: SAPURLSessionTask
    ) -> Bool {
        let space = URLProtectionSpace(
            host: url.host ?? "", port: url.port ?? 0, protocol: url.scheme, realm: nil,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0,
            failureResponse: nil, error: nil, sender: ChallengeSender())
        let disposition = Self.await { done in
            delegate.sapURLSession(
                session, task: task, didReceive: challenge, completionHandler: done)
        }
        guard case .use(let credential) = disposition, let user = credential.user,
            let password = credential.password
        else { return false }
        session.credential = (user, password)
        return true
    }

    /// Waits for a completion handler that may be called on any thread.
    private static func await<Value: Sendable>(
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) -> Value {
        let slot = Slot<Value>()
        let done = DispatchSemaphore(value: 0)
        start { value in
            slot.value.withLock { $0 = $0 ?? value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = slot.value.withLock({ $0 }) { return value }
        }
    }
}

private final class Slot<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
}

/// Required by the challenge's initializer; answers come through the completion handler instead.
private final class ChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

extension URLRequest {
    fileprivate init?(_ message: RequestMessage) {
        guard let url = URL(string: message.url) else { return nil }
        self.init(url: url)
        httpMethod = message.method
        for field in message.headers.fields {
            addValue(field.value, forHTTPHeaderField: field.name)
        }
    }
}

extension RequestMessage {
    init(_ request: URLRequest, body: [UInt8]) {
        var headers = HeaderFields()
        for (name, value) in request.allHTTPHeaderFields ?? [:] { headers[name] = value }
        self.init(
            method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "",
            headers: headers, body: body)
    }
}

extension HeaderFields {
    fileprivate var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }
}
