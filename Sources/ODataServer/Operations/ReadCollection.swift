import ODataModel
import ODataQuery
import ODataSQL
import ODataSQLite
import ODataText
import ODataWire

extension Exchange {
    /// A page of a collection with its next or delta link (Protocol 4.01, sections 11.2.6 and 11.2.6.7).
    func readCollection(_ target: RowTarget, _ original: Query) throws -> ResponseMessage {
        guard original.apply.isEmpty, original.compute.isEmpty else {
            return try readComputed(target, original)
        }
        return try smaller(than: pageSize()) { try readPage(target, original, size: $0) }
    }

    /// Reads pages of fewer rows while those of more do not fit into memory.
    func smaller(than size: Int, _ read: (Int) throws -> ResponseMessage) throws
        -> ResponseMessage
    {
        var size = size
        while true {
            do {
                return try read(size)
            } catch let error as ODataError where error.code == RowBudget.exceeded && size > 1 {
                RowBudget.current?.reset()
                size = max(1, size / 8)
            }
        }
    }

    private func readPage(
        _ target: RowTarget, _ original: Query, size: Int
    ) throws -> ResponseMessage {
        let tracking = try trackingStart(target, original)
        let position = try PagePosition(token: original.skipToken, link: PageLink(relativeURL))
        let plan = CollectionPlan(target: target, original: original, position: position)
        let limit = plan.limit(pageSize: size)
        var result: ResultPage?
        if !target.isEmpty, limit > 0 {
            var query = plan.query(limit: limit + 1)
            query.expand = nestedPages?.widened(query.expand, from: target.table) ?? query.expand
            result = try ResultReader(self).run(query)
        }
        let found = result?.rowCount ?? 0
        let count = min(found, limit)
        var page = EntityPage(
            context: contextURL(target, original),
            count: original.includesCount && original.skipToken == nil
                ? try ResultReader(self).count(plan.countQuery, of: target) : nil)
        let mark = position?.mark ?? tracking
        if found > size, limit == size, plan.continues(behind: limit) {
            let next = plan.position(
                after: result?.value(row: count - 1), count: count, mark: mark)
            page.nextLink = root + PageLink(relativeURL).with(next)
        } else if let mark {
            page.deltaLink = try deltaLink(
                PageLink(relativeURL), from: mark, of: target.table, isContinued: position != nil
            ).map { root + $0 }
        }
        return applied(
            to: try pageAnswer(body(of: page, result, count, plan)), size: size,
            tracksChanges: tracking != nil)
    }

    /// The answer with what it says of the preferences that were carried out.
    func applied(
        to answer: ResponseMessage, size: Int, tracksChanges: Bool = false
    ) -> ResponseMessage {
        var answer = answer
        var applied = Preferences()
        if preferences.maximumPageSize != nil { applied.maximumPageSize = size }
        applied.tracksChanges = tracksChanges
        if omitsNulls { applied.omittedValues = "nulls" }
        if let text = applied.text() { answer.headers["Preference-Applied"] = text }
        return answer
    }

    /// The text of a page with the first `count` rows of a result.
    private func body(
        of page: EntityPage, _ result: ResultPage?, _ count: Int, _ plan: CollectionPlan
    ) throws -> [UInt8] {
        let target = plan.target
        guard let result, var rows = try RowJSON(self, plan, result) else {
            var page = page
            var rows = Array((result?.values ?? []).prefix(count))
            try nestedPages?.cut(&rows, of: target.table, plan.original.expand)
            try EntityTagger(self).tag(&rows, of: target.table)
            let set = target.table.entitySet
            page.items = try rows.map {
                .entity(shown(try plan.trimmed($0, graph: graph)), set)
            }
            return try writer.page(page, of: target.structure, in: set)
        }
        var json = JSONWriter(reservingBytes: 512 + count * 256)
        writer.beginPage(context: page.context, count: page.count, to: &json)
        var rest = count
        for chunk in result.chunks {
            for row in 0..<min(rest, chunk.count) { try rows.append(row, of: chunk, to: &json) }
            rest -= min(rest, chunk.count)
        }
        writer.endPage(nextLink: page.nextLink, deltaLink: page.deltaLink, to: &json)
        return json.bytes
    }

    /// A page as the client wants its rows: compact where it takes that, else standard JSON.
    func pageAnswer(_ page: [UInt8]) throws -> ResponseMessage {
        var answer = json(page)
        guard format.acceptsCompactRows else { return answer }
        answer.headers["Vary"] = "Accept"
        guard let compact = try CompactRows.encode(page) else { return answer }
        answer.headers["Content-Type"] = CompactRows.mediaType
        answer.body = compact
        return answer
    }

    /// `collection/$count`: the bare number.
    func readCount(_ target: RowTarget, _ original: Query) throws -> ResponseMessage {
        try RawContent.requireAcceptableCount(request)
        let plan = CollectionPlan(target: target, original: original, position: nil)
        let isComputed = !original.apply.isEmpty || !original.compute.isEmpty
        let count = try ResultReader(self).count(
            isComputed ? plan.computedQuery : plan.countQuery, of: target)
        return rawCount(count)
    }

    /// The bare number.
    func rawCount(_ count: Int64) -> ResponseMessage {
        ResponseMessage(
            status: 200, headers: ["Content-Type": "text/plain"], body: Array(String(count).utf8))
    }

    /// `collection/$ref`: the entity-ids of a page.
    func readReferences(_ target: RowTarget, _ original: Query) throws -> ResponseMessage {
        let position = try PagePosition(token: original.skipToken, link: PageLink(relativeURL))
        let plan = CollectionPlan(target: target, original: original, position: position)
        let size = pageSize()
        let limit = plan.limit(pageSize: size)
        var rows =
            target.isEmpty || limit == 0
            ? [] : try ResultReader(self).rows(plan.query(limit: limit + 1))
        var next: String?
        if rows.count > size, limit == size, plan.continues(behind: limit) {
            rows.removeLast(rows.count - size)
            next =
                root
                + PageLink(relativeURL).with(
                    try plan.position(after: rows, mark: nil, graph: graph))
        }
        let count =
            original.includesCount && original.skipToken == nil
            ? try ResultReader(self).count(plan.countQuery, of: target) : nil
        let ids = try rows.prefix(limit).map { row in
            try EntityID.text(of: row, in: target.table.entitySet, of: graph, dialect: dialect)
        }
        return json(
            writer.references(
                ids, context: root + "$metadata#Collection($ref)", count: count, nextLink: next))
    }

    /// Nil where expanded collections come whole.
    var nestedPages: NestedPages? {
        model.configuration.nestedPageSize.map { NestedPages(exchange: self, size: max(1, $0)) }
    }

    func pageSize() -> Int {
        let configuration = model.configuration
        let wanted = preferences.maximumPageSize ?? configuration.defaultPageSize
        return max(1, min(wanted, configuration.maximumPageSize))
    }

    /// Whether the log notes a row with every change of what is expanded below it: mirrors and what is made from a document do so for
    /// links that are kept in tables of their own and for contained rows.
    private func tracks(_ expand: [ExpandTerm], of table: TableMapping) -> Bool {
        expand.allSatisfy { item in
            guard model.isMirror || model.isDocument, item.kind == .entities,
                item.options.expand.isEmpty,
                item.options.top == nil, item.options.skip == nil,
                item.options.filter?.readsOneRow ?? true,
                let name = item.path.propertyNames?.joined(separator: "/"),
                let navigation = table.navigation(path: name),
                access?.tracks(model.mapping[navigation.target]) ?? true
            else { return false }
            guard case .linkTable = navigation.storage else { return navigation.containsTarget }
            return true
        }
    }

    /// The place in the log to track changes from; nil when they were not asked for or cannot be tracked for this query.
    private func trackingStart(_ target: RowTarget, _ query: Query) throws -> String? {
        guard preferences.tracksChanges, query.skipToken == nil,
            target.conditions.isEmpty,
            target.path == nil, !target.isEmpty, model.tracks(target.table),
            tracks(query.expand, of: target.table),
            query.top == nil,
            query.skip == nil, query.search == nil, query.aliases.isEmpty,
            query.filter?.readsOneRow ?? true, access?.tracks(target.table) ?? true
        else { return nil }
        return try logMark(of: target.table)
    }
}
