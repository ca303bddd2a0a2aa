/// The range that a request asks for (RFC 9110, section 14): one range of bytes.
enum ByteRange: Equatable {
    /// All of it: no range, or one that is not understood.
    case whole
    case part(Range<Int64>)
    /// Nothing of it is there (416).
    case unsatisfiable

    /// - Parameter text: the value of `Range`, such as `bytes=100-`, `bytes=0-99` and `bytes=-10`.
    init(_ text: String?, length: Int64) {
        self = .whole
        guard let text, text.hasPrefix("bytes="), !text.contains(",") else { return }
        let bounds = text.dropFirst(6).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        let (first, last) = (Int64(bounds[0]), Int64(bounds[1]))
        switch (first, last) {
        case (let first?, let last?) where first >= 0 && last >= first:
            let end = last < length ? last + 1 : length
            self = first < length ? .part(first..<end) : .unsatisfiable
        case (let first?, nil) where first >= 0 && bounds[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?) where count > 0 && bounds[0].isEmpty:
            self = length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default: return
        }
    }
}
