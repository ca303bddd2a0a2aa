import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// A page of `$crossjoin(A,B)` (URL Conventions 4.01, section 4.15; Protocol 4.01, section 10.20): each instance has the
    /// entities of `$expand` and links to the others.
    func readCrossJoin(_ query: Query, wantsCount: Bool) throws -> ResponseMessage {
        let join = try CrossJoin(self, query)
        let age = try join.tables.compactMap { table in
            try requireMirrored(table, join.expansion(of: table)?.options.expand ?? [])
        }.max()
        var answer: ResponseMessage
        if wantsCount {
            try RawContent.requireAcceptableCount(request)
            answer = rawCount(try join.count())
        } else {
            try format.requireJSON()
            answer = try smaller(than: pageSize()) { try readCrossJoinPage(join, size: $0) }
        }
        if let age { answer.headers["Age"] = String(age) }
        return answer
    }

    private func readCrossJoinPage(_ join: CrossJoin, size: Int) throws -> ResponseMessage {
        let query = join.original
        let link = PageLink(relativeURL)
        let position = try RowPosition(token: query.skipToken, fingerprint: link.fingerprint)
        let remaining = position == nil ? query.top : position?.remaining
        let limit = max(0, min(size, remaining ?? size))
        let count = query.includesCount && position == nil ? try join.count() : nil
        var json = JSONWriter(reservingBytes: 512 + limit * 128)
        writer.beginPage(
            context: root + "$metadata#Collection(Edm.ComplexType)", count: count, to: &json)
        var nextLink: String?
        if limit > 0 {
            let (page, hasMore) = try join.page(limit: limit, behind: position)
            try CrossJoinJSON(self, join).append(page, to: &json)
            if hasMore, limit == size, remaining ?? .max > limit, let keys = page.lastKeys {
                let next = RowPosition(
                    remaining: remaining.map { max(0, $0 - page.rowCount) }, pageSize: size,
                    values: keys)
                nextLink = root + link.with(next)
            }
        }
        writer.endPage(nextLink: nextLink, to: &json)
        return applied(to: self.json(json.bytes), size: size)
    }
}

/// A cross join as one client may see it.
struct CrossJoin {
    let exchange: Exchange
    let original: Query
    let tables: [TableMapping]

    /// - Throws: 400 for what no cross join has, 403 for sets that the client may not read, 501 for options that are not
    ///   carried out.
    init(_ exchange: Exchange, _ query: Query) throws {
        guard case .crossjoin(let names)? = query.path.segments.first else {
            throw PathWalker.invalid("Expected a cross join.")
        }
        self.exchange = exchange
        original = query
        tables = names.compactMap { exchange.model.mapping.table(path: $0) }
        for table in tables { try exchange.access?.require(.read, table) }
        for item in query.expand { try Self.check(item) }
        guard query.select.allSatisfy({ $0.options == nil }) else {
            throw PathWalker.invalid("Expected the names of entity sets in $select.")
        }
    }

    /// What a single-valued navigation property may be expanded with (URL Conventions 4.01, section 5.1.3).
    private static func check(_ item: ExpandTerm) throws {
        let options = item.options
        let refused = [
            item.kind == .count ? "/$count" : nil, options.filter.map { _ in "$filter" },
            options.search.map { _ in "$search" }, options.orderBy.isEmpty ? nil : "$orderby",
            options.top.map { _ in "$top" }, options.skip.map { _ in "$skip" },
            options.includesCount ? "$count" : nil, options.levels.map { _ in "$levels" },
        ].compactMap { $0 }
        if let name = refused.first {
            throw PathWalker.invalid("Expected a collection for \(name), found one entity.")
        }
        guard options.compute.isEmpty, options.apply.isEmpty, options.period.isEmpty else {
            throw ODataError(
                .notImplemented,
                "Expected $select and $expand alone below an entity set of a cross join.",
                status: 501)
        }
    }

    /// The item of `$expand` for a set; nil where the set is not expanded.
    func expansion(of table: TableMapping) -> ExpandTerm? {
        original.expand.last { $0.isStar || $0.path.propertyNames == [table.path] }
    }

    /// Whether instances show a set that is not expanded.
    func shows(_ table: TableMapping) -> Bool {
        original.select.isEmpty || original.selectsAll
            || original.select.contains { $0.path.propertyNames == [table.path] }
    }

    func count() throws -> Int64 {
        let reader = try reader()
        return try reader.count(of: try plan(original, reader), in: exchange.database)
    }

    /// The instances behind a position, and whether there are more than `limit`.
    func page(
        limit: Int, behind position: RowPosition?
    ) throws -> (page: CrossJoinPage, hasMore: Bool) {
        var query = original
        query.top = limit + 1
        query.skip = position == nil ? original.skip : nil
        if let nested = exchange.nestedPages {
            for index in query.expand.indices {
                guard let table = tables.first(where: { expansion(of: $0) == query.expand[index] })
                else { continue }
                query.expand[index].options.expand = nested.widened(
                    query.expand[index].options.expand, from: table)
            }
        }
        let reader = try reader(behind: position?.values)
        return try reader.rows(
            of: try plan(query, reader), limit: limit, in: exchange.database)
    }

    /// - Throws: 403 where it reads what the client may not.
    private func plan(_ query: Query, _ reader: QueryReader) throws -> CrossJoinPlan {
        var query = query
        query.path.segments.removeLast(query.path.segments.count - 1)
        let plan = try reader.compiler.compile(crossJoin: query)
        try exchange.access?.requireRead(plan.tables)
        return plan
    }

    /// Compiles for this request alone: the rows in view and where a page begins are part of the statement.
    private func reader(behind values: [SQLArgument]? = nil) throws -> QueryReader {
        let model = exchange.model
        var options = exchange.access?.options ?? model.compilerOptions
        options.rowsBehind = values
        var mapping = model.mapping
        for table in tables {
            mapping = try model.narrow.mapping(
                for: Query(entitySet: table.path), mapping, in: exchange.database)
        }
        return QueryReader(mapping: mapping, options: options)
    }
}

/// Writes the instances of a cross join.
private struct CrossJoinJSON {
    private let exchange: Exchange
    private let join: CrossJoin

    init(_ exchange: Exchange, _ join: CrossJoin) {
        self.exchange = exchange
        self.join = join
    }

    func append(_ page: CrossJoinPage, to json: inout JSONWriter) throws {
        let tagger = EntityTagger(exchange)
        // Nothing addresses a row whose key is no value of its type.
        let kept = (0..<page.rowCount).filter { row in
            zip(join.tables, page.parts).allSatisfy { tagger.hasKey($1[row], $0) }
        }
        let shown = try zip(join.tables, page.parts).map { table, rows in
            try entities(kept.map { rows[$0] }, of: table)
        }
        for row in kept.indices {
            json.beginObject()
            for (index, table) in join.tables.enumerated() {
                try append(shown[index][row], of: table, to: &json)
            }
            json.endObject()
        }
    }

    /// The entities of a set as they are written.
    private func entities(
        _ rows: [StructureValue], of table: TableMapping
    ) throws -> [StructureValue] {
        guard let item = join.expansion(of: table), item.kind == .entities else { return rows }
        var query = Query(entitySet: table.path)
        query.select = item.options.select
        query.selectsAll = item.options.selectsAll
        query.expand = item.options.expand
        let plan = CollectionPlan(
            target: RowTarget(table: table), original: query, position: nil)
        var rows = rows
        try exchange.nestedPages?.cut(&rows, of: table, query.expand)
        try EntityTagger(exchange).tag(&rows, of: table)
        return try rows.map { exchange.shown(try plan.trimmed($0, graph: exchange.graph)) }
    }

    private func append(
        _ entity: StructureValue, of table: TableMapping, to json: inout JSONWriter
    ) throws {
        let writer = exchange.writer
        let item = join.expansion(of: table)
        guard let item, item.kind == .entities else {
            guard item != nil || join.shows(table) else { return }
            let id = try exchange.entityID(EntityTagger.key(of: entity, in: table), of: table)
            guard item != nil else {
                json.name(table.path + writer.control("navigationLink"))
                return json.string(id)
            }
            json.name(table.path)
            json.beginObject()
            json.name(writer.control("id"))
            json.string(id)
            return json.endObject()
        }
        json.name(table.path)
        json.beginObject()
        writer.writeMembers(of: entity, declared: table.structure, to: &json)
        json.endObject()
    }
}
