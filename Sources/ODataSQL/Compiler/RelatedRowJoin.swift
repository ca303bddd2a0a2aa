import ODataModel
import ODataQuery

/// How the one row that each row leads to is read with it, instead of by a statement of its own.
struct RelatedRowJoin: Sendable {
    /// The column of the rows that has the key of the other row.
    let column: ColumnMapping
    /// The other table's key.
    let key: String
    let selection: Selection
}

/// What a statement takes in addition to read related rows.
struct JoinedRows {
    var items: SQLText = ""
    var joins: SQLText = ""
}

extension QueryCompiler {
    /// Lets the statement of a plan read the related rows that it can read; the plans of their expansion are told.
    func joinRelated(
        _ plan: inout QueryPlan, _ query: Query, _ order: [ExpressionCompiler.OrderTerm],
        of table: TableMapping, alias: String
    ) -> JoinedRows {
        var related = JoinedRows()
        guard givesWhatItFinds(query, order, of: table, alias: alias) else { return related }
        for index in plan.expands.indices {
            guard let join = plan.expands[index].join,
                plan.shape.columns.contains(where: { $0.mapping == join.column })
            else { continue }
            let target = mapping[plan.expands[index].table]
            let far = "j\(index)"
            let list = target.selectList(
                alias: far, selection: join.selection, structure: target.structure)
            let visible = options.visible(target, alias: far).map { " AND \($0)" as SQLText } ?? ""
            related.items.append(", \(list.sql)")
            related.joins.append(
                " LEFT JOIN \(table: target.name) AS \(name: far) ON \(name: far).\(name: join.key)"
                    + " = \(name: alias).\(name: join.column.name)\(visible)")
            plan.expands[index].joined = list.shape.moved(by: plan.columnCount)
        }
        return related
    }

    /// True when SQLite surely finds no more rows than it gives, so that nothing is looked up for rows that are left
    /// out: all are given, or the key's index has them in order.
    private func givesWhatItFinds(
        _ query: Query, _ order: [ExpressionCompiler.OrderTerm], of table: TableMapping,
        alias: String
    ) -> Bool {
        // Rows of live queries end with what orders them.
        guard query.skip ?? 0 == 0, !options.exposesOrder else { return false }
        guard query.top != nil, !order.isEmpty else { return true }
        let columns = table.keys.map(\.comparedColumn)
        return query.path.segments.count == 1 && query.search == nil && query.apply.isEmpty
            && table.uniqueColumns == columns
            && order.map(\.sql) == columns.map { "\(name: alias).\(name: $0)" }
            && order.allSatisfy { $0.isDescending == order[0].isDescending }
            && query.filter.map { $0.compares(only: table.keys.map(\.path)) } ?? true
    }
}

extension Expression {
    /// True for comparisons of these properties with values, joined by `and`.
    fileprivate func compares(only names: [String]) -> Bool {
        switch self {
        case .binary(.and, let left, let right):
            left.compares(only: names) && right.compares(only: names)
        case .binary(.eq, .path(let path), .literal), .binary(.gt, .path(let path), .literal),
            .binary(.ge, .path(let path), .literal), .binary(.lt, .path(let path), .literal),
            .binary(.le, .path(let path), .literal):
            path.propertyNames?.count == 1 && names.contains(path.propertyNames?.first ?? "")
        default: false
        }
    }
}

extension ResultShape {
    /// The shape of rows that begin behind other columns.
    func moved(by offset: Int) -> ResultShape {
        var shape = self
        shape.start += offset
        shape.count += offset
        shape.id = id.map { $0 + offset }
        shape.etag = etag.map { $0 + offset }
        shape.type = type.map { $0 + offset }
        shape.state = state.map { $0 + offset }
        shape.control = control.map { $0 + offset }
        shape.dynamic = dynamic.map { $0 + offset }
        for index in shape.columns.indices {
            shape.columns[index].index += offset
            shape.columns[index].offsetIndex = columns[index].offsetIndex.map { $0 + offset }
        }
        return shape
    }
}
