/// An identifier of the generated code.
package struct SwiftName: Sendable, Hashable {
    /// Without back-ticks.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// As it is written where it is declared and used.
    package var code: String { SwiftKeywords.all.contains(text) ? "`\(text)`" : text }

    /// Names are cut here; what the cut makes equal is told apart by numbers.
    package static let maximumLength = 120

    /// True for text that is an identifier as it is, in ASCII letters and digits.
    package static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= maximumLength,
            !SwiftKeywords.all.contains(text)
        else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    // MARK: Rules

    /// The name of a property, set, parameter or enumeration member: `CustomerId` is `customerID`, `FIRST_NAME` is
    /// `firstName`, `POItemPos` is `poItemPos`, `to_Warehouse` is `toWarehouse`.
    package static func member(_ name: String) -> String {
        let words = words(of: withCapitalID(name))
        guard let first = words.first else { return "unnamed" }
        let isCapitals = !words.contains { $0.contains(where: \.isLowercase) }
        let rest = words.dropFirst()
        let parts =
            isCapitals
            ? [first.lowercased()] + rest.map { capitalised($0.lowercased()) }
            : [lowerHead(first)] + rest.map(capitalised)
        return identifier(parts.joined())
    }

    /// The name of a type: `Alphabetical_list_of_product` is `AlphabeticalListOfProduct`.
    package static func type(_ name: String, prefix: String = "") -> String {
        let words = words(of: name)
        return identifier(prefix + (words.isEmpty ? "Unnamed" : words.map(capitalised).joined()))
    }

    /// `Id` at the end becomes `ID`.
    private static func withCapitalID(_ name: String) -> String {
        name.hasSuffix("Id") ? String(name.dropLast(2)) + "ID" : name
    }

    /// The parts between underscores and characters that no identifier has.
    private static func words(of name: String) -> [String] {
        name.prefix(4 * maximumLength)
            .split { $0 == "_" || !$0.unicodeScalars.allSatisfy(isContinuing) }
            .map(String.init)
    }

    private static func capitalised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// A leading acronym in lower case, up to the last capital before a lower-case letter.
    private static func lowerHead(_ word: String) -> String {
        let run = word.prefix { $0.isUppercase }
        guard !run.isEmpty else { return word }
        let rest = word.dropFirst(run.count)
        let isFollowed = rest.first?.isLowercase ?? false
        let count = isFollowed && run.count > 1 ? run.count - 1 : run.count
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    /// Text of letters and digits as an identifier: it begins with a letter and is not too long.
    private static func identifier(_ text: String) -> String {
        let cut = String(text.prefix(maximumLength))
        guard let first = cut.unicodeScalars.first, isStarting(first) else { return "_" + cut }
        return cut
    }

    private static func isStarting(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.properties.isAlphabetic
            : scalar.properties.isXIDStart && isUsual(scalar)
    }

    private static func isContinuing(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            : scalar.properties.isXIDContinue && isUsual(scalar)
    }

    /// What Unicode and the grammar of Swift both take for a part of an identifier: letters of the first planes without
    /// the compatibility forms, whose normal form may be another character.
    private static func isUsual(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value <= 0x2FFFF, !scalar.properties.isDefaultIgnorableCodePoint else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter,
            .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }
}
