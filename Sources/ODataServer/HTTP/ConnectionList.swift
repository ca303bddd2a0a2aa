import NIOCore
import Synchronization

/// The open connections of a service.
final class ConnectionList: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            channels.withLock { _ = $0.removeValue(forKey: id) }
        }
    }

    /// Closes every connection and returns when all are; not to be called on an event loop.
    func close() {
        for channel in channels.withLock({ Array($0.values) }) {
            channel.close(promise: nil)
            try? channel.closeFuture.wait()
        }
    }
}
