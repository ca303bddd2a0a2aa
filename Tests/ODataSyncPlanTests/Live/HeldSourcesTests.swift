import ODataQuery
import ODataSyncPlan
import Testing

@Suite struct HeldSourcesTests {
    private func news(
        _ body: String?, status: Int = 200, applied: String? = "odata.track-changes, wait=25"
    ) -> ChangeNews {
        var headers = HeaderFields()
        if let applied { headers["Preference-Applied"] = applied }
        return ChangeNews(status: status, headers: headers, body: body.map { Array($0.utf8) })
    }

    @Test func anAnswerIsNewsWhereItHasARowOrGoesOn() {
        #expect(news(#"{"value":[{"Id":1}]}"#) == .some)
        #expect(news(#"{"value":[],"@odata.nextLink":"x"}"#) == .some)
        #expect(news(#"{"value":[],"@nextLink":"x"}"#) == .some)
        // As long as that, it is not empty.
        #expect(news(nil) == .some)
        // Whether or not it was held.
        #expect(news(#"{"value":[{"Id":1}]}"#, applied: nil) == .some)
    }

    @Test func nothingIsHeardOfAWishThatWasNotApplied() {
        let empty = #"{"value":[],"@odata.deltaLink":"x"}"#
        #expect(news(empty) == ChangeNews.none)
        #expect(news(empty, applied: nil) == .unheard)
        #expect(news(empty, applied: "odata.track-changes") == .unheard)
        #expect(news(empty, status: 410) == .unheard)
        #expect(news("<html/>") == .unheard)
        #expect(news("") == .unheard)
    }

    @Test func theRequestSaysHowLongAndWantsOneRow() {
        let request = ChangeLink(source: "set:A", url: "A?$deltatoken=1").request(waiting: 25)
        #expect(request.method == "GET" && request.url == "A?$deltatoken=1")
        #expect(
            request.headers["Prefer"] == "odata.track-changes, odata.maxpagesize=1, wait=25")
    }

    private func links(_ numbers: ClosedRange<Int>, _ token: String = "1") -> [ChangeLink] {
        numbers.map { ChangeLink(source: "set:\($0)", url: "\($0)?$deltatoken=\(token)") }
    }

    @Test func onlySoManyAreHeld() {
        var sources = HeldSources()
        #expect(sources.choose(links(1...20), isWhole: true) == links(1...8))
    }

    /// A round that brings a row and leaves the link as it is must not lead to another one at once.
    @Test func aLinkThatHadNewsIsNotAskedAgain() {
        var sources = HeldSources()
        let link = links(1...1)[0]
        sources.take(.some, of: link)
        #expect(sources.choose([link], isWhole: false).isEmpty)
        #expect(sources.choose([link], isWhole: true).isEmpty)
        #expect(sources.choose(links(1...1, "2"), isWhole: false) == links(1...1, "2"))
    }

    @Test func whoDoesNotHearIsAskedLessAndLess() {
        var sources = HeldSources()
        let link = links(1...1)[0]
        var gaps: [Int] = []
        for _ in 0..<8 {
            sources.take(.unheard, of: link)
            // Rounds of some sources do not count.
            #expect(sources.choose([link], isWhole: false).isEmpty)
            var gap = 0
            while sources.choose([link], isWhole: true).isEmpty { gap += 1 }
            gaps.append(gap)
        }
        #expect(gaps == [0, 1, 3, 7, 15, 31, 31, 31])
        sources.take(.none, of: link)
        sources.take(.unheard, of: link)
        #expect(sources.choose([link], isWhole: true) == [link])
    }

    @Test func aPaceSparesWhatItIsToldTo() {
        var pace = LivePace(interval: .seconds(10))
        #expect(pace.wait(chance: 0.5) == .seconds(10) && pace.mayHold)
        pace.hints = LiveHints(isLowPower: true)
        #expect(pace.wait(chance: 0.5) == .seconds(40) && !pace.mayHold)
        pace.fail()
        #expect(pace.wait(chance: 0.5) == .seconds(2))
        pace.hints = LiveHints()
        #expect(!pace.mayHold)
        pace.succeed()
        #expect(pace.mayHold)
    }
}
