import ODataText

/// A context URL: what a payload says that it holds (Protocol 4.01, section 10).
package struct ContextURL: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// A collection, a property, a singleton or a value: no suffix.
        case plain = ""
        case entity = "/$entity"
        case delta = "/$delta"
        case deletedEntity = "/$deletedEntity"
        case link = "/$link"
        case deletedLink = "/$deletedLink"
    }

    /// What stands in front of `#`, usually the metadata URL; empty for a mere fragment.
    package var base: String
    /// `Tools`, `Tools(7)/Parts`, `Tools/Ws.PowerTool`, `Collection(Ws.Size)`, `Edm.String`; decoded.
    package var path: String
    /// The content of the select list; nil when there is none.
    package var selectList: String?
    package var kind: Kind

    package init(
        base: String = "$metadata", path: String, selectList: String? = nil, kind: Kind = .plain
    ) {
        self.base = base
        self.path = path
        self.selectList = selectList
        self.kind = kind
    }

    /// Splits a context URL; a fragment may stand without URL, and a URL without fragment (service document).
    package init(parsing text: String) {
        let hash = text.firstIndex(of: "#") ?? text.endIndex
        base = String(text[..<hash])
        let encoded = text[hash...].dropFirst()
        var fragment = String(encoded)[...]
        // Rows may bring their own: most have nothing to decode.
        if encoded.utf8.contains(UInt8(ascii: "%")),
            let decoded = String(encoded).removingPercentEncodingStrictly()
        {
            fragment = decoded[...]
        }
        kind = .plain
        for candidate in [Kind.entity, .delta, .deletedEntity, .link, .deletedLink]
        where fragment.hasSuffix(candidate.rawValue) {
            kind = candidate
            fragment = fragment.dropLast(candidate.rawValue.count)
        }
        if fragment == "$delta" {
            kind = .delta
            fragment = ""
        }
        selectList = nil
        if let open = Self.selectListStart(fragment) {
            selectList = String(fragment[fragment.index(after: open)...].dropLast())
            fragment = fragment[..<open]
        }
        path = String(fragment)
    }

    /// The opening parenthesis of a list that ends the fragment and is no key and no type.
    private static func selectListStart(_ fragment: Substring) -> Substring.Index? {
        guard fragment.hasSuffix(")"), !fragment.hasPrefix("Collection(") else { return nil }
        var depth = 0
        var isQuoted = false
        var index = fragment.endIndex
        while index > fragment.startIndex {
            index = fragment.index(before: index)
            switch fragment[index] {
            case "'": isQuoted.toggle()
            case ")" where !isQuoted: depth += 1
            case "(" where !isQuoted:
                depth -= 1
                if depth == 0 { return index > fragment.startIndex ? index : nil }
            default: break
            }
        }
        return nil
    }

    /// The entity set, singleton or type that the path begins with.
    package var root: String {
        let end = path.firstIndex { $0 == "/" || $0 == "(" } ?? path.endIndex
        return path.hasPrefix("Collection(")
            ? String(path.dropFirst("Collection(".count).dropLast()) : String(path[..<end])
    }

    /// The URL's text; characters that a fragment cannot hold are percent-encoded.
    package var text: String {
        let list = selectList.map { "(\($0))" } ?? ""
        let fragment = path + list + kind.rawValue
        return fragment.isEmpty ? base : base + "#" + Self.encoded(fragment)
    }

    // Hot: ServerFigures
    private static func encoded(_ fragment: String) -> String {
        // Letters, digits and what stands around lists and keys are what most fragments are made of.
        let isPlain = fragment.utf8.allSatisfy { byte in
            switch byte {
            case 36...59, 61, 63...90, 95, 97...122: byte != 37
            default: false
            }
        }
        if isPlain { return fragment }
        var text = ""
        for scalar in fragment.unicodeScalars {
            if scalar.isASCII, scalar.value > 32,
                !"\"#%<>[\\]^`{|}\u{7f}".unicodeScalars.contains(scalar)
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += PercentCoding.escaped(String(scalar))
            }
        }
        return text
    }
}

extension String {
    /// The text with every `%XX` decoded; nil when an escape is incomplete or the bytes are not UTF-8.
    fileprivate func removingPercentEncodingStrictly() -> String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.hexDigit),
                let low = rest.popFirst().flatMap(Self.hexDigit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
