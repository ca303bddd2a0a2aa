import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    var dialect: Dialect { version == .v401 ? .v401 : .v4 }

    var writer: EntityJSONWriter {
        EntityJSONWriter(
            graph, dialect: dialect, isIEEE754Compatible: format.isIEEE754Compatible,
            metadata: format.level == .none ? .none : format.level == .full ? .full : .minimal)
    }

    /// Parses a URL relative to the root and checks it against the model.
    ///
    /// - Throws: 404 for a path that leads nowhere, 400 for options that do not parse or fit.
    func parse(_ relativeURL: String) throws -> Query {
        if let query = PlainPath.query(relativeURL, model) { return query }
        try RequestRules.checkFirstSegment(relativeURL, of: model)
        var query = try URLParser.parse(relativeURL, graph: graph, dialect: .v401)
        if case .entitySet(let name)? = query.path.segments.first,
            !model.knows(name)
        {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found another name.",
                at: .path(name), status: 404)
        }
        if let option = query.customOptions.first(where: { $0.name.hasPrefix("@") }) {
            throw ODataError(
                .invalidQuery, "Expected the name of a parameter alias.",
                at: .path(String(option.name.prefix(100))), status: 400)
        }
        query.path = Self.path(query.path, filledFrom: query.aliases)
        try refuseUnsupported(query)
        try checkPath(query.path)
        try QueryChecker.check(&query, graph: graph)
        return query
    }

    /// The path with parameter aliases in its keys replaced by what they stand for.
    private static func path(
        _ path: ResourcePath, filledFrom aliases: [String: Expression]
    ) -> ResourcePath {
        guard !aliases.isEmpty else { return path }
        var path = path
        path.segments = path.segments.map { segment in
            guard case .key(let values) = segment else { return segment }
            return .key(
                values.map { value in
                    guard case .alias(let name) = value.value, let given = aliases[name] else {
                        return value
                    }
                    return KeyValue(name: value.name, value: given)
                })
        }
        return path
    }

    /// - Throws: 404 for names that the path may not have.
    private func checkPath(_ path: ResourcePath) throws {
        do {
            _ = try ResourceResolver.resolve(path, in: graph)
        } catch var error as ODataError where error.code == .unknownName {
            error.status = 404
            throw error
        }
    }

    private func refuseUnsupported(_ query: Query) throws {
        let refused = [
            query.search.flatMap { _ in model.searchIndexes.isEmpty ? "$search" : nil },
            query.period.isEmpty ? nil : "$at, $from or $to",
            query.customOptions.contains { $0.name == "$index" } ? "$index" : nil,
        ].compactMap { $0 }
        try RequestRules.checkLevels(query.expand)
        try SelectedMembers.check(query)
        guard let name = refused.first else { return }
        throw ODataError(.notImplemented, "The service does not support \(name).", status: 501)
    }

    /// A JSON answer with status 200.
    func json(_ body: [UInt8], status: Int = 200) -> ResponseMessage {
        ResponseMessage(
            status: status, headers: ["Content-Type": format.contentType], body: body)
    }

    /// The context URL of a collection or entity of the target's set.
    func contextURL(_ target: RowTarget, _ query: Query, kind: ContextURL.Kind = .plain) -> String {
        // A singleton is no collection whose entity it could be.
        let isSingleton = target.table.parent == nil && graph[target.table.entitySet].isSingleton
        return ContextURL(
            base: root + "$metadata", path: contextPath(target), selectList: selectList(query),
            kind: isSingleton ? .plain : kind
        ).text
    }

    /// `Orders`, `Orders(7)/Items` for rows inside others, `Orders/Ws.Quick` for those of a derived type.
    private func contextPath(_ target: RowTarget) -> String {
        var path = target.table.path
        if target.table.parent != nil, var walked = target.path {
            if case .key? = walked.last { walked.removeLast() }
            walked.removeAll {
                guard case .typeCast = $0 else { return false }
                return true
            }
            let query = Query(path: ResourcePath(walked))
            path = (try? URLWriter.text(query, graph: graph, dialect: dialect)) ?? path
        }
        guard let cast = target.cast else { return path }
        return "\(path)/\(graph[cast].qualifiedName)"
    }

    /// `Id,Name,Sites(City)`; nil when everything is there and nothing expanded.
    func selectList(_ query: Query) -> String? {
        selectList(
            select: query.selectsAll ? [] : query.select, expand: query.expand, depth: 0)
    }

    private func selectList(select: [SelectTerm], expand: [ExpandTerm], depth: Int) -> String? {
        guard depth < Self.maximumDepth else { return nil }
        var items = select.compactMap { $0.path.propertyNames?.joined(separator: "/") }
        for item in expand where item.kind == .entities && !item.isStar {
            let name = Self.names(of: item.path)
            let nested = selectList(
                select: item.options.selectsAll ? [] : item.options.select,
                expand: item.options.expand, depth: depth + 1)
            if nested != nil || version == .v401 { items.append("\(name)(\(nested ?? ""))") }
        }
        return items.isEmpty ? nil : items.joined(separator: ",")
    }

    /// Properties and casts of a path, as they stand in a context URL.
    private static func names(of path: ExpressionPath) -> String {
        path.segments.compactMap { segment in
            switch segment {
            case .property(let name), .typeCast(let name): name
            default: nil
            }
        }.joined(separator: "/")
    }

    /// The absolute entity-id of a row.
    func entityID(_ key: [Scalar], of table: TableMapping) throws -> String {
        // What most rows are named by needs neither quotes nor encoding.
        if key.count == 1, case .integer(let number) = key[0], table.parent == nil,
            table.keys.first?.encoding == .integer, !graph[table.entitySet].isSingleton,
            table.path.utf8.allSatisfy(Self.isPlain)
        {
            return "\(root)\(table.path)(\(number))"
        }
        var value = StructureValue(type: table.structure, in: graph)
        for (column, scalar) in zip(table.keys, key) {
            if let slot = column.slots.first { value.slots[slot] = .scalar(scalar) }
        }
        return root
            + (try EntityID.text(of: value, in: table.entitySet, of: graph, dialect: dialect))
    }

    /// The absolute entity-id of a row, which is its path where it is part of another row.
    func entityID(_ key: [Scalar], of row: RowTarget) throws -> String {
        guard let path = row.path, row.table.parent != nil else {
            return try entityID(key, of: row.table)
        }
        return root
            + (try URLWriter.text(
                Query(path: ResourcePath(path)), graph: graph, dialect: dialect))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static let maximumDepth = 16
}

/// Preconditions of a request (RFC 9110, section 13; Protocol 4.01, sections 8.2.4 and 8.2.5).
struct Preconditions {
    private let ifMatch: EntityTagCondition?
    private let ifNoneMatch: EntityTagCondition?

    init(_ headers: HeaderFields) {
        ifMatch = headers["If-Match"].map { EntityTagCondition(parsing: $0) }
        ifNoneMatch = headers["If-None-Match"].map { EntityTagCondition(parsing: $0) }
    }

    var areStated: Bool { ifMatch != nil || ifNoneMatch != nil }

    /// True when a read is answered with 304.
    func isNotModified(_ tag: EntityTag?) -> Bool { ifNoneMatch?.matches(tag) ?? false }

    /// - Throws: 412 when the row is in another state than named; 428 when one must be named and is not.
    func checkChange(of tag: EntityTag?, isRequired: Bool) throws {
        let isMet = (ifMatch?.matches(tag) ?? true) && !(ifNoneMatch?.matches(tag) ?? false)
        guard isMet else {
            throw ODataError(
                .preconditionFailed,
                "Expected the entity in the state that If-Match names; it has changed since.",
                status: 412)
        }
        guard !isRequired || areStated else {
            throw ODataError(
                ServiceCode.preconditionRequired, "Expected an If-Match header.", status: 428)
        }
    }

    /// - Throws: 412 when a creation is bound to a state that cannot be.
    func checkCreation() throws {
        guard ifMatch == nil else {
            throw ODataError(
                .preconditionFailed, "Expected no If-Match header for a creation.", status: 412)
        }
    }
}
