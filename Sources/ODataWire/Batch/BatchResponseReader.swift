import ODataQuery
import ODataText

/// Reads the answers of a batch one after the other, their bodies as streams (Protocol 4.01, section 11.7.7.6).
///
/// A batched download of many pages needs no more memory than one window of bytes. Used by one thread at a time.
package final class BatchResponseReader: ByteSource {
    /// One answer, its body still to be read.
    package struct Answer: Sendable, Hashable {
        /// The position of the request part that it answers, from 0.
        package var part: Int
        /// The position in the answered change set, from 0; nil outside of change sets.
        package var member: Int?
        package var contentID: String?
        package var status: Int
        package var headers: HeaderFields
    }

    private var reader: BatchMessageReader

    /// - Parameters:
    ///   - contentType: the header of the batch response.
    ///   - source: copies the next bytes of the batch response; 0 at the end.
    package init(
        contentType: String, limits: BatchLimits = BatchLimits(),
        source: @escaping MultipartScanner.Source
    ) throws {
        reader = try BatchMessageReader(contentType: contentType, limits: limits, source: source)
    }

    /// A reader whose answers' bodies are byte sources in turn: the reader itself stands for the current one.
    package convenience init(
        contentType: String, limits: BatchLimits = BatchLimits(), source: any ByteSource
    ) throws {
        try self.init(contentType: contentType, limits: limits, source: source.read(into:))
    }

    /// True once the closing delimiter was read, so no answer can be missing for lack of bytes.
    package var isComplete: Bool { reader.isComplete }
    /// True when the body of the last answer was read to its end.
    package var bodyIsComplete: Bool { reader.bodyIsComplete }
    /// False when the body of the last answer ended elsewhere than its `Content-Length` says: a service that counts wrong, or
    /// bytes that were changed on the way.
    package var bodyHasStatedLength: Bool { reader.bodyHasStatedLength }
    /// Parts met so far, change sets without members included.
    package var partCount: Int { reader.partCount }

    /// The head of the next answer, the rest of the one before skipped; nil after the last.
    ///
    /// - Throws: `malformedText` when a part is not an HTTP response, or the input ends inside of one.
    package func next() throws -> Answer? {
        guard let head = try reader.next(hasBody: { Self.hasBody(Self.status(of: $0.startLine)) })
        else { return nil }
        guard let status = Self.status(of: head.startLine) else {
            throw ODataError(
                .malformedText, "Expected a status line in a batch part.", at: reader.place)
        }
        return Answer(
            part: head.part, member: head.member, contentID: head.contentID, status: status,
            headers: head.headers)
    }

    /// Copies the next bytes of the answer's body; 0 at its end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try reader.read(into: buffer)
    }

    /// The rest of the answer's body in memory.
    package func readBody() throws -> [UInt8] { try reader.readBody() }

    private static func hasBody(_ status: Int?) -> Bool {
        guard let status else { return false }
        return status >= 200 && status != 204 && status != 304
    }

    /// The status of `HTTP/1.1 200 OK`, the reason being optional; nil when it is no status line.
    private static func status(of line: String) -> Int? {
        var line = line
        return line.withUTF8 { bytes in
            let space = UInt8(ascii: " ")
            var rest = bytes[...].drop { $0 == space }
            let version = rest.prefix { $0 != space }
            rest = rest[version.endIndex...].drop { $0 == space }
            let digits = rest.prefix { $0 != space }
            guard HeaderText.hasPrefix(version, "HTTP/"), digits.count == 3,
                digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 })
            else { return nil }
            let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return (100...599).contains(status) ? status : nil
        }
    }
}
