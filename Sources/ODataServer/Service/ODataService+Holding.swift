import GRDB
import ODataQuery
import ODataWire
import ODataWorld
import Synchronization

extension ODataService {
    /// The answer to a request that asks to be held until there is something to say, or what it is held for; nil for all
    /// others, also where as many are held as may be.
    func holding(_ request: RequestMessage) -> HTTPEdge.Outcome? {
        guard let limit = holdLimit(request), changes.enter() else { return nil }
        observer.note(request, isInBatch: false)
        let (seconds, rest) = limit.components
        let hold = Hold(
            service: self, request: request, seconds: Int(seconds) + (rest > 0 ? 1 : 0),
            end: configuration.world.uptime() + limit)
        let outcome = hold.outcome()
        // One that is held gives its place back when it is held no more.
        if case .held = outcome { return outcome }
        leave()
        return outcome
    }

    /// A request is held no more. What was looked up for those that are is of no use to who comes when nobody looks for what
    /// other programs commit.
    fileprivate func leave() {
        if changes.leave() { looks.clear() }
    }

    /// Lets those go whose tables have changed.
    static func changeWait(
        _ pool: DatabasePool, _ configuration: ServiceConfiguration
    ) -> ChangeWait {
        ChangeWait(
            limit: configuration.maximumHeld,
            watching: { wait in
                FileLooks(
                    at: configuration.databasePath + "-wal", configuration.world,
                    interval: .milliseconds(250)
                ) { [weak wait] in
                    wait?.committed()
                    return wait != nil
                }
            }
        ) { tables in
            try pool.read { database in
                let log = ChangeLog(database)
                var last: [String: Int64] = [:]
                for table in tables { last[table] = try log.lastChange(of: table) }
                return last
            }
        }
    }

    /// How many requests are held now.
    package var heldRequests: Int { changes.count }

    /// How many requests have one of the places for those that may be held.
    package var placesForHeld: Int { changes.taken }

    /// How long a request is held at most; nil where it does not ask for that (RFC 7240, section 4.3), or is none for
    /// changes. V2 has no word for it in answers.
    private func holdLimit(_ request: RequestMessage) -> Duration? {
        guard request.method == "GET", !configuration.speaksV2,
            Self.namesToken(request.url),
            let wanted = Preferences(requestedBy: request.headers).waitSeconds
        else { return nil }
        let limit = min(.seconds(wanted), configuration.holdTime)
        return limit > .zero ? limit : nil
    }
}

extension ODataService {
    // Hot: ServerFigures
    /// Whether `$deltatoken=` or `%24deltatoken=` stands in a URL: every read is asked, and the library's search takes a tenth
    /// of the time that a row does.
    fileprivate static func namesToken(_ url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            let name: StaticString = "deltatoken="
            let length = name.utf8CodeUnitCount
            let wanted = UnsafeBufferPointer(start: name.utf8Start, count: length)
            var rest = bytes[...]
            while let last = rest.lastIndex(of: UInt8(ascii: "=")) {
                let before = bytes[..<last].dropLast(length - 1)
                if bytes[before.endIndex...last].elementsEqual(wanted), isDollar(before) {
                    return true
                }
                rest = rest[..<last]
            }
            return false
        }
    }

    private static func isDollar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        bytes.last == UInt8(ascii: "$") || bytes.suffix(3).elementsEqual("%24".utf8)
    }
}

/// One request that is held until there is something to answer.
private struct Hold: Sendable {
    let service: ODataService
    let request: RequestMessage
    let seconds: Int
    /// When its time is over.
    let end: Duration

    /// Nothing but deltas is held: every other answer comes at once.
    ///
    /// - Parameter commits: where it was held, a count of commits that the answer is to have; one that was made for another
    ///   client behind them is as good.
    func outcome(having commits: Int? = nil) -> HTTPEdge.Outcome {
        let changes = service.changes
        let looks = service.looks
        let shared =
            if let commits {
                looks.look(for: request, seconds, having: commits)
            } else {
                looks.look(for: request, seconds, at: changes.commits)
            }
        let look = shared ?? look()
        let rest = end - service.configuration.world.uptime()
        guard let awaited = look.awaited, rest > .zero, RequestDeadline.current?.isOpen != false
        else { return .answer(look.message) }
        let known = Mutex<Int?>(nil)
        return .held(
            HeldAnswer(
                limit: rest,
                begin: { letGo in
                    let number = changes.hold(awaited, since: look.commits) { commits in
                        known.withLock { $0 = commits }
                        letGo()
                    }
                    return { changes.release(number) }
                },
                answer: { outcome(having: known.withLock { $0 }) },
                end: { service.leave() }))
    }

    private func look() -> HeldLook {
        // Taken before the look: whatever is committed behind it lets the request go.
        let commits = service.changes.commits
        let offer = HoldOffer(seconds: seconds)
        let message = HoldOffer.$current.withValue(offer) { service.unnotedAnswer(request) }
        let look = HeldLook(message: message, awaited: offer.awaited, commits: commits)
        service.looks.keep(look, for: request, seconds)
        return look
    }
}
