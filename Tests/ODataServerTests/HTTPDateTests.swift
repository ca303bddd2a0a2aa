import ODataServer
import ODataWorld
import Testing

@Suite struct HTTPDateTests {
    /// The first is the example of RFC 9110, section 5.6.7.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func datesAreWrittenAsHTTPSays(_ seconds: Int64, _ text: String) {
        #expect(HTTPDate.text(Instant(seconds: seconds)) == text)
    }

    @Test func aYearOfFiveDigitsHasNoText() {
        #expect(HTTPDate.text(Instant(seconds: 253_402_300_800)) == nil)
    }
}
