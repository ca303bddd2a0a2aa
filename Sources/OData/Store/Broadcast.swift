import Synchronization

/// A value that changes, and who follows it. Followers get the present value first and then the newest one each time they
/// are ready: a slow one misses what was in between, and makes nothing grow.
final class Broadcast<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var isOver = false
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
        var next = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    deinit { finish() }

    var value: Value { state.withLock { $0.value } }

    /// Changes the value; followers hear of it when it is another one.
    func update(_ change: (inout Value) -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            let before = state.value
            change(&state.value)
            guard state.value != before else { return }
            // In the lock, so that the last one is the newest; nothing is called back here.
            for follower in state.followers.values { follower.yield(state.value) }
        }
    }

    /// The last value was the last.
    func finish() {
        let followers = state.withLock { state in
            state.isOver = true
            defer { state.followers = [:] }
            return state.followers
        }
        for follower in followers.values { follower.finish() }
    }

    func follow() -> AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state -> Int? in
                continuation.yield(state.value)
                guard !state.isOver else { return nil }
                state.next += 1
                state.followers[state.next] = continuation
                return state.next
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.followers.removeValue(forKey: number) }
            }
        }
    }
}
