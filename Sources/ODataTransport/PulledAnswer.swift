import ODataQuery
import ODataText
import ODataWorld

/// An answer that an event loop fills and a thread drains; everything mutable is guarded by `monitor`.
final class PulledAnswer: HTTPAnswer, @unchecked Sendable {
    private enum End {
        case running
        case finished
        case failed(ODataError)
    }

    /// How many bytes wait for the reader before the sender is held back.
    private static let bufferLimit = 512 << 10

    private let monitor: any Monitor
    private let world: any World
    private let options: TransportOptions
    private let deadline: Duration?
    private var head: (status: Int, headers: HeaderFields)?
    private var parts: [any BodyPart] = []
    /// How much of the first part has been read.
    private var offset = 0
    private var bufferedBytes = 0
    private var end = End.running
    private var isClosed = false
    private var drained: [@Sendable () -> Void] = []
    private var abort: (@Sendable () -> Void)?
    private var written = 0
    private var endUpload: (@Sendable () -> Void)?
    private var cancellationListener: Int?
    private var phase = NetworkFailure.Phase.connect
    private let request: (method: String, url: String)

    init(options: TransportOptions, world: any World, request: RequestMessage) {
        self.options = options
        self.world = world
        self.request = (request.method, request.url)
        monitor = world.makeMonitor()
        deadline = options.totalTimeout.map { world.uptime() + $0 }
        cancellationListener = options.cancellation?.onCancel { [weak self] in
            self?.stop(.cancelled, "The request was cancelled.")
        }
    }

    deinit { close() }

    var status: Int { monitor.withLock { head?.status ?? 0 } }
    var headers: HeaderFields { monitor.withLock { head?.headers ?? HeaderFields() } }

    static let cancelled = ODataError(.cancelled, "The request was cancelled.")

    // MARK: The event loop's side

    /// Remembers how to abandon the exchange; runs it at once when that was already asked for.
    func attach(abort: @escaping @Sendable () -> Void) {
        let isOver = monitor.withLock { () -> Bool in
            self.abort = abort
            if isClosed { return true }
            if case .failed = end { return true }
            return false
        }
        if isOver { abort() }
    }

    /// Remembers how to end a body that is still being sent; run when the answer is closed.
    func attach(endUpload: @escaping @Sendable () -> Void) {
        let isOver = monitor.withLock { () -> Bool in
            self.endUpload = endUpload
            return isClosed
        }
        if isOver { endUpload() }
    }

    /// One more part of the request's body has left.
    func noteWritten() {
        monitor.withLock {
            written += 1
            monitor.signal()
        }
    }

    /// The head of the request has left. A body in memory goes with it: whoever gets it may act before the client knows
    /// that all of it has left.
    func noteHeadSent() {
        monitor.withLock {
            guard phase == .connect else { return }
            phase = options.content.map { $0.length != 0 } ?? false ? .send : .wait
        }
    }

    /// The last part of a body that is read while it is sent is about to leave.
    func noteLastPart() {
        monitor.withLock { phase = .wait }
    }

    /// Takes the head of the answer; false where it speaks of success before all of a body has left whose length was told.
    /// Whoever answers so has not read it: a portal, or a service that is about to hang up. The rest may never be taken.
    func receive(status: Int, headers: HeaderFields) -> Bool {
        monitor.withLock {
            if phase == .send, status < 300, options.content?.length != nil {
                // It says that it has acted, so that nothing proves the opposite.
                phase = .wait
                return false
            }
            head = (status, headers)
            phase = .body
            monitor.signal()
            return true
        }
    }

    /// Takes a part over; false when the sender should wait for ``whenDrained(_:)``.
    func receive(_ part: any BodyPart) -> Bool {
        monitor.withLock {
            guard !isClosed, part.byteCount > 0 else { return true }
            parts.append(part)
            bufferedBytes += part.byteCount
            monitor.signal()
            return bufferedBytes < Self.bufferLimit
        }
    }

    /// Runs `action` once when the sender may go on. A sender that was held back may still hand over what was under way,
    /// and be held back again: each action counts.
    func whenDrained(_ action: @escaping @Sendable () -> Void) {
        let isDrained = monitor.withLock { () -> Bool in
            guard bufferedBytes >= Self.bufferLimit, !isClosed else { return true }
            drained.append(action)
            return false
        }
        if isDrained { action() }
    }

    func finish() {
        monitor.withLock {
            if case .running = end { end = .finished }
            monitor.signal()
        }
    }

    /// - Parameter proven: the step that failed before anything was handed over, where the sender knows it.
    func fail(_ error: any Error, before proven: NetworkFailure.Phase? = nil) {
        monitor.withLock {
            if let proven { phase = proven }
            if case .running = end { end = .failed(translate(error)) }
            monitor.signal()
        }
    }

    // MARK: The reader's side

    /// Blocks until status and headers are there.
    func waitForHead() throws {
        try monitor.withLock {
            try waitUntil { head != nil }
        }
    }

    /// Blocks until `count` parts of the request's body have left; false when the service said no before that.
    func waitForWritten(_ count: Int) throws -> Bool {
        try monitor.withLock {
            try waitUntil { written >= count || (head?.status ?? 0) >= 300 }
            return written >= count && (head?.status ?? 0) < 300
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard buffer.count > 0 else { return 0 }
        let (count, resumed) = try monitor.withLock { () -> (Int, [@Sendable () -> Void]) in
            try waitUntil { !parts.isEmpty }
            guard !parts.isEmpty else { return (0, []) }
            let count = take(into: buffer)
            guard bufferedBytes < Self.bufferLimit / 2 else { return (count, []) }
            defer { drained = [] }
            return (count, drained)
        }
        for resume in resumed { resume() }
        return count
    }

    func close() {
        let (actions, listener) = monitor.withLock { () -> ([@Sendable () -> Void], Int?) in
            guard !isClosed else { return ([], nil) }
            isClosed = true
            (parts, offset, bufferedBytes) = ([], 0, 0)
            defer { (drained, endUpload, cancellationListener) = ([], nil, nil) }
            let ends = drained + [endUpload].compactMap(\.self)
            if case .finished = end { return (ends, cancellationListener) }
            return ([abort].compactMap(\.self) + ends, cancellationListener)
        }
        listener.map { options.cancellation?.removeListener($0) }
        for action in actions { action() }
    }

    private func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        var used = 0
        while used < parts.count, filled < buffer.count {
            let part = parts[used]
            let length = min(buffer.count - filled, part.byteCount - offset)
            part.readBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)]))
            }
            filled += length
            offset += length
            if offset == part.byteCount { (used, offset) = (used + 1, 0) }
        }
        parts.removeFirst(used)
        bufferedBytes -= filled
        return filled
    }

    /// Waits inside the lock until `condition` holds or the answer has ended; throws what ended it early.
    private func waitUntil(_ condition: () -> Bool) throws {
        var silence = world.uptime()
        var seen = bufferedBytes
        while !condition() {
            switch end {
            case .failed(var error):
                error.location = error.location ?? .resource(of: request.url)
                throw error
            case .finished: return
            case .running: break
            }
            if isClosed { throw ODataError(.usage, "The answer was closed before it was read.") }
            if bufferedBytes != seen {
                seen = bufferedBytes
                silence = world.uptime()
            }
            let now = world.uptime()
            var limit = silence + options.idleTimeout - now
            if let deadline { limit = min(limit, deadline - now) }
            guard limit > .zero else {
                let isTotal = deadline.map { $0 <= now } ?? false
                let error = failure(
                    .timeout, nil, nil,
                    TimeLimit(isTotal ? options.totalTimeout : options.idleTimeout, isTotal))
                end = .failed(error)
                abort?()
                throw error
            }
            _ = monitor.wait(timeout: limit)
        }
        if let deadline, world.uptime() > deadline {
            abort?()
            throw failure(.timeout, nil, nil, TimeLimit(options.totalTimeout, true))
        }
    }

    private func stop(_ code: ODataError.Code, _ message: String) {
        let abort = monitor.withLock { () -> (@Sendable () -> Void)? in
            if case .running = end { end = .failed(failure(code, message)) }
            monitor.signal()
            return self.abort
        }
        abort?()
    }

    private func translate(_ error: any Error) -> ODataError {
        let (code, phase, cause) = ConnectionFailure.reading(of: error, in: phase)
        return failure(code, ConnectionFailure.sentence(of: code), phase, cause)
    }

    /// - Parameter message: nil for a sentence made of what failed and where.
    private func failure(
        _ code: ODataError.Code, _ message: String?, _ phase: NetworkFailure.Phase? = nil,
        _ cause: (any Error)? = nil
    ) -> ODataError {
        let failure = NetworkFailure(
            phase: phase ?? self.phase, method: request.method,
            host: ServiceURL.host(of: request.url), cause: cause)
        return ODataError(
            code, message ?? failure.sentence, at: .resource(of: request.url),
            underlying: failure)
    }
}
