import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// A page of `$all` or `$all/Ns.Type`: the entities of all entity sets and singletons that the client may read, one set
    /// behind the other and each in the order of its key (URL Conventions 4.01, section 4.16; Protocol 4.01, section 10.19).
    func readAll(_ query: Query, wantsCount: Bool) throws -> ResponseMessage {
        let all = try AllEntities(self, query)
        let age = try all.sources.compactMap {
            try requireMirrored($0.target.table, $0.query.expand)
        }.max()
        var answer: ResponseMessage
        if wantsCount {
            try RawContent.requireAcceptableCount(request)
            answer = rawCount(try all.count())
        } else {
            try format.requireJSON()
            answer = try smaller(than: pageSize()) { try readAllPage(all, size: $0) }
        }
        if let age { answer.headers["Age"] = String(age) }
        return answer
    }

    private func readAllPage(_ all: AllEntities, size: Int) throws -> ResponseMessage {
        let link = PageLink(relativeURL)
        let position = try AllPosition(token: all.original.skipToken, link: link)
        let remaining = position == nil ? all.original.top : position?.page.remaining
        let limit = max(0, min(size, remaining ?? size))
        let count = all.original.includesCount && position == nil ? try all.count() : nil
        var json = JSONWriter(reservingBytes: 512 + limit * 256)
        writer.beginPage(
            context: root + "$metadata#Collection(Edm.EntityType)", count: count, to: &json)
        var nextLink: String?
        if limit > 0 {
            let (parts, next) = try all.page(limit: limit, behind: position)
            for part in parts { try append(part, to: &json) }
            if var next, limit == size, remaining ?? .max > limit {
                next.page.remaining = remaining.map { max(0, $0 - limit) }
                nextLink =
                    root + link.with(skipToken: next.token(fingerprint: link.fingerprint))
            }
        }
        writer.endPage(nextLink: nextLink, to: &json)
        return applied(to: self.json(json.bytes), size: size)
    }

    /// Each entity says of which set and type it is, because the collection does not.
    private func append(_ part: AllEntities.Part, to json: inout JSONWriter) throws {
        let (target, plan) = (part.plan.target, part.plan)
        var rows = part.rows
        try nestedPages?.cut(&rows, of: target.table, plan.original.expand)
        try EntityTagger(self).tag(&rows, of: target.table)
        let context = contextURL(target, plan.original, kind: .entity)
        for var row in rows {
            row.control.id =
                try entityID(EntityTagger.key(of: row, in: target.table), of: target.table)
            json.beginObject()
            writer.writeContext(context, to: &json)
            writer.writeMembers(
                of: shown(try plan.trimmed(row, graph: graph)), declared: nil, to: &json)
            json.endObject()
        }
    }
}

/// The entities of `$all` as one client may see them.
struct AllEntities {
    /// The entities of one set or singleton.
    struct Source {
        var target: RowTarget
        /// The options as they read for these entities.
        var query: Query
    }

    /// What a page has of one of them.
    struct Part {
        var rows: [StructureValue]
        var plan: CollectionPlan
    }

    let exchange: Exchange
    let original: Query
    let sources: [Source]

    /// - Throws: 400 for what the entities do not have, 501 for what is not carried out.
    init(_ exchange: Exchange, _ query: Query) throws {
        self.exchange = exchange
        original = query
        var rest = query.path.segments.dropFirst()
        if rest.last == .count { rest.removeLast() }
        guard query.apply.isEmpty, query.compute.isEmpty else {
            throw Self.notImplemented("$apply and $compute")
        }
        let graph = exchange.graph
        guard case .typeCast(let name)? = rest.first else {
            guard rest.isEmpty else { throw Self.notImplemented("this path") }
            sources = try Self.sources(ofAnyType: query, exchange)
            return
        }
        guard rest.count == 1 else { throw Self.notImplemented("this path") }
        guard let type = graph.structure(named: name), graph[type].kind == .entity else {
            throw PathWalker.invalid("Expected an entity type, found \(name).")
        }
        sources = try Self.sources(of: type, query, exchange)
    }

    /// The tables of the sets and singletons that the client may read.
    private static func tables(_ query: Query, _ exchange: Exchange) throws -> [TableMapping] {
        let model = exchange.model
        let tables = model.graph.entitySets.compactMap { model.mapping.table(path: $0.name) }
            .filter { exchange.access?.rule($0, .read) != AccessView.Rule.none }
        guard query.search != nil else { return tables }
        // What no index holds matches no search.
        let searched = tables.filter { model.searchIndexes[$0.id] != nil }
        guard tables.isEmpty || !searched.isEmpty else { throw notImplemented("$search") }
        return searched
    }

    private static func sources(ofAnyType query: Query, _ exchange: Exchange) throws -> [Source] {
        guard query.orderBy.isEmpty else { throw notImplemented("$orderby") }
        guard query.select.isEmpty, query.expand.allSatisfy(\.isStar) else {
            throw ODataError(
                .unknownName,
                "Expected $all behind a type to name properties, for Edm.EntityType has none.",
                status: 400)
        }
        guard query.expand.isEmpty else { throw notImplemented("$expand") }
        try AnyEntityCondition.check(aliases: query.aliases)
        return try tables(query, exchange).map { table in
            var own = query
            own.filter = try query.filter.map {
                try AnyEntityCondition.condition($0, for: table.structure, in: exchange.graph)
            }
            return Source(target: try target(table, nil, exchange), query: own)
        }
    }

    private static func sources(
        of type: StructureID, _ query: Query, _ exchange: Exchange
    ) throws -> [Source] {
        let graph = exchange.graph
        let sources = try tables(query, exchange).filter {
            graph.isA($0.structure, type) || graph.isA(type, $0.structure)
        }.map { table in
            let cast = graph.isA(table.structure, type) ? nil : graph[type].qualifiedName
            return Source(target: try target(table, cast, exchange), query: query)
        }
        guard query.orderBy.isEmpty || sources.count <= 1 else {
            throw notImplemented("$orderby over several entity sets")
        }
        return sources
    }

    private static func target(
        _ table: TableMapping, _ cast: String?, _ exchange: Exchange
    ) throws -> RowTarget {
        var path = ResourcePath([.entitySet(table.path)])
        if let cast { path.segments.append(.typeCast(cast)) }
        return try PathWalker(exchange: exchange).walk(path).target
    }

    private static func notImplemented(_ what: String) -> ODataError {
        ODataError(
            .notImplemented, "Expected a query of $all that is carried out, found \(what).",
            status: 501)
    }

    func count() throws -> Int64 {
        try sources.reduce(0) { $0 + (try count(of: $1)) }
    }

    private func count(of source: Source) throws -> Int64 {
        let plan = CollectionPlan(target: source.target, original: source.query, position: nil)
        return try ResultReader(exchange).count(plan.countQuery, of: source.target)
    }

    /// The entities behind a position, and the position behind the last of them where there are more than `limit`.
    func page(
        limit: Int, behind position: AllPosition?
    ) throws -> (parts: [Part], next: AllPosition?) {
        var parts: [Part] = []
        var (wanted, skip) = (limit, position == nil ? original.skip ?? 0 : 0)
        if let position, !sources.contains(where: { $0.name == position.source }) {
            throw PathWalker.invalid("Expected a token of this query, found one of another.")
        }
        for source in sources.drop(while: { position != nil && $0.name != position?.source }) {
            let behind = source.name == position?.source ? position?.page : nil
            var source = source
            if skip > 0 {
                let count = Int(clamping: try count(of: source))
                guard count > skip else {
                    skip -= count
                    continue
                }
            }
            source.query.skip = skip > 0 ? skip : nil
            skip = 0
            let plan = CollectionPlan(
                target: source.target, original: source.query, position: behind)
            var rows = try rows(plan, limit: wanted + 1)
            guard rows.count <= wanted else {
                rows.removeLast(rows.count - wanted)
                if !rows.isEmpty { parts.append(Part(rows: rows, plan: plan)) }
                return (parts, parts.last.map(Self.position))
            }
            wanted -= rows.count
            if !rows.isEmpty { parts.append(Part(rows: rows, plan: plan)) }
        }
        return (parts, nil)
    }

    /// A singleton has one entity, which no offset passes over.
    private func rows(_ plan: CollectionPlan, limit: Int) throws -> [StructureValue] {
        guard !plan.target.isEmpty, !(plan.target.isSingle && plan.position != nil) else {
            return []
        }
        var query = plan.query(limit: limit)
        query.expand =
            exchange.nestedPages?.widened(query.expand, from: plan.target.table) ?? query.expand
        return try ResultReader(exchange).rows(query)
    }

    private static func position(behind part: Part) -> AllPosition {
        AllPosition(
            source: part.plan.target.table.path,
            page: part.plan.position(after: part.rows.last, count: part.rows.count, mark: nil))
    }
}

extension AllEntities.Source {
    fileprivate var name: String { target.table.path }
}
