import ODataText

/// How long the parts of earlier downloads took, kept in a file so that the next start can tell how long one will take.
package struct TimeEstimates: Sendable, Equatable {
    /// Seconds by the key of a download source.
    private var seconds: [String: Double] = [:]

    private static let format = "1"

    package init() {}

    /// - Throws: `invalidPayload` for a file that holds something else.
    package init(parsing bytes: [UInt8]) throws {
        let json = try JSONValue(parsing: bytes)
        guard json["format"]?.string == Self.format, let sources = json["download"]?.object else {
            throw ODataError(.invalidPayload, "Expected a file of time estimates.")
        }
        for member in sources.members {
            guard let text = member.value.number, let value = Double(text), value >= 0 else {
                continue
            }
            seconds[member.name] = value
        }
    }

    package var bytes: [UInt8] {
        let sources = JSONObject(
            seconds.sorted { $0.key < $1.key }.map {
                JSONObject.Member(name: $0.key, value: .number("\($0.value)"))
            })
        return JSONValue.object(
            JSONObject([
                JSONObject.Member(name: "format", value: .string(Self.format)),
                JSONObject.Member(name: "download", value: .object(sources)),
            ])
        ).bytes
    }

    /// Takes a measured time over, half and half with what was known, in milliseconds: finer ones would have the file written anew
    /// after each download of nothing.
    package mutating func note(_ key: String, _ measured: Double) {
        let value = seconds[key].map { ($0 + measured) / 2 } ?? measured
        seconds[key] = (value * 1_000).rounded(.up) / 1_000
    }

    /// How long these sources will take; nil when nothing is known of any of them.
    package func total(of keys: some Sequence<String>) -> Duration? {
        let known = keys.compactMap { seconds[$0] }
        return known.isEmpty ? nil : .seconds(known.reduce(0, +))
    }
}
