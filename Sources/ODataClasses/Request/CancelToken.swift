import ODataModel
import ODataQuery
import Synchronization

/// Told when an operation is cancelled; subclasses say what happens then.
open class CancellationListener: ObjectBase, @unchecked Sendable {
    /// Called once, on the thread that cancels.
    open func onCancel() {}
}

/// A list of those that are told of a cancellation.
open class CancellationListenerList: MetadataList<CancellationListener>, @unchecked Sendable {}

/// A switch that stops an operation from outside: once on, it stays on.
open class CancelToken: ObjectBase, @unchecked Sendable {
    // `state` is guarded by its own lock.
    private final let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var listeners: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    /// Creates a token that is not cancelled.
    public override init() { super.init() }

    /// True once ``cancel()`` was called.
    open var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Asks the operations that hold the token to stop.
    open func cancel() {
        let listeners = state.withLock { state -> [@Sendable () -> Void] in
            guard !state.isCancelled else { return [] }
            state.isCancelled = true
            defer { state.listeners = [:] }
            return state.listeners.sorted { $0.key < $1.key }.map(\.value)
        }
        for listener in listeners { listener() }
    }

    /// Tells `listener` when the token is cancelled, at once when it is already.
    open func addListener(_ listener: CancellationListener) {
        onCancel { listener.onCancel() }
    }

    /// Runs `action` when the token is cancelled, at once when it is already; the number takes it back.
    @discardableResult
    package final func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isCancelled else { return nil }
            state.next += 1
            state.listeners[state.next] = action
            return state.next
        }
        guard let number else {
            action()
            return 0
        }
        return number
    }

    /// Forgets an action of ``onCancel(_:)``.
    package final func removeListener(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
    }
}
