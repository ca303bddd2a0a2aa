import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// The key inside an entity id (Protocol 4.01, section 4.1), which by convention is the canonical URL.
enum EntityIDKey {
    /// The key values in key order; nil when the id does not address an entity of the table's own set.
    static func scalars(of id: String, table: TableMapping, graph: MetadataGraph) -> [Scalar]? {
        guard table.parent == nil, let relative = relativeURL(id),
            let query = try? URLParser.parse(
                relative, graph: graph, dialect: Dialect.of(graph.version)),
            query.path.segments.count >= 2, case .entitySet(table.path) = query.path.segments[0],
            case .key(let values) = query.path.segments[1], values.count == table.keyColumns.count
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
        _ value: Expression, _ type: TypeReference, _ graph: MetadataGraph
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
}
