import Dispatch
import NIOCore
import Synchronization

/// The open connections of a service, and those among them that nothing serves yet.
final class ConnectionList: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var unserved: [ObjectIdentifier: CompressingChannel.Value] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.channels[id] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { _ = $0.channels.removeValue(forKey: id) }
        }
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
        Task(executorPreference: EdgeExecutor()) {
            for connection in connections {
                try? await connection.executeThenClose { _, _ in }
            }
            then()
        }
    }
}
