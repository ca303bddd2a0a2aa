/// Gives out OData identifiers (CSDL 4.01, section 17.2) for the free names of a database, each at most once.
struct IdentifierSpace {
    private var used: Set<String> = []

    /// The name itself where it is an identifier and free; else what comes nearest.
    mutating func claim(_ name: String) -> String {
        let base = Self.identifier(from: name)
        var candidate = base
        var number = 2
        while !used.insert(candidate).inserted {
            candidate = "\(base)_\(number)"
            number += 1
        }
        return candidate
    }

    /// Letters, digits and underscores, not starting with a digit, at most 120 characters.
    static func identifier(from name: String) -> String {
        var text = ""
        for character in name.prefix(120) {
            let isFine = character == "_" || character.isLetter || character.isWholeNumber
            text.append(isFine && character.unicodeScalars.count == 1 ? character : "_")
        }
        guard let first = text.first else { return "_" }
        return first.isWholeNumber ? "_" + text : text
    }
}
