import NIOCore
import NIOPosix

/// An answer that is to come later: while it is waited for, no thread is kept.
package struct HeldAnswer: Sendable {
    /// How long it is waited for at most.
    let limit: Duration
    /// Begins to wait. What it is given is called once there may be an answer; what it returns ends the wait.
    let begin: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void
    /// What the answer is now, asked on a thread of the service; it may be to wait again.
    let answer: @Sendable () -> HTTPEdge.Outcome
    /// Called when it is waited for no more, whether or not it was asked for.
    let end: @Sendable () -> Void

    /// What it is when it is waited for no more, asked on a thread of the pool.
    func outcome(
        _ deadline: RequestDeadline, on loop: any EventLoop, _ pool: NIOThreadPool,
        for requestTime: Duration
    ) async throws -> HTTPEdge.Outcome {
        defer { end() }
        var held = self
        while true {
            await held.wait(deadline, on: loop)
            let next = held
            let outcome = try await pool.runIfActive { () -> HTTPEdge.Outcome in
                guard deadline.beginWork(for: requestTime) else {
                    return .answer(ErrorAnswer.overloaded)
                }
                return RequestDeadline.$current.withValue(deadline) { next.answer() }
            }
            guard case .held(let again) = outcome else { return outcome }
            held = again
        }
    }

    /// Returns when there may be an answer, the time is over, the client has left, or the service stops.
    private func wait(_ deadline: RequestDeadline, on loop: any EventLoop) async {
        // Ended by the first of several, of which the others do nothing.
        let (wait, end) = AsyncStream<Void>.makeStream()
        let timer = loop.scheduleTask(in: TimeAmount(limit)) { end.finish() }
        deadline.beginHold(for: limit) { end.finish() }
        let giveUp = begin { end.finish() }
        for await _ in wait {}
        timer.cancel()
        giveUp()
        deadline.endHold()
    }
}
