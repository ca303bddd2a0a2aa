import ODataModel
import Testing

@Suite struct CalendarTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 11016), ("1969-12-31", -1), ("0001-01-01", -719_162),
        ("0000-12-31", -719_163), ("-0001-03-01", -719_834), ("10000-01-01", 2_932_897),
        ("-10000-04-01", -4_371_862), ("9999-12-31", 2_932_896),
    ])
    func datesCountDaysAndPrintAsRead(text: String, days: Int64) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.daysSince1970 == days)
        #expect(date.description == text)
        #expect(CalendarDate(daysSince1970: days) == date)
    }

    @Test func everyDayOfFourCenturiesFollowsTheOneBefore() throws {
        var date = try #require(CalendarDate("1799-12-31"))
        for day in date.daysSince1970 + 1...date.daysSince1970 + 146_100 {
            let next = try #require(CalendarDate(daysSince1970: day))
            let isNextDay = next.day == date.day + 1 && next.month == date.month
            let isNextMonth =
                next.day == 1 && next.month == date.month + 1 && next.year == date.year
                && Int(date.day) == CalendarDate.days(inMonth: Int(date.month), of: Int(date.year))
            let isNextYear =
                next.day == 1 && next.month == 1 && next.year == date.year + 1
                && date.month == 12 && date.day == 31
            guard isNextDay || isNextMonth || isNextYear, next.daysSince1970 == day, date < next
            else {
                Issue.record("\(next) does not follow \(date)")
                return
            }
            date = next
        }
    }

    @Test(arguments: [
        "2023-02-29", "1900-02-29", "2023-13-01", "2023-00-01", "2023-04-31", "23-01-01",
        "2023-1-1",
        "02023-01-01", "2023-01-01Z", " 2023-01-01", "-0000-01-01", "+2023-01-01", "20230101", "",
        "2023-01-", "12345678901-01-01", "-INF",
    ])
    func datesThatDoNotExistAreRefused(text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func daysOfWeekStartOnMonday() throws {
        #expect(try #require(CalendarDate("1970-01-01")).dayOfWeek == 4)
        #expect(try #require(CalendarDate("2026-11-21")).dayOfWeek == 6)
        #expect(try #require(CalendarDate("1969-12-28")).dayOfWeek == 7)
        #expect(try #require(CalendarDate("2024-12-31")).dayOfYear == 366)
    }

    @Test(arguments: [
        ("11:22", "11:22:00"), ("08:30:00.250", "08:30:00.25"), ("23:59:59.999999999999", nil),
        ("00:00:00.000000000001", nil), ("00:00:00.0", "00:00:00"),
    ])
    func timesPrintWithoutTrailingZeros(text: String, expected: String?) throws {
        #expect(try #require(ClockTime(text)).description == expected ?? text)
    }

    @Test(arguments: [
        "24:00:00", "23:60", "23:59:60", "1:00", "11:22:33.", "11:22:33.1234567890123", "11",
        "11:22:3",
        "-11:22", "11:22:33Z",
    ])
    func timesOutsideTheDayAreRefused(text: String) {
        #expect(ClockTime(text) == nil)
    }

    @Test func hourTwentyFourIsOnlyTheEndOfTheDay() throws {
        #expect(ClockTime("24:00:00", allowsHour24: true)?.description == "24:00:00")
        #expect(ClockTime("24:00:01", allowsHour24: true) == nil)
        #expect(
            WallDateTime("1999-12-31T24:00:00", allowsHour24: true)?.description
                == "2000-01-01T00:00:00")
    }

    @Test(arguments: [
        ("2031-05-01T08:30:00Z", "2031-05-01T08:30:00Z", "2031-05-01T08:30:00"),
        ("2012-09-03T23:59+01:00", "2012-09-03T23:59:00+01:00", "2012-09-03T22:59:00"),
        (
            "2012-01-01T00:30:00.1250-05:30", "2012-01-01T00:30:00.125-05:30",
            "2012-01-01T06:00:00.125"
        ),
        ("-10000-04-01T00:00Z", "-10000-04-01T00:00:00Z", "-10000-04-01T00:00:00"),
        ("1969-12-31T23:59:59.5z", "1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5"),
        (
            "9999-12-31T23:59:59.999999999999-14:00", "9999-12-31T23:59:59.999999999999-14:00",
            "10000-01-01T13:59:59.999999999999"
        ),
    ])
    func instantsKeepTheirOffset(text: String, canonical: String, utc: String) throws {
        let instant = try #require(OffsetDateTime(text))
        #expect(instant.description == canonical)
        #expect(instant.utcText == utc)
        let read = try #require(
            OffsetDateTime(utcText: utc, offsetMinutes: Int(instant.offsetMinutes)))
        #expect(read == instant)
        #expect(read.description == canonical)
    }

    @Test(arguments: [
        "2011-12-31T24:00:00Z", "2012-09-03T24:00-03:00", "2012-09-03T13:52", "2012-09-03 13:52Z",
        "2012-09-03T13:52+1:00", "2012-09-03T13:52+24:00", "2012-09-03T13:52Zx", "2012-09-03Z",
    ])
    func instantsWithoutATrueOffsetAreRefused(text: String) {
        #expect(OffsetDateTime(text) == nil)
    }

    @Test func equalInstantsAreEqualWhateverTheOffset() throws {
        let utc = try #require(OffsetDateTime("2020-06-01T10:00:00Z"))
        let local = try #require(OffsetDateTime("2020-06-01T12:00:00+02:00"))
        #expect(utc == local)
        #expect(utc.hashValue == local.hashValue)
        #expect(!(utc < local) && !(local < utc))
    }

    @Test(arguments: [
        ("PT0S", "PT0S", 0, 0), ("P1DT2H", "P1DT2H", 93_600, 0), ("PT36H", "P1DT12H", 129_600, 0),
        ("-PT0.5S", "-PT0.5S", -1, 500_000_000_000),
        (
            "P6DT23H59M59.9999S", "P6DT23H59M59.9999S",
            604_799, 999_900_000_000
        ), ("-P1D", "-P1D", -86_400, 0), ("PT90M", "PT1H30M", 5400, 0),
        ("+PT1S", "PT1S", 1, 0), ("P0D", "PT0S", 0, 0),
    ])
    func durationsAreNormalised(
        text: String, canonical: String, seconds: Int64, picoseconds: Int64
    ) throws {
        let duration = try #require(EdmDuration(text))
        #expect(duration.description == canonical)
        #expect(duration.seconds == seconds)
        #expect(duration.picoseconds == picoseconds)
        #expect(EdmDuration(decimalSeconds: duration.decimalSeconds) == duration)
    }

    @Test(arguments: [
        "P", "PT", "P1DT", "P1Y6DT23H", "P1M6DT23H", "PT1M1H", "PT1H1H", "1D", "P1", "PT1",
        "PT1.5M", "P-1D",
        "PT.5S", "PT1.S", "P999999999999999999D", "",
    ])
    func durationsThatAreMalformedOrTooLongAreRefused(text: String) {
        #expect(EdmDuration(text) == nil)
    }

    @Test func durationKeysOrderAsLengths() throws {
        let texts = [
            "-P2D", "-P1DT0.5S", "-P1D", "-PT0.1S", "PT0S", "PT0.1S", "PT1S", "PT10S", "P1D",
        ]
        let keys = try texts.map { try #require(EdmDuration($0)).orderKey }
        for (left, right) in zip(keys, keys.dropFirst()) {
            #expect(left.lexicographicallyPrecedes(right))
        }
    }
}
