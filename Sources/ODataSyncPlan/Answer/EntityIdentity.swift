import Foundation
import ODataModel
import ODataQuery
import ODataText

/// Which entity an id, a location or a link means (Protocol 4.01, section 4.1): by convention it is the canonical URL, absolute
/// or relative, with the key in parentheses or as segments (URL Conventions 4.01, section 4.3.6), and casts at its end.
package struct EntityIdentity: Sendable, Hashable {
    /// A set or singleton of the service.
    package var set: EntitySetID
    /// In key order; empty for a singleton.
    package var key: [Scalar]

    /// - Parameter expected: the set that comes first where the text could mean entities of several.
    /// - Returns: nil for what follows no convention, and for entities beneath others.
    package init?(
        _ id: String, expecting expected: EntitySetID? = nil, in graph: MetadataGraph
    ) {
        let path = Self.path(of: id)
        let named = path.compactMap { Self.entitySet($0, in: graph) }.reversed()
        for set in [expected].compactMap({ $0 }) + named {
            guard let key = Self.key(of: id, in: set, graph: graph) else { continue }
            (self.set, self.key) = (set, key)
            return
        }
        guard let set = path.last.flatMap({ Self.entitySet($0, in: graph) }),
            graph[set].isSingleton
        else { return nil }
        (self.set, key) = (set, [])
    }

    /// The key values, in key order; nil for an id that addresses no entity of the set.
    package static func key(
        of id: String, in set: EntitySetID, graph: MetadataGraph
    ) -> [Scalar]? {
        guard !graph[set].isSingleton else { return nil }
        return predicate(of: id, set, graph) ?? segments(of: id, set, graph)
    }

    /// The set or singleton that an id names, whether it tells a key or not.
    package static func entitySet(of id: String, in graph: MetadataGraph) -> EntitySetID? {
        path(of: id).reversed().lazy.compactMap { entitySet($0, in: graph) }.first
    }

    // MARK: Keys in parentheses

    /// The path from the first set with parentheses on: `http://h/svc/Tools(7)` becomes `Tools(7)`.
    private static func predicate(
        of id: String, _ set: EntitySetID, _ graph: MetadataGraph
    ) -> [Scalar]? {
        guard
            let first = path(of: id).first(where: {
                $0.contains("(") && entitySet($0, in: graph) != nil
            }),
            let query = try? URLParser.parse(
                String(id[first.startIndex...]), graph: graph, dialect: Dialect.of(graph.version)),
            query.path.segments.count >= 2,
            case .entitySet(graph[set].name) = query.path.segments[0],
            case .key(let values) = query.path.segments[1],
            query.path.segments.dropFirst(2).allSatisfy({
                if case .typeCast = $0 { true } else { false }
            })
        else { return nil }
        let type = graph[set].type
        let scalars = graph[type].key.compactMap { part -> Scalar? in
            let value = values.first { $0.name == part.name || $0.name == nil && values.count == 1 }
            guard let value, let type = graph.type(ofPath: part.path, in: type) else { return nil }
            return scalar(value.value, type, graph)
        }
        return scalars.count == values.count && scalars.count == graph[type].key.count
            ? scalars : nil
    }

    private static func scalar(
        _ value: ODataQuery.Expression, _ type: TypeReference, _ graph: MetadataGraph
    ) -> Scalar? {
        switch (value, type.kind) {
        case (.enumeration(_, let members), .enumeration(let id)):
            graph[id].value(of: members).map { .integer($0) }
        case (.literal(.string(let text), _), .enumeration(let id)):
            graph[id].value(of: text).map { .integer($0) }
        case (.literal(.integer(let number), _), .enumeration): .integer(number)
        case (.literal(.string(let text), _), .primitive(.string)): .string(text)
        case (.literal(let scalar, _), .primitive(let primitive)):
            Lexical.scalar(Lexical.text(scalar), as: primitive)
        default: nil
        }
    }

    // MARK: Keys as segments

    private static func segments(
        of id: String, _ set: EntitySetID, _ graph: MetadataGraph
    ) -> [Scalar]? {
        let parts = graph[graph[set].type].key
        var path = path(of: id)[...]
        while path.count > parts.count, !parts.isEmpty {
            let values = path.suffix(parts.count)
            let name = path[values.startIndex - 1]
            if !name.contains("("), entitySet(name, in: graph) == set,
                let key = key(values, parts, graph[set].type, graph)
            {
                return key
            }
            guard let cast = path.last?.removingPercentEncoding, cast.contains("."),
                graph.structure(named: cast) != nil
            else { return nil }
            path.removeLast()
        }
        return nil
    }

    private static func key(
        _ segments: ArraySlice<Substring>, _ parts: [KeyProperty], _ type: StructureID,
        _ graph: MetadataGraph
    ) -> [Scalar]? {
        let scalars = zip(parts, segments).compactMap { part, segment -> Scalar? in
            // Parentheses are of a key behind a cast, or of a function.
            guard !segment.isEmpty, !segment.contains("("),
                let text = segment.removingPercentEncoding
            else { return nil }
            switch graph.type(ofPath: part.path, in: type)?.kind {
            case .enumeration(let id)?: return graph[id].value(of: text).map { .integer($0) }
            case .primitive(.string)?: return .string(text)
            case .primitive(let primitive)?: return Lexical.scalar(text, as: primitive)
            default: return nil
            }
        }
        return scalars.count == parts.count ? scalars : nil
    }

    // MARK: Segments

    /// The set that a segment names, with a key behind it or none.
    private static func entitySet(
        _ segment: Substring, in graph: MetadataGraph
    ) -> EntitySetID? {
        segment.prefix { $0 != "(" }.removingPercentEncoding.flatMap(graph.entitySet(named:))
    }

    /// The segments behind scheme and host.
    private static func path(of id: String) -> [Substring] {
        var text = id[...]
        if let scheme = id.firstRange(of: "://") {
            text = id[scheme.upperBound...].drop { $0 != "/" }
        }
        return text.prefix { $0 != "?" && $0 != "#" }.drop { $0 == "/" }
            .split(separator: "/", omittingEmptySubsequences: false)
    }
}
