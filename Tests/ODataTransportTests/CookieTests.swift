import Testing

@testable import ODataTransport

/// What of the cookies of a service goes with later requests (RFC 6265).
@Suite struct CookieTests {
    /// Thu, 01 May 2031 08:30:00 GMT.
    static let moment: Int64 = 1_935_390_600

    @Test(arguments: [
        "Thu, 01 May 2031 08:30:00 GMT", "Thursday, 01-May-31 08:30:00 GMT",
        "Thu May  1 08:30:00 2031", "Thu, 1-May-2031 8:30:0 GMT", "01 mayo 2031 08:30:00",
        "2031 May 01 08:30:00", "08:30:00 01 May 2031", "1 May 31 08:30:00 UTC",
    ])
    func everyFormOfADateIsRead(text: String) {
        #expect(CookieDate.secondsSince1970(text) == Self.moment)
    }

    @Test func yearsOfTwoDigitsAreOfTheCenturyThatTheyMean() {
        #expect(CookieDate.secondsSince1970("01 Jan 70 00:00:00") == 0)
        #expect(CookieDate.secondsSince1970("31 Dec 69 23:59:59") == 3_155_759_999)
        #expect(CookieDate.secondsSince1970("Sun, 31 Dec 1999 23:59:59 GMT") == 946_684_799)
    }

    @Test(arguments: [
        "", "tomorrow", "01 May 2031", "08:30:00 May 2031", "01 May 08:30:00", "01 2031 08:30:00",
        "31 Feb 2031 08:30:00", "01 May 2031 24:00:00", "01 May 1600 08:30:00", "01 May 2031 8:30",
    ])
    func noOtherTextIsADate(text: String) {
        #expect(CookieDate.secondsSince1970(text) == nil)
    }

    @Test(arguments: [
        ("sid=1", "sid=1", "sid=1"),
        ("sid=1; Expires=Thu, 01 May 2031 08:30:05 GMT", "sid=1", nil),
        ("sid=1; expires=Thursday, 01-May-31 08:30:05 GMT; Path=/", "sid=1", nil),
        ("sid=1; Expires=Thu May  1 08:30:05 2031", "sid=1", nil),
        ("sid=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", nil, nil),
        ("sid=1; Expires=never", "sid=1", "sid=1"),
        ("sid=1; Max-Age=5", "sid=1", nil),
        ("sid=1; Max-Age=0", nil, nil),
        ("sid=1; Max-Age=-7", nil, nil),
        ("sid=1; Max-Age=soon", "sid=1", "sid=1"),
        ("sid=1; Max-Age=99999999999999999999", "sid=1", "sid=1"),
        ("sid=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "sid=1", "sid=1"),
        ("sid=1; Max-Age=0; Expires=Thu, 01 Jan 2099 00:00:00 GMT", nil, nil),
    ])
    func aCookieLastsAsLongAsTheServiceSays(header: String, now: String?, later: String?) {
        var jar = CookieJar()
        jar.store([header], now: Self.moment)
        #expect(jar.headerValue(now: Self.moment) == now)
        #expect(jar.headerValue(now: Self.moment + 5) == later)
    }

    /// A session of the system gives the fields of one name as one text.
    @Test(arguments: [
        [""], ["sid=1"], ["sid=1; Path=/", "x=2"],
        ["sid=1; Expires=Thu, 01 May 2031 08:30:00 GMT; Path=/", "a=b,c=d", "last=; Max-Age=0"],
        ["sid=1; Expires=Thu, 01 May 2031 08:30:00 GMT"], ["a=1, 2", "b=3,"],
    ])
    func joinedCookiesArePartedAgain(fields: [String]) {
        #expect(JoinedCookies.parts(of: fields.joined(separator: ", ")) == fields)
    }

    @Test func anExpiredCookieTakesTheEarlierOneAway() {
        var jar = CookieJar()
        jar.store(["sid=1", "other=2"], now: Self.moment)
        jar.store(["sid=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], now: Self.moment)
        #expect(jar.headerValue(now: Self.moment) == "other=2")
    }
}
