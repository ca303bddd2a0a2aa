import ODataServer
import Testing

@Suite struct BodyPaceTests {
    private static let minute: Int64 = 60_000_000_000

    /// How many spans of a minute begin while so many bytes come, in parts.
    private func spans(_ bytes: Int, in part: Int) -> Int {
        var pace = BodyPace(nanoseconds: Self.minute)
        var count = 0
        for _ in 0..<bytes / part where pace.isEnough(after: part) {
            pace.begin()
            count += 1
        }
        return count
    }

    @Test func aByteNowAndThenBeginsNoSpan() {
        // What came in an hour at a byte a second keeps nothing open beyond the first minute.
        #expect(spans(3_600, in: 1) == 0)
    }

    @Test func slowNetworksBeginOneInTime() {
        // A kilobyte a second: sixty of them are there before the minute is over.
        for part in [1, 100, 1_000] { #expect(spans(60_000, in: part) >= 2) }
        #expect(spans(1 << 20, in: 1 << 16) == 16)
    }

    @Test func inShortSpansAnythingIsEnough() {
        var pace = BodyPace(nanoseconds: 200_000_000)
        #expect(!pace.isEnough(after: 0) && pace.isEnough(after: 1))
    }
}
