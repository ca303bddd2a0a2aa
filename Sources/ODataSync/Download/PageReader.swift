import ODataQuery
import ODataSyncPlan
import ODataText
import ODataTransport
import ODataWire
import ODataWorld

/// The pages of one source in order, the next one being fetched while this one is stored.
///
/// The link of the next page is guessed from the end of the bytes; what the ingest found is what counts, and a wrong
/// guess is thrown away. Used by one thread; the guess arrives from a worker and is guarded by `monitor`.
package final class PageReader: @unchecked Sendable {
    private let connection: ServiceConnection
    private let world: any World
    private let cancellation: CancellationFlag
    private var headers: HeaderFields
    private let requests: RequestSettings
    private let pageLimit: Int
    private let maximumPageBytes: Int
    private let foresees: Bool
    private let monitor: any Monitor
    private var current: PageFetch?
    private var ahead: PageFetch?
    /// Where the page ahead leads to, once it has come: fetched when that is the current one.
    private var behind: String?
    private var isClosed = false

    /// - Parameters:
    ///   - requests: how requests are sent.
    ///   - pageLimit: bytes of a page that may wait to be stored.
    ///   - maximumPageBytes: bytes after which a page counts as one without an end: `limitExceeded`.
    ///   - foresees: fetches the next page while this one is stored.
    package init(
        connection: ServiceConnection, world: any World, headers: HeaderFields,
        requests: RequestSettings = RequestSettings(), pageLimit: Int,
        maximumPageBytes: Int = .max, foresees: Bool = true, cancellation: CancellationFlag
    ) {
        self.foresees = foresees
        self.connection = connection
        self.world = world
        self.headers = headers
        self.requests = requests
        self.pageLimit = pageLimit
        self.maximumPageBytes = maximumPageBytes
        self.cancellation = cancellation
        monitor = world.makeMonitor()
    }

    /// A reader for the rests of expanded collections: a page at a time, and changes of them are not tracked.
    func makeRestReader() -> PageReader {
        var headers = monitor.withLock { self.headers }
        headers["Prefer"] = nil
        return PageReader(
            connection: connection, world: world, headers: headers, requests: requests,
            pageLimit: pageLimit, maximumPageBytes: maximumPageBytes, foresees: false,
            cancellation: cancellation)
    }

    /// Asks for pages in this way from now on; what is on its way in another is given up.
    func use(_ fields: HeaderFields) {
        let stale = monitor.withLock { () -> PageFetch? in
            guard headers != fields else { return nil }
            headers = fields
            defer { (ahead, behind) = (nil, nil) }
            return ahead
        }
        stale?.close()
    }

    var root: String { connection.root }

    /// Starts fetching `url` without waiting for it.
    func prefetch(_ url: String) {
        monitor.withLock {
            guard ahead == nil, !isClosed else { return }
            ahead = start(url)
        }
    }

    /// The page at `url`, which is already on its way when it was foreseen.
    func page(at url: String) -> PageFetch {
        let (fetch, stale) = monitor.withLock { () -> (PageFetch, [PageFetch]) in
            var stale = [current].compactMap { $0 }
            let (foreseen, next) = (ahead, behind)
            (ahead, behind) = (nil, nil)
            if let foreseen, foreseen.url == url {
                current = foreseen
                if let next, !isClosed { ahead = start(next) }
                return (foreseen, stale)
            }
            if let foreseen { stale.append(foreseen) }
            let fetch = start(url)
            current = fetch
            return (fetch, stale)
        }
        for old in stale { old.close() }
        return fetch
    }

    /// Gives up what is on its way and waits for the workers.
    func close() {
        let open = monitor.withLock { () -> [PageFetch] in
            isClosed = true
            defer { (current, ahead, behind) = (nil, nil, nil) }
            return [current, ahead].compactMap { $0 }
        }
        for fetch in open { fetch.close() }
        // A worker may have foreseen another page while it was being closed.
        let late = monitor.withLock { ahead }
        late?.close()
    }

    /// Inside the lock.
    private func start(_ url: String) -> PageFetch {
        let fetch = PageFetch(
            url, requests.sent(RequestMessage(method: "GET", url: url, headers: headers)),
            limit: pageLimit, maximum: maximumPageBytes, world: world, cancellation: cancellation)
        fetch.start(over: connection, world: world) { [weak self] tail in
            guard let self, foresees, let next = tail.withUnsafeBytes(PageTail.nextLink(in:)),
                next != url, let own = ServiceLink.followable(next, root: connection.root)
            else { return }
            foresee(own, behind: url)
        }
        return fetch
    }

    /// What comes behind the current page is fetched at once, what comes behind the one ahead when it is its turn: otherwise every
    /// second page would be asked for only when it is needed.
    private func foresee(_ next: String, behind url: String) {
        monitor.withLock {
            if ahead == nil, !isClosed {
                ahead = start(next)
            } else if ahead?.url == url {
                behind = next
            }
        }
    }
}
