import ODataText

/// Splits a multipart body into parts without holding more of it than one window (RFC 2046, section 5.1).
///
/// Bytes come from a pull closure, so a scanner may stand on a socket, on an array, or on the content of a part of
/// another scanner (``SharedScanner``). Preamble and epilogue are skipped; lines may end in LF alone; the last line may lack its end.
/// Used by one thread at a time.
///
/// A value, so that nothing has to be asked at run time before each of its bytes is touched (a tenth of a batch's cost).
package struct MultipartScanner: ~Copyable {
    /// Copies the next bytes into the buffer and returns how many; 0 at the end.
    package typealias Source = (UnsafeMutableRawBufferPointer) throws -> Int

    /// True once the closing delimiter was met.
    package private(set) var isClosed = false
    /// True while the content of a part is being read.
    package private(set) var isInPart = false

    private let delimiter: [UInt8]
    private let source: Source
    private var window: [UInt8]
    private var start = 0
    private var end = 0
    /// Bytes up to here are known to be content.
    private var contentEnd = 0
    private var sourceEnded = false
    /// A delimiter may stand right here, without a line break of its own in front.
    private var isAtLineStart = true
    private var hasPendingPart = false

    /// - Throws: `malformedText` when the boundary is empty or longer than 70 bytes.
    package init(boundary: String, windowSize: Int = 64 << 10, source: @escaping Source) throws {
        guard (1...Self.maximumBoundaryLength).contains(boundary.utf8.count) else {
            throw ODataError(
                .malformedText,
                "Expected a boundary of 1 to \(Self.maximumBoundaryLength) bytes, "
                    + "found \(boundary.utf8.count).")
        }
        delimiter = Array("--".utf8) + Array(boundary.utf8)
        self.source = source
        window = Array(repeating: 0, count: max(windowSize, 1 << 10))
    }

    private static let maximumBoundaryLength = 70
    private static let maximumPadding = 32
    /// Enough bytes to decide whether a line is a delimiter.
    private var lookahead: Int { delimiter.count + Self.maximumPadding + 4 }

    /// Moves to the start of the next part, skipping what is left of this one.
    ///
    /// - Returns: false at the closing delimiter and at the end of the input.
    package mutating func nextPart() throws -> Bool {
        while !hasPendingPart {
            if isClosed { return finish() }
            if try findContent() {
                start = contentEnd
                isAtLineStart = false
            } else if !hasPendingPart {
                return finish()
            }
        }
        hasPendingPart = false
        isInPart = true
        return true
    }

    // Hot: Batch
    /// Copies the next content bytes of the part; 0 at its end.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard isInPart, buffer.count > 0, try findContent() else { return 0 }
        let count = min(buffer.count, contentEnd - start)
        copy(count, to: buffer)
        isAtLineStart = false
        return count
    }

    /// Copies bytes of the part without looking for a delimiter; 0 at the end of the input.
    ///
    /// For bodies whose length is known, which may contain a delimiter.
    package mutating func readCounted(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard isInPart, !hasPendingPart, buffer.count > 0, try fill(1) else { return 0 }
        let count = min(buffer.count, end - start)
        copy(count, to: buffer)
        contentEnd = max(contentEnd, start)
        isAtLineStart = true
        return count
    }

    /// The next line of the part without its line end; nil when the part has no more.
    ///
    /// - Throws: `limitExceeded` for a line longer than `limit`.
    package mutating func readLine(limit: Int) throws -> [UInt8]? {
        guard isInPart else { return nil }
        var line: [UInt8] = []
        var isEmpty = true
        while try findContent() {
            isEmpty = false
            isAtLineStart = false
            let breakIndex = window[start..<contentEnd].firstIndex(of: Self.lineFeed)
            line.append(contentsOf: window[start..<(breakIndex ?? contentEnd)])
            guard line.count <= limit else {
                throw ODataError(
                    .limitExceeded, "Expected a header line of at most \(limit) bytes, found more.")
            }
            start = breakIndex.map { $0 + 1 } ?? contentEnd
            if breakIndex != nil { break }
        }
        if isEmpty { return nil }
        if line.last == Self.carriageReturn { line.removeLast() }
        return line
    }

    // Hot: Batch
    /// Calls `body` with the next line of the part without its line end, as a rule where it stands; nil when the part has no
    /// more.
    ///
    /// - Throws: as ``readLine(limit:)``, and what `body` throws.
    package mutating func withLine<Result>(
        limit: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) throws -> Result? {
        guard isInPart, try findContent() else { return nil }
        guard let lineEnd = lineFeedIndex(from: start, to: contentEnd), lineEnd - start <= limit
        else {
            // It goes on behind what is known to be content, or is too long.
            return try readLine(limit: limit)?.withUnsafeBufferPointer(body)
        }
        let line = start..<lineEnd
        start = lineEnd + 1
        isAtLineStart = false
        return try window.withUnsafeBufferPointer { bytes in
            let line = bytes[line]
            return try body(
                UnsafeBufferPointer(
                    rebasing: line.last == Self.carriageReturn ? line.dropLast() : line))
        }
    }

    /// True when a delimiter or the end of the input follows `count` bytes from here, line breaks between them
    /// apart; false also when the window is too small to tell.
    package mutating func isDelimited(after count: Int) throws -> Bool {
        let slack = 8
        guard count <= window.count - lookahead - slack else { return false }
        guard try fill(count + lookahead + slack) || end - start >= count else { return false }
        var index = start + count
        let splitsLineEnd =
            count > 0 && index < end && window[index - 1] == Self.carriageReturn
            && window[index] == Self.lineFeed
        if splitsLineEnd { return false }
        while index < end, index - start - count < slack,
            window[index] == Self.lineFeed || window[index] == Self.carriageReturn
        {
            index += 1
        }
        return (index >= end && sourceEnded) || delimiterLine(at: index) != nil
    }

    /// True when the input has ended and nothing of it is left.
    package mutating func isAtEndOfInput() throws -> Bool {
        try !hasPendingPart && !isClosed && !fill(1)
    }

    private static let lineFeed: UInt8 = 10
    private static let carriageReturn: UInt8 = 13

    private mutating func finish() -> Bool {
        isInPart = false
        return false
    }

    private mutating func copy(_ count: Int, to buffer: UnsafeMutableRawBufferPointer) {
        window.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
        start += count
    }

    /// Makes `contentEnd > start` when content follows; false at a delimiter (then consumed) and at the end.
    private mutating func findContent() throws -> Bool {
        if contentEnd > start { return true }
        if hasPendingPart || isClosed { return false }
        guard try fill(lookahead + 2) || end > start else { return false }
        if isAtLineStart, let line = delimiterLine(at: start) {
            consume(line)
            return false
        }
        let safeEnd = sourceEnded ? end : end - lookahead
        var index = start
        while let found = lineFeedIndex(from: index, to: safeEnd) {
            if let line = delimiterLine(at: found + 1) {
                let hasReturn = found > start && window[found - 1] == Self.carriageReturn
                contentEnd = hasReturn ? found - 1 : found
                if contentEnd > start { return true }
                consume(line)
                return false
            }
            index = found + 1
        }
        let holdsReturn = !sourceEnded && window[safeEnd - 1] == Self.carriageReturn
        contentEnd = holdsReturn ? safeEnd - 1 : safeEnd
        return contentEnd > start
    }

    private struct DelimiterLine {
        var end: Int
        var isClosing: Bool
    }

    private mutating func consume(_ line: DelimiterLine) {
        start = line.end
        contentEnd = start
        isAtLineStart = true
        if line.isClosing { isClosed = true } else { hasPendingPart = true }
    }

    private func lineFeedIndex(from first: Int, to last: Int) -> Int? {
        guard first < last else { return nil }
        return window.withUnsafeBufferPointer { bytes in
            ByteSearch.distance(
                to: Self.lineFeed, in: UnsafeBufferPointer(rebasing: bytes[first..<last])
            ).map { first + $0 }
        }
    }

    /// The delimiter line that starts at `index`; nil when there is none.
    private func delimiterLine(at index: Int) -> DelimiterLine? {
        guard index + delimiter.count <= end else { return nil }
        // Most lines begin otherwise.
        guard window[index] == UInt8(ascii: "-"), holdsDelimiter(at: index) else { return nil }
        var next = index + delimiter.count
        let hyphen = UInt8(ascii: "-")
        let isClosing = next + 1 < end && window[next] == hyphen && window[next + 1] == hyphen
        if isClosing { next += 2 }
        let paddingEnd = next + Self.maximumPadding
        while next < end, next < paddingEnd, window[next] == 32 || window[next] == 9 { next += 1 }
        if next == end { return sourceEnded ? DelimiterLine(end: next, isClosing: isClosing) : nil }
        if window[next] == Self.carriageReturn {
            next += 1
            if next == end {
                return sourceEnded ? DelimiterLine(end: next, isClosing: isClosing) : nil
            }
        }
        guard window[next] == Self.lineFeed else { return nil }
        return DelimiterLine(end: next + 1, isClosing: isClosing)
    }

    /// Of bytes that are there.
    private func holdsDelimiter(at index: Int) -> Bool {
        window.withUnsafeBufferPointer { bytes in
            delimiter.withUnsafeBufferPointer { delimiter in
                ByteSearch.areEqual(
                    UnsafeBufferPointer(rebasing: bytes[index..<index + delimiter.count]), delimiter
                )
            }
        }
    }

    /// Reads until `count` bytes are in the window; false when the input ends before.
    private mutating func fill(_ count: Int) throws -> Bool {
        if end - start >= count { return true }
        if start > 0 {
            window.withUnsafeMutableBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                UnsafeMutableRawBufferPointer(rebasing: bytes[..<(end - start)]).copyMemory(
                    from: rest)
            }
            contentEnd = max(contentEnd - start, 0)
            end -= start
            start = 0
        }
        while end < count, !sourceEnded {
            let received = try window.withUnsafeMutableBytes { bytes in
                try source(UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
            }
            guard received >= 0, received <= window.count - end else {
                throw ODataError(.network, "Expected a byte source to keep to its buffer.")
            }
            sourceEnded = received == 0
            end += received
        }
        return end >= count
    }
}
