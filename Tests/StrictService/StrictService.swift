import Foundation
import Synchronization

/// A service that refuses what the texts let a service refuse, and says why.
///
/// It shares no code with the product: sockets, payloads and rules are its own, written from the texts. ``refusals`` names
/// each request that it refused with the clause; a test that means none ends with it empty.
package final class StrictService: Sendable {
    package enum Face: Sendable {
        case v4, v2
        /// V2 as its first services were: JSON is neither written nor read.
        case v2Atom
    }

    private let core: StrictCore
    private let listener: HTTPListener

    /// Listens when it returns.
    ///
    /// - Throws: what keeps it from listening.
    package init(_ face: Face) throws {
        let core = StrictCore(face)
        self.core = core
        listener = try HTTPListener { core.answer($0) }
    }

    deinit { listener.stop() }

    package var root: String { "http://127.0.0.1:\(listener.port)" + StrictCore.root }
    /// Everything that was asked.
    package var requests: [StrictRequest] { core.state.withLock { $0.requests } }
    /// Method and target of each request, the root left aside; metadata left out.
    package var lines: [String] {
        requests.map { $0.line.replacing(StrictCore.root, with: "", maxReplacements: 1) }
            .filter { !$0.hasSuffix("$metadata") }
    }
    package var refusals: [Refusal] { core.state.withLock { $0.refusals } }
    /// Writes that had an effect, as `verb set(key)`.
    package var effects: [String] { core.state.withLock { $0.workshop.effects } }

    /// The content of the photo with this key, and its media type.
    package func photo(_ id: Int) -> (name: String?, type: String, bytes: [UInt8])? {
        core.state.withLock { state in
            state.workshop.photos[id].map { ($0.name, $0.content.type, $0.content.bytes) }
        }
    }

    /// The manual of a tool.
    package func manual(_ id: Int) -> String? {
        core.state.withLock { state in
            state.workshop.tools[id]?.manual.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
    }

    package func title(_ id: Int) -> String? {
        core.state.withLock { $0.workshop.tools[id]?.title }
    }

    /// The answer to a request that takes no network.
    package func ask(
        _ method: String, _ target: String, _ headers: [String: String] = [:], _ body: String = ""
    ) -> StrictAnswer {
        var request = StrictRequest(method: method, target: StrictCore.root + target)
        request.headers = [("Host", "h")] + headers.map { ($0.key, $0.value) }
        request.body = Array(body.utf8)
        return core.answer(request)
    }

    /// A change of the service itself; it has no effect in ``effects``.
    package func rename(_ id: Int, _ title: String?) {
        core.state.withLock { state in
            state.workshop.tools[id]?.title = title
            state.workshop.tools[id]?.version += 1
        }
    }

    /// From now on `$expand` is taken and has no effect.
    package func ignoreExpand() {
        core.state.withLock { $0.workshop.ignoresExpand = true }
    }

    /// From now on nothing behind a failure in a batch is carried out.
    package func endBatchesAtFailures() {
        core.state.withLock { $0.workshop.endsBatchesAtFailures = true }
    }

    /// The member who owns a tool.
    package func owner(_ id: Int) -> String? {
        core.state.withLock { state in
            state.workshop.tools[id]?.ownerID.flatMap { state.workshop.members[$0] }
        }
    }

    /// A removal by the service itself.
    package func remove(_ id: Int) {
        core.state.withLock { state in
            state.workshop.tools[id] = nil
            state.workshop.removed.append(id)
        }
    }
}

/// What the connections share.
final class StrictCore: Sendable {
    static let root = "/w/"

    struct State: Sendable {
        var workshop = Workshop()
        var requests: [StrictRequest] = []
        var refusals: [Refusal] = []
        var monitors = Monitors()
    }

    let face: StrictService.Face
    let state = Mutex(State())

    init(_ face: StrictService.Face) { self.face = face }

    func answer(_ request: StrictRequest) -> StrictAnswer {
        state.withLock { state in
            state.requests.append(request)
            do throws(Refusal) {
                guard request["Host"] != nil else {
                    throw Refusal(400, "RFC 9112, 3.2", "no Host")
                }
                guard request.path.hasPrefix(Self.root) else {
                    throw Refusal(404, "Protocol 4.01, 9.2.4", "not below the service root")
                }
                return switch face {
                case .v4: try V4Face(request, host: request["Host"] ?? "").answer(&state)
                case .v2: try V2Face(request, host: request["Host"] ?? "").answer(&state)
                case .v2Atom:
                    try V2Face(request, host: request["Host"] ?? "", isAtomOnly: true)
                        .answer(&state)
                }
            } catch {
                state.refusals.append(error)
                return switch face {
                case .v4: V4Face.error(error)
                case .v2: V2Face.error(error)
                case .v2Atom: AtomText.error(error)
                }
            }
        }
    }
}

/// Answers that are ready later (Protocol 4.01, 11.6).
struct Monitors: Sendable {
    private var waiting: [Int: (looks: Int, answer: StrictAnswer)] = [:]
    private var count = 0

    /// 202 with the place where the answer will be.
    mutating func accept(_ answer: StrictAnswer, root: String) -> StrictAnswer {
        count += 1
        waiting[count] = (0, answer)
        return StrictAnswer(
            status: 202,
            headers: [
                ("Location", "\(root)monitor-\(count)"), ("Retry-After", "0"),
                ("Preference-Applied", "respond-async"), ("OData-Version", "4.0"),
            ])
    }

    /// 202 at the first look; then the answer, wrapped, once.
    mutating func look(_ number: Int) throws(Refusal) -> StrictAnswer {
        guard let found = waiting[number] else {
            throw Refusal(404, "Protocol 4.01, 11.6", "the answer was fetched before")
        }
        guard found.looks > 0 else {
            waiting[number]?.looks += 1
            return StrictAnswer(status: 202, headers: [("Retry-After", "0")])
        }
        waiting[number] = nil
        var text = "HTTP/1.1 \(found.answer.status) Answer\r\n"
        for (name, value) in found.answer.headers { text += "\(name): \(value)\r\n" }
        return StrictAnswer(
            status: 200,
            headers: [
                ("Content-Type", "application/http"), ("Content-Transfer-Encoding", "binary"),
                ("OData-Version", "4.0"),
            ], body: Array((text + "\r\n").utf8) + found.answer.body)
    }
}
