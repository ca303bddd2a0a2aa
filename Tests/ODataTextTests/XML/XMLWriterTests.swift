import ODataText
import Testing

@Suite struct XMLWriterTests {
    @Test func elementsAreIndentedAndEmptyOnesClosedInPlace() {
        var writer = XMLWriter()
        writer.start("a")
        writer.attribute("k", "1 < 2 & \"3\"")
        writer.attribute("absent", nil)
        writer.element("b", ["x": "y"])
        writer.start("c")
        writer.text("t > u & v")
        writer.end()
        writer.end()
        #expect(
            writer.text == """
                <?xml version="1.0" encoding="utf-8"?>
                <a k="1 &lt; 2 &amp; &quot;3&quot;">
                  <b x="y"/>
                  <c>t &gt; u &amp; v</c>
                </a>
                """)
    }

    @Test(arguments: ["", " a ", "a\tb\nc\rd", "]]>", "<&>\"'", "ä😀", "two  spaces"])
    func whatIsWrittenReadsBack(text: String) throws {
        var writer = XMLWriter(indentation: nil)
        writer.element("a", ["k": text]) { $0.text(text) }
        let root = try XMLDocument(writer.bytes).root
        #expect(root.attribute("k") == text)
        #expect(root.text == text)
    }

    @Test func charactersThatXMLCannotCarryAreReplaced() throws {
        var writer = XMLWriter(indentation: nil)
        writer.element("a") { $0.text("x\u{0}\u{FFFE}y") }
        #expect(try XMLDocument(writer.bytes).root.text == "x\u{FFFD}\u{FFFD}y")
    }
}
