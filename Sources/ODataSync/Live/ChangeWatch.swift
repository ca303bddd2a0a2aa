import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWorld
import Synchronization

/// Has requests for changes held at the service, one for each of a few sources, and says which of them have some.
final class ChangeWatch: Sendable {
    private struct Held {
        var link: ChangeLink
        var flag: CancellationFlag
    }

    private struct State {
        var sources = HeldSources()
        var held: [String: Held] = [:]
        var news: Set<String> = []
        var isOver = false
    }

    /// How long one request asks to be held: gateways end what is silent for a minute.
    static let hold = Duration.seconds(25)
    /// What an empty answer has room in.
    private static let limit = 64 << 10

    private let world: any World
    private let state = Mutex(State())

    init(_ world: any World) { self.world = world }

    /// How many requests are held, or on their way to that.
    var count: Int { state.withLock { $0.held.count } }

    var hasNews: Bool { state.withLock { !$0.news.isEmpty } }

    /// The sources that have changed since this was asked last.
    func takeNews() -> Set<String> {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Holds on to these links from now on; requests for others are given up.
    ///
    /// - Parameters:
    ///   - isWhole: a round of all sources lies behind.
    ///   - changed: called when there is news, or less is held than before; on any thread.
    func follow(
        _ links: ChangeLinks?, isWhole: Bool, changed: @escaping @Sendable () -> Void
    ) {
        let (ended, begun) = state.withLock { state -> ([CancellationFlag], [Held]) in
            let wanted =
                state.isOver ? [] : state.sources.choose(links?.links ?? [], isWhole: isWhole)
            let next = Dictionary(wanted.map { ($0.source, $0) }) { first, _ in first }
            let ended = state.held.values.filter { next[$0.link.source] != $0.link }
            for held in ended { state.held[held.link.source] = nil }
            let begun = wanted.filter { state.held[$0.source] == nil }.map {
                Held(link: $0, flag: CancellationFlag())
            }
            for held in begun { state.held[held.link.source] = held }
            return (ended.map(\.flag), begun)
        }
        for flag in ended { flag.cancel() }
        guard let links else { return }
        for held in begun {
            _ = world.startWorker("OData.hold") { [self] in
                if hold(held, links) { changed() }
            }
        }
    }

    /// Gives all up, for good.
    func stop() {
        let flags = state.withLock { state in
            state.isOver = true
            defer { state.held = [:] }
            return state.held.values.map(\.flag)
        }
        for flag in flags { flag.cancel() }
    }

    /// - Returns: false where it was given up, for another perhaps.
    private func hold(_ held: Held, _ links: ChangeLinks) -> Bool {
        var news = ChangeNews.none
        while news == .none, !held.flag.isCancelled {
            news = (try? ask(held, links)) ?? .unheard
            let isCurrent = state.withLock { state in
                guard state.held[held.link.source]?.flag === held.flag, !held.flag.isCancelled
                else { return false }
                state.sources.take(news, of: held.link)
                if news == .some { state.news.insert(held.link.source) }
                if news != .none { state.held[held.link.source] = nil }
                return true
            }
            guard isCurrent else { return false }
        }
        return true
    }

    private func ask(_ held: Held, _ links: ChangeLinks) throws -> ChangeNews {
        let idle = links.connection.configuration.idleTimeout
        let seconds = max(1, min(Self.hold, idle / 2).components.seconds)
        let request = links.requests.sent(held.link.request(waiting: Int(seconds)))
        let answer = try links.connection.send(request, cancellation: held.flag)
        let (status, headers) = (answer.status, answer.headers)
        do {
            let message = try answer.readAll(limit: Self.limit)
            return ChangeNews(status: status, headers: headers, body: message.body)
        } catch let error as ODataError where error.code == .limitExceeded {
            return ChangeNews(status: status, headers: headers, body: nil)
        }
    }
}

/// The links under which a service tells of changes, and how it is asked.
package struct ChangeLinks: Sendable {
    package var links: [ChangeLink]
    let connection: ServiceConnection
    let requests: RequestSettings
}
