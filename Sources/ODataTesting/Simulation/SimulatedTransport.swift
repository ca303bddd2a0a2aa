import ODataQuery
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

/// A network in a simulated world: every exchange takes time, in which others run, and some go wrong as the seed says.
package final class SimulatedTransport: HTTPTransport {
    /// How many of a hundred exchanges end in which way.
    package struct Odds: Sendable {
        package var beforeSending = 6
        package var afterSending = 8
        package var inBody = 8
        package var unavailable = 3
        /// Somebody else's page for people, as a portal answers; the request goes no further.
        package var portal = 0
        /// The session is over: 401.
        package var signedOut = 0
        /// The session is over, and who is not signed in is sent elsewhere: a page for people, 302 for a write.
        package var login = 0
        /// A gateway says that the service is not there, behind the effect.
        package var unavailableAfter = 0
        /// Somebody answers 200 or 204 with nothing; the request goes no further.
        package var empty = 0

        package init() {}

        fileprivate var total: Int {
            beforeSending + afterSending + inBody + unavailable + portal + signedOut + login
                + unavailableAfter + empty
        }
    }

    private struct State {
        var isFaulty = true
        var life = 0
        var requests = 0
        var faults = 0
        var faultNumber = 0
        var omitted: Set<Int> = []
        var trace = SimulationTrace()
        var listener: (@Sendable (String) -> Void)?
    }

    private let world: SimulatedWorld
    private let odds: Odds
    private let respond: @Sendable (RequestMessage) -> ResponseMessage
    private let state = Mutex(State())

    package init(
        world: SimulatedWorld, odds: Odds = Odds(),
        _ respond: @escaping @Sendable (RequestMessage) -> ResponseMessage
    ) {
        self.world = world
        self.odds = odds
        self.respond = respond
    }

    /// False lets every exchange go well from now on.
    package var isFaulty: Bool {
        get { state.withLock { $0.isFaulty } }
        set { state.withLock { $0.isFaulty = newValue } }
    }

    /// The faults, by their numbers in order counted from 1, in whose place everything goes well.
    package var omittedFaults: Set<Int> {
        get { state.withLock { $0.omitted } }
        set { state.withLock { $0.omitted = newValue } }
    }

    /// Told of each exchange in one line.
    package func listen(_ listener: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.listener = listener }
    }

    /// How many faults there would be if none were left out.
    package var faultNumber: Int { state.withLock { $0.faultNumber } }

    /// The client is gone: what it still has on its way never reaches the service, nor does what it tries later.
    ///
    /// Whoever sends with ``life(_:)`` of the next number is another client.
    package func loseClient() { state.withLock { $0.life += 1 } }

    /// The network as the client of this number sees it, counted from 0.
    package func life(_ number: Int) -> any HTTPTransport { Life(base: self, number: number) }

    private struct Life: HTTPTransport {
        let base: SimulatedTransport
        let number: Int

        func send(_ request: RequestMessage, options: TransportOptions) throws -> any HTTPAnswer {
            try base.send(request, options: options, life: number)
        }
    }

    package var requestCount: Int { state.withLock { $0.requests } }
    package var faultCount: Int { state.withLock { $0.faults } }
    /// Every exchange so far, with its bytes.
    package var trace: SimulationTrace { state.withLock { $0.trace } }

    package func send(
        _ request: RequestMessage, options: TransportOptions
    ) throws -> any HTTPAnswer {
        try send(request, options: options, life: 0)
    }

    private func send(
        _ request: RequestMessage, options: TransportOptions, life: Int
    ) throws -> any HTTPAnswer {
        try travel(options)
        guard state.withLock({ $0.life == life }) else { throw FaultTransport.failure }
        let lot = drawLot()
        if let foreign = try strange(request, lot) { return foreign }
        let message = respond(request)
        note(request, "\(message.status)", message.body)
        var limit = odds.total - odds.unavailableAfter - odds.inBody
        guard lot >= limit else { throw fault(request, "after") }
        limit += odds.unavailableAfter
        guard lot >= limit else {
            _ = fault(request, "unavailable after")
            return SimulatedAnswer(world, ResponseMessage(status: 503), length: nil)
        }
        try travel(options)
        limit += odds.inBody
        guard lot >= limit else {
            _ = fault(request, "body")
            return SimulatedAnswer(world, message, length: message.body.count / 2)
        }
        return SimulatedAnswer(world, message, length: nil)
    }

    /// What comes of a request that does not reach the service: an answer of somebody else; nil where it does.
    private func strange(_ request: RequestMessage, _ lot: Int) throws -> SimulatedAnswer? {
        guard lot >= odds.beforeSending else { throw fault(request, "before") }
        let answers = [
            (odds.unavailable, "unavailable", ResponseMessage(status: 503)),
            (odds.portal, "portal", Self.portal),
            (odds.signedOut, "signed out", ResponseMessage(status: 401)),
            (odds.login, "login", request.method == "GET" ? Self.portal : Self.login),
            (odds.empty, "empty", ResponseMessage(status: lot % 2 == 0 ? 200 : 204)),
        ]
        var limit = odds.beforeSending
        for (odds, name, answer) in answers {
            limit += odds
            guard lot < limit else { continue }
            _ = fault(request, name)
            return SimulatedAnswer(world, answer, length: nil)
        }
        return nil
    }

    private static let login = ResponseMessage(
        status: 302, headers: ["Location": "https://login.test/sign-in"])

    private static let portal = ResponseMessage(
        status: 200, headers: ["Content-Type": "text/html"],
        body: Array("<!DOCTYPE html><html><body>Please sign in.</body></html>".utf8))

    /// 0 to 99 for what the odds say, 100 for an exchange that goes well.
    private func drawLot() -> Int {
        guard isFaulty else { return 100 }
        let lot = Int(world.random() % 100)
        guard lot < odds.total else { return lot }
        return state.withLock { state in
            state.faultNumber += 1
            return state.omitted.contains(state.faultNumber) ? 100 : lot
        }
    }

    private func travel(_ options: TransportOptions) throws {
        let time = Duration.milliseconds(Int64(world.random() % 40))
        guard world.sleep(time, token: options.cancellation) else {
            throw ODataError(.cancelled, "The request was cancelled.")
        }
    }

    private func fault(_ request: RequestMessage, _ kind: String) -> ODataError {
        note(request, kind, [])
        state.withLock { $0.faults += 1 }
        return FaultTransport.failure
    }

    private func note(_ request: RequestMessage, _ outcome: String, _ answer: [UInt8]) {
        state.withLock { state in
            state.requests += 1
            state.trace.add("\(request.method) \(request.url) \(outcome)")
            state.trace.add(request.body)
            state.trace.add(answer)
        }
        state.withLock { $0.listener }?("\(request.method) \(request.url) → \(outcome)")
    }
}

/// What happened, as a number that two runs share when they did the same.
package struct SimulationTrace: Sendable, Hashable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var count = 0
    /// The last lines, for the report of a failure.
    package private(set) var lines: [String] = []
    private static let maximumLines = 200

    package init() {}

    package mutating func add(_ line: String) {
        add(Array(line.utf8))
        lines.append(line)
        if lines.count > Self.maximumLines { lines.removeFirst() }
    }

    package mutating func add(_ bytes: [UInt8]) {
        count += 1
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.count == right.count
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    package var text: String { String(hash, radix: 16) }
}

/// An answer that comes in small pieces, between which others run; it may break off.
private final class SimulatedAnswer: HTTPAnswer {
    let status: Int
    let headers: HeaderFields
    private let world: SimulatedWorld
    private let body: [UInt8]
    private let length: Int?
    private var offset = 0
    private static let pieceSize = 3_000

    /// - Parameter length: after how many bytes it breaks off; nil for not at all.
    init(_ world: SimulatedWorld, _ message: ResponseMessage, length: Int?) {
        self.world = world
        status = message.status
        headers = message.headers
        body = message.body
        self.length = length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = min(buffer.count, Self.pieceSize, (length ?? body.count) - offset)
        guard count > 0 else {
            if length != nil { throw FaultTransport.failure }
            return 0
        }
        world.checkpoint("transport.read")
        body.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
        }
        offset += count
        return count
    }

    func close() { offset = length ?? body.count }
}
