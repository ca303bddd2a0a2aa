import Dispatch
import NIOCore
import ODataWorld
import Synchronization

/// The open connections of a service, and those among them that nothing serves yet.
final class ConnectionList: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var unserved: [ObjectIdentifier: CompressingChannel.Value] = [:]
        /// The request that each connection is served with.
        var requests: [ObjectIdentifier: RequestDeadline] = [:]
        var isClosed = false
        /// Until when requests may go on; nil while new ones come.
        var drainEnd: (limit: Duration, empty: DispatchSemaphore)?
        var isStopping = false
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.channels[id] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            let empty = state.withLock { state in
                state.channels[id] = nil
                return state.channels.isEmpty ? state.drainEnd?.empty : nil
            }
            empty?.signal()
        }
    }

    /// How many connections are open, and how many requests are not answered.
    var counts: (connections: Int, requests: Int) {
        state.withLock { ($0.channels.count, $0.requests.count) }
    }

    /// Keeps a connection until it is served. A server that is stopped drops those that it has accepted and not yet
    /// taken up, and the writer of a dropped one traps (swift-nio issue 2637).
    ///
    /// - Throws: `ChannelError.ioOnClosedChannel` after ``close()``.
    func hold(_ connection: CompressingChannel.Value) throws {
        let isHeld = state.withLock { state in
            guard !state.isClosed else { return false }
            state.unserved[ObjectIdentifier(connection.channel)] = connection
            return true
        }
        guard !isHeld else { return }
        Self.finish([connection]) {}
        throw ChannelError.ioOnClosedChannel
    }

    /// Lets go of a connection that is served from now on.
    func release(_ connection: CompressingChannel.Value) {
        let id = ObjectIdentifier(connection.channel)
        state.withLock { _ = $0.unserved.removeValue(forKey: id) }
    }

    // MARK: Requests

    /// Takes note of the request that a connection is served with from now on; over after `limit`, and at once in a
    /// service that stops.
    func begin(
        after limit: Duration, world: any World, on channel: any Channel
    ) -> RequestDeadline {
        let (deadline, isStopping, drain) = state.withLock { state in
            let deadline = RequestDeadline(after: limit, world: world)
            state.requests[ObjectIdentifier(channel)] = deadline
            return (deadline, state.isStopping, state.drainEnd?.limit)
        }
        if let drain { deadline.shorten(to: drain) }
        if isStopping || !channel.isActive { deadline.cancel() }
        return deadline
    }

    func end(on channel: any Channel) {
        state.withLock { _ = $0.requests.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// The client is gone: nobody waits for the answer.
    func left(_ channel: any Channel) {
        state.withLock { $0.requests[ObjectIdentifier(channel)] }?.cancel()
    }

    /// The client sends no more. As a rule it is gone; one that only closed its own direction is answered if that is
    /// soon done.
    func inputEnded(_ channel: any Channel) {
        state.withLock { $0.requests[ObjectIdentifier(channel)] }?.shorten(to: Self.grace)
    }

    /// Ends every request, and those that still come.
    func endRequests() {
        let requests = state.withLock { state in
            state.isStopping = true
            return Array(state.requests.values)
        }
        for request in requests { request.cancel() }
    }

    private static let grace = Duration.seconds(1)

    // MARK: The end

    var isDraining: Bool { state.withLock { $0.drainEnd != nil } }

    /// Closes connections as soon as their requests are answered, those without one at once; requests that are held are
    /// answered now. Returns when no connection is left, or the time is over.
    func drain(within limit: Duration) {
        let empty = DispatchSemaphore(value: 0)
        let (channels, requests) = state.withLock { state in
            state.drainEnd = (limit, empty)
            return (Array(state.channels.values), Array(state.requests.values))
        }
        for request in requests { request.shorten(to: limit) }
        for channel in channels {
            channel.pipeline.fireUserInboundEventTriggered(ConnectionWatch.Drain())
        }
        guard !channels.isEmpty else { return }
        let (seconds, rest) = limit.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(rest / 1_000_000_000)
        _ = empty.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }

    /// Closes every connection and returns when all are; not to be called on an event loop.
    func close() {
        let (channels, unserved) = state.withLock { state in
            defer { state.unserved = [:] }
            state.isClosed = true
            return (Array(state.channels.values), Array(state.unserved.values))
        }
        let finished = DispatchSemaphore(value: 0)
        Self.finish(unserved) { finished.signal() }
        finished.wait()
        for channel in channels {
            channel.close(promise: nil)
            try? channel.closeFuture.wait()
        }
    }

    private static func finish(
        _ connections: [CompressingChannel.Value], then: @escaping @Sendable () -> Void
    ) {
        Task(executorPreference: EdgeExecutor.shared) {
            for connection in connections {
                try? await connection.executeThenClose { _, _ in }
            }
            then()
        }
    }
}
