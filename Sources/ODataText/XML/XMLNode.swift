/// An element of an ``XMLTree``: to be read like an ``XMLElement``, and no more to copy than a number and a reference.
package struct XMLNode: Sendable {
    let tree: XMLTree
    let index: Int

    init(_ tree: XMLTree, _ index: Int) {
        self.tree = tree
        self.index = index
    }

    package var name: XMLName { tree.names[Int(tree.nodes[index].name)] }

    /// The name without its namespace.
    package var localName: String { name.localName }

    /// Where the start tag begins, counted from where the tree does.
    package var offset: Int { tree.base + Int(tree.nodes[index].offset) }

    /// The character data directly inside, merged; empty when it is only white space beside child elements.
    package var text: String { tree.string(tree.nodes[index].text) }

    /// In the order of the document, namespace declarations not among them.
    package var attributes: Attributes {
        Attributes(tree: tree, indices: attributeIndices)
    }

    private var attributeIndices: Range<Int> {
        Int(tree.nodes[index].attributes)..<Int(tree.nodes[index + 1].attributes)
    }

    /// The marks of the names of all attributes: a look at this is quicker than one at each of them.
    package var attributeMarks: UInt8 {
        var marks: UInt8 = 0
        for position in attributeIndices {
            marks |= tree.marks[Int(tree.attributes[position].name)]
        }
        return marks
    }

    package var children: Children {
        Children(tree: tree, first: index + 1, end: Int(tree.nodes[index].end))
    }

    /// The value of the attribute with this local name in no namespace; nil when absent.
    package func attribute(_ localName: String) -> String? { attribute(localName, in: "") }

    /// The value of the attribute with this expanded name; nil when absent.
    package func attribute(_ localName: String, in namespace: String) -> String? {
        for position in attributeIndices {
            let attribute = tree.attributes[position]
            let name = tree.names[Int(attribute.name)]
            if name.localName == localName, name.namespace == namespace {
                return tree.string(attribute.value)
            }
        }
        return nil
    }

    /// The children with this local name, in order.
    package func children(_ localName: String) -> [XMLNode] {
        children.filter { $0.localName == localName }
    }

    /// The first child with this local name; nil when there is none.
    package func child(_ localName: String) -> XMLNode? {
        children.first { $0.localName == localName }
    }
}

extension XMLNode: Hashable {
    /// The same element of the same tree.
    package static func == (left: XMLNode, right: XMLNode) -> Bool {
        left.tree === right.tree && left.index == right.index
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(tree))
        hasher.combine(index)
    }
}

extension XMLNode {
    /// The elements directly inside another.
    package struct Children: Sequence, IteratorProtocol {
        fileprivate let tree: XMLTree
        fileprivate var first: Int
        fileprivate let end: Int

        fileprivate init(tree: XMLTree, first: Int, end: Int) {
            self.tree = tree
            self.first = first
            self.end = end
        }

        package var isEmpty: Bool { first >= end }

        /// Counted by going through them.
        package var count: Int {
            var (count, next) = (0, first)
            while next < end {
                count += 1
                next = Int(tree.nodes[next].end)
            }
            return count
        }

        package mutating func next() -> XMLNode? {
            guard first < end else { return nil }
            defer { first = Int(tree.nodes[first].end) }
            return XMLNode(tree, first)
        }
    }

    /// The attributes of an element.
    package struct Attributes: Sequence, IteratorProtocol {
        fileprivate let tree: XMLTree
        fileprivate var indices: Range<Int>

        fileprivate init(tree: XMLTree, indices: Range<Int>) {
            self.tree = tree
            self.indices = indices
        }

        package mutating func next() -> Attribute? {
            guard let index = indices.popFirst() else { return nil }
            return Attribute(tree: tree, index: index)
        }
    }

    /// One attribute; its value is made when it is asked for.
    package struct Attribute: Sendable {
        fileprivate let tree: XMLTree
        fileprivate let index: Int

        fileprivate init(tree: XMLTree, index: Int) {
            self.tree = tree
            self.index = index
        }

        package var name: XMLName { tree.names[Int(tree.attributes[index].name)] }
        package var value: String { tree.string(tree.attributes[index].value) }
    }
}
