import ODataSyncPlan
import Testing

@Suite struct ReadMachineTests {
    private let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    @Test func aFirstReadFollowsNextLinksToTheDeltaLink() {
        var machine = ReadMachine(source: source, state: SourceState())
        #expect(machine.start() == .fetch(url: "Tools", mode: .first))
        #expect(
            machine.step(.page(nextLink: "Tools?$skiptoken=5", deltaLink: nil))
                == .fetch(url: "Tools?$skiptoken=5", mode: .first))
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: "Tools?$deltatoken=9"))
                == .finish(mode: .first, deltaLink: "Tools?$deltatoken=9"))
    }

    @Test func anInterruptedReadGoesOnAtThePage() {
        let resume = ResumePoint(mode: .first, nextLink: "Tools?$skiptoken=5")
        var machine = ReadMachine(source: source, state: SourceState(resume: resume))
        #expect(machine.start() == .fetch(url: "Tools?$skiptoken=5", mode: .first))
    }

    @Test func aKnownSourceReadsItsDelta() {
        var machine = ReadMachine(
            source: source, state: SourceState(deltaLink: "Tools?$deltatoken=9", isComplete: true))
        #expect(machine.start() == .fetch(url: "Tools?$deltatoken=9", mode: .delta))
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: "Tools?$deltatoken=12"))
                == .finish(mode: .delta, deltaLink: "Tools?$deltatoken=12"))
    }

    @Test func withoutADeltaLinkAllRowsAreSweptAgain() {
        var machine = ReadMachine(source: source, state: SourceState(isComplete: true))
        #expect(machine.start() == .fetch(url: "Tools", mode: .sweep))
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: nil))
                == .finish(mode: .sweep, deltaLink: nil))
    }

    @Test(arguments: [410, 404, 400, 412, 501])
    func anExpiredDeltaLinkLeadsToOneSweep(status: Int) {
        var machine = ReadMachine(
            source: source, state: SourceState(deltaLink: "Tools?$deltatoken=9", isComplete: true))
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .restart(url: "Tools", mode: .sweep))
        #expect(machine.step(.refused(status: status)) == .fail(status: status))
    }

    @Test(arguments: [401, 403, 408, 429, 500, 503])
    func whatIsNotExpiryFailsAndKeepsTheLink(status: Int) {
        var machine = ReadMachine(
            source: source, state: SourceState(deltaLink: "Tools?$deltatoken=9", isComplete: true))
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .fail(status: status))
    }

    @Test func aRefusedQueryFailsAtOnce() {
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        #expect(machine.step(.refused(status: 410)) == .fail(status: 410))
    }
}
