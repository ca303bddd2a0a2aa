import ODataQuery
import ODataText
import ODataTransport
import Synchronization

/// Lets every n-th request fail, in one of three ways in turn, until a number of faults is spent.
package final class FaultTransport: HTTPTransport {
    /// What goes wrong.
    package enum Fault: Sendable, CaseIterable {
        /// The request never leaves.
        case beforeSending
        /// The service gets the request and acts on it; its answer is lost.
        case afterSending
        /// The answer breaks off in the middle of its body.
        case inBody
    }

    private struct State {
        var requests = 0
        var faults = 0
        var counts: [Fault: Int] = [:]
    }

    private let base: any HTTPTransport
    private let interval: Int
    private let limit: Int
    private let kinds: [Fault]
    private let onlyWrites: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - interval: every how many requests one fails; at least 1.
    ///   - limit: after how many faults they stop.
    ///   - onlyWrites: reads pass, and do not count.
    package init(
        _ base: any HTTPTransport, every interval: Int, limit: Int = 20,
        kinds: [Fault] = Fault.allCases, onlyWrites: Bool = false
    ) {
        self.base = base
        self.interval = max(interval, 1)
        self.limit = limit
        self.kinds = kinds
        self.onlyWrites = onlyWrites
    }

    /// How many faults there were so far.
    package var faultCount: Int { state.withLock { $0.faults } }
    /// How many there were of each kind.
    package var counts: [Fault: Int] { state.withLock { $0.counts } }
    /// How many requests came, failed ones included.
    package var requestCount: Int { state.withLock { $0.requests } }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        switch onlyWrites && Self.isRead(request) ? nil : nextFault() {
        case nil: return try base.send(request, options: options)
        case .beforeSending?: throw Self.notSent
        case .afterSending?:
            _ = try base.send(request, options: options).readAll()
            throw Self.failure
        case .inBody?:
            return BrokenAnswer(try base.send(request, options: options).readAll())
        }
    }

    /// True for a read, and for a batch of reads.
    private static func isRead(_ request: RequestMessage) -> Bool {
        guard request.url.hasSuffix("$batch") else { return request.method == "GET" }
        return String(decoding: request.body, as: UTF8.self).contains("\r\nGET ")
    }

    private func nextFault() -> Fault? {
        state.withLock { state in
            state.requests += 1
            guard state.faults < limit, state.requests % interval == 0 else { return nil }
            let fault = kinds[state.faults % kinds.count]
            state.faults += 1
            state.counts[fault, default: 0] += 1
            return fault
        }
    }

    static let failure = ODataError(.network, "The connection was cut by the test.")
    static let notSent = ODataError(
        .network, "The test let no connection through.",
        underlying: NetworkFailure(phase: .connect, method: "", host: "the test"))
}

/// An answer that breaks off after half of its body.
private final class BrokenAnswer: HTTPAnswer {
    let status: Int
    let headers: HeaderFields
    private let body: [UInt8]
    private var offset = 0

    init(_ message: ResponseMessage) {
        status = message.status
        headers = message.headers
        body = Array(message.body.prefix(message.body.count / 2))
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, body.count - offset)
        guard count > 0 else { throw FaultTransport.failure }
        body.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }

    func close() { offset = body.count }
}

/// A transport that can be unplugged: the network of a field worker.
package final class SwitchedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let isOnline = Mutex(true)

    package init(_ base: any HTTPTransport) { self.base = base }

    /// False lets every request fail before it is sent.
    package var online: Bool {
        get { isOnline.withLock { $0 } }
        set { isOnline.withLock { $0 = newValue } }
    }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        guard online else { throw FaultTransport.notSent }
        return try base.send(request, options: options)
    }
}
