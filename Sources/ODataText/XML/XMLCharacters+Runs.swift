// Scans over what documents nearly always hold: names and values in ASCII without anything to replace. Each says where
// its run ends; who asks deals with the rest byte by byte.

// Hot: Language, LargeMetadata
extension XMLCharacters {
    /// A name of ASCII characters; nil when there is none or when other characters follow, which may belong to it.
    static func plainName(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> WrittenName? {
        var written = WrittenName(start: start, end: start, colon: nil, hash: 0)
        var first = start
        while true {
            guard first < bytes.count, isNameStart(UInt32(bytes[first])) else { return nil }
            var index = first
            while index < bytes.count, isPlainName(bytes[index]) {
                written.hash = written.hash &* 31 &+ UInt32(bytes[index])
                index += 1
            }
            written.end = index
            guard index < bytes.count else { return written }
            if bytes[index] >= 0x80 { return nil }
            guard bytes[index] == UInt8(ascii: ":") else { return written }
            guard written.colon == nil else { return nil }
            written.colon = index
            first = index + 1
        }
    }

    /// `NameChar` among ASCII, without the colon: a bit for each in two words.
    private static func isPlainName(_ byte: UInt8) -> Bool {
        let digits: UInt64 = 0x03FF_6000_0000_0000
        let letters: UInt64 = 0x07FF_FFFE_87FF_FFFE
        guard byte < 0x80 else { return false }
        return (byte < 0x40 ? digits : letters) >> UInt64(byte & 0x3F) & 1 == 1
    }

    /// The first byte of an attribute's value that ends it or is not itself: the quote, `<`, `&`, white space but the space.
    static func endOfPlainValue(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, quote: UInt8
    ) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == quote || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&")
                || byte < 0x20
            {
                break
            }
            index += 1
        }
        return index
    }

    /// Text up to markup, a reference or `]]>`.
    static func textRun(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> (end: Int, isSpace: Bool, hasReturn: Bool) {
        var index = start
        var hasReturn = false
        while index < bytes.count, isSpace(bytes[index]) {
            if bytes[index] == 0x0D { hasReturn = true }
            index += 1
        }
        let endOfSpace = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { break }
            if byte == UInt8(ascii: "]"), index + 2 < bytes.count,
                bytes[index + 1] == UInt8(ascii: "]"), bytes[index + 2] == UInt8(ascii: ">")
            {
                break
            }
            if byte == 0x0D { hasReturn = true }
            index += 1
        }
        return (index, index == endOfSpace, hasReturn)
    }
}
