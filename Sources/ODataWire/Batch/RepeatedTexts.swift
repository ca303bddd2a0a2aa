import ODataText

/// Makes texts of bytes, and gives out again what it made of the same bytes before: the messages of a batch have the same
/// lines, a thousand times over.
struct RepeatedTexts {
    /// By a number that is worked out of the bytes; where two texts have the same, the later one stays.
    private var places = Array(repeating: "", count: Self.placeCount)

    // Hot: Batch
    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count > Self.longestWithoutMemory, bytes.count <= Self.longestKept else {
            return String(decoding: bytes, as: UTF8.self)
        }
        let mixed = bytes.count &* 31 &+ Int(bytes[0]) &* 7 &+ Int(bytes[bytes.count - 1])
        let place = mixed & (Self.placeCount - 1)
        let isKnown = places[place].utf8.withContiguousStorageIfAvailable {
            ByteSearch.areEqual($0, bytes)
        }
        if isKnown == true { return places[place] }
        let text = String(decoding: bytes, as: UTF8.self)
        places[place] = text
        return text
    }

    /// A power of two.
    private static let placeCount = 64
    /// So many bytes stand in the text itself.
    private static let longestWithoutMemory = 15
    private static let longestKept = 256
}
