import ODataQuery
import Synchronization

/// What a service saw and what it is told to do wrong: the eyes and hands of tests.
package final class ServiceObserver: Sendable {
    /// A request as it came in, members of a batch after the batch itself.
    package struct Seen: Sendable, Hashable {
        package var method: String
        /// The URL as sent: a path, or an absolute URL.
        package var url: String
        package var headers: HeaderFields
        package var bodyBytes: Int
        /// True for a member of a batch.
        package var isInBatch: Bool
        /// Counts the change sets of all batches; nil outside change sets.
        package var changeSet: Int?
    }

    /// A fault to inject into one exchange.
    package enum Fault: Sendable {
        /// The connection is lost before the request is looked at.
        case loseRequest
        /// The request takes effect, its answer is lost.
        case loseAnswer
        /// The answer breaks off in the middle of its body.
        case cutAnswer
        /// This answer, without effect.
        case answer(ResponseMessage)
    }

    /// Decides by the request and its number, counted from 1 (members of batches are not asked about).
    package typealias FaultRule = @Sendable (RequestMessage, Int) -> Fault?

    private struct State {
        var seen: [Seen] = []
        var count = 0
        var changeSets = 0
        var isRecording = true
        var writes = 0
        var peakWrites = 0
        var faults: FaultRule?
        var conversionErrors: [String] = []

        mutating func note(_ request: RequestMessage, isInBatch: Bool, changeSet: Int?) {
            guard isRecording else { return }
            if seen.count >= ServiceObserver.maximumSeen { seen.removeFirst(1_000) }
            seen.append(
                Seen(
                    method: request.method, url: request.url, headers: request.headers,
                    bodyBytes: request.body.count, isInBatch: isInBatch, changeSet: changeSet))
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// The requests in order, the last ``maximumSeen`` of them.
    package var requests: [Seen] { state.withLock { $0.seen } }

    /// All requests so far, without members of batches.
    package var requestCount: Int { state.withLock { $0.count } }

    /// The most changes (batches count as one) that were in the service's hands at the same time.
    package var peakWrites: Int { state.withLock { $0.peakWrites } }

    package func forget() {
        state.withLock { state in
            state.seen = []
            state.peakWrites = state.writes
        }
    }

    /// Runs what answers a request, counting changes while they are at work.
    func watching<Result>(_ request: RequestMessage, _ body: () -> Result) -> Result {
        guard RequestKind(request.method) == .write else { return body() }
        state.withLock { state in
            state.writes += 1
            state.peakWrites = max(state.peakWrites, state.writes)
        }
        defer { state.withLock { $0.writes -= 1 } }
        return body()
    }

    package var isRecording: Bool {
        get { state.withLock { $0.isRecording } }
        set { state.withLock { $0.isRecording = newValue } }
    }

    /// Replaces the rule; nil stops faults.
    package func setFaults(_ rule: FaultRule?) { state.withLock { $0.faults = rule } }

    /// Values that were none of their column's type, a sentence each; the first 1,000 of them.
    package var conversionErrors: [String] { state.withLock { $0.conversionErrors } }

    func noteConversion(_ sentence: String) {
        state.withLock { state in
            if state.conversionErrors.count < 1_000 { state.conversionErrors.append(sentence) }
        }
    }

    func note(_ request: RequestMessage, isInBatch: Bool) {
        state.withLock { $0.note(request, isInBatch: isInBatch, changeSet: nil) }
    }

    func note(changeSet requests: [RequestMessage]) {
        state.withLock { state in
            state.changeSets += 1
            for request in requests {
                state.note(request, isInBatch: true, changeSet: state.changeSets)
            }
        }
    }

    func fault(for request: RequestMessage) -> Fault? {
        let (rule, number) = state.withLock { state in
            state.count += 1
            return (state.faults, state.count)
        }
        return rule?(request, number)
    }

    package static let maximumSeen = 20_000
}
