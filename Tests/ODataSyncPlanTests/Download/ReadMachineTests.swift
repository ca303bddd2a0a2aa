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

    private static let begun = SourceState(
        resume: ResumePoint(mode: .first, nextLink: "Tools?$skiptoken=5"))

    @Test(arguments: [410, 404, 501, 204])
    func aKeptLinkThatIsNotAnsweredLeadsToOneSweep(status: Int) {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .restart(url: "Tools", mode: .sweep))
        _ = machine.step(.page(nextLink: "Tools?$skiptoken=5", deltaLink: nil))
        #expect(machine.step(.refused(status: status)) == .fail(.status(status)))
    }

    @Test(arguments: [401, 403, 408, 429, 500, 503])
    func aKeptLinkWaitsWhereTheMomentIsToBlame(status: Int) {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .fail(.status(status)))
    }

    /// It may fail for good; once more is asked before the pages of an earlier run are given up.
    @Test(arguments: [500, 505, 507])
    func aKeptLinkThatTheServiceFailsAtTwiceLeadsToOneSweep(status: Int) {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        let first = machine.start()
        let refused = ReadMachine.Event.refused(status: status, isOwn: true)
        #expect(machine.step(refused) == first)
        #expect(machine.step(refused) == .restart(url: "Tools", mode: .sweep))
        _ = machine.step(.page(nextLink: "Tools?$skiptoken=5", deltaLink: nil))
        #expect(machine.step(refused) == .fail(.status(status)))
    }

    /// The read that began anew has come to the same page: beginning once more would lead there again.
    @Test func aLinkThatIsKnownToBeBrokenIsAskedForOnce() {
        var state = Self.begun
        var machine = ReadMachine(source: source, state: state, form: ReadForm(.plain))
        let first = machine.start()
        let refused = ReadMachine.Event.refused(status: 500, isOwn: true)
        _ = machine.step(refused)
        _ = machine.step(refused)
        #expect(machine.brokenLink.map { .fetch(url: $0, mode: .first) } == first)
        state.brokenLink = machine.brokenLink
        var again = ReadMachine(source: source, state: state, form: ReadForm(.plain))
        _ = again.start()
        #expect(again.step(refused) == .fail(.status(500)))
        #expect(again.brokenLink == nil)
    }

    @Test(arguments: [502, 503, 504]) func aKeptLinkWaitsForAServiceThatIsAway(status: Int) {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        _ = machine.start()
        #expect(
            machine.step(.refused(status: status, isOwn: true)) == .fail(.status(status)))
    }

    @Test func aKeptLinkThatFailsOnceIsGoneOnWith() {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        _ = machine.start()
        _ = machine.step(.refused(status: 500, isOwn: true))
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: nil))
                == .finish(mode: .first, deltaLink: nil))
    }

    /// Only the link that was kept: one that comes now may be about to work again.
    @Test func aLaterPageThatFailsEndsTheRead() {
        var machine = ReadMachine(source: source, state: Self.begun, form: ReadForm(.plain))
        _ = machine.start()
        _ = machine.step(.page(nextLink: "Tools?$skiptoken=9", deltaLink: nil))
        #expect(machine.step(.refused(status: 500, isOwn: true)) == .fail(.status(500)))
    }

    @Test func rowsOfAReadThatCannotGoOnAreCompared() {
        var machine = ReadMachine(source: source, state: SourceState(hasRows: true))
        #expect(machine.start() == .restart(url: "Tools", mode: .sweep))
        var first = ReadMachine(source: source, state: SourceState())
        _ = first.start()
        _ = first.step(.page(nextLink: "Tools?$skiptoken=5", deltaLink: nil))
        #expect(first.step(.refused(status: 410)) == .restart(url: "Tools", mode: .sweep))
    }

    /// It ends with what the service had when the earlier run began it.
    @Test func behindAReadThatAnEarlierRunBeganComesWhatHasChangedSince() {
        let point = ResumePoint(
            mode: .first, nextLink: "Tools?$skiptoken=5", deltaLink: "Tools?$deltatoken=7")
        var machine = ReadMachine(source: source, state: SourceState(resume: point))
        _ = machine.start()
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: "Tools?$deltatoken=8"))
                == .finish(mode: .first, deltaLink: "Tools?$deltatoken=7"))
        #expect(machine.step(.kept) == .restart(url: "Tools?$deltatoken=7", mode: .delta))
        let end = ReadMachine.Action.finish(mode: .delta, deltaLink: "Tools?$deltatoken=9")
        #expect(machine.step(.page(nextLink: nil, deltaLink: "Tools?$deltatoken=9")) == end)
        #expect(machine.step(.kept) == end)
        var whole = ReadMachine(source: source, state: SourceState())
        _ = whole.start()
        let page = whole.step(.page(nextLink: nil, deltaLink: "Tools?$deltatoken=7"))
        #expect(whole.step(.kept) == page)
    }

    @Test func aFullReadGoesOnWithNothing() {
        var machine = ReadMachine(source: source, state: Self.begun, readsAll: true)
        #expect(machine.start() == .restart(url: "Tools", mode: .sweep))
        #expect(machine.resume == nil)
        var untracked = ReadMachine(source: source, state: Self.begun, usesDeltaLink: false)
        #expect(untracked.start() == .fetch(url: "Tools?$skiptoken=5", mode: .first))
        var known = ReadMachine(source: source, state: Self.known, usesDeltaLink: false)
        #expect(known.start() == .fetch(url: "Tools", mode: .sweep))
    }

    @Test func whatCameChangedIsReadFromTheBeginning() {
        var first = ReadMachine(source: source, state: SourceState())
        _ = first.start()
        #expect(first.step(.distrusted) == .restart(url: "Tools", mode: .sweep))
        var resumed = ReadMachine(source: source, state: Self.begun)
        _ = resumed.start()
        #expect(resumed.step(.distrusted) == .restart(url: "Tools", mode: .sweep))
        var delta = known()
        _ = delta.start()
        #expect(
            delta.step(.distrusted) == .restart(url: "Tools?$deltatoken=9", mode: .delta))
    }

    /// The rest of an expanded collection.
    @Test(arguments: [0, 204, 400, 403, 404, 410, 500, 501])
    func whatIsExpandedAndCannotBeReadIsLeftOutOnce(status: Int) {
        var source = source
        source.urlWithoutExpansions = "Tools"
        source.url = "Tools?$expand=Owner"
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        _ = machine.step(.page(nextLink: nil, deltaLink: nil))
        #expect(machine.step(.restRefused(status: status)) == .restart(url: "Tools", mode: .sweep))
        #expect(!machine.form.expands)
        let isLasting = [400, 501].contains(status)
        #expect(machine.refusals.map(\.status) == [isLasting ? status : 500])
        #expect(machine.step(.restRefused(status: status)) == .fail(.status(status)))
    }

    @Test(arguments: [401, 407, 408, 429, 502, 503, 504])
    func whatIsOfTheMomentLeavesNoExpansionOut(status: Int) {
        var source = source
        source.urlWithoutExpansions = "Tools"
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        #expect(machine.step(.restRefused(status: status)) == .fail(.status(status)))
    }

    @Test func expansionsThatTheAppHasAskedForAreNotLeftOut() {
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        #expect(machine.step(.restRefused(status: 500)) == .fail(.status(500)))
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

    private static let known = SourceState(deltaLink: "Tools?$deltatoken=9", isComplete: true)

    private func known(root: String = "", form: ReadForm = ReadForm(.plain)) -> ReadMachine {
        ReadMachine(source: source, state: Self.known, root: root, form: form)
    }

    @Test(arguments: [410, 404, 400, 412, 500, 501, 204])
    func aDeltaLinkThatIsNotAnsweredLeadsToOneSweep(status: Int) {
        var machine = known()
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .restart(url: "Tools", mode: .sweep))
    }

    @Test(arguments: [401, 403, 408, 429, 503])
    func whatIsNotExpiryFailsAndKeepsTheLink(status: Int) {
        var machine = known()
        _ = machine.start()
        #expect(machine.step(.refused(status: status)) == .fail(.status(status)))
    }

    @Test func aRefusedQueryFailsAtOnce() {
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        #expect(machine.step(.refused(status: 410)) == .fail(.status(410)))
    }

    @Test func aQueryGoesDownTheLadderAndSaysWhatItMet() {
        var source = source
        source.urlWithoutExpansions = "Tools"
        source.url = "Tools?$expand=Owner"
        var machine = ReadMachine(
            source: source, state: SourceState(), form: ReadForm(.plain, tracksChanges: false))
        _ = machine.start()
        #expect(machine.step(.refused(status: 501)) == .fetch(url: "Tools", mode: .first))
        #expect(!machine.form.expands)
        #expect(machine.refusals.map(\.status) == [501])
        #expect(machine.step(.refused(status: 501)) == .fail(.status(501)))
    }

    @Test func aDeltaIsAskedForInAPlainerFormBeforeItIsGivenUp() {
        var machine = known(form: ReadForm(.compact))
        _ = machine.start()
        #expect(
            machine.step(.refused(status: 406))
                == .fetch(url: "Tools?$deltatoken=9", mode: .delta))
        #expect(machine.form.format == .parameters)
    }

    @Test func aNextLinkThatWasMetEndsTheRead() {
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        _ = machine.step(.page(nextLink: "Tools?$skiptoken=2", deltaLink: nil))
        #expect(
            machine.step(.page(nextLink: "Tools?$skiptoken=2", deltaLink: nil)) == .fail(.circle))
    }

    @Test(arguments: 2...9) func longerCirclesEnd(length: Int) {
        var machine = ReadMachine(source: source, state: SourceState())
        var action = machine.start()
        var pages = 0
        while case .fetch = action, pages < 10 * length {
            let link = "Tools?$skiptoken=\(pages % length)"
            action = machine.step(.page(nextLink: link, deltaLink: nil))
            pages += 1
        }
        #expect(action == .fail(.circle))
        #expect(pages <= 4 * length)
    }

    @Test func aCircleOfADeltaLeadsToASweep() {
        var machine = known()
        _ = machine.start()
        #expect(
            machine.step(.page(nextLink: "Tools?$deltatoken=9", deltaLink: nil))
                == .restart(url: "Tools", mode: .sweep))
    }

    @Test func linksOfAnotherOriginAreRebasedOrRefusedByName() {
        var machine = ReadMachine(
            source: source, state: SourceState(), root: "https://h.example/s/")
        _ = machine.start()
        #expect(
            machine.step(.page(nextLink: "http://back.end/s/Tools?p=2", deltaLink: nil))
                == .fetch(url: "https://h.example/s/Tools?p=2", mode: .first))
        #expect(
            machine.step(.page(nextLink: "http://else.where/Tools?p=3", deltaLink: nil))
                == .fail(.foreign(host: "else.where")))
    }

    @Test func aDeltaLinkOfAnotherServiceIsReplacedByASweep() {
        var state = Self.known
        state.deltaLink = "https://else.where/Tools?t=1"
        var machine = ReadMachine(source: source, state: state, root: "https://h.example/s/")
        #expect(machine.start() == .restart(url: "Tools", mode: .sweep))
    }

    @Test func theFirstOfSeveralDeltaLinksIsKept() {
        var machine = ReadMachine(source: source, state: SourceState())
        _ = machine.start()
        _ = machine.step(.page(nextLink: "Tools?p=2", deltaLink: "Tools?t=1"))
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: "Tools?t=2"))
                == .finish(mode: .first, deltaLink: "Tools?t=1"))
    }

    @Test func theFirstDeltaLinkSurvivesAnInterruption() {
        let resume = ResumePoint(mode: .first, nextLink: "Tools?p=2", deltaLink: "Tools?t=1")
        var machine = ReadMachine(source: source, state: SourceState(resume: resume))
        _ = machine.start()
        #expect(
            machine.step(.page(nextLink: nil, deltaLink: "Tools?t=2"))
                == .finish(mode: .first, deltaLink: "Tools?t=1"))
    }

    @Test func whatCannotBeMatchedIsReadAgainOnce() {
        var machine = known()
        _ = machine.start()
        _ = machine.step(.page(nextLink: nil, deltaLink: "Tools?t=2"))
        #expect(machine.step(.unmatched) == .restart(url: "Tools", mode: .sweep))
        #expect(machine.step(.unmatched) == .finish(mode: .sweep, deltaLink: nil))
    }
}
