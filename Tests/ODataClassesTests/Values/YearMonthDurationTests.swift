import ODataClasses
import ODataModel
import Testing

@Suite struct YearMonthDurationTests {
    @Test(arguments: [
        ("P1Y6M", "P1Y6M"), ("P18M", "P1Y6M"), ("-P18M", "-P1Y6M"), ("P2Y", "P2Y"),
        ("P0M", "P0M"), ("-P0Y", "P0M"), ("P24M", "P2Y"), ("P11M", "P11M"),
    ])
    func textIsNormalised(_ text: String, _ expected: String) throws {
        #expect(try #require(YearMonthDuration.parse(text)).toString() == expected)
    }

    @Test(arguments: ["", "P", "1Y", "P1M2Y", "P1D", "PY", "P1Y2", "P1Y-2M", "p1Y"])
    func otherTextIsRefused(_ text: String) {
        #expect(YearMonthDuration.parse(text) == nil)
    }

    @Test func equalityAndOrderAreThoseOfTheLength() throws {
        let first = YearMonthDuration.of(years: 1, months: 6)
        let second = try #require(YearMonthDuration.parse("P18M"))
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(second.months == 18)
        #expect(second.normalize().years == 1)
        #expect(YearMonthDuration.of(sign: -1, months: 20) < first)
        #expect(YearMonthDuration.of(months: 9) < YearMonthDuration.of(months: 10))
        #expect(YearMonthDuration.compare(first, second) == 0)
        #expect(YearMonthDuration.of(years: Int.max, months: -4).months == 0)
    }
}
