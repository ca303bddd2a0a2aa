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
            if limit == size {
                var next = PagePosition(
                    remaining: (position == nil ? original.top : position?.remaining)
                        .map { max(0, $0 - limit) }, sequence: nil)
                next.offset = start + limit
                page.nextLink = root + PageLink(relativeURL).with(next)
            }
        }
        if isDerived {
            page.context =
                ContextURL(
                    base: root + "$metadata", path: target.table.path,
                    selectList: rows.first.flatMap(derivedList)
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

    /// `Status,Total,Site(Country)`: what the steps left in a row; nil for nothing.
    private func derivedList(_ row: StructureValue) -> String? {
        var items: [String] = []
        for (slot, value) in row.slots.enumerated() {
            guard let value else { continue }
            let property = graph[row.type].properties[slot]
            guard property.isNavigation, case .structure(let related) = value else {
                items.append(property.name)
                continue
            }
            items.append("\(property.name)(\(derivedList(related) ?? ""))")
        }
        items += row.dynamicValues.keys.sorted()
        return items.isEmpty ? nil : items.joined(separator: ",")
    }
}
