import Foundation

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

/// The text with CRLF line ends.
func crlf(_ text: String) -> [UInt8] {
    Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8)
}
