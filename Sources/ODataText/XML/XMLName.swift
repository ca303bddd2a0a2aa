/// The expanded name of an element or attribute (Namespaces in XML 1.0), with the prefix it was written with.
package struct XMLName: Sendable {
    package var localName: String
    /// Where the name belongs: nil for a name without prefix in no namespace, as nearly all of attributes are. A tree of
    /// metadata has more names than anything else, so they are kept small.
    private var space: Space?

    private final class Space: Sendable {
        let namespace: String
        let prefix: String

        init(_ namespace: String, _ prefix: String) {
            self.namespace = namespace
            self.prefix = prefix
        }
    }

    package init(_ localName: String, namespace: String = "", prefix: String = "") {
        self.localName = localName
        space = namespace.isEmpty && prefix.isEmpty ? nil : Space(namespace, prefix)
    }

    /// A name where another one belongs, written with the same prefix.
    init(_ localName: String, beside other: XMLName) {
        self.localName = localName
        space = other.space
    }

    /// Empty when the name is in no namespace.
    package var namespace: String { space?.namespace ?? "" }

    /// Empty when the name was written without prefix.
    package var prefix: String { space?.prefix ?? "" }

    /// The name as written: `prefix:local`, or the local name alone.
    package var qualifiedName: String { prefix.isEmpty ? localName : "\(prefix):\(localName)" }
}

extension XMLName: Hashable {
    /// Names are equal when namespace and local name are; the prefix is only a spelling.
    package static func == (left: XMLName, right: XMLName) -> Bool {
        left.localName == right.localName
            && (left.space === right.space || left.namespace == right.namespace)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(namespace)
        hasher.combine(localName)
    }
}

/// One attribute of a start tag; namespace declarations are not among them.
package struct XMLAttribute: Sendable, Hashable {
    package var name: XMLName
    /// References replaced and white space normalised (XML 1.0, section 3.3.3).
    package var value: String
    /// Where the attribute's name begins, in bytes from the start of the document.
    package var offset: Int

    package init(name: XMLName, value: String, offset: Int = 0) {
        self.name = name
        self.value = value
        self.offset = offset
    }
}

/// What ``XMLReader/next()`` met.
package enum XMLEvent: Sendable, Hashable {
    /// A start tag, or the first half of an empty-element tag.
    case startElement
    /// An end tag, or the second half of an empty-element tag.
    case endElement
    /// Character data; references and CDATA sections around it are merged into one event.
    case text
    /// Nothing but comments and processing instructions follows the root element.
    case endOfDocument
}

/// Bounds on what a document may ask of the reader.
package struct XMLLimits: Sendable, Hashable {
    package var maximumBytes: Int
    package var maximumDepth: Int
    package var maximumAttributes: Int
    package var maximumNameBytes: Int
    package var maximumNamespaces: Int

    package init(
        maximumBytes: Int = 256 << 20, maximumDepth: Int = 200, maximumAttributes: Int = 512,
        maximumNameBytes: Int = 1024, maximumNamespaces: Int = 1024
    ) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
        self.maximumAttributes = maximumAttributes
        self.maximumNameBytes = maximumNameBytes
        self.maximumNamespaces = maximumNamespaces
    }
}
