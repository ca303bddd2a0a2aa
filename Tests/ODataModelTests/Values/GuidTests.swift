import ODataModel
import Testing

@Suite struct GuidTests {
    @Test func bothFormsReadAndLowerCaseIsWritten() throws {
        let long = try #require(Guid("01234567-89AB-cdef-0123-456789abcdef"))
        #expect(long == Guid("0123456789ABCDEF0123456789ABCDEF"))
        #expect(long.description == "01234567-89ab-cdef-0123-456789abcdef")
        #expect(long.compactText == "0123456789abcdef0123456789abcdef")
        #expect(Guid(bytes: long.bytes) == long)
        #expect(long.bytes.prefix(3) == [0x01, 0x23, 0x45])
    }

    @Test(arguments: [
        "", "01234567-89ab-cdef-456789abcdef", "01234567-89ab-cdef-0123-456789abcdeg",
        "0123456789ab-cdef-0123-456789abcdef--", "{0123456789abcdef0123456789abcdef}",
    ])
    func otherTextIsRefused(text: String) {
        #expect(Guid(text) == nil)
    }
}
