import ODataText
import Testing

/// A tree of flat lists says what a tree of elements says.
@Suite struct XMLTreeTests {
    private func described(_ node: XMLNode) -> String {
        let attributes = node.attributes.map {
            " {\($0.name.namespace)}\($0.name.qualifiedName)=\($0.value)"
        }
        return
            "<{\(node.name.namespace)}\(node.name.qualifiedName)\(attributes.joined()) @\(node.offset) '\(node.text)'"
            + node.children.map(described).joined() + ">"
    }

    private func described(_ element: XMLElement) -> String {
        let attributes = element.attributes.map {
            " {\($0.name.namespace)}\($0.name.qualifiedName)=\($0.value)"
        }
        return
            "<{\(element.name.namespace)}\(element.name.qualifiedName)\(attributes.joined()) @\(element.offset) '\(element.text)'"
            + element.children.map(described).joined() + ">"
    }

    private static let documents = [
        "<a/>",
        "\u{FEFF}<?xml version=\"1.0\"?>\r\n<Größe é=\"ü\" b='&lt;\t'>\r\n <c/>x&amp;y<d> </d><![CDATA[<]]>z\r</Größe>",
        "<a> <!-- c --> <b> </b> &#32; </a>",
        "<a>one<b>two<c>three</c>four</b>five<d/></a>",
        #"<p:a xmlns:p="urn:1" p:k="v" k="w"><p:b xmlns:p="urn:2" p:k="x"/><c xmlns="urn:3"><d k="y"/></c><p:b p:k="z"/><c/></p:a>"#,
        #"<a xml:lang="en"><b xmlns:q="urn:q" q:xmlnsx="1" xmlnsy="2"/></a>"#,
    ]

    /// Copied for each piece, this text would take 20 GB.
    @Test func aTextOfManyPiecesIsKeptOnce() throws {
        let pieces = 200_000
        let text = "<a>" + String(repeating: "x<b/>", count: pieces) + "</a>"
        let root = try XMLTree(Array(text.utf8)).root
        #expect(root.text.utf8.count == pieces)
        #expect(root.text.utf8.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test(arguments: documents)
    func itSaysWhatElementsSay(_ text: String) throws {
        let bytes = Array(text.utf8)
        let root = try XMLDocument(bytes).root
        #expect(described(try XMLTree(bytes).root) == described(root))
        #expect(described(XMLTree(root).root) == described(root))
    }

    @Test func manyNamesStayApart() throws {
        // More than are kept at hand, and twice, so that they push each other out.
        let tags = (0..<700).map { "<n\($0) m\($0)=\"\($0)\" x:n\($0)=\"-\($0)\"/>" }.joined()
        let bytes = Array("<a xmlns:x=\"urn:x\">\(tags)\(tags)</a>".utf8)
        let children = Array(try XMLTree(bytes).root.children)
        #expect(children.count == 1400)
        for (position, child) in children.enumerated() {
            let number = position % 700
            #expect(child.localName == "n\(number)")
            #expect(child.attribute("m\(number)") == "\(number)")
            #expect(child.attribute("n\(number)") == nil)
            #expect(child.attribute("n\(number)", in: "urn:x") == "-\(number)")
        }
    }

    @Test func theSameBytesMeanAnotherNameInAnotherScope() throws {
        let text =
            #"<a xmlns="urn:1"><b><c xmlns="urn:2"><b/></c><b/></b><b xmlns=""/><b/></a>"#
        var namespaces: [String] = []
        var waiting = [try XMLTree(Array(text.utf8)).root]
        while let node = waiting.popLast() {
            if node.localName == "b" { namespaces.append(node.name.namespace) }
            waiting += node.children.reversed()
        }
        #expect(namespaces == ["urn:1", "urn:2", "urn:1", "", "urn:1"])
    }

    @Test func childrenAndAttributesAreFoundByName() throws {
        let text = #"<a k="1" xmlns:x="u" x:k="2"><b n="1"/><c><b n="9"/></c><b n="2"/></a>"#
        let root = try XMLTree(Array(text.utf8)).root
        #expect(root.children("b").map { $0.attribute("n") } == ["1", "2"])
        #expect(root.child("c")?.child("b")?.attribute("n") == "9")
        #expect(root.child("d") == nil)
        #expect(root.attribute("k") == "1")
        #expect(root.attribute("k", in: "u") == "2")
        #expect(root.attribute("n") == nil)
        #expect(root.children("c")[0].children.isEmpty == false)
        #expect(root.children("b")[0].children.isEmpty)
        #expect(Set(root.children("b") + root.children("b")).count == 2)
    }

    @Test func offsetsCountFromTheBase() throws {
        let tree = try XMLTree(Array("<a> <b/></a>".utf8), base: 100)
        #expect(tree.root.offset == 100)
        #expect(tree.root.children.map(\.offset) == [104])
    }

    @Test func oneNameUnderTwoPrefixesIsADuplicate() {
        let text = #"<a xmlns:x="u" xmlns:y="u" x:k="1" y:k="2"/>"#
        #expect(throws: ODataError.self) { try XMLTree(Array(text.utf8)) }
    }

    @Test func attributesAreMarkedByTheirNames() throws {
        let text = #"<a xmlns:x="u" x:k="1" k="2"><b l="3" k="4"/><b m="5"/><b/></a>"#
        var asked: [String] = []
        let mark = { (name: XMLName) -> UInt8 in
            if !name.localName.isEmpty { asked.append(name.qualifiedName) }
            if !name.namespace.isEmpty { return 4 }
            return name.localName == "k" ? 1 : name.localName == "l" ? 2 : 0
        }
        let root = try XMLTree(Array(text.utf8), mark: mark).root
        #expect(root.attributeMarks == 5)
        #expect(root.children.map(\.attributeMarks) == [3, 0, 0])
        #expect(asked.sorted() == ["a", "b", "k", "l", "m", "x:k"])
        let element = try XMLDocument(Array(text.utf8)).root
        #expect(XMLTree(element, mark: mark).root.attributeMarks == 5)
    }

    @Test func childrenAreCountedWithoutTheirOwn() throws {
        let root = try XMLTree(Array("<a><b><c/><c/></b><b/></a>".utf8)).root
        #expect(root.children.count == 2)
        #expect(root.children.map(\.children.count) == [2, 0])
    }
}
