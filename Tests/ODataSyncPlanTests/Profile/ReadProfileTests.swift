import ODataSyncPlan
import Testing

@Suite struct ReadProfileTests {
    private let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    private func learned(
        _ steps: [(ReadForm, Int)], _ final: ReadForm
    ) -> (profile: ReadProfile, lessons: [String]) {
        var profile = ReadProfile()
        let lessons = profile.learn(
            of: source,
            from: steps.map { ReadMachine.Refusal(form: $0.0, status: $0.1) }, finally: final)
        return (profile, lessons)
    }

    @Test func refusedFormatsAreLearnedForEverySet() {
        let (profile, lessons) = learned(
            [(ReadForm(.compact), 406), (ReadForm(.parameters), 406)], ReadForm(.plain))
        #expect(profile.format == .plain)
        #expect(lessons == ["refuses format parameters (406)"])
        #expect(profile.form(of: "set:Other", wish: ReadForm(.compact)) == ReadForm(.plain))
    }

    @Test func refusedTrackingIsLearnedForTheSetAndLeavesTheFormat() {
        let untracked = ReadForm(.plain, tracksChanges: false)
        let (profile, lessons) = learned(
            [(ReadForm(.compact), 501), (ReadForm(.plain), 501)], untracked)
        #expect(profile.format == nil)
        #expect(lessons == ["does not track changes of set:Tools (501)"])
        #expect(profile.form(of: "set:Tools", wish: ReadForm()).tracksChanges == false)
        #expect(profile.form(of: "set:Other", wish: ReadForm()) == ReadForm())
    }

    /// Only a refusal of the format says something of it where options were left out, too.
    @Test(arguments: [(406, true), (400, false), (501, false)])
    func aFormatIsLearnedBesideOptionsWhereItWasRefusedItself(status: Int, isLearned: Bool) {
        let (profile, lessons) = learned(
            [(ReadForm(.compact), status), (ReadForm(.plain), 501)],
            ReadForm(.plain, tracksChanges: false))
        #expect(profile.format == (isLearned ? .plain : nil))
        #expect(
            lessons == (isLearned ? ["refuses format parameters (406)"] : [])
                + ["does not track changes of set:Tools (501)"])
        // Where nothing else was left out, it was the format.
        #expect(
            learned([(ReadForm(.compact), status)], ReadForm(.plain)).lessons
                == ["refuses format parameters (\(status))"])
    }

    @Test func nothingIsConcludedFromWhatMayPass() {
        let (profile, lessons) = learned(
            [(ReadForm(.compact), 500), (ReadForm(.plain), 500)],
            ReadForm(.plain, tracksChanges: false))
        #expect(profile == ReadProfile() && lessons.isEmpty)
    }

    @Test func aWishIsNeverMadeRicher() {
        var profile = ReadProfile()
        profile.format = .parameters
        #expect(profile.form(of: "x", wish: ReadForm(.plain)).format == .plain)
    }

    @Test func batchesThatAreNotThereAreLearnedOnce() {
        var profile = ReadProfile()
        #expect(profile.learnBatch(refusedWith: 500) == nil)
        #expect(profile.learnBatch(refusedWith: 405) == "takes no batches (405)")
        #expect(profile.learnBatch(refusedWith: 404) == nil)
    }

    @Test func aProfileSurvivesBeingWritten() throws {
        var profile = ServiceProfile()
        profile.reads.format = .plain
        profile.reads.untracked = ["set:Tools": 501]
        profile.reads.unexpanded = ["query:mine": 400]
        profile.reads.refusedBatch = 404
        #expect(ServiceProfile(text: profile.text) == profile)
        #expect(ServiceProfile(text: "{}") == ServiceProfile())
        #expect(ServiceProfile(text: "[") == nil)
    }
}
