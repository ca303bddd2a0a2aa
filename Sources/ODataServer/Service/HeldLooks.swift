import ODataQuery
import Synchronization

/// What a held request found when it looked.
struct HeldLook: Sendable {
    var message: ResponseMessage
    /// What it is held for; nil where there is something to answer.
    var awaited: AwaitedChange?
    /// How many commits there were before it looked.
    var commits: Int
}

/// The last looks of held requests: hundreds of clients that ask for the same with the same words come back with one commit,
/// and one look answers them all; so does one for all that wait for the next.
final class HeldLooks: Sendable {
    private struct Key: Hashable {
        var url: String
        var seconds: Int
        var headers: [String]

        init(_ request: RequestMessage, _ seconds: Int) {
            url = request.url
            self.seconds = seconds
            headers = request.headers.fields.compactMap { field in
                let name = field.name.lowercased()
                return HeldLooks.unread.contains(name) ? nil : name + ":" + field.value
            }
        }
    }

    /// What no answer depends on: bodies are compressed behind it.
    private static let unread: Set<String> = [
        "accept-encoding", "connection", "user-agent", "traceparent", "tracestate",
    ]
    private static let maximumCount = 64
    private static let maximumBytes = 256 << 10

    private let isShared: Bool
    private let looks = Mutex<[Key: HeldLook]>([:])

    /// - Parameter isShared: false where answers are each for one client, or something stands before them.
    init(isShared: Bool) { self.isShared = isShared }

    /// A look that found something behind so many commits; nil where there is none yet. One that found nothing may have been
    /// before what another program committed, which is noticed a moment later.
    func look(
        for request: RequestMessage, _ seconds: Int, having commits: Int
    ) -> HeldLook? {
        look(for: request, seconds).flatMap {
            $0.awaited == nil && $0.commits >= commits ? $0 : nil
        }
    }

    /// A look behind which nothing was committed; nil where there is none.
    func look(for request: RequestMessage, _ seconds: Int, at commits: Int) -> HeldLook? {
        look(for: request, seconds).flatMap { $0.commits == commits ? $0 : nil }
    }

    private func look(for request: RequestMessage, _ seconds: Int) -> HeldLook? {
        guard isShared else { return nil }
        return looks.withLock { $0[Key(request, seconds)] }
    }

    func clear() { looks.withLock { $0 = [:] } }

    func keep(_ look: HeldLook, for request: RequestMessage, _ seconds: Int) {
        guard isShared, look.message.body.count <= Self.maximumBytes else { return }
        let key = Key(request, seconds)
        looks.withLock { looks in
            if looks.count >= Self.maximumCount { looks = [:] }
            looks[key] = look
        }
    }
}
