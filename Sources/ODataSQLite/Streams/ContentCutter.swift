/// Cuts bytes that come in pieces of any size into the parts of a content.
package struct ContentCutter {
    /// What came and is less than a part.
    package private(set) var rest: [UInt8] = []
    /// The position of the next part.
    package private(set) var position: Int64

    /// - Parameter position: How many parts are there already.
    package init(position: Int64 = 0) { self.position = position }

    package mutating func append(_ bytes: [UInt8]) { rest += bytes }

    /// Hands over whole parts with their positions, and with the end the rest.
    ///
    /// - Parameter body: False to stop.
    /// - Returns: False when `body` stopped.
    package mutating func cut(
        isAtEnd: Bool, _ body: (ArraySlice<UInt8>, Int64) throws -> Bool
    ) rethrows -> Bool {
        var start = 0
        defer { rest.removeFirst(start) }
        while rest.count - start >= ContentChunks.partSize || (isAtEnd && start < rest.count) {
            let end = min(start + ContentChunks.partSize, rest.count)
            guard try body(rest[start..<end], position) else { return false }
            position += 1
            start = end
        }
        return true
    }
}
