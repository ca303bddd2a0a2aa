import ErrorFixture
import ODataText
import Testing

@Suite struct XMLReaderTests {
    /// The events of a document as one line each.
    private func events(_ text: String) throws -> [String] {
        var reader = try XMLReader(Array(text.utf8))
        var lines: [String] = []
        while true {
            switch try reader.next() {
            case .startElement:
                let attributes = reader.attributes.map {
                    " \($0.name.namespace.isEmpty ? "" : "{\($0.name.namespace)}")\($0.name.localName)=\($0.value)"
                }
                lines.append(
                    "<{\(reader.name.namespace)}\(reader.name.localName)\(attributes.joined())")
            case .endElement: lines.append(">\(reader.name.localName)")
            case .text: lines.append("'\(reader.text)'")
            case .endOfDocument: return lines
            }
        }
    }

    @Test func elementsAttributesAndTextComeInDocumentOrder() throws {
        let found = try events(
            #"<?xml version="1.0" encoding="utf-8"?><a x="1" y='2'>t<b/>u</a><!-- end --> "#)
        #expect(found == ["<{}a x=1 y=2", "'t'", "<{}b", ">b", "'u'", ">a"])
    }

    @Test func prefixesResolveInTheirScopeOnly() throws {
        let found = try events(
            #"<p:a xmlns:p="urn:1" p:k="v"><p:b xmlns:p="urn:2"/><c xmlns="urn:3"><d k="w"/></c><p:e/></p:a>"#
        )
        #expect(
            found == [
                "<{urn:1}a {urn:1}k=v", "<{urn:2}b", ">b", "<{urn:3}c", "<{urn:3}d k=w", ">d",
                ">c", "<{urn:1}e", ">e", ">a",
            ])
    }

    @Test func referencesAndCharacterSectionsJoinTheirNeighbours() throws {
        let found = try events("<a>1 &lt; 2 &amp;&#65;&#x1F600;<![CDATA[<&]]>x<!-- c -->y</a>")
        #expect(found == ["<{}a", "'1 < 2 &A😀<&xy'", ">a"])
    }

    @Test func attributeValuesAreNormalisedAndDecoded() throws {
        let found = try events("<a k=\"a\tb\r\nc&quot;&#10;d\"/>")
        #expect(found == ["<{}a k=a b c\"\nd", ">a"])
    }

    @Test func aTreeHasNoRoomToSpare() throws {
        let child = #"<c x:k="1" l="2" m="3"/>"#
        let text = #"<a xmlns:x="urn:x">"# + String(repeating: child, count: 37) + "</a>"
        let root = try XMLDocument(Array(text.utf8)).root
        #expect(root.children.count == 37)
        // The allocator may round up.
        #expect(root.children.capacity <= 38)
        for child in root.children {
            #expect(child.attributes.map(\.value) == ["1", "2", "3"])
            #expect(child.attributes.capacity <= 4)
            #expect(child.attribute("k", in: "urn:x") == "1")
        }
    }

    @Test func attributesAreThoseOfTheLastStartTagAlone() throws {
        var reader = try XMLReader(Array(#"<a k="1" l="2"><b m="3"/></a>"#.utf8))
        var kept: [[String]] = []
        while try reader.next() != .endOfDocument {
            kept.append(reader.attributes.map(\.value))
        }
        #expect(kept == [["1", "2"], ["3"], [], []])
    }

    @Test func lineEndsInTextBecomeLineFeeds() throws {
        #expect(try events("<a>1\r\n2\r3\n</a>") == ["<{}a", "'1\n2\n3\n'", ">a"])
    }

    @Test func aByteOrderMarkAndNonASCIINamesAreRead() throws {
        #expect(try events("\u{FEFF}<Größe é=\"ü\"/>") == ["<{}Größe é=ü", ">Größe"])
    }

    @Test func elementTextReadsPastTheEndTag() throws {
        var reader = try XMLReader(Array("<a><b>one&amp;</b><c/></a>".utf8))
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .startElement)
        #expect(try reader.elementText() == "one&")
        #expect(try reader.next() == .startElement)
        #expect(reader.name.localName == "c")
    }

    @Test func skippingLeavesTheParentOpen() throws {
        var reader = try XMLReader(Array("<a><b><c>x</c><d/></b><e/></a>".utf8))
        #expect(try reader.next() == .startElement)
        #expect(try reader.next() == .startElement)
        try reader.skipElement()
        #expect(try reader.next() == .startElement)
        #expect(reader.name.localName == "e")
        #expect(reader.depth == 2)
    }

    @Test(arguments: [
        ("<a>\n  <b></a>", "line 2, column 6", "Expected </b>, found </a>."),
        ("<a>", "line 1, column 4", "Expected the end tag of <a>, found the end."),
        (
            "<a/><b/>", "line 1, column 5",
            "Expected nothing after the root element, found another tag."
        ),
        ("<a/>x", "line 1, column 5", "Expected no text outside the root element."),
        ("", "line 1, column 1", "Expected a root element, found the end."),
        ("<a k=1/>", "line 1, column 6", "Expected a quoted value, found \"1\"."),
        ("<a k=\"1\"l=\"2\"/>", "line 1, column 9", "Expected white space or \">\"."),
        ("<a k=\"1\" k=\"2\"/>", "line 1, column 10", "Expected attribute k once, found it twice."),
        ("<a k=\"<\"/>", "line 1, column 7", "Expected no \"<\" in an attribute value."),
        (
            "<a>é&nbsp;</a>", "line 1, column 5",
            "Expected one of the five entities of XML, found another."
        ),
        ("<a>&#0;</a>", "line 1, column 4", "Expected the number of an XML character."),
        ("<a>&#xD800;</a>", "line 1, column 4", "Expected the number of an XML character."),
        ("<a>& b</a>", "line 1, column 4", "Expected a reference of XML, such as \"&amp;\"."),
        ("<a>]]></a>", "line 1, column 4", "Expected no \"]]>\" in text."),
        ("<a><!-- -- --></a>", "line 1, column 9", "Expected no \"--\" in a comment."),
        ("<a><!-- ", "line 1, column 4", "Expected \"-->\", found the end."),
        (
            "<a><![CDATA[ ", "line 1, column 4",
            "Expected \"]]>\" after \"<![CDATA[\", found the end."
        ),
        ("<p:a/>", "line 1, column 2", "Expected a declared prefix, found p."),
        ("<a xmlns:p=\"\"/>", "line 1, column 4", "Expected a namespace name for prefix p."),
        ("<1a/>", "line 1, column 2", "Expected an element name, found \"1\"."),
        ("<a:b:c/>", "line 1, column 5", "Expected at most one prefix in a name."),
        (
            " <?xml version=\"1.0\"?><a/>", "line 1, column 2",
            "Expected the XML declaration at the very start only."
        ),
        (
            "<?xml version=\"1.0\" encoding=\"latin1\"?><a/>", "line 1, column 21",
            "Expected the encoding UTF-8, found another."
        ),
        ("<?xml version=\"2.0\"?><a/>", "line 1, column 7", "Expected XML version 1."),
    ])
    func malformedTextIsAnErrorWithItsPlace(text: String, place: String, message: String) {
        let error = #expect(throws: ODataError.self) { try events(text) }
        #expect(error?.code == .malformedText)
        #expect(error?.location?.description == place)
        #expect(error?.message == message)
    }

    @Test func documentTypesAreRefusedWherever() {
        for text in [
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE a><a/>", "<a><!DOCTYPE b></a>",
        ] {
            let error = #expect(throws: ODataError.self) { try events(text) }
            #expect(error?.code == .malformedText)
            #expect(error?.message == "Expected no document type declaration; it is refused.")
        }
    }

    @Test func bytesThatAreNotUTF8AreRefusedWithTheirPlace() {
        let error = #expect(throws: ODataError.self) {
            try XMLReader(Array("<a>\n é".utf8) + [0xFF] + Array("</a>".utf8))
        }
        #expect(error?.code == .malformedText)
        #expect(error?.location?.description == "line 2, column 3")
        #expect(
            failure { try XMLReader([0x3C, 0x61, 0x3E, 0xC0, 0x80]) }
                == Failure(.malformedText, at: .position(line: 1, column: 4)))
        #expect(
            failure { try XMLReader(Array("<a>\u{1}</a>".utf8)) }
                == Failure(.malformedText, at: .position(line: 1, column: 4)))
    }

    @Test(arguments: [
        [0xFE, 0xFF, 0x00, 0x3C], [0xFF, 0xFE, 0x3C, 0x00], [0x00, 0x3C, 0x00, 0x61],
    ])
    func sixteenBitEncodingsAreRefusedByName(bytes: [UInt8]) {
        let error = #expect(throws: ODataError.self) { try XMLReader(bytes) }
        #expect(error?.code == .malformedText)
        #expect(error?.location == .position(line: 1, column: 1))
        #expect(error?.message == "Expected UTF-8, found a document in UTF-16 or UTF-32.")
    }

    @Test func depthAttributesAndSizeAreBounded() {
        let deep = String(repeating: "<a>", count: 201) + String(repeating: "</a>", count: 201)
        #expect(
            failure { try events(deep) }
                == Failure(.limitExceeded, at: .position(line: 1, column: 601)))
        let wide = "<a " + (0...512).map { "k\($0)=\"\"" }.joined(separator: " ") + "/>"
        let error = #expect(throws: ODataError.self) { try events(wide) }
        #expect(error?.location == .position(line: 1, column: 3990))
        #expect(error?.code == .limitExceeded)
        #expect(
            failure {
                try XMLReader(Array("<abc/>".utf8), limits: XMLLimits(maximumBytes: 5))
            } == Failure(.limitExceeded, "Expected at most 5 bytes of XML, found 6."))
        #expect(
            failure {
                try events("<" + String(repeating: "a", count: 1025) + "/>")
            } == Failure(.limitExceeded, at: .position(line: 1, column: 2)))
    }

    @Test func mutatedDocumentsAreReadOrRefusedButNeverTrap() {
        let seed = Array(
            #"<?xml version="1.0"?><e:a xmlns:e="urn:e" k='v&#65;'><!--c--><b>t&amp;<![CDATA[d]]></b><?p i?></e:a>"#
                .utf8)
        var generator = SeededGenerator(seed: 7)
        func random(_ bound: Int) -> Int { generator.below(bound) }
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0...random(3) where !bytes.isEmpty {
                let index = random(bytes.count)
                switch random(4) {
                case 0: bytes[index] = UInt8(random(256))
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(Array("<>&;'\"=/!-?[]:".utf8)[random(14)], at: index)
                default: bytes = Array(bytes.prefix(index + 1))
                }
            }
            if (try? XMLDocument(bytes)) != nil { accepted += 1 }
        }
        #expect(accepted > 0)
    }
}
