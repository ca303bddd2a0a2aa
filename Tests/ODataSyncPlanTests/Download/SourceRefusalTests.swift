import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

@Suite struct SourceRefusalTests {
    private func refusal(_ set: String, _ status: Int) -> SourceRefusal {
        SourceRefusal(
            DownloadSource(entitySet: set, url: set, bit: 0), reason: "no", status: status)
    }

    @Test(arguments: [400, 404, 500, 501, 503, 0]) func oneBrokenSetDoesNotEndTheRest(status: Int) {
        #expect(!SourceRefusal.endsDownload([refusal("A", status)], finished: 0))
    }

    @Test func anAnswerThatBreaksOffIsOfOneSetUntilTheNextOneDoes() {
        let cut = NetworkFailure(phase: .body, method: "GET", host: "h")
        #expect(SourceRefusal.isBroken(ODataError(.network, "x", underlying: cut)))
        #expect(SourceRefusal.isBroken(ODataError(.network, "x", underlying: ForeignPage())))
        #expect(!SourceRefusal.isBroken(ODataError(.timeout, "x", underlying: cut)))
        #expect(!SourceRefusal.isBroken(ODataError(.network, "x")))
        let gone = NetworkFailure(phase: .connect, method: "GET", host: "h")
        #expect(!SourceRefusal.isBroken(ODataError(.network, "x", underlying: gone)))
        var broken = refusal("A", 0)
        broken.isBroken = true
        #expect(!SourceRefusal.endsDownload([broken], finished: 0))
        #expect(SourceRefusal.endsDownload([broken, refusal("B", 404), broken], finished: 2))
    }

    @Test func oneSetThatWantsToKnowWhoAsksIsLeftOutWhereOthersAreRead() {
        let sets = ["A", "B"].map { refusal($0, 401) }
        #expect(SourceRefusal.endsDownload([sets[0]], finished: 0))
        #expect(!SourceRefusal.endsDownload([sets[0]], finished: 1))
        #expect(SourceRefusal.endsDownload(sets, finished: 1))
    }

    @Test(arguments: [407, 429]) func whoMayNotAskIsNotSentOn(status: Int) {
        #expect(SourceRefusal.endsDownload([refusal("A", status)], finished: 4))
    }

    @Test func oneForbiddenSetIsLeftOutAndForbiddenEverythingEndsIt() {
        let sets = ["A", "B", "C"].map { refusal($0, 403) }
        #expect(!SourceRefusal.endsDownload([sets[0]], finished: 0))
        #expect(SourceRefusal.endsDownload(sets, finished: 0))
        #expect(!SourceRefusal.endsDownload(sets, finished: 1))
    }

    @Test func theErrorNamesEveryRefusedSet() {
        let error = SourceRefusal.error([refusal("Reports", 500), refusal("Tags", 404)])
        #expect(error?.status == 500)
        #expect(error?.message.contains("Reports (no), Tags (no)") == true)
        #expect(SourceRefusal.error([]) == nil)
    }

    @Test func whatCannotBeStoredIsReadAnewAndNothingElseIs() {
        let codes: [ODataError.Code] = [.invalidPayload, .invalidValue, .malformedText]
        for code in codes { #expect(SourceRefusal.isOfContent(ODataError(code, "x"))) }
        for code in [.service, .limitExceeded, .network, .storage, .cancelled, .conflict]
            as [ODataError.Code]
        {
            #expect(!SourceRefusal.isOfContent(ODataError(code, "x")), "\(code)")
        }
    }

    @Test func troublesOfTheNetworkConcernEverySet() {
        #expect(SourceRefusal.isAboutOneSource(ODataError(.service, "x")))
        #expect(SourceRefusal.isAboutOneSource(ODataError(.malformedText, "x")))
        #expect(SourceRefusal.isAboutOneSource(ODataError(.invalidValue, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.network, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.storage, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.cancelled, "x")))
    }
}
