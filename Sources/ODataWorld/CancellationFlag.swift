import Synchronization

/// A one-way flag that an operation looks at between steps, with callbacks for what has to be woken.
package final class CancellationFlag: Sendable {
    private struct State {
        var isCancelled = false
        var nextID = 0
        var listeners: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sets the flag and calls every listener once, outside the lock.
    package func cancel() {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.isCancelled else { return [] }
            state.isCancelled = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Calls `listener` when the flag is set, at once if it is already; the result removes it.
    @discardableResult
    package func onCancel(_ listener: @escaping @Sendable () -> Void) -> Int {
        let id = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return state.nextID
        }
        guard let id else {
            listener()
            return 0
        }
        return id
    }

    package func removeListener(_ id: Int) {
        state.withLock { _ = $0.listeners.removeValue(forKey: id) }
    }
}
