import ODataQuery
import ODataText
import ODataTransport
import ODataWire

/// Pulls the content of a stream and, when the connection breaks, goes on where it stopped (RFC 9110, section 14).
///
/// Going on needs an entity tag that stayed the same: without one nobody could tell whether the rest belongs to the
/// beginning. Used by one thread at a time.
final class ResumingDownload {
    private static let partSize = 256 << 10
    /// How often it goes on without a byte in between.
    private static let maximumAttempts = 3

    private let call: OnlineCall
    private let request: RequestMessage
    private var answer: any HTTPAnswer
    private let tag: String?
    private var offset: Int64 = 0
    private var attempts = 0

    /// - Throws: `DataServiceError` for an error status, and what the transport throws.
    init(_ call: OnlineCall, _ request: RequestMessage) throws {
        self.call = call
        self.request = request
        answer = try call.connection.send(request, cancellation: call.cancellation)
        tag = answer.headers["ETag"]
        guard (200..<300).contains(answer.status) else {
            throw DataServiceError.of(try answer.readAll())
        }
    }

    var headers: HeaderFields { answer.headers }

    /// How many bytes there are, where the service says so.
    var length: Int64? {
        guard answer.headers["Content-Encoding"] == nil else { return nil }
        return answer.headers["Content-Length"].flatMap { Int64($0) }
    }

    /// The next bytes; nil at the end.
    func next() throws -> [UInt8]? {
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

    func close() { answer.close() }

    private func resume(after failure: ODataError) throws {
        answer.close()
        guard let tag, attempts < Self.maximumAttempts else { throw failure }
        attempts += 1
        var rest = request
        rest.headers["Range"] = "bytes=\(offset)-"
        // A weak tag is not allowed here; the tag of the answer is compared in any case.
        if !tag.hasPrefix("W/") { rest.headers["If-Range"] = tag }
        answer = try call.connection.send(rest, cancellation: call.cancellation)
        guard answer.headers["ETag"] == tag else { throw failure }
        switch answer.status {
        case 206:
            let range = answer.headers["Content-Range"] ?? ""
            guard range.hasPrefix("bytes \(offset)-") else { throw failure }
        case 200: try skip(offset)
        default: throw failure
        }
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
