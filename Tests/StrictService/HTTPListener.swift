import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Listens on a port of this machine with plain sockets; each connection has a thread of its own.
///
/// Clients keep connections, and a port is soon another listener's: a connection that outlived its listener would
/// answer for the next one. Each descriptor is closed by the thread that waits on it, so that its number is not
/// another's before.
final class HTTPListener: Sendable {
    let port: Int
    private let descriptor: Int32
    private let connections = OpenConnections()

    init(_ handler: @escaping @Sendable (StrictRequest) -> StrictAnswer) throws {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SocketFailure(call: "socket", number: errno) }
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard bound else { throw SocketFailure(call: "bind", number: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let connections = connections
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard connection >= 0 else { break }
                Thread.detachNewThread {
                    if connections.add(connection) {
                        HTTPConnection(descriptor: connection).serve(handler)
                    }
                    connections.close(connection)
                }
            }
            close(descriptor)
        }
    }

    /// Ends the listener and its connections; the second time it does nothing.
    func stop() {
        guard connections.stop() else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    struct SocketFailure: Error {
        var call: String
        var number: Int32
    }
}

/// The connections of a listener.
private final class OpenConnections: Sendable {
    /// nil once the listener is stopped.
    private let open = Mutex<Set<Int32>?>([])

    /// False once the listener is stopped.
    func add(_ connection: Int32) -> Bool {
        open.withLock { $0?.insert(connection) != nil }
    }

    func close(_ connection: Int32) {
        open.withLock { open in
            open?.remove(connection)
            _ = Foundation.close(connection)
        }
    }

    /// Ends what is open; false the second time.
    func stop() -> Bool {
        open.withLock { open in
            guard let ended = open else { return false }
            open = nil
            for connection in ended { shutdown(connection, Int32(SHUT_RDWR)) }
            return true
        }
    }
}

/// Reads requests from one connection and writes answers (RFC 9112).
struct HTTPConnection {
    /// Of a body, or of one of its chunks.
    private static let maximumBytes = 256 << 20
    private static let maximumLine = 1 << 20

    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    consuming func serve(_ handler: (StrictRequest) -> StrictAnswer) {
        var connection = self
        while let request = connection.request() {
            let answer = handler(request)
            connection.send(answer, to: request)
            if request["Connection"]?.lowercased() == "close" { return }
        }
    }

    private mutating func fill() -> Bool {
        var part = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &part, part.count)
        guard count > 0 else { return false }
        buffer += part[..<count]
        return true
    }

    private mutating func line() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let text = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return text.hasSuffix("\r") ? String(text.dropLast()) : text
            }
            guard buffer.count <= Self.maximumLine, fill() else { return nil }
        }
    }

    private mutating func bytes(_ count: Int) -> [UInt8]? {
        guard (0...Self.maximumBytes).contains(count) else { return nil }
        while buffer.count < count { guard fill() else { return nil } }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private mutating func request() -> StrictRequest? {
        guard let first = line() else { return nil }
        let words = first.split(separator: " ")
        guard words.count == 3 else { return nil }
        var request = StrictRequest(method: String(words[0]), target: String(words[1]))
        while let text = line(), !text.isEmpty {
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            request.headers.append((String(text[..<colon]), value))
        }
        if request["Expect"]?.lowercased() == "100-continue" {
            write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        guard let body = body(of: request) else { return nil }
        request.body = body
        return request
    }

    private mutating func body(of request: StrictRequest) -> [UInt8]? {
        guard request["Transfer-Encoding"]?.lowercased() == "chunked" else {
            return bytes(request["Content-Length"].flatMap(Int.init) ?? 0)
        }
        var body: [UInt8] = []
        while let size = line().flatMap({ Int($0, radix: 16) }) {
            guard body.count <= Self.maximumBytes, let part = bytes(size), line() != nil else {
                return nil
            }
            if size == 0 { return body }
            body += part
        }
        return nil
    }

    private func send(_ answer: StrictAnswer, to request: StrictRequest) {
        var text = "HTTP/1.1 \(answer.status) Answer\r\n"
        for (name, value) in answer.headers { text += "\(name): \(value)\r\n" }
        let hasBody = answer.status != 204 && answer.status != 304
        if hasBody { text += "Content-Length: \(answer.body.count)\r\n" }
        write(
            Array((text + "\r\n").utf8) + (hasBody && request.method != "HEAD" ? answer.body : []))
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                #if canImport(Glibc)
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                #else
                    Darwin.send(descriptor, $0.baseAddress, $0.count, 0)
                #endif
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
