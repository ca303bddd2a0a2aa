import ODataQuery
import ODataSyncPlan
import Testing

@Suite struct ReadFormTests {
    @Test(arguments: [406, 415]) func aRefusedFormatLeadsToThePlainerOnes(status: Int) {
        let top = ReadForm(.compact)
        #expect(top.next(afterRefusal: status, top: top) == ReadForm(.parameters))
        #expect(ReadForm(.parameters).next(afterRefusal: status, top: top) == ReadForm(.plain))
    }

    /// Some services say so of a preference or an expansion.
    @Test func whatIsNotAcceptableInThePlainestFormatIsAskedForWithLess() {
        let top = ReadForm(.compact)
        #expect(
            ReadForm(.plain).next(afterRefusal: 406, top: top)
                == ReadForm(.plain, tracksChanges: false))
        #expect(ReadForm(.plain).next(afterRefusal: 415, top: top) == nil)
        let least = ReadForm(.plain, tracksChanges: false, expands: false)
        #expect(least.next(afterRefusal: 406, top: top) == nil)
    }

    @Test(arguments: [400, 500, 501]) func whatMayBeAboutAnythingGoesDownTheLadder(status: Int) {
        let top = ReadForm(.compact)
        var form = top
        var rungs: [ReadForm] = []
        while let next = form.next(afterRefusal: status, top: top) {
            rungs.append(next)
            form = next
        }
        #expect(
            rungs == [
                ReadForm(.plain), ReadForm(.plain, tracksChanges: false),
                ReadForm(.plain, expands: false),
                ReadForm(.plain, tracksChanges: false, expands: false),
            ])
    }

    @Test func whatWasNotAskedForIsNotLeftOut() {
        let top = ReadForm(.plain, tracksChanges: false, expands: false)
        #expect(top.next(afterRefusal: 501, top: top) == nil)
        let tracked = ReadForm(.plain, expands: false)
        #expect(tracked.next(afterRefusal: 501, top: tracked) == top)
    }

    @Test(arguments: [401, 403, 404, 429, 503]) func otherRefusalsEndIt(status: Int) {
        #expect(ReadForm(.compact).next(afterRefusal: status, top: ReadForm(.compact)) == nil)
    }

    @Test func aPlainFormIsAskedForWithoutParameters() {
        let headers = ReadHeaders(isV2: false)
        #expect(headers.fields(ReadForm(.plain), .first)["Accept"] == "application/json")
        #expect(headers.fields(ReadForm(.plain), .first)["Prefer"] == "odata.track-changes")
        let untracked = ReadForm(.parameters, tracksChanges: false)
        #expect(headers.fields(untracked, .first)["Prefer"] == nil)
    }

    @Test func richFormatsNameThePlainOneToo() {
        let headers = ReadHeaders(isV2: false)
        for form in [ReadForm(.compact), ReadForm(.parameters)] {
            let accept = headers.fields(form, .first)["Accept"] ?? ""
            #expect(accept.contains(", application/json;q="))
        }
        let delta = headers.fields(ReadForm(.compact), .delta)["Accept"]
        #expect(delta?.contains("rows+json") == false)
    }

    /// The last rung of V2, where JSON came later than Atom; a link is never asked for in it, since its page came in JSON.
    @Test(arguments: [406, 415]) func aServiceOfV2MayKnowAtomAlone(status: Int) throws {
        let top = ReadForm(.plain, mayBeAtom: true)
        let atom = try #require(top.next(afterRefusal: status, top: top))
        #expect(atom == ReadForm(.atom, mayBeAtom: true))
        #expect(
            atom.next(afterRefusal: status, top: top)
                == (status == 406 ? ReadForm(.atom, tracksChanges: false, mayBeAtom: true) : nil))
        #expect(top.plainer(afterRefusal: status) == nil)
        #expect(
            atom.next(afterRefusal: 501, top: top)
                == ReadForm(.atom, tracksChanges: false, mayBeAtom: true))
        for mode in [ReadMode.first, .sweep, .delta] {
            #expect(
                ReadHeaders(isV2: true).fields(atom, mode)["Accept"] == "application/atom+xml")
        }
    }

    @Test func tombstonesOfV2AreAskedForInDeltas() {
        let headers = ReadHeaders(isV2: true)
        #expect(headers.fields(ReadForm(.plain), .sweep)["Accept"] == "application/json")
        #expect(
            headers.fields(ReadForm(.plain), .delta)["Accept"]?.hasPrefix("application/atom+xml")
                == true)
        #expect(headers.version == ["MaxDataServiceVersion": "2.0"])
    }
}
