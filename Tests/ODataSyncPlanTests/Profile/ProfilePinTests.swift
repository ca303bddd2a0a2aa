import ErrorFixture
import ODataQuery
import ODataSyncPlan
import ODataText
import Testing

@Suite struct ProfilePinTests {
    private let source = DownloadSource(entitySet: "Tools", url: "Tools", bit: 0)

    private func profile(_ pins: [String: String]) throws -> ServiceProfile {
        var profile = ServiceProfile()
        for (name, value) in pins { try profile.pins.pin(name, value) }
        return profile
    }

    @Test func whatIsPinnedCountsMoreThanWhatWasMet() throws {
        var profile = ServiceProfile()
        profile.reads.format = .plain
        profile.reads.untracked = ["set:Tools": 501]
        _ = profile.learnBatch(refusedWith: 404)
        _ = profile.learn(keys: .segments)
        #expect(profile.takesBatches == false && profile.keys == .segments)
        try profile.pins.pin("format", "parameters")
        try profile.pins.pin("tracking:Tools", "yes")
        try profile.pins.pin("batch", "yes")
        try profile.pins.pin("keys", "parentheses")
        #expect(
            profile.form(of: "set:Tools", wish: ReadForm(.compact)) == ReadForm(.parameters))
        #expect(profile.takesBatches == true && profile.keys == .parentheses)
        try profile.pins.unpin("batch")
        #expect(profile.takesBatches == false)
    }

    @Test func aPinOfOneSetIsOfThatSet() throws {
        let profile = try profile(["tracking": "no", "tracking:Tools": "yes", "expand:Loans": "no"])
        #expect(profile.form(of: "set:Tools", wish: ReadForm()).tracksChanges)
        #expect(!profile.form(of: "set:Loans", wish: ReadForm()).tracksChanges)
        #expect(!profile.form(of: "query:Loans", wish: ReadForm()).expands)
        #expect(profile.form(of: "set:Tools", wish: ReadForm()).expands)
    }

    @Test func nothingIsLearnedOverAPin() throws {
        var profile = try profile([
            "format": "compact", "tracking": "yes", "batch": "yes", "keys": "parentheses",
            "tunnel": "no",
        ])
        let before = profile
        let refusals = [
            ReadMachine.Refusal(form: ReadForm(.compact), status: 406),
            ReadMachine.Refusal(form: ReadForm(.plain), status: 501),
        ]
        #expect(
            profile.learn(
                of: source, from: refusals, finally: ReadForm(.plain, tracksChanges: false)) == [])
        #expect(profile.learnBatch(refusedWith: 404) == nil)
        #expect(profile.learn(keys: .segments) == nil && profile.learn(.tunnel) == nil)
        #expect(profile == before && profile.flag(.tunnel) == false)
    }

    @Test func lessonsAreToldOnce() {
        var profile = ServiceProfile()
        #expect(profile.learn(keys: .parentheses) == nil)
        #expect(profile.learn(keys: .segments) == "takes keys as segments of their own")
        #expect(profile.learn(keys: .segments) == nil)
        #expect(profile.learn(.tunnel) != nil && profile.learn(.tunnel) == nil)
        // Marks change nothing in what is asked.
        #expect(profile.learn(.version) == nil && profile.flag(.version) == true)
        #expect(profile.flag(.repeatable) == nil)
    }

    @Test func pinsAndLessonsSurviveBeingWritten() throws {
        var profile = try profile(["format": "plain", "expand:My Set": "no"])
        _ = profile.learn(keys: .segments)
        _ = profile.learn(.repeatable)
        #expect(ServiceProfile(text: profile.text) == profile)
        #expect(profile.pinned == ["expand:My Set=no", "format=plain"])
    }

    static let misfits: [(name: String, value: String, found: String)] = [
        ("colour", "red", "colour"), ("format", "html", "html"), ("keys", "yes", "yes"),
        ("batch:Tools", "no", "batch:Tools"), ("tracking:", "no", "tracking:"), ("batch", "", ""),
    ]

    @Test(arguments: misfits) func whatThereIsNotIsRefused(
        name: String, value: String, found: String
    ) {
        var pins = ProfilePins()
        let error = #expect(throws: ODataError.self) { try pins.pin(name, value) }
        #expect(error?.code == .usage && error?.location == .path(name))
        #expect(error?.message.hasSuffix("found \(found).") == true)
        #expect(pins == ProfilePins())
    }
}
