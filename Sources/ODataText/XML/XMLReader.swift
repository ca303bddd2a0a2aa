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
    /// The names met so far, by the numbers that ``nameNumber`` and ``rawAttributes`` give.
    private(set) var names = XMLNames()
    /// The number of the element that the last start or end event is about; 0 before the first.
    private(set) var nameNumber: Int32 = 0
    /// Where the last event began, in bytes.
    package private(set) var eventOffset = 0
    /// True when the last text event holds nothing but white space.
    package private(set) var isWhitespace = false

    var index: Int
    /// Those of the last start tag, once it is read without its namespace declarations; its room is used again.
    private(set) var rawAttributes: [RawAttribute] = []
    /// Values of the last start tag that are not their bytes as they stand.
    var decodedValues: [String] = []
    private var textPieces: [TextPiece] = []
    private var open: [OpenElement] = []
    private var bindings: [Binding] = []
    /// Which of the ``bindings`` there were: each start tag that declares any begins another scope.
    private var scope = 1
    private var lastScope = 1
    private var pendingEnd = false
    private var sawRoot = false

    private struct OpenElement {
        var name: Int32
        /// The name as the start tag spells it.
        var start: Int
        var end: Int
        /// What was in force around the element.
        var bindingCount: Int
        var scope: Int
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

    /// An attribute as it stands in the document: no text is made of it before somebody asks.
    struct RawAttribute {
        var written: WrittenName
        var value: WrittenValue
        /// Its number in ``names``; 0 while it is not resolved.
        var name: Int32 = 0
    }

    /// Where the bytes of a value are, or which of ``decodedValues`` it is.
    struct WrittenValue {
        var start: Int
        var end: Int
        var decoded: Int?
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

    /// The element that the last start or end event is about.
    package var name: XMLName { names[nameNumber] }

    /// Attributes of the last start tag, in document order, without namespace declarations; made anew each time.
    package var attributes: [XMLAttribute] {
        rawAttributes.map {
            XMLAttribute(
                name: names[$0.name], value: text(of: $0.value), offset: $0.written.start)
        }
    }

    func text(of value: WrittenValue) -> String {
        value.decoded.map { decodedValues[$0] } ?? string(value.start..<value.end)
    }

    /// How many elements are open.
    package var depth: Int { open.count }

    /// Where the last text event stands in the document, when its bytes are its text.
    var textRange: Range<Int>? {
        guard textPieces.count == 1, case .raw(let range, false) = textPieces[0] else { return nil }
        return range
    }

    /// The character data of the last text event, line ends normalised to LF.
    package var text: String {
        if let textRange { return string(textRange) }
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
        if !textPieces.isEmpty { textPieces.removeAll(keepingCapacity: true) }
        isWhitespace = true
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if let next = peek(1), next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
                    if try readCharacterSection() { continue }
                    if try skipCommentOrInstruction() { continue }
                    try refuseDocumentType()
                }
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
            "Expected the end tag of <\(openName)>, found the end.", index)
    }

    private var openName: String { open.last.map { names[$0.name].qualifiedName } ?? "" }

    private mutating func textEvent(_ start: Int) -> XMLEvent {
        eventOffset = start
        return .text
    }

    private mutating func readRawText() throws {
        let start = index
        let run = bytes.withUnsafeBufferPointer { XMLCharacters.textRun($0, from: start) }
        index = run.end
        if index < bytes.count, bytes[index] == UInt8(ascii: "]") {
            throw error("Expected no \"]]>\" in text.", index)
        }
        if !run.isSpace { isWhitespace = false }
        textPieces.append(.raw(start..<index, hasReturn: run.hasReturn))
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
        guard let element = open.last else { throw error("Expected a start tag.", eventOffset) }
        // Nearly every end tag is the name of its start tag and nothing more.
        let count = element.end - element.start
        if index + count < bytes.count, bytes[index + count] == UInt8(ascii: ">"),
            hasSameBytes(element.start, index, count)
        {
            index += count + 1
            return closeElement()
        }
        let written = try readName("an element name")
        skipSpace()
        guard peek(0) == UInt8(ascii: ">") else { throw error("Expected \">\".", index) }
        index += 1
        guard written.count == count, hasSameBytes(element.start, written.start, count) else {
            throw error(
                "Expected </\(openName)>, found </\(string(written.start..<written.end))>.",
                eventOffset)
        }
        return closeElement()
    }

    private mutating func closeElement() -> XMLEvent {
        let element = open.removeLast()
        nameNumber = element.name
        if !rawAttributes.isEmpty { rawAttributes.removeAll(keepingCapacity: true) }
        if bindings.count > element.bindingCount {
            bindings.removeLast(bindings.count - element.bindingCount)
            scope = element.scope
        }
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
        let written = try readName("an element name")
        var element = OpenElement(
            name: 0, start: written.start, end: written.end, bindingCount: bindings.count,
            scope: scope)
        if try readAttributes() { try declareNamespaces() }
        for position in rawAttributes.indices {
            rawAttributes[position].name = try resolve(
                rawAttributes[position].written, isAttribute: true)
        }
        element.name = try resolve(written, isAttribute: false)
        nameNumber = element.name
        try refuseDuplicates()
        open.append(element)
        if peek(0) == UInt8(ascii: "/") {
            guard peek(1) == UInt8(ascii: ">") else { throw error("Expected \"/>\".", index) }
            index += 2
            pendingEnd = true
        } else {
            index += 1
        }
        return .startElement
    }

    /// Into ``rawAttributes``; true when namespaces are declared among them.
    private mutating func readAttributes() throws -> Bool {
        if !rawAttributes.isEmpty { rawAttributes.removeAll(keepingCapacity: true) }
        if !decodedValues.isEmpty { decodedValues.removeAll(keepingCapacity: true) }
        var hasDeclarations = false
        while true {
            let before = index
            skipSpace()
            guard let byte = peek(0) else { throw error("Expected \">\", found the end.", index) }
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { return hasDeclarations }
            guard index > before else { throw error("Expected white space or \">\".", index) }
            let written = try readName("an attribute name")
            skipSpace()
            guard peek(0) == UInt8(ascii: "=") else { throw error("Expected \"=\".", index) }
            index += 1
            skipSpace()
            let attribute = RawAttribute(written: written, value: try readAttributeValue())
            rawAttributes.append(attribute)
            hasDeclarations = hasDeclarations || isDeclaration(attribute)
            guard rawAttributes.count <= limits.maximumAttributes else {
                throw ODataError(
                    .limitExceeded,
                    "Expected at most \(limits.maximumAttributes) attributes.",
                    at: position(written.start))
            }
        }
    }

    private func isDeclaration(_ attribute: RawAttribute) -> Bool {
        let written = attribute.written
        // Few names begin like this.
        return bytes[written.start] == UInt8(ascii: "x")
            && bytes[written.start..<written.end].starts(with: "xmlns".utf8)
            && (written.count == 5 || written.colon == written.start + 5)
    }

    /// Takes the declarations out of ``rawAttributes``.
    private mutating func declareNamespaces() throws {
        for attribute in rawAttributes where isDeclaration(attribute) { try declare(attribute) }
        rawAttributes.removeAll(where: isDeclaration)
        lastScope += 1
        scope = lastScope
    }

    private mutating func declare(_ attribute: RawAttribute) throws {
        let offset = attribute.written.start
        let prefix = attribute.written.colon.map { string($0 + 1..<attribute.written.end) } ?? ""
        let namespace = text(of: attribute.value)
        guard bindings.count < limits.maximumNamespaces else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(limits.maximumNamespaces) namespace declarations in force.",
                at: position(offset))
        }
        guard prefix != "xmlns", (prefix == "xml") == (namespace == Self.xmlNamespace) else {
            throw error("Expected no redeclaration of a reserved prefix or namespace.", offset)
        }
        guard prefix.isEmpty || !namespace.isEmpty else {
            throw error("Expected a namespace name for prefix \(prefix).", offset)
        }
        bindings.append(Binding(prefix: prefix, namespace: namespace))
    }

    private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    /// The number of a name; what was read with the same bytes in the same scope is not looked at again.
    private mutating func resolve(_ written: WrittenName, isAttribute: Bool) throws -> Int32 {
        // An attribute without prefix is in no namespace, whatever is declared.
        let scope = isAttribute && written.colon == nil ? 0 : self.scope
        if let known = names.recent(written, scope: scope),
            hasSameBytes(known.start, written.start, written.count)
        {
            return known.number
        }
        let number = names.number(of: try expanded(written, isAttribute: isAttribute))
        names.remember(written, scope: scope, number: number)
        return number
    }

    private func expanded(_ written: WrittenName, isAttribute: Bool) throws -> XMLName {
        guard let colon = written.colon else {
            let local = string(written.start..<written.end)
            guard !isAttribute, let binding = bindings.last(where: { $0.prefix.isEmpty }) else {
                return XMLName(local)
            }
            return XMLName(local, beside: binding.name)
        }
        let prefix = string(written.start..<colon)
        let local = string(colon + 1..<written.end)
        if let binding = bindings.last(where: { $0.prefix == prefix }) {
            return XMLName(local, beside: binding.name)
        }
        guard prefix == "xml" else {
            throw error("Expected a declared prefix, found \(prefix).", written.start)
        }
        return XMLName(local, namespace: Self.xmlNamespace, prefix: prefix)
    }

    private func refuseDuplicates() throws {
        guard rawAttributes.count > 1 else { return }
        if rawAttributes.count <= 12 {
            for (position, attribute) in rawAttributes.enumerated() {
                for other in rawAttributes[..<position]
                where names.isSame(other.name, attribute.name) {
                    throw duplicate(attribute)
                }
            }
        } else {
            var seen = Set<XMLName>()
            for attribute in rawAttributes where !seen.insert(names[attribute.name]).inserted {
                throw duplicate(attribute)
            }
        }
    }

    private func duplicate(_ attribute: RawAttribute) -> ODataError {
        error(
            "Expected attribute \(names[attribute.name].qualifiedName) once, found it twice.",
            attribute.written.start)
    }
}
