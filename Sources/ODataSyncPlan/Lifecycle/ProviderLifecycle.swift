/// Where a provider is between closed and open, and what a call means there.
///
/// A value: ``handle(_:)`` takes a call and says what its caller does. Whoever is told to `begin` reports `succeeded` or
/// `failed`, and whoever is told to `release` reports `released`; both at the end of what they did, once.
package struct ProviderLifecycle: Sendable, Hashable {
    package enum Phase: Sendable, Hashable, CaseIterable {
        case closed
        /// An opening was asked for and has not begun.
        case claimed
        case opening
        /// Open, and being opened anew: data stays within reach.
        case reopening
        /// An opening that was told to stop. It ends closed, however it ends.
        case stopping
        case open
        /// What runs is being stopped, and the store let go.
        case closing
    }

    /// Calls from outside. `inside` are those from a callback of something that the provider runs: they must not wait for
    /// what waits for them.
    package enum Call: Sendable, Hashable, CaseIterable {
        case open, openInside
        /// An opening that will begin later, on another thread, and its beginning.
        case claim, begin
        case close, closeInside
        case clear, clearInside
        /// A close will follow, behind other calls.
        case stopOpening
        case data
        case sync, syncInside
        case cancelDownload, cancelUpload
        /// Waits for an opening or a closing to end, if one runs.
        case awaitRest
        case succeeded, failed, released
    }

    package enum Step: Sendable, Hashable {
        /// Nothing to do; the call has succeeded.
        case done
        /// Do what was asked for.
        case proceed
        /// Open the store.
        case begin
        /// Wait for the opening that runs; its outcome is this call's, too.
        case join
        /// Wait for another phase, then ask again.
        case wait
        /// Tell the opening to stop.
        case stop
        /// Tell the opening to stop, wait for another phase, then ask again.
        case stopAndWait
        /// Stop what runs, wait until it has ended, let the store go.
        case release
        case refuse(Refusal)
    }

    package enum Refusal: Sendable, Hashable, CaseIterable {
        case notOpen
        case alreadyOpen
        case isClosing
        /// From a callback of the opening itself.
        case insideOpening
        /// Closed again before the opening had begun.
        case withdrawn
    }

    package private(set) var phase: Phase
    /// Whether an open provider can be opened anew; otherwise that is no more than a look.
    package let reopens: Bool

    package init(reopens: Bool, phase: Phase = .closed) {
        self.reopens = reopens
        self.phase = phase
    }

    /// What the caller does now.
    package mutating func handle(_ call: Call) -> Step {
        let (next, step) = transition(call)
        phase = next
        return step
    }

    private func transition(_ call: Call) -> (Phase, Step) {
        switch call {
        case .open, .openInside, .claim, .begin: opening(call)
        case .close, .closeInside, .clear, .clearInside, .stopOpening: closing(call)
        case .data, .sync, .syncInside: use(call)
        case .cancelDownload, .cancelUpload: (phase, .proceed)
        case .awaitRest: (phase, [.closed, .claimed, .open].contains(phase) ? .done : .wait)
        case .succeeded, .failed, .released: report(call)
        }
    }

    private func opening(_ call: Call) -> (Phase, Step) {
        let isInside = call == .openInside
        switch phase {
        case .closed:
            switch call {
            case .claim: return (.claimed, .done)
            case .begin: return (.closed, .refuse(.withdrawn))
            default: return (.opening, .begin)
            }
        case .claimed:
            // A blocking call overtakes the one that waits for a thread: that thread might be the caller's.
            return call == .claim ? (.claimed, .refuse(.alreadyOpen)) : (.opening, .begin)
        case .opening, .reopening:
            if call == .claim { return (phase, .refuse(.alreadyOpen)) }
            return (phase, isInside ? .refuse(.insideOpening) : .join)
        case .open:
            if call == .claim { return (.open, .refuse(.alreadyOpen)) }
            // A download's callback must not begin what may wait for that download.
            return reopens && call == .open ? (.reopening, .begin) : (.open, .done)
        case .stopping, .closing:
            if call == .claim || isInside { return (phase, .refuse(.isClosing)) }
            return (phase, .wait)
        }
    }

    private func closing(_ call: Call) -> (Phase, Step) {
        let waits = call == .close || call == .clear
        switch phase {
        case .closed, .claimed:
            // Metadata may have been loaded from the store without opening it.
            return call == .stopOpening ? (.closed, .done) : (.closing, .release)
        case .opening, .reopening:
            if call == .clearInside { return (phase, .refuse(.insideOpening)) }
            return (.stopping, waits ? .stopAndWait : .stop)
        case .open:
            return call == .stopOpening ? (.open, .done) : (.closing, .release)
        case .stopping, .closing:
            if call == .clearInside { return (phase, .refuse(.isClosing)) }
            return (phase, waits ? .wait : .done)
        }
    }

    private func use(_ call: Call) -> (Phase, Step) {
        switch phase {
        case .open: (phase, .proceed)
        case .reopening: (phase, call == .syncInside ? .refuse(.insideOpening) : .proceed)
        case .opening:
            switch call {
            case .sync: (phase, .wait)
            case .syncInside: (phase, .refuse(.insideOpening))
            default: (phase, .refuse(.notOpen))
            }
        case .closed, .claimed, .stopping, .closing: (phase, .refuse(.notOpen))
        }
    }

    private func report(_ call: Call) -> (Phase, Step) {
        switch (phase, call) {
        case (.opening, .succeeded), (.reopening, .succeeded): (.open, .done)
        // A failed opening leaves nothing half open, also where the store was open before.
        case (.opening, .failed), (.reopening, .failed), (.stopping, .succeeded),
            (.stopping, .failed):
            (.closing, .release)
        case (.closing, .released): (.closed, .done)
        default: (phase, .done)
        }
    }
}
