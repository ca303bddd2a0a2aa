import ODataModel
import ODataQuery
import ODataText

/// The statements that read the collections that `nest` made (Data Aggregation 4.0, section 3.5.2): one for each
/// collection, whatever the number of rows that have one.
struct NestCompiler {
    let expands: ExpandCompiler

    /// The plans of the collections of derived rows; what tells their parts stands behind the other values of a row.
    func plans(
        _ apply: ApplyCompiler, selected: [String]? = nil, _ shape: inout ResultShape,
        _ items: inout [SQLText]
    ) throws -> [ExpandPlan] {
        var plans: [ExpandPlan] = []
        var positions: [String: Int] = [:]
        let columns = apply.current()
        for nest in apply.nests where selected?.contains(nest.alias) ?? true {
            guard let key = columns.first(where: { $0.0.name == nest.key })?.1 else { continue }
            var plan = try plan(of: nest)
            if positions[nest.key] == nil {
                positions[nest.key] = shape.count
                items.append(key.sql)
                shape.count += 1
            }
            plan.parentIndex = positions[nest.key]
            plans.append(plan)
        }
        return plans
    }

    private func plan(of nest: ApplyCompiler.Nest) throws -> ExpandPlan {
        var rows = nest.rows
        let target = rows.target
        let navigation = NavigationMapping(
            path: nest.alias, slots: [], owner: target.structure, isCollection: true,
            containsTarget: false, target: target.table.id, storage: .columns([]))
        var plan = ExpandPlan(
            navigation: navigation, kind: .entities, table: target.table.id,
            shape: ResultShape(table: target.table.id, structure: target.structure), children: [],
            isDerived: rows.derived != nil)
        plan.alias = nest.alias
        let (position, from) = source(of: rows)
        var items: [SQLText]
        if rows.derived == nil {
            let list = target.table.selectList(
                alias: target.alias, selection: .all, structure: target.structure,
                parentRow: position)
            plan.shape = list.shape
            items = [list.sql]
            var extra = ComputedList(start: list.shape.count)
            for column in rows.computed where !column.isHidden {
                try extra.add(column.path, column.source, type: nil)
            }
            plan.shape.take(extra)
            items += extra.items
            plan.children = try expands.plans(
                rows.expands, from: target.table, structure: target.structure, depth: 1)
        } else {
            let list = try rows.list(selected: nil, start: 1) { _ in nil }
            plan.shape.parentRow = 0
            plan.shape.count = 1
            plan.shape.take(list)
            items = [position] + list.items
            plan.children = try plans(rows, &plan.shape, &items)
        }
        let order = try rows.target.expressions.order(
            rows.order, table: target.table, alias: target.alias, keyed: rows.derived == nil)
        let joined = try from(rows)
        var sql: SQLText =
            "SELECT \(items.joined(", "))\(joined)\(rows.target.whereClause) ORDER BY \(position)"
        if !order.isEmpty { sql.append(", \(order)") }
        plan.statement = sql.statement(expands.options.dialect)
        return plan
    }

    /// The position of the row that a member belongs to, and the rows beside those positions.
    private func source(
        of rows: ApplyCompiler
    ) -> (position: SQLText, from: (ApplyCompiler) throws -> SQLText) {
        if let parent = rows.partitions.first, parent.name == RowPartition.parentName {
            return (parent.sql, { $0.target.fromClause })
        }
        let alias = "_odata_parents"
        let part = expands.options.dialect.partKey(rows.partitions.last?.sql ?? "0")
        let parents = expands.options.dialect.elements(
            of: SQLText(argument: .parentRows), alias: alias)
        return (
            "\(name: alias).\(name: "key")",
            {
                "\($0.target.fromClause) JOIN \(parents) ON "
                    + "\(name: alias).\(name: "value") = \(part)"
            }
        )
    }
}
