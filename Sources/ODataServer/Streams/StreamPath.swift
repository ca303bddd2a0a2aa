import Foundation
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

/// Whether the body of a request is the content of a stream, told by its head before any of the body has come: method,
/// names of the path and media type, in V4 and V2 alike. Rows are not looked at.
struct StreamPath {
    private let model: ServiceModel

    init(_ model: ServiceModel) {
        self.model = model
    }

    /// False for what leads elsewhere or is written in a way that is not looked into: such a body is gathered in memory.
    func isStream(_ head: RequestMessage) -> Bool {
        guard head.method == "PUT" || head.method == "POST",
            let address = try? ServiceAddress(head, rootPath: model.configuration.rootPath)
        else { return false }
        let segments = address.relativeURL.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .map { segment in
                let name = segment.prefix { $0 != "(" }
                return (
                    name: name.removingPercentEncoding ?? String(name),
                    hasKey: name.endIndex != segment.endIndex
                )
            }
        guard let first = segments.first, let set = model.mapping.table(path: first.name) else {
            return false
        }
        var table = set
        var rest = segments.dropFirst()
        // Keys stand in parentheses or in segments of their own (URL Conventions 4.01, section 4.3.6).
        var isCollection = !first.hasKey
        while let next = rest.first {
            if isCollection {
                guard !next.name.hasPrefix("$") else { break }
                rest = rest.dropFirst(table.keys.count)
                isCollection = false
            } else if let navigation = table.navigation(path: next.name) {
                table = model.mapping[navigation.target]
                isCollection = navigation.isCollection && !next.hasKey
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        let names = rest.map(\.name)
        guard table.isWritable, let streams = model.streams[table.id] else { return false }
        if head.method == "POST" {
            let type = MediaType(
                parsing: head.headers["Content-Type"] ?? StreamColumn.defaultMediaType)
            return names.isEmpty && streams.media != nil && type?.isJSON != true
        }
        if names == ["$value"] { return streams.media != nil }
        return streams.properties.contains { $0.property == names.first }
            && (names.count == 1 || names.dropFirst() == ["$value"])
    }
}

/// The body of a request that is refused whatever it brings: nothing of it is kept.
final class DroppedBody: BodyIntake, @unchecked Sendable {
    // Confined: parts follow one another.
    private var length: Int64 = 0
    private let limit: Int64

    init(limit: Int64) {
        self.limit = limit
    }

    func write(_ bytes: [UInt8]) throws {
        length += Int64(bytes.count)
        guard length <= limit else {
            throw ODataError(
                .limitExceeded, "Expected a stream of at most \(limit) bytes.", status: 413)
        }
    }

    func abandon() {}
}
