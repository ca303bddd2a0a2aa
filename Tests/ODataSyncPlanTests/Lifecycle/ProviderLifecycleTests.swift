import ODataSyncPlan
import Testing

/// Every call in every phase.
@Suite struct ProviderLifecycleTests {
    typealias Phase = ProviderLifecycle.Phase
    typealias Call = ProviderLifecycle.Call

    /// What a call does in each phase, in the order of ``phases``: step, and the phase after it where it changes.
    static let phases: [Phase] = [
        .closed, .claimed, .opening, .reopening, .stopping, .open, .closing,
    ]

    static let table: [(Call, [String])] = [
        (.open, ["begin>opening", "begin>opening", "join", "join", "wait", "done", "wait"]),
        (
            .openInside,
            [
                "begin>opening", "begin>opening", "inside", "inside", "closing", "done", "closing",
            ]
        ),
        (
            .claim,
            ["done>claimed", "already", "already", "already", "closing", "already", "closing"]
        ),
        (.begin, ["withdrawn", "begin>opening", "join", "join", "wait", "done", "wait"]),
        (
            .close,
            [
                "release>closing", "release>closing", "stopAndWait>stopping",
                "stopAndWait>stopping", "wait", "release>closing", "wait",
            ]
        ),
        (
            .closeInside,
            [
                "release>closing", "release>closing", "stop>stopping", "stop>stopping", "done",
                "release>closing", "done",
            ]
        ),
        (
            .clear,
            [
                "release>closing", "release>closing", "stopAndWait>stopping",
                "stopAndWait>stopping", "wait", "release>closing", "wait",
            ]
        ),
        (
            .clearInside,
            [
                "release>closing", "release>closing", "inside", "inside", "closing",
                "release>closing", "closing",
            ]
        ),
        (
            .stopOpening,
            ["done", "done>closed", "stop>stopping", "stop>stopping", "done", "done", "done"]
        ),
        (
            .data,
            ["notOpen", "notOpen", "notOpen", "proceed", "notOpen", "proceed", "notOpen"]
        ),
        (.sync, ["notOpen", "notOpen", "wait", "proceed", "notOpen", "proceed", "notOpen"]),
        (
            .syncInside,
            ["notOpen", "notOpen", "inside", "inside", "notOpen", "proceed", "notOpen"]
        ),
        (.cancelDownload, Array(repeating: "proceed", count: 7)),
        (.cancelUpload, Array(repeating: "proceed", count: 7)),
        (
            .awaitRest,
            ["done", "done", "wait", "wait", "wait", "done", "wait"]
        ),
        (
            .succeeded,
            ["done", "done", "done>open", "done>open", "release>closing", "done", "done"]
        ),
        (
            .failed,
            [
                "done", "done", "release>closing", "release>closing", "release>closing", "done",
                "done",
            ]
        ),
        (.released, ["done", "done", "done", "done", "done", "done", "done>closed"]),
    ]

    private static func text(_ step: ProviderLifecycle.Step) -> String {
        switch step {
        case .refuse(.notOpen): "notOpen"
        case .refuse(.alreadyOpen): "already"
        case .refuse(.isClosing): "closing"
        case .refuse(.insideOpening): "inside"
        case .refuse(.withdrawn): "withdrawn"
        default: "\(step)"
        }
    }

    private static func seen(_ call: Call, _ phase: Phase, reopens: Bool) -> String {
        var machine = ProviderLifecycle(reopens: reopens, phase: phase)
        let step = text(machine.handle(call))
        return machine.phase == phase ? step : "\(step)>\(machine.phase)"
    }

    @Test func everyCallInEveryPhase() {
        #expect(Self.phases.count == Phase.allCases.count)
        #expect(Set(Self.table.map(\.0)) == Set(Call.allCases))
        for (call, steps) in Self.table {
            for (phase, step) in zip(Self.phases, steps) {
                #expect(Self.seen(call, phase, reopens: false) == step, "\(call) while \(phase)")
                // Opening anew is the one difference.
                let other = call == .open && phase == .open ? "begin>reopening" : step
                #expect(Self.seen(call, phase, reopens: true) == other, "\(call) while \(phase)")
            }
        }
    }

    /// Whatever calls come, nothing waits for ever: an opening and a release that run can end, and then nobody has to wait.
    @Test(arguments: [true, false]) func everyWaitComesToAnEnd(reopens: Bool) {
        var reached: Set<ProviderLifecycle> = [ProviderLifecycle(reopens: reopens)]
        var open = Array(reached)
        while let machine = open.popLast() {
            for call in Call.allCases {
                var next = machine
                let step = next.handle(call)
                if reached.insert(next).inserted { open.append(next) }
                guard [.wait, .join, .stopAndWait].contains(step) else { continue }
                #expect(
                    [.opening, .reopening, .stopping, .closing].contains(next.phase),
                    "\(call) waits while \(next.phase), where nothing runs that could end")
                for end in [Call.succeeded, .failed] {
                    var ended = next
                    _ = ended.handle(end)
                    _ = ended.handle(.released)
                    #expect([.open, .closed].contains(ended.phase))
                }
            }
        }
        #expect(reached.map(\.phase).count == (reopens ? 7 : 6))
    }

    /// What is inside of something that runs never waits for it.
    @Test func callsFromInsideNeverWait() {
        for call in [Call.openInside, .closeInside, .clearInside, .stopOpening, .syncInside] {
            for phase in Phase.allCases {
                var machine = ProviderLifecycle(reopens: true, phase: phase)
                #expect(![.wait, .join, .stopAndWait].contains(machine.handle(call)))
            }
        }
    }

    /// A store that was told to close does not open afterwards.
    @Test func aStoppedOpeningEndsClosed() {
        for end in [Call.succeeded, .failed] {
            var machine = ProviderLifecycle(reopens: true)
            #expect(machine.handle(.open) == .begin)
            #expect(machine.handle(.close) == .stopAndWait)
            #expect(machine.handle(end) == .release)
            #expect(machine.handle(.open) == .wait)
            #expect(machine.handle(.released) == .done)
            #expect(machine.phase == .closed)
        }
    }
}
