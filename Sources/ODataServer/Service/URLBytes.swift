// Looks at URLs by bytes: by characters, each look costs as much as all else that is done for a small request.

extension StringProtocol {
    /// What stands in front of the first of these bytes, which are ASCII; all of it where there is none.
    func prefix(beforeByte isEnd: (UInt8) -> Bool) -> SubSequence {
        self[..<(utf8.firstIndex(where: isEnd) ?? endIndex)]
    }

    /// Whether it may be a system resource: `$name`, or the same with its `$` encoded.
    var beginsLikeSystemResource: Bool {
        utf8.first == UInt8(ascii: "$") || utf8.first == UInt8(ascii: "%")
    }

    /// The path of a URL that is relative to the service root.
    var pathOfURL: SubSequence { prefix(beforeByte: { $0 == UInt8(ascii: "?") }) }
}
