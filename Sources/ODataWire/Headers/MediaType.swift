/// A media type with its parameters, as `Content-Type` and `Accept` carry it (RFC 9110, section 8.3).
package struct MediaType: Sendable, Hashable {
    /// Lower-case `type/subtype`.
    package var name: String
    /// Parameters in order, names in lower case, values unquoted.
    package var parameters: [Parameter]

    package struct Parameter: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(_ name: String, parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Reads one media type; parameters that do not parse are left out. Nil when there is no type at all.
    package init?(parsing text: String) {
        // What nearly every message with a body has.
        if text == Self.minimalJSON {
            name = "application/json"
            parameters = [Parameter(name: "odata.metadata", value: "minimal")]
            return
        }
        if text == "application/json" {
            (name, parameters) = (text, [])
            return
        }
        let parts = HeaderText.split(text, separator: UInt8(ascii: ";"))
        guard let first = parts.first else { return nil }
        let name = first.lowercased()
        guard name.contains("/") else { return nil }
        self.name = name
        parameters = parts.dropFirst().compactMap { part in
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let name = HeaderText.trimmed(part[..<equals]).lowercased()
            let value = HeaderText.unquoted(HeaderText.trimmed(part[part.index(after: equals)...]))
            return name.isEmpty ? nil : Parameter(name: name, value: value)
        }
    }

    private static let minimalJSON = "application/json;odata.metadata=minimal"

    /// The first value of the parameter (name without regard to case); nil when absent.
    package subscript(parameter: String) -> String? {
        let wanted = parameter.lowercased()
        return parameters.first { $0.name == wanted }?.value
    }

    package var isMultipart: Bool { name.hasPrefix("multipart/") }

    /// `application/json`, or a type with the `+json` suffix.
    package var isJSON: Bool { name == "application/json" || name.hasSuffix("+json") }

    package var isXML: Bool {
        name == "application/xml" || name == "text/xml" || name.hasSuffix("+xml")
    }

    /// True when numbers of 64 bits and decimals are written as strings (JSON Format 4.01, section 3.2).
    package var isIEEE754Compatible: Bool { self["ieee754compatible"]?.lowercased() == "true" }

    /// `none`, `minimal` or `full`; with or without the `odata.` prefix; nil when not given.
    package var metadataLevel: String? {
        (self["odata.metadata"] ?? self["metadata"])?.lowercased()
    }
}

/// Lexical helpers of header values (RFC 9110, section 5.6).
package enum HeaderText {
    /// The pieces between separators that stand outside quoted strings, trimmed; empty pieces are left out.
    package static func split(_ text: String, separator: UInt8) -> [String] {
        var pieces: [String] = []
        var piece: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            if byte == separator, !isQuoted {
                pieces.append(String(decoding: piece, as: UTF8.self))
                piece.removeAll(keepingCapacity: true)
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            piece.append(byte)
        }
        pieces.append(String(decoding: piece, as: UTF8.self))
        return pieces.map { trimmed($0[...]) }.filter { !$0.isEmpty }
    }

    // These look at bytes: a combining mark behind a quotation mark would make another character of it.

    /// The text without blanks and tabs at its ends.
    package static func trimmed(_ text: Substring) -> String {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        guard let first = text.utf8.firstIndex(where: { !isBlank($0) }),
            let last = text.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(text.utf8[first...last]))
    }

    /// The text of the bytes without blanks and tabs at their ends.
    package static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(decoding: bytes[first...last], as: UTF8.self)
    }

    /// The content of a quoted string with its escapes undone; any other text as it is.
    package static func unquoted(_ text: String) -> String {
        let quote = UInt8(ascii: "\"")
        guard text.utf8.count >= 2, text.utf8.first == quote, text.utf8.last == quote
        else { return text }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                result.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text as it is when it is a token, as a quoted string otherwise.
    package static func quotedIfNeeded(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isTokenByte) { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    /// Whether the bytes begin with these, letters of either case. `prefix` has none but upper-case letters.
    static func hasPrefix(_ bytes: some Sequence<UInt8>, _ prefix: StaticString) -> Bool {
        var place = 0
        for byte in bytes {
            if place == prefix.utf8CodeUnitCount { return true }
            let upper = byte >= 97 && byte <= 122 ? byte & ~32 : byte
            guard upper == prefix.utf8Start[place] else { return false }
            place += 1
        }
        return place == prefix.utf8CodeUnitCount
    }

    // Hot: Batch
    /// Whether the text is a token (RFC 9110, section 5.6.2), which is not empty.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && allSatisfy(text, isTokenByte)
    }

    /// Whether no control characters but tabs stand in the text.
    static func isFieldValue(_ text: String) -> Bool {
        allSatisfy(text) { $0 >= 32 && $0 != 127 || $0 == 9 }
    }

    /// Looks at the bytes where they stand: the view of a text asks for each of them anew.
    @inline(__always)
    static func allSatisfy(_ text: String, _ isAllowed: (UInt8) -> Bool) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) }
            ?? text.utf8.allSatisfy(isAllowed)
    }

    /// True for the bytes of a token (RFC 9110, section 5.6.2).
    package static func isTokenByte(_ byte: UInt8) -> Bool {
        // Shifts beyond 63 give 0.
        (byte < 64 ? tokensBelow64 >> byte : tokensFrom64 >> (byte - 64)) & 1 == 1
    }

    /// A bit for each byte: digits and `!#$%&'*+-.`.
    private static let tokensBelow64: UInt64 = 0x03ff_6cfa_0000_0000
    /// A bit for each byte from 64 on: letters and ``^_`|~``.
    private static let tokensFrom64: UInt64 = 0x57ff_ffff_c7ff_fffe
}
