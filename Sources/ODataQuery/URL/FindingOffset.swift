/// Finds where in a URL something stands that a check of the parsed query names by its path.
///
/// A query that was parsed knows no offsets any more; what the checker objects to is named by the path or the operator
/// as it was written, and so is found again in the text.
package enum FindingOffset {
    /// The offset in bytes of what `place` names; nil when the text does not have it.
    ///
    /// - Parameter finding: What a check finds in a text, nil for nothing. Of several places with one name the one is
    ///   meant without which the finding is another.
    package static func offset(
        of place: String, in text: String, finding: (String) -> String?
    ) -> Int? {
        let bytes = Array(text.utf8)
        for name in names(of: place) {
            let found = occurrences(of: Array(name.utf8), in: bytes)
            guard let first = found.first else { continue }
            guard found.count > 1, found.count <= Self.maximumOccurrences else { return first }
            let original = finding(text)
            return found.first { start in
                let changed =
                    bytes[..<start] + Array("null".utf8) + bytes[(start + name.utf8.count)...]
                return finding(String(decoding: changed, as: UTF8.self)) != original
            } ?? first
        }
        return nil
    }

    private static let maximumOccurrences = 16

    /// The place as it is, then its last name.
    private static func names(of place: String) -> [String] {
        let parts = place.split(separator: "/").map { part in
            part.hasSuffix("()") ? String(part.dropLast(2)) : String(part)
        }
        let last = parts.last { $0 != "(key)" }
        return [place, last ?? ""].filter { !$0.isEmpty }
    }

    /// Where `name` stands as a whole word.
    private static func occurrences(of name: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard let head = name.first, let tail = name.last, name.count <= bytes.count else {
            return []
        }
        return (0...(bytes.count - name.count)).filter { start in
            guard bytes[start] == head, bytes[start..<(start + name.count)].elementsEqual(name)
            else { return false }
            let end = start + name.count
            let startsInside =
                isWord(head) && start > 0 && isWord(bytes[start - 1])
                && !(start > 2 && bytes[start - 3] == UInt8(ascii: "%"))
            return !startsInside && !(isWord(tail) && end < bytes.count && isWord(bytes[end]))
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
