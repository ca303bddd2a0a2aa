/// A whole document as flat lists: what readers of large documents (metadata) walk over.
///
/// Elements and attributes are numbers that lead into the bytes, and text is made of those when somebody asks. The tree takes
/// about as much as the document, where one of ``XMLElement`` takes nine times as much; that did not fit into the cache from
/// 2 MB of metadata on, and letting it go was an eighth of loading.
package final class XMLTree: Sendable {
    /// In the order of the document; behind them one that says where the lists end.
    let nodes: [Node]
    let attributes: [Attribute]
    let names: [XMLName]
    /// What the caller thinks of each of the names.
    let marks: [UInt8]
    let bytes: [UInt8]
    /// Texts that are not bytes of the document as they stand.
    let texts: [String]
    /// Added to offsets, for a document that counts as standing behind others.
    let base: Int

    struct Node {
        var name: Int32
        var offset: UInt32
        /// Where its attributes begin; they end where those of the next node begin.
        var attributes: UInt32
        /// Behind its last descendant.
        var end: UInt32
        var text: Text
    }

    struct Attribute {
        var name: Int32
        var offset: UInt32
        var value: Text
    }

    /// Bytes of the document, or one of ``texts``.
    struct Text {
        private var start: UInt32
        private var count: UInt32

        static let none = Text(0..<0)

        init(_ range: Range<Int>) {
            start = UInt32(truncatingIfNeeded: range.lowerBound)
            count = UInt32(truncatingIfNeeded: range.count)
        }

        init(made index: Int) {
            start = UInt32(truncatingIfNeeded: index)
            count = .max
        }

        var isEmpty: Bool { count == 0 }
        var made: Int? { count == .max ? Int(start) : nil }
        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    // Hot: Language, LargeMetadata
    /// Reads a document.
    ///
    /// - Parameter mark: asked once for each name of the document; ``XMLNode/attributeMarks`` gives the bits.
    /// - Throws: what ``XMLReader`` throws; `limitExceeded` for 4 GiB.
    package init(
        _ bytes: [UInt8], limits: XMLLimits = XMLLimits(), base: Int = 0,
        mark: (XMLName) -> UInt8 = { _ in 0 }
    ) throws {
        var limits = limits
        limits.maximumBytes = min(limits.maximumBytes, Int(UInt32.max) - 1)
        var reader = try XMLReader(bytes, limits: limits)
        var builder = XMLTreeBuilder(expecting: bytes.count)
        while true {
            switch try reader.next() {
            case .startElement:
                builder.start(reader)
                continue
            case .text:
                builder.add(reader)
                continue
            case .endElement:
                builder.end(bytes)
                continue
            case .endOfDocument: break
            }
            break
        }
        builder.finish()
        nodes = builder.nodes
        attributes = builder.attributes
        texts = builder.texts
        names = reader.names.all
        marks = names.map(mark)
        self.bytes = bytes
        self.base = base
    }

    /// A tree of elements that were made otherwise.
    package init(
        _ root: XMLElement, base: Int = 0, mark: (XMLName) -> UInt8 = { _ in 0 }
    ) {
        var names = XMLNames()
        var builder = XMLTreeBuilder(expecting: 0)
        builder.add(root, &names)
        builder.finish()
        nodes = builder.nodes
        attributes = builder.attributes
        texts = builder.texts
        self.names = names.all
        marks = self.names.map(mark)
        bytes = []
        self.base = base
    }

    package var root: XMLNode { XMLNode(self, 0) }

    func string(_ text: Text) -> String {
        if let index = text.made { return texts[index] }
        return text.isEmpty ? "" : XMLTreeBuilder.string(bytes, text)
    }
}

/// The lists of a tree while it grows.
struct XMLTreeBuilder {
    private(set) var nodes: [XMLTree.Node] = []
    private(set) var attributes: [XMLTree.Attribute] = []
    private(set) var texts: [String] = []
    private var open: [Int] = []

    /// - Parameter count: Of bytes. Room that nothing is written to costs nothing.
    init(expecting count: Int) {
        nodes.reserveCapacity(count / 64 + 2)
        attributes.reserveCapacity(count / 32)
    }

    mutating func start(_ reader: XMLReader) {
        open.append(nodes.count)
        nodes.append(
            XMLTree.Node(
                name: reader.nameNumber, offset: Self.number(reader.eventOffset),
                attributes: Self.number(attributes.count), end: 0, text: .none))
        for attribute in reader.rawAttributes {
            let value =
                attribute.value.decoded.map { made(reader.decodedValues[$0]) }
                ?? XMLTree.Text(attribute.value.start..<attribute.value.end)
            attributes.append(
                XMLTree.Attribute(
                    name: attribute.name, offset: Self.number(attribute.written.start),
                    value: value))
        }
    }

    /// The character data of the last event, which joins what the open element has.
    mutating func add(_ reader: XMLReader) {
        guard let node = open.last else { return }
        let hasChildren = nodes.count > node + 1
        guard !reader.isWhitespace || !hasChildren else { return }
        if nodes[node].text.isEmpty {
            nodes[node].text = reader.textRange.map(XMLTree.Text.init) ?? made(reader.text)
        } else if let text = nodes[node].text.made {
            // In place: a text of many pieces would be copied for each of them.
            texts[text] += reader.text
        } else {
            nodes[node].text = made(string(reader.bytes, nodes[node].text) + reader.text)
        }
    }

    mutating func end(_ bytes: [UInt8]) {
        guard let node = open.popLast() else { return }
        nodes[node].end = Self.number(nodes.count)
        let text = nodes[node].text
        // White space beside child elements is no text.
        if nodes.count > node + 1, !text.isEmpty, isSpace(bytes, text) { nodes[node].text = .none }
    }

    mutating func finish() {
        nodes.append(
            XMLTree.Node(
                name: 0, offset: 0, attributes: Self.number(attributes.count),
                end: Self.number(nodes.count + 1), text: .none))
    }

    mutating func add(_ element: XMLElement, _ names: inout XMLNames) {
        let node = nodes.count
        nodes.append(
            XMLTree.Node(
                name: names.number(of: element.name), offset: Self.number(element.offset),
                attributes: Self.number(attributes.count), end: 0,
                text: element.text.isEmpty ? .none : made(element.text)))
        for attribute in element.attributes {
            attributes.append(
                XMLTree.Attribute(
                    name: names.number(of: attribute.name),
                    offset: Self.number(attribute.offset), value: made(attribute.value)))
        }
        for child in element.children { add(child, &names) }
        nodes[node].end = Self.number(nodes.count)
    }

    private mutating func made(_ text: String) -> XMLTree.Text {
        texts.append(text)
        return XMLTree.Text(made: texts.count - 1)
    }

    private func isSpace(_ bytes: [UInt8], _ text: XMLTree.Text) -> Bool {
        if let index = text.made { return texts[index].utf8.allSatisfy(XMLCharacters.isSpace) }
        return bytes[text.range].allSatisfy(XMLCharacters.isSpace)
    }

    private func string(_ bytes: [UInt8], _ text: XMLTree.Text) -> String {
        text.made.map { texts[$0] } ?? Self.string(bytes, text)
    }

    static func string(_ bytes: [UInt8], _ text: XMLTree.Text) -> String {
        bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[text.range]), as: UTF8.self)
        }
    }

    private static func number(_ count: Int) -> UInt32 { UInt32(truncatingIfNeeded: count) }
}
