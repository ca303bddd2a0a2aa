/// The reason phrases of HTTP status lines (RFC 9110, section 15); table.
package enum StatusReason {
    /// The phrase for the status; a general one where none is registered here.
    package static func text(_ status: Int) -> String {
        if let phrase = phrases[status] { return phrase }
        switch status {
        case 200..<300: return "Success"
        case 400..<500: return "Client Error"
        case 500..<600: return "Server Error"
        default: return "Status"
        }
    }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 422: "Unprocessable Content",
        423: "Locked", 424: "Failed Dependency", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
