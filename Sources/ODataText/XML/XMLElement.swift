/// An element with all it holds: what readers of small documents (metadata, errors, Atom entries) walk over.
package struct XMLElement: Sendable, Hashable {
    package var name: XMLName
    package var attributes: [XMLAttribute]
    package var children: [XMLElement]
    /// The character data directly inside, merged; empty when it is only white space beside child elements.
    package var text: String
    /// Where the start tag begins, in bytes from the start of the document.
    package var offset: Int

    package init(
        _ name: XMLName, attributes: [XMLAttribute] = [], children: [XMLElement] = [],
        text: String = "", offset: Int = 0
    ) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
        self.offset = offset
    }

    /// The value of the attribute with this local name in no namespace; nil when absent.
    package func attribute(_ localName: String) -> String? {
        for attribute in attributes
        where attribute.name.localName == localName && attribute.name.namespace.isEmpty {
            return attribute.value
        }
        return nil
    }

    /// The value of the attribute with this expanded name; nil when absent.
    package func attribute(_ localName: String, in namespace: String) -> String? {
        for attribute in attributes
        where attribute.name.localName == localName && attribute.name.namespace == namespace {
            return attribute.value
        }
        return nil
    }

    /// The children with this local name, in order.
    package func children(_ localName: String) -> [XMLElement] {
        children.filter { $0.name.localName == localName }
    }

    /// The first child with this local name; nil when there is none.
    package func child(_ localName: String) -> XMLElement? {
        children.first { $0.name.localName == localName }
    }
}

/// A whole document as a tree, with the bytes it came from so that places can be named.
package struct XMLDocument: Sendable {
    package let bytes: [UInt8]
    package let root: XMLElement

    /// Reads a document.
    ///
    /// - Throws: what ``XMLReader`` throws.
    package init(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws {
        self.bytes = bytes
        var reader = try XMLReader(bytes, limits: limits)
        var open: [(element: XMLElement, firstChild: Int)] = []
        // Elements wait here for the end of their parent, which then takes a list of just their number: one that grew would
        // keep room for a third more of them.
        var closed: [XMLElement] = []
        var result: XMLElement?
        loop: while true {
            switch try reader.next() {
            case .startElement:
                let element = XMLElement(
                    reader.name, attributes: reader.attributes, offset: reader.eventOffset)
                open.append((element, closed.count))
            case .text:
                let index = open.count - 1
                if !reader.isWhitespace || open[index].firstChild == closed.count {
                    open[index].element.text += reader.text
                }
            case .endElement:
                var (element, firstChild) = open.removeLast()
                if firstChild < closed.count {
                    element.children.reserveCapacity(closed.count - firstChild)
                    element.children.append(contentsOf: closed[firstChild...])
                    closed.removeSubrange(firstChild...)
                    if element.text.utf8.allSatisfy(XMLCharacters.isSpace) { element.text = "" }
                }
                if open.isEmpty {
                    result = element
                } else {
                    closed.append(element)
                }
            case .endOfDocument: break loop
            }
        }
        guard let result else {
            throw ODataError(.malformedText, "Expected a root element, found none.")
        }
        root = result
    }

    /// Line and column of a byte offset.
    package func position(_ offset: Int) -> ODataError.Location {
        lineAndColumn(of: offset, in: bytes)
    }
}
