import Foundation
import ODataQuery
import ODataText
import ODataWorld
import Synchronization

/// Sends one request through the system's transfers in the background, or takes up what was begun for it under the same name,
/// maybe by a process that is gone. Blocks until the answer is there as a whole.
///
/// Silence is no sign of a lost connection here, since the system waits for a network as long as it likes: of the limits the
/// total one counts alone. Nothing that ends a sending here proves that nobody got it, because the system may have tried before.
package final class BackgroundCarrier: HTTPTransport {
    /// What becomes of the transfer.
    package enum Purpose: Sendable {
        /// It is forgotten with its answer when that is closed, and ends with the call that waits for it.
        case read
        /// It goes on when nobody waits any more, and its answer stays until what it says is recorded, or the same carrier
        /// sends again.
        case sending
        /// As a sending, but one that an earlier process has begun: there is none to begin before that one has its answer.
        case takingUp
    }

    private let transfer: any BackgroundTransfer
    private let name: String
    private let purpose: Purpose
    private let world: any World
    private let tokenHeader: String?
    private let isLeft: @Sendable () -> Bool
    private let hasSent = Mutex(false)

    /// - Parameters:
    ///   - tokenHeader: the header that carries a security token, of which old ones are of no use.
    ///   - isLeft: whether a read whose call ends goes on nevertheless, as where the app only goes away.
    package init(
        _ transfer: any BackgroundTransfer, named name: String, for purpose: Purpose = .read,
        world: any World, tokenHeader: String? = nil,
        isLeft: @escaping @Sendable () -> Bool = { false }
    ) {
        self.transfer = transfer
        self.name = name
        self.purpose = purpose
        self.world = world
        self.tokenHeader = tokenHeader
        self.isLeft = isLeft
    }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        if options.cancellation?.isCancelled == true {
            guard transfer.state(of: name) == nil else {
                throw failure(.cancelled, request, .wait)
            }
            throw ConnectionFailure.cancelled(request)
        }
        let isFirst = hasSent.withLock { hasSent in
            defer { hasSent = true }
            return !hasSent
        }
        // The answer so far says that the request was not looked at.
        if !isFirst, purpose != .read { transfer.forget(name) }
        // Two reads that ask the same share a transfer; the answer is the first one's, and the other begins another.
        for _ in 0..<(purpose == .read ? Self.maximumTries : 1) {
            var isOwn = false
            if transfer.state(of: name) == nil {
                guard purpose != .takingUp || !isFirst else { break }
                try begin(request, options.content)
                isOwn = true
            }
            switch try end(of: request, options) {
            case .answered(let status, let headers, let body):
                let answer = TransferredAnswer(status, lasting(headers, isOwn: isOwn), body) {
                    [transfer, name, purpose] in
                    if purpose == .read { transfer.forget(name) }
                }
                if let answer { return answer }
                // A head without its body is no answer.
                transfer.forget(name)
            case .failed(let phase):
                transfer.forget(name)
                throw failure(
                    .network, request, purpose == .read || phase == .body ? phase : .wait)
            case .running, nil: break
            }
        }
        throw failure(.network, request, .wait)
    }

    private static var maximumTries: Int { 3 }

    /// - Throws: what the system throws, marked as coming before the request where that was not begun.
    private func begin(_ request: RequestMessage, _ content: (any RequestContent)?) throws {
        do {
            try transfer.begin(name, request, content)
        } catch var error as ODataError {
            if !(error.underlying is NetworkFailure), transfer.state(of: name) == nil {
                error.underlying = NetworkFailure(
                    phase: .connect, method: request.method,
                    host: ServiceURL.host(of: request.url), cause: error.underlying)
            }
            throw error
        }
    }

    /// What an answer says of the session and of the time counts when it is given, and this one may have waited in its file:
    /// its clock is never taken, and its session and token not where somebody else has asked.
    private func lasting(_ headers: HeaderFields, isOwn: Bool) -> HeaderFields {
        let token = tokenHeader?.lowercased()
        var lasting = HeaderFields()
        for field in headers.fields {
            let name = field.name.lowercased()
            // That a token is required is no token.
            let isToken = name == token && field.value.lowercased() != "required"
            let isOfSession = name == "set-cookie" || isToken
            guard name != "date", isOwn || !isOfSession else { continue }
            lasting.append(name: field.name, value: field.value)
        }
        return lasting
    }

    /// Waits for the end of the transfer; nil where somebody else has ended it.
    private func end(
        of request: RequestMessage, _ options: TransportOptions
    ) throws -> BackgroundState? {
        let monitor = world.makeMonitor()
        let wake: @Sendable () -> Void = { monitor.withLock { monitor.signal() } }
        let listener = options.cancellation?.onCancel(wake)
        defer { listener.map { options.cancellation?.removeListener($0) } }
        transfer.whenEnded(name, wake)
        let deadline = options.totalTimeout.map { world.uptime() + $0 }
        do {
            return try monitor.withLock {
                while true {
                    if options.cancellation?.isCancelled == true {
                        throw failure(.cancelled, request, .wait)
                    }
                    let state = transfer.state(of: name)
                    guard case .running? = state else { return state }
                    let rest = deadline.map { $0 - world.uptime() }
                    guard rest.map({ $0 > .zero }) ?? true else {
                        throw failure(
                            .timeout, request, .wait, TimeLimit(options.totalTimeout, true))
                    }
                    _ = monitor.wait(timeout: rest)
                }
            }
        } catch {
            // Outside the lock, which what wakes us takes.
            if purpose == .read, !isLeft() { transfer.forget(name) }
            throw error
        }
    }

    private func failure(
        _ code: ODataError.Code, _ request: RequestMessage, _ phase: NetworkFailure.Phase,
        _ cause: (any Error)? = nil
    ) -> ODataError {
        let failure = NetworkFailure(
            phase: phase, method: request.method, host: ServiceURL.host(of: request.url),
            cause: cause)
        let message = ConnectionFailure.sentence(of: code) ?? failure.sentence
        return ODataError(code, message, at: .resource(of: request.url), underlying: failure)
    }
}

/// The answer of a transfer, read from its file; used by one thread at a time.
private final class TransferredAnswer: HTTPAnswer {
    let status: Int
    let headers: HeaderFields
    private let file: FileHandle
    private var ended: (() -> Void)?

    /// Nil where the answer is not there any more.
    init?(_ status: Int, _ headers: HeaderFields, _ path: String, ended: @escaping () -> Void) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        self.status = status
        self.headers = headers
        self.file = file
        self.ended = ended
    }

    deinit { close() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard ended != nil, let part = try file.read(upToCount: buffer.count) else { return 0 }
        buffer.copyBytes(from: part)
        return part.count
    }

    func close() {
        guard let ended else { return }
        self.ended = nil
        try? file.close()
        ended()
    }
}
