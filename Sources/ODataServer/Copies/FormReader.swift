import ODataText
import ODataWire

/// Takes a `multipart/form-data` body apart while it arrives (RFC 7578), however it is cut into pieces.
package struct FormReader {
    package enum Event: Equatable {
        /// A part begins; the name is that of its field.
        case part(String)
        case bytes([UInt8])
    }

    private enum Place { case preamble, afterDelimiter, header, content, epilogue }

    private var place = Place.preamble
    /// What is not told yet; of a piece that is being read, what is before `start` is.
    private var rest: [UInt8] = [13, 10]
    private var start = 0
    private let delimiter: [UInt8]
    private static let headerEnd: [UInt8] = [13, 10, 13, 10]
    private static let maximumHeader = 4 << 10

    /// - Throws: `invalidPayload`, 400, for a boundary that is none (RFC 2046, section 5.1.1).
    package init(boundary: String) throws {
        guard (1...70).contains(boundary.utf8.count) else { throw Self.noForm }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The last delimiter has come.
    package var isComplete: Bool { place == .epilogue }

    /// What the next bytes bring.
    ///
    /// - Throws: `invalidPayload`, 400, for what is no form.
    package mutating func read(_ bytes: [UInt8]) throws -> [Event] {
        guard place != .epilogue else { return [] }
        rest += bytes
        var events: [Event] = []
        while try step(&events) {}
        rest.removeFirst(start)
        start = 0
        return events
    }

    /// - Returns: false where more has to come first.
    private mutating func step(_ events: inout [Event]) throws -> Bool {
        switch place {
        case .preamble, .content:
            let found = find(delimiter)
            // What may be the beginning of a delimiter waits.
            let end = found ?? max(start, rest.count - delimiter.count + 1)
            if place == .content, end > start { events.append(.bytes(Array(rest[start..<end]))) }
            start = end
            guard found != nil else { return false }
            start += delimiter.count
            place = .afterDelimiter
            return true
        case .afterDelimiter:
            guard rest.count - start >= 2 else { return false }
            let next = (rest[start], rest[start + 1])
            start += 2
            switch next {
            case (45, 45):
                (place, start) = (.epilogue, rest.count)
                return false
            case (13, 10): place = .header
            default: throw Self.noForm
            }
            return true
        case .header:
            guard let end = find(Self.headerEnd) else {
                guard rest.count - start <= Self.maximumHeader else { throw Self.noForm }
                return false
            }
            let header = String(decoding: rest[start..<end], as: UTF8.self)
            guard let name = Self.name(in: header) else { throw Self.noForm }
            start = end + Self.headerEnd.count
            events.append(.part(name))
            place = .content
            return true
        case .epilogue: return false
        }
    }

    private func find(_ pattern: [UInt8]) -> Int? {
        guard rest.count - start >= pattern.count else { return nil }
        return rest.withUnsafeBufferPointer { bytes in
            (start...bytes.count - pattern.count).first { place in
                bytes[place] == pattern[0]
                    && pattern.indices.allSatisfy { bytes[place + $0] == pattern[$0] }
            }
        }
    }

    /// The `name` of `Content-Disposition: form-data`.
    private static func name(in header: String) -> String? {
        for line in header.split(separator: "\r\n") {
            let field = line.split(separator: ":", maxSplits: 1)
            guard field.count == 2, field[0].lowercased() == "content-disposition" else { continue }
            for parameter in HeaderText.split(String(field[1]), separator: UInt8(ascii: ";")) {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, HeaderText.trimmed(pair[0]).lowercased() == "name" else {
                    continue
                }
                return HeaderText.unquoted(HeaderText.trimmed(pair[1]))
            }
        }
        return nil
    }

    static let noForm = ODataError(
        .invalidPayload, "Expected a multipart/form-data body with named parts.", status: 400)
}
