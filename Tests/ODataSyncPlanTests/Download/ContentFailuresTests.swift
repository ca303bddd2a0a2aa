import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// One content that does not come keeps none of those behind it from coming; a network that is gone does.
@Suite struct ContentFailuresTests {
    private func refused(_ status: Int) -> ODataError {
        ODataError(.service, "no \(status)", status: status)
    }

    private func broken(_ phase: NetworkFailure.Phase) -> ODataError {
        ODataError(
            .network, "broken",
            underlying: NetworkFailure(phase: phase, method: "GET", host: "h"))
    }

    @Test(arguments: [0, 400, 403, 404, 410, 500, 501]) func anyNumberOfDeadContentsIsLeftOut(
        status: Int
    ) {
        var failures = ContentFailures()
        for _ in 0..<50 { failures.fail(refused(status)) }
        #expect(failures.end == nil && failures.broken == nil)
        #expect(failures.refusalCount == 50)
        #expect(failures.refusal?.message == "no \(status)")
        failures.succeed()
        for _ in 0..<99 { failures.fail(refused(status)) }
        #expect(failures.end == nil)
        // Of a set whose contents nobody may read not all are asked for.
        failures.fail(refused(status))
        #expect((failures.end as? ODataError)?.status == (status == 403 ? 403 : nil))
    }

    @Test(arguments: [401, 407, 429]) func whoMayNotAskIsNotSentOn(status: Int) {
        var failures = ContentFailures()
        failures.fail(refused(status))
        #expect((failures.end as? ODataError)?.status == status)
    }

    @Test(arguments: [NetworkFailure.Phase.name, .connect, .tls])
    func withoutAConnectionNothingMoreIsAskedFor(phase: NetworkFailure.Phase) {
        var failures = ContentFailures()
        failures.fail(broken(phase))
        #expect((failures.end as? ODataError)?.code == .network)
    }

    @Test func severalBreaksInARowAreANetworkThatIsGone() {
        var failures = ContentFailures()
        for _ in 0..<10 {
            failures.fail(broken(.body))
            failures.fail(refused(503))
            #expect(failures.end == nil)
            failures.succeed()
        }
        failures.fail(broken(.wait))
        failures.fail(refused(404))
        for _ in 0..<2 { failures.fail(broken(.body)) }
        #expect(failures.end == nil && failures.broken != nil)
        failures.fail(broken(.body))
        #expect((failures.end as? ODataError)?.code == .network)
    }

    @Test func timeLimitsAndTheStoreEndItAtOnce() {
        for code in [ODataError.Code.timeout, .storage, .cancelled] {
            var failures = ContentFailures()
            failures.fail(ODataError(code, "over"))
            failures.fail(refused(500))
            #expect((failures.end as? ODataError)?.code == code)
            #expect(failures.refusalCount == 0)
        }
        var failures = ContentFailures()
        failures.fail(CancellationError())
        #expect(failures.end is CancellationError)
    }
}
