import ODataText

/// Takes a `multipart/form-data` body apart while it arrives (RFC 7578), however it is cut into pieces.
package struct FormReader {
    package enum Event: Equatable {
        /// A part begins; the name is that of its field.
        case part(String)
        case bytes([UInt8])
    }

    private enum Place { case preamble, afterDelimiter, header, content, epilogue }

    private var place = Place.preamble
    private var rest: [UInt8] = [13, 10]
    private let delimiter: [UInt8]
    private static let maximumHeader = 16 << 10

    package init(boundary: String) {
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
        return events
    }

    /// - Returns: false where more has to come first.
    private mutating func step(_ events: inout [Event]) throws -> Bool {
        switch place {
        case .preamble, .content:
            let end = find(delimiter)
            // What may be the beginning of a delimiter waits.
            let count = end ?? max(0, rest.count - delimiter.count + 1)
            if place == .content, count > 0 { events.append(.bytes(Array(rest[..<count]))) }
            rest.removeFirst(count + (end == nil ? 0 : delimiter.count))
            if end != nil { place = .afterDelimiter }
            return end != nil
        case .afterDelimiter:
            guard rest.count >= 2 else { return false }
            let next = Array(rest[..<2])
            rest.removeFirst(2)
            switch next {
            case [45, 45]:
                (place, rest) = (.epilogue, [])
                return false
            case [13, 10]: place = .header
            default: throw Self.noForm
            }
            return true
        case .header:
            guard let end = find([13, 10, 13, 10]) else {
                guard rest.count <= Self.maximumHeader else { throw Self.noForm }
                return false
            }
            let header = String(decoding: rest[..<end], as: UTF8.self)
            guard let name = Self.name(in: header) else { throw Self.noForm }
            rest.removeFirst(end + 4)
            events.append(.part(name))
            place = .content
            return true
        case .epilogue: return false
        }
    }

    private func find(_ pattern: [UInt8]) -> Int? {
        guard rest.count >= pattern.count else { return nil }
        return rest.withUnsafeBufferPointer { bytes in
            (0...bytes.count - pattern.count).first { start in
                bytes[start] == pattern[0]
                    && pattern.indices.allSatisfy { bytes[start + $0] == pattern[$0] }
            }
        }
    }

    /// The `name` of `Content-Disposition: form-data`.
    private static func name(in header: String) -> String? {
        for line in header.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-disposition" else { continue }
            for parameter in parts[1].split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "name" else {
                    continue
                }
                return String(pair[1].filter { $0 != "\"" })
            }
        }
        return nil
    }

    static let noForm = ODataError(
        .invalidPayload, "Expected a multipart/form-data body with named parts.", status: 400)
}
