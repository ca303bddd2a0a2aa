import ODataWire
import Testing

@Suite struct ServiceClockTests {
    private func clock(ahead seconds: Int64) -> ServiceClock {
        var clock = ServiceClock()
        clock.learn(
            date: HTTPDate.text(secondsSince1970: 1_900_000_000 + seconds), at: 1_900_000_000)
        return clock
    }

    @Test func smallDifferencesAreThoseOfNetworks() {
        #expect(ServiceClock().seconds(at: 7) == 7)
        #expect(clock(ahead: 300).seconds(at: 7) == 7)
        #expect(clock(ahead: -300).seconds(at: 1_000) == 1_000)
    }

    @Test func beyondFiveMinutesTheServicesTimeCounts() {
        #expect(clock(ahead: 301).seconds(at: 7) == 308)
        #expect(clock(ahead: -86_400).seconds(at: 100_000) == 13_600)
    }

    @Test func whatIsNoDateSaysNothing() {
        var clock = clock(ahead: 900)
        clock.learn(date: "yesterday", at: 5)
        clock.learn(date: nil, at: 5)
        #expect(clock.aheadSeconds == 900 && clock.isAsked)
        #expect(!ServiceClock().isAsked)
    }
}
