import ODataQuery
import ODataText
import ODataWorld

/// Pulls a long body and, when the connection breaks, goes on where it stopped (RFC 9110, section 14).
///
/// Going on needs an entity tag that stayed the same: without one nobody could tell whether the rest belongs to the
/// beginning. Used by one thread at a time.
package final class ResumingRead {
    private static let partSize = 256 << 10
    /// How often it goes on without a byte in between.
    private static let maximumAttempts = 3

    private let connection: ServiceConnection
    private let cancellation: CancellationFlag?
    private let request: RequestMessage
    private var answer: any HTTPAnswer
    private let tag: String?
    private var offset: Int64
    private var attempts = 0
    /// Of the first answer; that of a part that goes on counts as 200.
    package let status: Int
    package let headers: HeaderFields
    /// Where the first byte lies: what was asked for, or 0 when the service begins anew.
    package let start: Int64

    /// - Parameters:
    ///   - start: How many bytes are there already, of the content with `tag`.
    /// - Throws: what the transport throws. An error status is an answer, not an error.
    package init(
        _ connection: ServiceConnection, _ request: RequestMessage, start: Int64 = 0,
        tag known: String? = nil, cancellation: CancellationFlag?
    ) throws {
        self.connection = connection
        self.cancellation = cancellation
        self.request = request
        if start > 0, let known {
            let rest = Self.rest(of: request, from: start, known)
            let answer = try connection.send(rest, cancellation: cancellation)
            if answer.status == 206, answer.headers["ETag"] == known,
                Self.begins(answer, at: start)
            {
                (self.answer, offset, status) = (answer, start, 200)
                (tag, headers, self.start) = (known, answer.headers, start)
                return
            }
            if answer.status == 200 {
                (self.answer, offset, status) = (answer, 0, 200)
                (tag, headers, self.start) = (answer.headers["ETag"], answer.headers, 0)
                return
            }
            answer.close()
        }
        let answer = try connection.send(request, cancellation: cancellation)
        (self.answer, offset, status) = (answer, 0, answer.status)
        (tag, headers, self.start) = (answer.headers["ETag"], answer.headers, 0)
    }

    /// How many bytes there are, where the service says so.
    package var length: Int64? {
        guard headers["Content-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int64($0) }.map { $0 + start }
    }

    /// The next bytes; nil at the end.
    package func next() throws -> [UInt8]? {
        while true {
            do {
                let part = try [UInt8](unsafeUninitializedCapacity: Self.partSize) { room, count in
                    count = try answer.read(into: UnsafeMutableRawBufferPointer(room))
                }
                offset += Int64(part.count)
                if !part.isEmpty { attempts = 0 }
                return part.isEmpty ? nil : part
            } catch let error as ODataError where error.code == .network || error.code == .timeout {
                try resume(after: error)
            }
        }
    }

    /// The whole answer, for one that is no content.
    package func readAll(limit: Int = 64 << 20) throws -> ResponseMessage {
        try answer.readAll(limit: limit)
    }

    package func close() { answer.close() }

    private func resume(after failure: ODataError) throws {
        answer.close()
        guard let tag, attempts < Self.maximumAttempts else { throw failure }
        attempts += 1
        let rest = Self.rest(of: request, from: offset, tag)
        answer = try connection.send(rest, cancellation: cancellation)
        guard answer.headers["ETag"] == tag else { throw failure }
        switch answer.status {
        case 206:
            guard Self.begins(answer, at: offset) else { throw failure }
        case 200: try skip(offset)
        default: throw failure
        }
    }

    private static func rest(
        of request: RequestMessage, from offset: Int64, _ tag: String
    ) -> RequestMessage {
        var rest = request
        rest.headers["If-None-Match"] = nil
        rest.headers["Range"] = "bytes=\(offset)-"
        // A weak tag is not allowed here; the tag of the answer is compared in any case.
        if !tag.hasPrefix("W/") { rest.headers["If-Range"] = tag }
        return rest
    }

    private static func begins(_ answer: any HTTPAnswer, at offset: Int64) -> Bool {
        (answer.headers["Content-Range"] ?? "").hasPrefix("bytes \(offset)-")
    }

    /// Reads past what is there already, for a service that sends everything again.
    private func skip(_ count: Int64) throws {
        var left = count
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.partSize, alignment: 16)
        defer { room.deallocate() }
        while left > 0 {
            let wanted = Int(min(left, Int64(room.count)))
            let read = try answer.read(
                into: UnsafeMutableRawBufferPointer(rebasing: room[..<wanted]))
            guard read > 0 else {
                throw ODataError(.network, "Expected \(left) more bytes, found the end.")
            }
            left -= Int64(read)
        }
    }
}
