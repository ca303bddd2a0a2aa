import ODataWorld
import Synchronization

/// The bytes of a stream, part by part, read while they are asked for: never more than one part is in memory.
///
/// To be read once; a second loop goes on where the first one stopped.
public struct StreamBytes: AsyncSequence, Sendable {
    /// What a loop gets: some of the bytes, never none.
    public typealias Element = [UInt8]
    /// What a loop throws: ``ODataError``, and `CancellationError` when its task is cancelled.
    public typealias Failure = any Error

    /// The media type that was given with the content or that the service says; nil where neither did.
    public let mediaType: String?
    /// Whether the bytes come from the store: no network is needed for them.
    public let isStored: Bool
    private let source: StreamSource

    init(_ source: StreamSource, mediaType: String?, isStored: Bool) {
        self.source = source
        self.mediaType = mediaType
        self.isStored = isStored
    }

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Gets one part after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let source: StreamSource

        /// The next bytes; nil at the end.
        ///
        /// - Throws: ``ODataError``: `network`, `timeout` or `service` for content that comes from the service and breaks off;
        ///   `storage` for stored content that has been replaced meanwhile; `storeClosed`; `CancellationError`.
        public mutating func next() async throws -> [UInt8]? { try await source.next() }
    }
}

/// Pulls bytes on the store's threads, one part at a time.
final class StreamSource: @unchecked Sendable {
    // The lock guards the reader, which is used by whoever holds it.
    private let lock = Mutex(())
    private let read: () throws -> [UInt8]?
    private let core: StoreCore
    /// Ends what waits for the network.
    private let cancellation: CancellationFlag

    init(
        _ core: StoreCore, _ cancellation: CancellationFlag, _ read: @escaping () throws -> [UInt8]?
    ) {
        self.core = core
        self.cancellation = cancellation
        self.read = read
    }

    deinit { cancellation.cancel() }

    func next() async throws -> [UInt8]? {
        try await core.run(on: core.calls) { [self] task in
            let listener = task.onCancel { [cancellation] in cancellation.cancel() }
            defer { task.removeListener(listener) }
            return try lock.withLock { _ in
                while let bytes = try read() {
                    if !bytes.isEmpty { return bytes }
                }
                return nil
            }
        }
    }
}

extension OfflineStore {
    /// The bytes of a stream: from the store where they have been downloaded or put here, otherwise from the service.
    ///
    /// ```swift
    /// for try await part in try await store.bytes(of: photo.content) { data.append(contentsOf: part) }
    /// ```
    ///
    /// What comes from the service does not stay in the store; ``Download/withStreams()`` brings contents to stay.
    ///
    /// - Throws: ``ODataError``: `notFound` for an entity that is no longer in view and for content that is not there;
    ///   `network`, `timeout` or `service` where it is not in the store and the service does not give it; `storeClosed`,
    ///   `storeSuspended`; `CancellationError`.
    public func bytes(of stream: MediaStream) async throws -> StreamBytes {
        let core = core
        return try await core.run(on: core.calls) { task in try core.open(stream, task) }
    }
}
