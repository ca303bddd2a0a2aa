import ODataQuery
import ODataServer
import ODataText
import ODataWire
import ODataWorld

/// What a proxy knows of the state it shows, and who waits for a newer one.
///
/// Answers tell it in `Cache-Status` (RFC 9211), beside the `Age` of their entity set. A request asks for newer data with
/// `Cache-Control` (RFC 9111, section 5.2.1): `max-age=N` reads the origin first where it was last read longer ago, and
/// gets what there is when that fails; `no-cache` reads it always, and is 504 when that fails.
final class OriginState: ServiceGate {
    private let monitor: any Monitor
    private let world: any World
    private let patience: Duration
    private let maximumWaiting: Int
    private let interval: Duration?
    private let store: Store

    /// Guarded by `monitor`.
    private final class Store: @unchecked Sendable {
        /// Seconds since 1970 at which the origin was last read without a failure.
        var readAt: Int64?
        var failure: String?
        /// Sweeps that were asked for, and the last of these that one has met.
        var wanted: Int64 = 0
        var met: Int64 = 0
        var waiting = 0
        var isStopped = false
    }

    init(_ settings: DeltaProxy.Settings, _ world: any World) {
        self.world = world
        monitor = world.makeMonitor()
        store = Store()
        patience = settings.patience
        interval = settings.interval
        // Whoever waits holds a thread that answers others.
        maximumWaiting = max(1, settings.service.workerThreads - 2)
    }

    /// What is known from an earlier run.
    func note(times: [String: Int64]) {
        monitor.withLock { store.readAt = times.values.max() }
    }

    /// True while the origin was never read.
    var isUnread: Bool { monitor.withLock { store.readAt == nil } }

    // MARK: Sweeps

    /// Waits until a sweep is asked for or due; false when there are none any more.
    func waitForDemand(_ interval: Duration?) -> Bool {
        let due = interval.map { world.uptime() + $0 }
        return monitor.withLock {
            while !store.isStopped, store.wanted <= store.met {
                let left = due.map { $0 - world.uptime() }
                if let left, left <= .zero { break }
                _ = monitor.wait(timeout: left)
            }
            return !store.isStopped
        }
    }

    /// Asks for a sweep that nobody waits for.
    func demandSweep() {
        monitor.withLock {
            guard store.wanted <= store.met else { return }
            store.wanted += 1
            monitor.signal()
        }
    }

    /// The number of the last demand that a sweep which begins now meets.
    func beginSweep() -> Int64 { monitor.withLock { store.wanted } }

    func endSweep(_ turn: Int64, times: [String: Int64]?, failure: String?) {
        monitor.withLock {
            store.met = max(store.met, turn)
            store.failure = failure
            if failure == nil { store.readAt = world.now().seconds }
            if failure != nil, store.readAt == nil { store.readAt = times?.values.max() }
            monitor.signal()
        }
    }

    func stop() {
        monitor.withLock {
            store.isStopped = true
            monitor.signal()
        }
    }

    // MARK: Requests

    func refusal(_ request: RequestMessage) -> ResponseMessage? {
        guard request.method == "GET" || request.method == "HEAD" || isBatch(request),
            let demand = Demand(request.headers)
        else { return nil }
        if case .newer(let seconds) = demand, let age, age <= seconds { return nil }
        let isMet = waitForSweep()
        guard demand == .now, !isMet else { return nil }
        return ResponseMessage(
            status: 504,
            headers: [
                "Content-Type": "application/json;odata.metadata=minimal", "Retry-After": "5",
            ],
            body: ErrorPayload(
                code: "originNotRead",
                message: "Expected the origin to be read for a request with no-cache."
            ).json())
    }

    private func isBatch(_ request: RequestMessage) -> Bool {
        request.url.prefix { $0 != "?" }.hasSuffix("/$batch")
    }

    /// True when a sweep that began after now has read the origin.
    private func waitForSweep() -> Bool {
        let end = world.uptime() + patience
        return monitor.withLock {
            guard !store.isStopped, store.waiting < maximumWaiting else { return false }
            store.waiting += 1
            defer { store.waiting -= 1 }
            store.wanted += 1
            let mine = store.wanted
            monitor.signal()
            while store.met < mine, !store.isStopped {
                let left = end - world.uptime()
                guard left > .zero else { return false }
                _ = monitor.wait(timeout: left)
            }
            return store.met >= mine && store.failure == nil
        }
    }

    /// Seconds since the origin was last read.
    private var age: Int64? {
        monitor.withLock { store.readAt }.map { max(0, world.now().seconds - $0) }
    }

    func mark(_ answer: inout ResponseMessage) {
        let (readAt, failure) = monitor.withLock { (store.readAt, store.failure) }
        guard let readAt else { return }
        var text = "OData-Proxy; hit"
        if let interval {
            let rest = readAt + interval.components.seconds - world.now().seconds
            text += "; ttl=\(rest)"
        }
        if failure != nil { text += "; detail=\"origin not read\"" }
        answer.headers["Cache-Status"] = text
    }

    /// What is shown while the origin cannot be read.
    var sentence: String {
        age.map { "the state of \($0) s ago stays" } ?? "nothing is known of it yet"
    }
}

/// How new the data has to be that a request asks for.
private enum Demand: Equatable {
    case now
    case newer(than: Int64)

    /// Nil for requests that take what there is.
    init?(_ headers: HeaderFields) {
        let directives = HeaderText.split(
            headers["Cache-Control"] ?? "", separator: UInt8(ascii: ","))
        if directives.contains(where: { $0.lowercased() == "no-cache" }) {
            self = .now
            return
        }
        let ages = directives.compactMap { directive -> Int64? in
            let parts = directive.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "max-age" else { return nil }
            return Int64(parts[1].filter { $0 != "\"" })
        }
        guard let age = ages.min() else { return nil }
        self = .newer(than: max(0, age))
    }
}
