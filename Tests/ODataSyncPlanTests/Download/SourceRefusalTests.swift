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

    @Test(arguments: [401, 407, 429]) func whoMayNotAskIsNotSentOn(status: Int) {
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

    @Test func troublesOfTheNetworkConcernEverySet() {
        #expect(SourceRefusal.isAboutOneSource(ODataError(.service, "x")))
        #expect(SourceRefusal.isAboutOneSource(ODataError(.malformedText, "x")))
        #expect(SourceRefusal.isAboutOneSource(ODataError(.invalidValue, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.network, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.storage, "x")))
        #expect(!SourceRefusal.isAboutOneSource(ODataError(.cancelled, "x")))
    }
}
