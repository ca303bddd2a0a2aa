import Foundation

/// A request as it came.
package struct StrictRequest: Sendable {
    package var method: String
    /// Path and query, still encoded.
    package var target: String
    package var headers: [(String, String)] = []
    package var body: [UInt8] = []

    /// The value of a header; names are compared without case (RFC 9110, 5.1).
    package subscript(name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
    package var line: String { method + " " + target }

    /// The encoded path without the query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// Query options in their order, split before they are decoded (URL Conventions 4.01, 2).
    var options: [(name: String, value: String)] {
        guard let mark = target.firstIndex(of: "?") else { return [] }
        return target[target.index(after: mark)...].split(separator: "&").map { option in
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : ""
            return (
                String(parts[0]).removingPercentEncoding ?? String(parts[0]),
                value.removingPercentEncoding ?? value
            )
        }
    }

    /// The items of `Prefer` (RFC 7240), with the names of 4.0 shortened to those of 4.01.
    var preferences: [String] {
        headers.filter { $0.0.lowercased() == "prefer" }
            .flatMap { $0.1.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .map { $0.hasPrefix("odata.") ? String($0.dropFirst(6)) : $0 }
    }
}

/// An answer.
package struct StrictAnswer: Sendable {
    package var status: Int
    package var headers: [(String, String)] = []
    package var body: [UInt8] = []

    static func text(
        _ text: String, _ type: String, status: Int = 200, _ headers: [(String, String)] = []
    ) -> StrictAnswer {
        StrictAnswer(
            status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }

    static func json(
        _ value: [String: Any], status: Int = 200, _ headers: [(String, String)] = []
    ) -> StrictAnswer {
        StrictAnswer(
            status: status, headers: [("Content-Type", "application/json")] + headers,
            body: JSONText.bytes(value))
    }

    static let nothing = StrictAnswer(status: 204)
}

/// What the service refuses, with the clause that lets it.
package struct Refusal: Error, Sendable, Equatable {
    package var status: Int
    package var clause: String
    package var reason: String

    init(_ status: Int, _ clause: String, _ reason: String) {
        self.status = status
        self.clause = clause
        self.reason = reason
    }
}

enum JSONText {
    static func bytes(_ value: Any) -> [UInt8] {
        let data = try? JSONSerialization.data(
            withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.map(Array.init) ?? []
    }

    /// The members of a body that has to be an object.
    static func object(_ bytes: [UInt8], _ clause: String) throws(Refusal) -> [String: Any] {
        guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)),
            let object = value as? [String: Any]
        else { throw Refusal(400, clause, "the body is no JSON object") }
        return object
    }
}
