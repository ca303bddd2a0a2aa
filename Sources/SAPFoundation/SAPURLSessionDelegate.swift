import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers challenges of a session. Every requirement has a default.
///
/// Calls come on the threads that send, of which there may be several at once.
public protocol SAPURLSessionDelegate: AnyObject {
    /// A server asks who is there; call the handler once. By default the request goes on without a credential.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void)
}

extension SAPURLSessionDelegate {
    /// Goes on without a credential.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (SAPURLSession.AuthChallengeDisposition) -> Void
    ) {
        completionHandler(.performDefaultHandling)
    }
}

/// Sees each request before it is sent and each answer before it is read. Every requirement has a default.
///
/// Calls come on the threads that send, of which there may be several at once.
public protocol SAPURLSessionObserving: AnyObject {
    /// A request is about to be sent; the handler gets what to do, once.
    func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void)

    /// The head of an answer has arrived; the handler gets what to do, once.
    func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void)
}

extension SAPURLSessionObserving {
    /// Sends the request as it is.
    public func sapURLSession(
        _ session: SAPURLSession, task: SAPURLSessionTask, willSend request: URLRequest,
        completionHandler: @escaping @Sendable (SAPURLSession.RequestDisposition) -> Void
    ) {
        completionHandler(.use(request))
    }

    /// Takes the answer.
    public func sapURLSession(
        _ session: SAPURLSession, dataTask: SAPURLSessionTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (SAPURLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
    }
}
