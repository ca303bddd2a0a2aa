import Foundation
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// What an entity id says: the set and the key (Protocol 4.01, section 4.1), which by convention is the canonical URL, with
/// the key in parentheses or, in 4.01, as segments of its own. Absolute and relative ids say the same.
enum EntityIDKey {
    /// The key values in key order; nil when the id does not address an entity of the table's own set.
    static func scalars(of id: String, table: TableMapping, graph: MetadataGraph) -> [Scalar]? {
        guard table.parent == nil else { return nil }
        return predicate(of: id, table, graph) ?? segments(of: id, table, graph)
    }

    /// The entity set of the service that an id names; nil for an id that follows no convention.
    static func entitySet(of id: String, graph: MetadataGraph) -> String? {
        for segment in path(of: id).reversed() {
            let name = segment.prefix { $0 != "(" }.removingPercentEncoding
            if let name, let set = graph.entitySet(named: name) { return graph[set].name }
        }
        return nil
    }

    // MARK: Keys in parentheses

    private static func predicate(
        of id: String, _ table: TableMapping, _ graph: MetadataGraph
    ) -> [Scalar]? {
        guard let relative = relativeURL(id),
            let query = try? URLParser.parse(
                relative, graph: graph, dialect: Dialect.of(graph.version)),
            query.path.segments.count >= 2, case .entitySet(table.path) = query.path.segments[0],
            case .key(let values) = query.path.segments[1], values.count == table.keyColumns.count,
            query.path.segments.dropFirst(2).allSatisfy({
                if case .typeCast = $0 { true } else { false }
            })
        else { return nil }
        return try? zip(table.keys, graph[table.structure].key).map { column, key in
            let named = values.first { $0.name == key.name }
            guard let value = named ?? (values.count == 1 ? values.first : nil) else {
                throw ODataError(.invalidPayload, "Expected every key property in an entity id.")
            }
            return try scalar(value.value, column.type, graph)
        }
    }

    /// The id from its first segment with a key on: `http://h/svc/Tools(7)` becomes `Tools(7)`.
    private static func relativeURL(_ id: String) -> String? {
        guard let parenthesis = id.firstIndex(of: "(") else { return nil }
        let start = id[..<parenthesis].lastIndex(of: "/").map { id.index(after: $0) }
        return String(id[(start ?? id.startIndex)...])
    }

    private static func scalar(
        _ value: ODataQuery.Expression, _ type: TypeReference, _ graph: MetadataGraph
    ) throws -> Scalar {
        switch (value, type.kind) {
        case (.enumeration(_, let members), .enumeration(let id)):
            guard let number = graph[id].value(of: members) else { break }
            return .integer(number)
        case (.literal(let scalar, _), .enumeration): return scalar
        case (.literal(.string(let text), _), .primitive(.string)): return .string(text)
        case (.literal(let scalar, _), .primitive(let primitive)):
            return try Lexical.parse(Lexical.text(scalar), as: primitive)
        default: break
        }
        throw ODataError(.invalidPayload, "Expected a key value of the property's type.")
    }

    // MARK: Keys as segments (URL Conventions 4.01, section 4.3.6)

    private static func segments(
        of id: String, _ table: TableMapping, _ graph: MetadataGraph
    ) -> [Scalar]? {
        let path = path(of: id)
        let count = table.keyColumns.count
        guard count > 0, path.count > count, !path.contains("") else { return nil }
        let values = path.suffix(count).compactMap(\.removingPercentEncoding)
        guard values.count == count,
            path[path.count - count - 1].removingPercentEncoding == table.path
        else { return nil }
        let scalars = zip(table.keys, values).compactMap { column, text -> Scalar? in
            switch column.type.kind {
            case .enumeration(let id): graph[id].value(of: text).map { .integer($0) }
            case .primitive(.string): .string(text)
            case .primitive(let primitive): Lexical.scalar(text, as: primitive)
            default: nil
            }
        }
        return scalars.count == count ? scalars : nil
    }

    /// The segments behind scheme and host.
    static func path(of id: String) -> [Substring] {
        var text = id[...]
        if let scheme = id.firstRange(of: "://") {
            text = id[scheme.upperBound...].drop { $0 != "/" }.dropFirst()
        }
        return text.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", omittingEmptySubsequences: false)
    }
}
