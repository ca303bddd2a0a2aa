import ODataClasses
import Foundation
import ODataModel
import Testing

@Suite struct CalendarValueTests {
    private func zone(_ name: String) throws -> TimeZone {
        try #require(TimeZone(identifier: name))
    }

    @Test func fieldsAreReadAsGiven() {
        let moment = LocalDateTime.of(
            year: 2024, month: 2, day: 29, hour: 23, minute: 58, second: 7, nano: 120_000_000)
        #expect("\(moment)" == "2024-02-29T23:58:07.12")
        #expect(moment.nano == 120_000_000 && moment.dayOfWeek == 4 && moment.dayOfYear == 60)
        #expect("\(moment.date) \(moment.time)" == "2024-02-29 23:58:07.12")
        #expect(LocalTime.of(hour: 5).toString() == "05:00:00")
        #expect(
            GlobalDateTime.of(year: 2024, month: 1, day: 1).toString() == "2024-01-01T00:00:00Z")
    }

    @Test func instantsCrossToFoundationAndBack() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        let instant = GlobalDateTime.from(utc: date)
        #expect(instant.toString() == "2023-11-14T22:13:20.25Z")
        #expect(instant.utc() == date)
        let before = Date(timeIntervalSince1970: -0.5)
        #expect(GlobalDateTime.from(utc: before).toString() == "1969-12-31T23:59:59.5Z")
        #expect(GlobalDateTime.from(utc: .distantPast).utc() == .distantPast)
    }

    @Test func zonesShiftTheClockOnTheWall() throws {
        let summer = try #require(GlobalDateTime.parse("2024-07-01T23:30:00Z")).utc()
        let berlin = try zone("Europe/Berlin")
        #expect(LocalDateTime.from(utc: summer, in: berlin).toString() == "2024-07-02T01:30:00")
        #expect(LocalDate.from(utc: summer, in: berlin).toString() == "2024-07-02")
        #expect(LocalTime.from(utc: summer).toString() == "23:30:00")
        let wall = try #require(LocalDateTime.parse("2024-07-02T01:30:00"))
        #expect(wall.utc(from: berlin) == summer)
        let midnight = try #require(LocalDate.parse("2024-07-02")?.utc(from: berlin))
        #expect(GlobalDateTime.from(utc: midnight).toString() == "2024-07-01T22:00:00Z")
    }

    @Test func theOffsetOfAnInstantDecidesItsFieldsOnly() throws {
        let east = try #require(GlobalDateTime.parse("2024-01-01T01:00:00+02:00"))
        let utc = try #require(GlobalDateTime.parse("2023-12-31T23:00:00Z"))
        #expect(east == utc)
        #expect(east.year == 2024 && utc.year == 2023)
        #expect(GlobalDateTime.castRequired(east) === east)
        #expect(GlobalDateTime.castOptional(nil) == nil)
    }

    @Test func durationsKeepTheirFieldsUntilNormalised() throws {
        let duration = DayTimeDuration.of(hours: 36, minutes: 90)
        #expect(duration.hours == 36 && duration.days == 0)
        #expect(duration.normalize().days == 1 && duration.normalize().hours == 13)
        #expect(duration.toString() == "P1DT13H30M")
        #expect(duration.toDecimal().toString() == "135000")
        #expect(duration == DayTimeDuration.parse("PT37H30M"))
        let negative = DayTimeDuration.of(sign: -1, seconds: 1, nanos: 500_000_000)
        #expect(negative.toString() == "-PT1.5S")
        #expect(DayTimeDuration.ofDecimal(BigDecimal("-1.5")) == negative)
        #expect(negative < duration)
        #expect(DayTimeDuration.of(days: .max).toString() == EdmDuration.longest.description)
    }
}
