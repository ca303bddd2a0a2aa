import Foundation
import Synchronization

/// The time that a command may take in all. What runs when it is over is stopped, and what was done stays.
final class TimeLimit: Sendable {
    /// What a command ends with whose time is over: the status that `timeout` of the shell uses.
    static let status: Int32 = 124

    private struct State {
        var isOver = false
        var stop: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>
    private let seconds: Double?

    /// Begins to count.
    ///
    /// - Parameter seconds: nil for a command that may take as long as it needs.
    init(seconds: Double?) {
        self.seconds = seconds
        state = Mutex(State())
        guard let seconds else { return }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + seconds) {
            [weak self] in self?.end()
        }
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// What the command says when it ends for want of time.
    var sentence: String {
        "The time limit of \(seconds.map { $0.formatted() } ?? "no") s is over; what was done stays."
    }

    /// What a command throws that ends for want of time.
    var ended: CommandError { .interrupted(sentence, status: Self.status) }

    private func end() {
        let stop = state.withLock { state in
            state.isOver = true
            return state.stop
        }
        stop?()
    }

    /// Runs `body`, and `stop` beside it when the time is over.
    ///
    /// - Throws: what `body` throws; where the time is over before, that, and nothing runs.
    func stopping<Result>(
        _ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        defer { state.withLock { $0.stop = nil } }
        let isOver = state.withLock { state in
            state.stop = stop
            return state.isOver
        }
        guard !isOver else { throw ended }
        return try body()
    }
}
