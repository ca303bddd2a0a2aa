@_exported import Foundation
import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

/// A session that requests go through: what observers and the delegate say about each request and answer counts.
///
/// The bytes travel over the library's own HTTP transport, which holds a service back while answers are stored; over the
/// system's `URLSession` where that is asked for, and always in a build without the package trait `AsyncHTTPClient`.
/// Everything mutable is guarded by one lock.
public final class SAPURLSession: @unchecked Sendable {
    // Constant or guarded by `state`. Delegate and observers are the app's; that they are called from several threads is
    // said where they are declared.

    /// What an observer wants done with a request.
    public enum RequestDisposition: Sendable {
        /// Go on with this request, changed or not.
        case use(URLRequest)
        /// Give the request up.
        case cancel(any Error)
    }

    /// What an observer wants done with an answer.
    public enum ResponseDisposition: Sendable {
        /// Take it.
        case allow
        /// Send the request again.
        case retry
        /// Give the answer up.
        case cancel
    }

    /// What the delegate wants done with a challenge.
    public enum AuthChallengeDisposition: Sendable {
        /// Answer with this credential.
        case use(URLCredential)
        /// Do what happens without a delegate.
        case performDefaultHandling
        /// Give the request up.
        case cancel
        /// Refuse the offered way of authentication.
        case rejectProtectionSpace
    }

    /// An observer of the app's; that it is called from several threads is said at ``SAPURLSessionObserving``.
    private struct Observer: @unchecked Sendable {
        let target: any SAPURLSessionObserving
    }

    private struct State {
        var observers: [Observer] = []
        var isValid = true
        var credential: (user: String, password: String)?
    }

    /// The configuration given when the session was made; header fields and time limits in it count.
    public let configuration: URLSessionConfiguration
    /// Who answers challenges.
    public let delegate: (any SAPURLSessionDelegate)?
    /// Where the completion handlers of tasks run; nil runs them on the thread of the request.
    public let delegateQueue: OperationQueue?
    private let state = Mutex(State())
    let base: any HTTPTransport

    /// Makes a session. Observers and the delegate are called on the thread that sends, the completion handlers of tasks
    /// on `delegateQueue`.
    public convenience init(
        configuration: URLSessionConfiguration = .default,
        delegate: (any SAPURLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
    ) {
        self.init(
            configuration: configuration, delegate: delegate,
            base: StandardTransport.transport(for: configuration),
            delegateQueue: delegateQueue)
    }

    /// Makes a session whose requests go through `URLSession` of the system, so that its proxies, client certificates and
    /// policies count, and everything that `configuration` says but cookies and caches, which stay the library's own.
    ///
    /// Bodies that are read while they are sent stand in a temporary file meanwhile. On Linux answers are held in memory as fast
    /// as they come.
    public convenience init(
        systemSession configuration: URLSessionConfiguration,
        delegate: (any SAPURLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
    ) {
        self.init(
            configuration: configuration, delegate: delegate,
            base: URLSessionTransport(configuration: configuration), delegateQueue: delegateQueue)
    }

    package init(
        configuration: URLSessionConfiguration, delegate: (any SAPURLSessionDelegate)?,
        base: any HTTPTransport, delegateQueue: OperationQueue? = nil
    ) {
        self.delegateQueue = delegateQueue
        self.configuration = configuration
        self.delegate = delegate
        self.base = base
    }

    /// Adds an observer; observers see each request in the order they were registered.
    public func register(_ observer: any SAPURLSessionObserving) {
        let added = Observer(target: observer)
        state.withLock { state in
            guard !state.observers.contains(where: { $0.target === added.target }) else { return }
            state.observers.append(added)
        }
    }

    /// Removes an observer.
    public func unregister(_ observer: any SAPURLSessionObserving) {
        let removed = Observer(target: observer)
        state.withLock { $0.observers.removeAll { $0.target === removed.target } }
    }

    /// Whether the observer is registered.
    public func isRegistered(_ observer: any SAPURLSessionObserving) -> Bool {
        let wanted = Observer(target: observer)
        return state.withLock { $0.observers.contains { $0.target === wanted.target } }
    }

    /// False once the session was invalidated: requests then fail.
    public var isValid: Bool { state.withLock { $0.isValid } }

    /// Lets requests under way finish and refuses new ones.
    public func finishTasksAndInvalidate() { state.withLock { $0.isValid = false } }

    /// Refuses new requests; requests under way end when they next look at their cancellation.
    public func invalidateAndCancel() { state.withLock { $0.isValid = false } }

    /// The transport that passes each request by the observers and the delegate.
    package var transport: any HTTPTransport { ObservedTransport(session: self, base: base) }

    var observers: [any SAPURLSessionObserving] {
        state.withLock { $0.observers }.map(\.target)
    }

    var credential: (user: String, password: String)? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.credential = newValue } }
    }
}
