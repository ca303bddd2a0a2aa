import Foundation

/// The conformance data beside the package, or where `ODATA_CONFORMANCE` says.
enum Conformance {
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["ODATA_CONFORMANCE"] {
            return URL(fileURLWithPath: path)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("shared/conformance")
    }()

    /// The bytes of the file; nil (with a line that says so) when the data is not there.
    static func bytes(_ path: String) -> [UInt8]? {
        guard let data = try? Data(contentsOf: root.appendingPathComponent(path)) else {
            print("skipped: no conformance file \(path)")
            return nil
        }
        return [UInt8](data)
    }

    static func json<Value: Decodable>(_ path: String, as type: Value.Type) throws -> Value? {
        guard let bytes = bytes(path) else { return nil }
        return try JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// A recorded conversation with a service.
struct Recording: Decodable {
    struct Exchange: Decodable {
        var request: Request
        var response: Response
    }

    struct Request: Decodable {
        var method: String
        var url: String
        var headers: [String: String]
        var body: String?
    }

    struct Response: Decodable {
        var status: Int
        var headers: [String: String]
        var body: String?

        func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }
    }

    var server: String
    var exchanges: [Exchange]
}

/// A small deterministic generator, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The text with CRLF line ends.
func crlf(_ text: String) -> [UInt8] {
    Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8)
}
