import ODataWire
import Testing

@Suite struct PageTailTests {
    static func link(_ text: String) -> String? {
        Array(text.utf8).withUnsafeBytes { PageTail.nextLink(in: $0) }
    }

    @Test(arguments: [
        #"{"value":[{"a":1}],"@odata.nextLink":"N"}"#,
        #"{"value":[{"a":1}],"@nextLink" : "N" } "#,
        #"{"value":[],"@odata.nextLink":"\u004e","@odata.count":5}"#,
        #"{"@odata.nextLink":"N","value":[{"a":1}]}"#,
        #"{"@odata.context":"c","@odata.nextLink":"N","value":[{"a":1}],"@x.y":{"z":[]}}"#,
        #"{"value":[{"t":"\"@odata.nextLink\":\"X\"}"}],"@odata.nextLink":"N"}"#,
    ])
    func theLinkOfThePageIsFound(page: String) {
        #expect(Self.link(page) == "N")
    }

    @Test(arguments: [
        "", "{}", #"{"value":[]}"#, #"{"value":[{"Items":[],"Items@odata.nextLink":"X"}]}"#,
        #"{"value":[{"@odata.nextLink":"X"}]}"#, #"{"value":["\"@odata.nextLink\":\"X\"}"]}"#,
        #"{"value":[{"@odata.nextLink":"X"}],"@odata.count":1}"#,
        #"{"@odata.nextLink":null,"value":[]}"#,
        #"{"value":[],"@odata.nextLink":"X""#, #"{"value":[],"@odata.deltaLink":"X"}"#,
    ])
    func whatOnlyLooksLikeALinkIsNone(page: String) {
        #expect(Self.link(page) == nil)
    }

    @Test func aLinkFarFromBothEndsIsLeftToTheReader() {
        let filler = String(repeating: " ", count: PageTail.window)
        #expect(Self.link("{\"value\":[],\(filler)\"@odata.nextLink\":\"N\"\(filler)}") == nil)
        #expect(Self.link("{\"value\":[\(filler)],\"@odata.nextLink\":\"N\"}") == "N")
    }
}
