import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// Carries the request out and returns its answer.
    ///
    /// - Throws: `ODataError`; nothing of a failed write stays, because the caller rolls back.
    func run() throws -> ResponseMessage {
        if let answer = try runSystemResource() { return answer }
        let url = try resolved(relativeURL)
        let named = try EntityReference.resolved(url, self)
        let query = try parse(named)
        if let (operation, arguments) = operation(query.path) {
            try access?.requireCall(operation.name)
            return try run(operation, arguments, query)
        }
        if let call = try modelCall(query.path) { return try call.answer(query) }
        if let answer = try readVirtualCollection(query) { return answer }
        let end = try PathWalker(exchange: self).walk(query.path)
        guard named == url || end.isEntity else {
            throw ODataError(
                .invalidQuery, "Expected the entity-id of an entity.", at: .path("$id"),
                status: 400)
        }
        switch request.method {
        case "GET", "HEAD":
            try access?.require(.read, end.target.table)
            let age = try requireMirrored(end.target.table, query.expand)
            var answer = try read(end, query)
            if let age { answer.headers["Age"] = String(age) }
            return answer
        case "POST", "PATCH", "PUT", "MERGE", "DELETE":
            let answer = try write(end, query)
            try requireInView()
            return answer
        default:
            throw ODataError(
                .notImplemented, "Expected one of GET, HEAD, POST, PATCH, PUT and DELETE.",
                status: 501)
        }
    }

    /// Service document and metadata; nil for everything else.
    private func runSystemResource() throws -> ResponseMessage? {
        let path = relativeURL.pathOfURL
        guard path.isEmpty || path.beginsLikeSystemResource else { return nil }
        guard path.isEmpty || path == "$metadata" || path == "%24metadata" else { return nil }
        guard isRead else { throw methodNotAllowed("GET, HEAD") }
        return path.isEmpty ? try readServiceDocument() : try readMetadata()
    }

    /// `$all` and `$crossjoin(…)`; nil for everything else.
    private func readVirtualCollection(_ query: Query) throws -> ResponseMessage? {
        guard let first = query.path.segments.first else { return nil }
        switch first {
        case .all, .crossjoin: break
        default: return nil
        }
        guard isRead else { throw methodNotAllowed("GET, HEAD") }
        guard query.deltaToken == nil else {
            throw PathWalker.invalid("Expected an entity set in front of a delta token.")
        }
        let wantsCount = query.path.segments.last == .count
        if case .all = first { return try readAll(query, wantsCount: wantsCount) }
        return try readCrossJoin(query, wantsCount: wantsCount)
    }

    private func read(_ end: PathWalker.End, _ query: Query) throws -> ResponseMessage {
        if let token = query.deltaToken {
            try format.requireJSON()
            return try readDelta(token, of: query.path)
        }
        if let column = end.property {
            try RequestRules.refuseCollectionOptions(query)
            guard !end.wantsCount, !end.wantsReference else {
                throw PathWalker.invalid("Expected the end of the path after a property.")
            }
            if !end.wantsValue { try format.requireJSON() }
            return try readProperty(end.target, column, raw: end.wantsValue)
        }
        if let structure = end.structure {
            guard !end.wantsCount, !end.wantsReference, !end.wantsValue else {
                throw PathWalker.invalid("Expected the end of the path after a property.")
            }
            try format.requireJSON()
            return try readStructure(end.target, structure)
        }
        if let stream = try stream(end) { return try readStream(end.target, stream) }
        if end.wantsCount {
            guard !end.target.isSingle else {
                throw PathWalker.invalid("Expected a collection before $count.")
            }
            return try readCount(end.target, query)
        }
        try format.requireJSON()
        if end.target.isSingle {
            try RequestRules.refuseCollectionOptions(query)
            return end.wantsReference
                ? try readReference(end.target) : try readEntity(end.target, query)
        }
        return end.wantsReference
            ? try readReferences(end.target, query) : try readCollection(end.target, query)
    }

    /// The stream that a path leads to; nil for everything else.
    ///
    /// - Throws: 404 for the media stream of an entity that has none.
    func stream(_ end: PathWalker.End) throws -> StreamColumn? {
        if let stream = end.stream {
            guard !end.wantsCount, !end.wantsReference else {
                throw PathWalker.invalid("Expected the end of the path after a stream.")
            }
            return stream
        }
        guard end.wantsValue, end.property == nil else { return nil }
        guard end.target.isSingle, let media = model.streams[end.target.table.id]?.media else {
            throw ODataError(
                .notFound, "Expected a media entity or a property before $value.", status: 404)
        }
        return media
    }

    /// What a write does with the entities of ``PathWalker/End/changed``.
    static func operation(_ method: String, _ end: PathWalker.End) -> AccessOperation {
        guard !end.wantsReference, end.property == nil, end.structure == nil, end.stream == nil,
            !end.wantsValue
        else { return .update }
        switch method {
        case "POST": return .create
        case "DELETE": return .delete
        default: return .update
        }
    }

    private func write(_ end: PathWalker.End, _ query: Query) throws -> ResponseMessage {
        guard !end.wantsCount else { throw methodNotAllowed("GET, HEAD") }
        try access?.require(Self.operation(request.method, end), end.changed)
        // What the answer could not say is said before anything happens.
        if request.method != "DELETE", !end.wantsValue { try format.requireJSON() }
        if end.wantsReference { return try writeReference(end, query) }
        if let stream = try stream(end) { return try writeStream(end.target, stream) }
        if let column = end.property {
            guard request.method != "POST" else { throw methodNotAllowed("GET, PUT, DELETE") }
            return try updateProperty(end.target, column, raw: end.wantsValue)
        }
        if let structure = end.structure {
            guard !end.wantsValue else {
                throw PathWalker.invalid("Expected the end of the path after a property.")
            }
            return try updateStructure(end.target, structure)
        }
        switch request.method {
        case "POST":
            guard !end.target.isSingle else {
                throw methodNotAllowed("GET, HEAD, PATCH, PUT, DELETE")
            }
            if let media = model.streams[end.target.table.id]?.media, bringsMedia {
                return try createMediaEntity(end.target, media)
            }
            return try createEntity(end.target)
        case "DELETE":
            guard end.target.isSingle else { throw methodNotAllowed("GET, HEAD, POST") }
            return try deleteEntity(end.target)
        default:
            return try updateEntity(end.target)
        }
    }
}
