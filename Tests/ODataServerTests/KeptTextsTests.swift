@testable import ODataServer
import Testing

@Suite struct KeptTextsTests {
    @Test func soManyTextsStayAndNoMore() {
        let texts = KeptTexts()
        for number in 0..<KeptTexts.limit { #expect(texts.admits("UPDATE \(number)")) }
        #expect(!texts.admits("UPDATE x"))
        #expect(texts.admits("UPDATE 0"))
    }
}
