import Foundation
import ODataQuery
import ODataText
import ODataWorld
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over the system's `URLSession`, whose proxies, client certificates and policies then count.
///
/// Redirects, cookies and authentication by header fields stay the library's own, as over AsyncHTTPClient; nothing is
/// cached, and nothing is sent twice. What the session does not tell is taken as sent: only a host that has no name, no
/// connection or no TLS proves the opposite.
package final class URLSessionTransport: HTTPTransport {
    private let configuration: URLSessionConfiguration
    private let shared: Session
    private let world: any World

    /// A session, and who takes what it delivers.
    private struct Session {
        let answers = SessionAnswers()
        let session: URLSession

        init(_ configuration: URLSessionConfiguration) {
            session = URLSession(
                configuration: configuration, delegate: answers, delegateQueue: nil)
        }
    }

    /// - Parameter configuration: copied; changes made to it afterwards do not count.
    package init(
        configuration: URLSessionConfiguration = .ephemeral, world: any World = LiveWorld()
    ) {
        self.world = world
        // Foundation says that a copy has the type of the original.
        let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCache = nil
        #if canImport(FoundationNetworking)
            own.urlCredentialStorage = nil
        #endif
        self.configuration = own
        shared = Session(own)
    }

    deinit { shared.session.finishTasksAndInvalidate() }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        try Redirect.following(request) { try exchange($0, options) }
    }

    private func exchange(
        _ message: RequestMessage, _ options: TransportOptions
    ) throws -> PulledAnswer {
        if options.cancellation?.isCancelled == true { throw ConnectionFailure.cancelled(message) }
        let answer = PulledAnswer(options: options, world: world, request: message)
        // The session does not say when a request has left.
        answer.noteLastPart()
        let session = session(for: message)
        let (task, file) = try makeTask(message, options.content, session.session)
        session.answers.expect(task, answer)
        answer.attach(abort: { task.cancel() })
        task.resume()
        if session.session !== shared.session { session.session.finishTasksAndInvalidate() }
        defer { file?.remove() }
        do {
            try answer.waitForHead()
        } catch {
            answer.close()
            throw error
        }
        return answer
    }

    /// The libcurl behind the session of Linux sends again, and says nothing, what went out on a connection that had been
    /// kept and broke before an answer. A write is sent once: there it gets a session, and with it a connection, of its own.
    private func session(for message: RequestMessage) -> Session {
        #if canImport(FoundationNetworking)
            ["GET", "HEAD"].contains(message.method) ? shared : Session(configuration)
        #else
            shared
        #endif
    }

    /// The task, and the file with its body where that is read while it is sent.
    private func makeTask(
        _ message: RequestMessage, _ content: (any RequestContent)?, _ session: URLSession
    ) throws -> (URLSessionTask, BodyFile?) {
        let request = try URLRequest(message, hasContent: content != nil)
        guard let content else { return (session.dataTask(with: request), nil) }
        let file = try BodyFile(content)
        return (session.uploadTask(with: request, fromFile: file.url), file)
    }
}

/// The answers that are awaited, by task; told by the session's own queue.
private final class SessionAnswers: NSObject, URLSessionDataDelegate, Sendable {
    private let awaited = Mutex<[Int: PulledAnswer]>([:])

    func expect(_ task: URLSessionTask, _ answer: PulledAnswer) {
        awaited.withLock { $0[task.taskIdentifier] = answer }
    }

    private func answer(_ task: URLSessionTask) -> PulledAnswer? {
        awaited.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    #if canImport(FoundationNetworking)
        /// Linux hands a challenge over when the whole answer with it has come, and then waits: a 401 would have no end. What
        /// to do about one is the library's own business.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (
                    URLSession.AuthChallengeDisposition, URLCredential?
                ) -> Void
        ) {
            awaited.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish()
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse, let answer = answer(dataTask) else {
            return completionHandler(.allow)
        }
        let isTaken = answer.receive(
            status: response.statusCode, headers: HeaderFields(of: response))
        completionHandler(isTaken ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let answer = answer(dataTask), !answer.receive(data) else {
            return
        }
        // A task of swift-corelibs-foundation that was suspended may hand bytes over twice, or never go on.
        #if !canImport(FoundationNetworking)
            dataTask.suspend()
            answer.whenDrained { dataTask.resume() }
        #endif
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard
            let answer = awaited.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
        else { return }
        guard let error else { return answer.finish() }
        answer.fail(error, before: (error as? URLError).flatMap(ConnectionFailure.provenPhase))
    }
}
