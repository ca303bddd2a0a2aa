import ODataText

/// The body of a request that is read while it is sent; used by one thread at a time.
package protocol RequestContent: AnyObject, Sendable {
    /// How many bytes there are in all; nil where only the end tells.
    var length: Int64? { get }
    /// Copies the next bytes into `buffer` and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
    /// Whether ``rewind()`` can go back.
    var canRewind: Bool { get }
    /// Goes back to the first byte, so that the request can be sent again; false where that cannot be done.
    func rewind() throws -> Bool
}

extension RequestContent {
    /// Everything up to the end, at most `limit` bytes.
    ///
    /// - Throws: `limitExceeded` when there is more, and what ``read(into:)`` throws.
    package func readAll(limit: Int = 512 << 20) throws -> [UInt8] {
        var body: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = try read(into: chunk)
            if count == 0 { return body }
            guard body.count + count <= limit else {
                throw ODataError(
                    .limitExceeded, "Expected a body of at most \(limit) bytes, found more.")
            }
            body.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }
}
