import Foundation
import ODataQuery
import ODataText
import ODataWorld

/// Sends one request through the system's transfers in the background, or takes up what was begun for it under the same name,
/// maybe by a process that is gone. Blocks until the answer is there as a whole.
///
/// Silence is no sign of a lost connection here, since the system waits for a network as long as it likes: of the limits the
/// total one counts alone. The transfer is forgotten with its answer when that is closed.
package struct BackgroundCarrier: HTTPTransport {
    private let transfer: any BackgroundTransfer
    private let name: String
    private let world: any World

    package init(_ transfer: any BackgroundTransfer, named name: String, world: any World) {
        self.transfer = transfer
        self.name = name
        self.world = world
    }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        if options.cancellation?.isCancelled == true { throw ConnectionFailure.cancelled(request) }
        // Two reads that ask the same share a transfer; the answer is the first one's, and the other begins another.
        for _ in 0..<Self.maximumTries {
            if transfer.state(of: name) == nil {
                try transfer.begin(name, request, options.content)
            }
            switch try end(of: request, options) {
            case .answered(let status, let headers, let body):
                let answer = TransferredAnswer(status, headers, body) { [transfer, name] in
                    transfer.forget(name)
                }
                if let answer { return answer }
            case .failed(let phase):
                transfer.forget(name)
                throw failure(.network, request, phase)
            case .running, nil: break
            }
            guard request.method == "GET" else { break }
        }
        throw failure(.network, request, .wait)
    }

    private static var maximumTries: Int { 3 }

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
            transfer.forget(name)
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
    private var forget: (() -> Void)?

    /// Nil where the answer is not there any more.
    init?(_ status: Int, _ headers: HeaderFields, _ path: String, forget: @escaping () -> Void) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        self.status = status
        self.headers = headers
        self.file = file
        self.forget = forget
    }

    deinit { close() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard forget != nil, let part = try file.read(upToCount: buffer.count) else { return 0 }
        buffer.copyBytes(from: part)
        return part.count
    }

    func close() {
        guard let forget else { return }
        self.forget = nil
        try? file.close()
        forget()
    }
}
