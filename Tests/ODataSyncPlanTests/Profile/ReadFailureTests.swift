import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

/// Which failed read of a row keeps what else is to be read or sent.
@Suite struct ReadFailureTests {
    @Test(arguments: [
        ODataError.Code.service, .invalidPayload, .invalidValue, .malformedText, .unknownName,
        .notFound, .limitExceeded,
    ])
    func whatTheServiceSaysOfARowIsOfThatRow(code: ODataError.Code) {
        #expect(ReadFailure(ODataError(code, "x")) == .ofOnePlace)
    }

    @Test(arguments: [ODataError.Code.network, .timeout, .storage, .cancelled])
    func whatIsSoOfTheNextOneIsOfEverything(code: ODataError.Code) {
        #expect(ReadFailure(ODataError(code, "x")) == .ofEverything)
    }

    @Test func somebodyElseMayStandBeforeOnePlace() {
        let foreign = ForeignPage()
        #expect(ReadFailure(ODataError(.network, "x", underlying: foreign)) == .ofSomebodyElse)
        #expect(ReadFailure(ODataError(.timeout, "x", underlying: foreign)) == .ofEverything)
    }

    @Test func whoLetsNobodyInSaysItOfEverything() {
        for status in [401, 407, 429, 503] { #expect(ReadFailure.asksToComeLater(status)) }
        for status in [0, 200, 302, 400, 403, 404, 408, 410, 500, 502, 504] {
            #expect(!ReadFailure.asksToComeLater(status), "\(status)")
        }
    }
}
