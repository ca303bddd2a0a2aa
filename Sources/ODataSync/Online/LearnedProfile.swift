import ODataSyncPlan
import Synchronization

/// What is known of a service by all that speaks to it through one provider; where that belongs to a store, the store
/// keeps it.
package final class LearnedProfile: Sendable {
    /// Changes a profile and says what is new, one sentence each.
    package typealias Lesson = @Sendable (inout ServiceProfile) -> [String]

    private struct State: Sendable {
        var profile = ServiceProfile()
        var keep: (@Sendable (@escaping Lesson) -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package var profile: ServiceProfile { state.withLock { $0.profile } }

    /// Goes on with what a store knows.
    ///
    /// - Parameter keep: hands lessons to the store; called outside of any lock.
    package func join(
        _ profile: ServiceProfile, keep: @escaping @Sendable (@escaping Lesson) -> Void
    ) {
        state.withLock { $0 = State(profile: profile, keep: keep) }
    }

    /// Takes over what a call has met.
    package func learn(_ lesson: @escaping Lesson) {
        let keep = state.withLock { state -> (@Sendable (@escaping Lesson) -> Void)? in
            let before = state.profile
            _ = lesson(&state.profile)
            return state.profile == before ? nil : state.keep
        }
        keep?(lesson)
    }
}
