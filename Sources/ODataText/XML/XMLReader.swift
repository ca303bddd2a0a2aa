/// A strict pull reader of XML 1.0 with namespaces, over the UTF-8 bytes of a whole document.
///
/// It knows no document type declaration and no entity but the five of XML, so nothing outside the bytes is ever
/// read and nothing expands; it stops at the first error, which names line and column. Comments and processing
/// instructions are checked and skipped.
///
///     var reader = try XMLReader(bytes)
///     while try reader.next() != .endOfDocument { … }
package struct XMLReader {
    package let bytes: [UInt8]
    package let limits: XMLLimits
    /// The element that the last start or end event is about.
    package private(set) var name = XMLName("")
    /// Attributes of the last start tag, in document order, without namespace declarations.
    package private(set) var attributes: [XMLAttribute] = []
    /// Where the last event began, in bytes.
    package private(set) var eventOffset = 0
    /// True when the last text event holds nothing but white space.
    package private(set) var isWhitespace = false

    var index: Int
    /// Those of the last start tag, namespace declarations among them; its room is used again.
    private var rawAttributes: [RawAttribute] = []
    private var textPieces: [TextPiece] = []
    private var open: [OpenElement] = []
    private var bindings: [Binding] = []
    private var names: [ArraySlice<UInt8>: String] = [:]
    private var pendingEnd = false
    private var sawRoot = false

    private struct OpenElement {
        var name: XMLName
        var range: Range<Int>
        var bindingCount: Int
    }

    private struct Binding {
        var prefix: String
        /// Without local name: what the names of this prefix are made beside.
        var name: XMLName

        init(prefix: String, namespace: String) {
            self.prefix = prefix
            name = XMLName("", namespace: namespace, prefix: prefix)
        }
    }

    struct RawAttribute {
        var range: Range<Int>
        var colon: Int?
        var value: String
    }

    enum TextPiece {
        case raw(Range<Int>, hasReturn: Bool)
        case scalar(Unicode.Scalar)
    }

    /// - Throws: `malformedText` when the bytes are not UTF-8 or hold characters XML forbids; `limitExceeded`.
    package init(_ bytes: [UInt8], limits: XMLLimits = XMLLimits()) throws {
        self.bytes = bytes
        self.limits = limits
        index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard bytes.count <= limits.maximumBytes else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(limits.maximumBytes) bytes of XML, found \(bytes.count).")
        }
        try Self.refuseWideEncodings(bytes)
        if let offset = XMLCharacters.firstInvalid(in: bytes, from: index) {
            throw error(
                "Expected UTF-8 text of XML characters, found byte \(bytes[offset]).", offset)
        }
        try readDeclaration()
    }

    /// How many elements are open.
    package var depth: Int { open.count }

    /// The character data of the last text event, line ends normalised to LF.
    package var text: String {
        if textPieces.count == 1, case .raw(let range, false) = textPieces[0] {
            return string(range)
        }
        var text = ""
        for piece in textPieces {
            switch piece {
            case .raw(let range, let hasReturn):
                text += hasReturn ? normalised(range) : string(range)
            case .scalar(let scalar): text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Reads on to the next event.
    package mutating func next() throws -> XMLEvent {
        if pendingEnd {
            pendingEnd = false
            return closeElement()
        }
        return open.isEmpty ? try nextOutsideRoot() : try nextInContent()
    }

    /// Reads past the end tag of the element whose start was the last event.
    package mutating func skipElement() throws {
        let target = depth - 1
        while depth > target { _ = try next() }
    }

    /// The character data of the element whose start was the last event, read past its end tag.
    ///
    /// - Throws: `malformedText` when the element holds another element.
    package mutating func elementText() throws -> String {
        var result = ""
        while true {
            switch try next() {
            case .text: result += text
            case .endElement: return result
            default:
                throw error(
                    "Expected character data only, found <\(name.qualifiedName)>.", eventOffset)
            }
        }
    }

    /// Line and column of a byte offset.
    package func position(_ offset: Int) -> ODataError.Location {
        lineAndColumn(of: offset, in: bytes)
    }

    func error(_ message: String, _ offset: Int) -> ODataError {
        ODataError(.malformedText, message, at: position(offset))
    }
}

// MARK: - Content

extension XMLReader {
    private mutating func nextOutsideRoot() throws -> XMLEvent {
        while index < bytes.count {
            let byte = bytes[index]
            if XMLCharacters.isSpace(byte) {
                index += 1
            } else if byte == UInt8(ascii: "<") {
                if try skipCommentOrInstruction() { continue }
                try refuseDocumentType()
                guard !sawRoot else {
                    throw error(
                        "Expected nothing after the root element, found another tag.", index)
                }
                guard peek(1) != UInt8(ascii: "/"), peek(1) != UInt8(ascii: "!") else {
                    throw error("Expected the root element, found other markup.", index)
                }
                sawRoot = true
                return try readStartTag()
            } else {
                throw error("Expected no text outside the root element.", index)
            }
        }
        guard sawRoot else { throw error("Expected a root element, found the end.", index) }
        eventOffset = index
        return .endOfDocument
    }

    private mutating func nextInContent() throws -> XMLEvent {
        textPieces.removeAll(keepingCapacity: true)
        isWhitespace = true
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if try readCharacterSection() { continue }
                if try skipCommentOrInstruction() { continue }
                try refuseDocumentType()
                if !textPieces.isEmpty { return textEvent(start) }
                return peek(1) == UInt8(ascii: "/") ? try readEndTag() : try readStartTag()
            case UInt8(ascii: "&"):
                textPieces.append(.scalar(try readReference()))
                isWhitespace = false
            default:
                try readRawText()
            }
        }
        throw error(
            "Expected the end tag of <\(open.last?.name.qualifiedName ?? "")>, found the end.",
            index)
    }

    private mutating func textEvent(_ start: Int) -> XMLEvent {
        eventOffset = start
        return .text
    }

    private mutating func readRawText() throws {
        let start = index
        var hasReturn = false
        var onlySpace = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { break }
            if byte == UInt8(ascii: "]"), matches("]]>") {
                throw error("Expected no \"]]>\" in text.", index)
            }
            if byte == 0x0D { hasReturn = true }
            if onlySpace, !XMLCharacters.isSpace(byte) { onlySpace = false }
            index += 1
        }
        if !onlySpace { isWhitespace = false }
        textPieces.append(.raw(start..<index, hasReturn: hasReturn))
    }

    /// Reads a CDATA section; false when there is none here.
    private mutating func readCharacterSection() throws -> Bool {
        guard matches("<![CDATA[") else { return false }
        let begin = index
        index += 9
        let start = index
        var hasReturn = false
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "]"), matches("]]>") {
                if index > start {
                    textPieces.append(.raw(start..<index, hasReturn: hasReturn))
                    isWhitespace = false
                }
                index += 3
                return true
            }
            if bytes[index] == 0x0D { hasReturn = true }
            index += 1
        }
        throw error("Expected \"]]>\" after \"<![CDATA[\", found the end.", begin)
    }

    private mutating func readEndTag() throws -> XMLEvent {
        eventOffset = index
        index += 2
        let (range, _) = try readName("an element name")
        skipSpace()
        guard peek(0) == UInt8(ascii: ">") else { throw error("Expected \">\".", index) }
        index += 1
        guard let element = open.last, bytes[element.range].elementsEqual(bytes[range]) else {
            throw error(
                "Expected </\(open.last?.name.qualifiedName ?? "")>, found </\(string(range))>.",
                eventOffset)
        }
        return closeElement()
    }

    private mutating func closeElement() -> XMLEvent {
        let element = open.removeLast()
        name = element.name
        attributes = []
        bindings.removeLast(bindings.count - element.bindingCount)
        return .endElement
    }
}

// MARK: - Start tags and namespaces

extension XMLReader {
    private mutating func readStartTag() throws -> XMLEvent {
        eventOffset = index
        guard open.count < limits.maximumDepth else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(limits.maximumDepth) nested elements.", at: position(index))
        }
        index += 1
        let (range, colon) = try readName("an element name")
        let bindingCount = bindings.count
        try readAttributes()
        let raw = rawAttributes
        // Trees keep the list: it is another one for each tag, with room for what this one has. (Emptied with its
        // capacity kept, a list that is kept elsewhere too would be copied with all its room.)
        attributes = []
        attributes.reserveCapacity(raw.count)
        for attribute in raw where try !declare(attribute) {
            attributes.append(
                XMLAttribute(
                    name: XMLName(""), value: attribute.value, offset: attribute.range.lowerBound))
        }
        var position = 0
        for attribute in raw where !isDeclaration(attribute) {
            attributes[position].name = try resolve(
                attribute.range, attribute.colon, isAttribute: true)
            position += 1
        }
        name = try resolve(range, colon, isAttribute: false)
        try refuseDuplicates()
        open.append(OpenElement(name: name, range: range, bindingCount: bindingCount))
        if peek(0) == UInt8(ascii: "/") {
            guard peek(1) == UInt8(ascii: ">") else { throw error("Expected \"/>\".", index) }
            index += 2
            pendingEnd = true
        } else {
            index += 1
        }
        return .startElement
    }

    /// Into ``rawAttributes``.
    private mutating func readAttributes() throws {
        rawAttributes.removeAll(keepingCapacity: true)
        while true {
            let before = index
            skipSpace()
            guard let byte = peek(0) else { throw error("Expected \">\", found the end.", index) }
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return }
            guard index > before else { throw error("Expected white space or \">\".", index) }
            let (range, colon) = try readName("an attribute name")
            skipSpace()
            guard peek(0) == UInt8(ascii: "=") else { throw error("Expected \"=\".", index) }
            index += 1
            skipSpace()
            let value = try readAttributeValue()
            rawAttributes.append(RawAttribute(range: range, colon: colon, value: value))
            guard rawAttributes.count <= limits.maximumAttributes else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(limits.maximumAttributes) attributes.",
                    at: position(range.lowerBound))
            }
        }
    }

    private func isDeclaration(_ attribute: RawAttribute) -> Bool {
        // Few names begin like this, and this is asked twice for every attribute.
        bytes[attribute.range.lowerBound] == UInt8(ascii: "x")
            && bytes[attribute.range].starts(with: "xmlns".utf8)
            && (attribute.range.count == 5 || attribute.colon == attribute.range.lowerBound + 5)
    }

    /// Records a namespace declaration; false for any other attribute.
    private mutating func declare(_ attribute: RawAttribute) throws -> Bool {
        guard isDeclaration(attribute) else { return false }
        let prefix = attribute.colon.map { string($0 + 1..<attribute.range.upperBound) } ?? ""
        let offset = attribute.range.lowerBound
        guard bindings.count < limits.maximumNamespaces else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(limits.maximumNamespaces) namespace declarations in force.",
                at: position(offset))
        }
        guard prefix != "xmlns", (prefix == "xml") == (attribute.value == Self.xmlNamespace) else {
            throw error("Expected no redeclaration of a reserved prefix or namespace.", offset)
        }
        guard prefix.isEmpty || !attribute.value.isEmpty else {
            throw error("Expected a namespace name for prefix \(prefix).", offset)
        }
        bindings.append(Binding(prefix: prefix, namespace: attribute.value))
        return true
    }

    private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    private mutating func resolve(
        _ range: Range<Int>, _ colon: Int?, isAttribute: Bool
    ) throws -> XMLName {
        guard let colon else {
            let local = interned(range)
            guard !isAttribute else { return XMLName(local) }
            guard let binding = bindings.last(where: { $0.prefix.isEmpty }) else {
                return XMLName(local)
            }
            return XMLName(local, beside: binding.name)
        }
        let prefix = interned(range.lowerBound..<colon)
        let local = interned(colon + 1..<range.upperBound)
        if let binding = bindings.last(where: { $0.prefix == prefix }) {
            return XMLName(local, beside: binding.name)
        }
        guard prefix == "xml" else {
            throw error("Expected a declared prefix, found \(prefix).", range.lowerBound)
        }
        return XMLName(local, namespace: Self.xmlNamespace, prefix: prefix)
    }

    private func refuseDuplicates() throws {
        guard attributes.count > 1 else { return }
        if attributes.count <= 12 {
            for (position, attribute) in attributes.enumerated() {
                for other in attributes[..<position] where other.name == attribute.name {
                    throw duplicate(attribute)
                }
            }
        } else {
            var seen = Set<XMLName>()
            for attribute in attributes where !seen.insert(attribute.name).inserted {
                throw duplicate(attribute)
            }
        }
    }

    private func duplicate(_ attribute: XMLAttribute) -> ODataError {
        error(
            "Expected attribute \(attribute.name.qualifiedName) once, found it twice.",
            attribute.offset)
    }

    /// One string per distinct name, so that names cost nothing after their first use.
    private mutating func interned(_ range: Range<Int>) -> String {
        if range.count <= 15 { return string(range) }
        let slice = bytes[range]
        if let known = names[slice] { return known }
        let text = string(range)
        names[slice] = text
        return text
    }
}
