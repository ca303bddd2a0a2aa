import ODataModel
import ODataQuery
import ODataSQL
import ODataText
import ODataWire

extension Exchange {
    /// A page of what `$apply` and `$compute` make of a collection (Data Aggregation 4.0, section 3; URL Conventions
    /// 4.01, section 5.1.10). Pages begin at offsets, as the rows of groups have no key to begin behind.
    func readComputed(_ target: RowTarget, _ original: Query) throws -> ResponseMessage {
        let position = try PagePosition(token: original.skipToken, link: PageLink(relativeURL))
        let size = pageSize()
        let plan = CollectionPlan(target: target, original: original, position: position)
        let limit = plan.limit(pageSize: size)
        var query = plan.computedQuery
        query.select = original.select
        query.selectsAll = original.selectsAll
        query.expand =
            nestedPages?.widened(original.expand, from: target.table) ?? original.expand
        let start = position?.offset ?? original.skip ?? 0
        query.skip = start > 0 ? start : nil
        query.top = limit + 1
        var rows: [StructureValue] = []
        var isDerived = false
        if !target.isEmpty, limit > 0 {
            (rows, isDerived) = try ResultReader(self).computedRows(query)
        }
        var page = EntityPage()
        if original.includesCount, original.skipToken == nil {
            page.count = try ResultReader(self).count(plan.computedQuery, of: target)
        }
        if rows.count > limit {
            rows.removeLast(rows.count - limit)
            if limit == size, plan.continues(behind: limit) {
                var next = PagePosition(
                    remaining: (position == nil ? original.top : position?.remaining)
                        .map { max(0, $0 - limit) }, mark: nil)
                next.offset = start + limit
                page.nextLink = root + PageLink(relativeURL).with(next)
            }
        }
        if isDerived {
            page.context =
                ContextURL(
                    base: root + "$metadata", path: target.table.path,
                    selectList: try derivedList(query)
                ).text
            page.items = rows.map { .entity($0, nil) }
        } else {
            page.context = contextURL(target, original)
            try nestedPages?.cut(&rows, of: target.table, original.expand)
            try EntityTagger(self).tag(&rows, of: target.table)
            page.items = rows.map { .entity($0, target.table.entitySet) }
        }
        var answer = try pageAnswer(
            writer.page(
                page, of: target.table.structure, in: isDerived ? nil : target.table.entitySet))
        if preferences.maximumPageSize != nil {
            var applied = Preferences()
            applied.maximumPageSize = size
            answer.headers["Preference-Applied"] = applied.text()
        }
        return answer
    }

    /// `Status,Site(Country),Total`: what the steps keep and make, as far as it is selected; nil where nothing tells.
    private func derivedList(_ query: Query) throws -> String? {
        guard let shape = try QueryChecker.shape(of: query, graph: graph) else { return nil }
        let selected = query.select.compactMap { $0.path.propertyNames?.joined(separator: "/") }
        let shown = ((shape.kept ?? []) + shape.dynamic.map { [$0.name] }).filter {
            selected.isEmpty || selected.contains($0.joined(separator: "/"))
        }
        return shown.isEmpty ? nil : Self.items(of: shown)
    }

    /// Paths that begin alike stand in one item.
    private static func items(of paths: [[String]]) -> String {
        var names: [String] = []
        for case let name? in paths.map(\.first) where !names.contains(name) {
            names.append(name)
        }
        return names.map { name in
            let rests = paths.filter { $0.first == name }.map { Array($0.dropFirst()) }
            let inner = items(of: rests.filter { !$0.isEmpty })
            return inner.isEmpty ? name : "\(name)(\(inner))"
        }.joined(separator: ",")
    }
}
