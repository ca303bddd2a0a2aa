import ODataQuery
import ODataText

/// Walks a multipart batch body message by message, the bodies pulled from the source as they are asked for.
///
/// Client and service share it: it knows parts, change sets and header blocks, and leaves the first line of a
/// message to ``BatchReader`` and ``BatchResponseReader``. Used by one thread at a time.
package struct BatchMessageReader: ~Copyable {
    /// Where a message stands in the batch, and what was read before its body.
    package struct Head: Sendable, Hashable {
        /// The position of the part in the batch, from 0.
        package var part: Int
        /// The position in the change set, from 0; nil outside of change sets.
        package var member: Int?
        /// The request line or status line.
        package var startLine: String
        package var headers: HeaderFields
        package var contentID: String?
    }

    /// How the last message ended.
    package private(set) var bodyIsComplete = true
    /// False once the last message's body has ended elsewhere than its `Content-Length` says.
    package var bodyHasStatedLength: Bool { statedLength.map { $0 == bodyLength } ?? true }
    /// Parts met so far, empty change sets included.
    package private(set) var partCount = 0
    /// True once the closing delimiter of the batch was read.
    package var isComplete: Bool { outer.scanner.isClosed }

    private let outer: SharedScanner
    private var inner: SharedScanner?
    private let limits: BatchLimits
    private var texts = RepeatedTexts()
    private var memberCount = 0
    private var messageCount = 0
    private var body = Body.none
    private var statedLength: Int?
    private var bodyLength = 0

    private enum Body {
        case none
        case delimited
        case counted(Int)
    }

    /// - Parameter contentType: the header of the batch, with its boundary.
    /// - Throws: `invalidPayload` when it is not `multipart/mixed` with a boundary.
    package init(
        contentType: String, limits: BatchLimits = BatchLimits(),
        source: @escaping MultipartScanner.Source
    ) throws {
        outer = SharedScanner(
            try MultipartScanner(
                boundary: Self.boundary(of: contentType, what: "a batch"), source: source))
        self.limits = limits
    }

    /// The head of the next message; nil after the last one.
    ///
    /// - Parameter hasBody: tells from the start line and headers whether a body can follow.
    package mutating func next(hasBody: (Head) -> Bool) throws -> Head? {
        do {
            return try head(hasBody)
        } catch var error as ODataError {
            error.location = error.location ?? place
            throw error
        }
    }

    /// The message that is read, or was last: `parts[1]`, `parts[1]/members[0]`.
    package var place: ODataError.Location {
        let part = "parts[\(max(0, partCount - 1))]"
        return .path(inner == nil ? part : "\(part)/members[\(max(0, memberCount - 1))]")
    }

    private mutating func head(_ hasBody: (Head) -> Bool) throws -> Head? {
        try skipBody()
        while true {
            if let scanner = inner {
                if try scanner.scanner.nextPart() {
                    memberCount += 1
                    let part = try headerBlock(of: scanner, isOfPart: true).part
                    return try readHead(in: scanner, part: part, hasBody)
                }
                inner = nil
            }
            guard try outer.scanner.nextPart() else { return nil }
            partCount += 1
            let part = try headerBlock(of: outer, isOfPart: true).part
            guard Self.isMultipart(part.type) else {
                return try readHead(in: outer, part: part, hasBody)
            }
            memberCount = 0
            let shared = outer
            inner = SharedScanner(
                try MultipartScanner(
                    boundary: Self.boundary(of: part.type ?? "", what: "a change set"),
                    source: { try shared.scanner.read(into: $0) }))
        }
    }

    /// Copies the next bytes of the current message's body; 0 at its end.
    ///
    /// - Throws: `malformedText` when the batch ends inside the body.
    package mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let scanner = inner ?? outer
        switch body {
        case .none: return 0
        case .counted(let rest):
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest, buffer.count)])
            let count = try scanner.scanner.readCounted(into: part)
            guard count > 0 || rest == 0 || buffer.isEmpty else { throw truncated() }
            bodyLength += count
            body = rest == count ? .none : .counted(rest - count)
            if rest == count { bodyIsComplete = true }
            return count
        case .delimited:
            let count = try scanner.scanner.read(into: buffer)
            bodyLength += count
            if count == 0, !buffer.isEmpty {
                guard try !outerEnded() else { throw truncated() }
                body = .none
                bodyIsComplete = true
            }
            return count
        }
    }

    /// The rest of the current body in memory.
    package mutating func readBody() throws -> [UInt8] {
        if case .counted(let length) = body, length <= limits.bodyBytes {
            // It stands in the window, where its end was found (`bodyForm`).
            return try [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
                let bytes = UnsafeMutableRawBufferPointer(buffer)
                while count < length {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count..<length])
                    count += try read(into: rest)
                }
            }
        }
        var bytes: [UInt8] = []
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count = try read(into: chunk)
            if count == 0 { return bytes }
            guard bytes.count + count <= limits.bodyBytes else {
                throw ODataError(
                    .limitExceeded,
                    "Expected bodies of at most \(limits.bodyBytes) bytes in a batch, found more.",
                    at: place)
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count]))
        }
    }

    private mutating func outerEnded() throws -> Bool {
        guard try (inner ?? outer).scanner.isAtEndOfInput() else { return false }
        return try outer.scanner.isAtEndOfInput()
    }

    private mutating func truncated() -> ODataError {
        body = .none
        return ODataError(
            .malformedText, "Expected a delimiter after a message, found the end.", at: place)
    }

    private mutating func skipBody() throws {
        if case .none = body { return }
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { chunk.deallocate() }
        while try read(into: chunk) > 0 {}
    }

    private mutating func readHead(
        in scanner: SharedScanner, part: HeaderBlock.Part, _ hasBody: (Head) -> Bool
    ) throws -> Head {
        messageCount += 1
        guard messageCount <= limits.messages else {
            throw ODataError(
                .limitExceeded,
                "Expected at most \(limits.messages) messages in a batch, found more.")
        }
        if Self.isMultipart(part.type) {
            throw ODataError(.invalidPayload, "Expected no change set inside a change set.")
        }
        bodyIsComplete = false
        body = .none
        (statedLength, bodyLength) = (nil, 0)
        guard let startLine = try firstLine(of: scanner) else {
            throw try outerEnded()
                ? truncated()
                : ODataError(.malformedText, "Expected an HTTP message in a part, found none.")
        }
        let headers = HeaderFields(try headerBlock(of: scanner).fields)
        var head = Head(
            part: partCount - 1, member: inner == nil ? nil : memberCount - 1,
            startLine: startLine, headers: headers,
            contentID: part.contentID ?? headers["Content-ID"])
        if head.contentID?.isEmpty == true { head.contentID = nil }
        if hasBody(head) {
            body = try bodyForm(headers, in: scanner)
            if case .counted(0) = body { body = .none }
        }
        if case .none = body { bodyIsComplete = true }
        return head
    }

    /// A stated length is followed only when it leads to a delimiter: some clients count wrong.
    private mutating func bodyForm(_ headers: HeaderFields, in scanner: SharedScanner) throws
        -> Body
    {
        guard let text = headers["Content-Length"], let length = Int(text), length >= 0 else {
            return .delimited
        }
        statedLength = length
        return try scanner.scanner.isDelimited(after: length) ? .counted(length) : .delimited
    }

    private mutating func firstLine(of scanner: SharedScanner) throws -> String? {
        var blankLines = 0
        while let line = try scanner.scanner.withLine(
            limit: limits.headerLineBytes, { $0.isEmpty ? "" : texts.text($0) })
        {
            if !line.isEmpty { return line }
            blankLines += 1
            guard blankLines <= limits.headerLines else { break }
        }
        return nil
    }

    // Hot: Batch
    /// Fields up to the empty line; a line without a colon is malformed.
    ///
    /// - Parameter isOfPart: what stands in front of a message, of which two fields are of use.
    private mutating func headerBlock(
        of scanner: SharedScanner, isOfPart: Bool = false
    ) throws -> HeaderBlock {
        var block = HeaderBlock(isOfPart: isOfPart)
        while true {
            let isRead = try scanner.scanner.withLine(limit: limits.headerLineBytes) { line in
                try line.isEmpty || block.take(line, limits, &texts)
            }
            guard let isRead else {
                if try outerEnded() { throw truncated() }
                break
            }
            if isRead { break }
        }
        return block
    }

    /// Asked for every part, of which nearly all say the same.
    private static func isMultipart(_ type: String?) -> Bool {
        guard let type, type != "application/http" else { return false }
        return MediaType(parsing: type)?.isMultipart == true
    }

    private static func boundary(of contentType: String, what: String) throws -> String {
        guard let type = MediaType(parsing: contentType), type.isMultipart,
            let boundary = type["boundary"], !boundary.isEmpty
        else {
            throw ODataError(
                .invalidPayload, "Expected multipart/mixed with a boundary for \(what).",
                at: what == "a batch" ? .path("Content-Type") : nil)
        }
        return boundary
    }
}
