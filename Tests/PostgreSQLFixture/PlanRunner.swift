import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Runs the statements of a plan on a database, and shows the rows with what was expanded: the same for every database
/// that has the same rows.
package struct PlanRunner {
    private let mapping: SchemaMapping
    private let rows: (SQLStatement) throws -> [[SQLArgument]]

    package init(
        mapping: SchemaMapping, rows: @escaping (SQLStatement) throws -> [[SQLArgument]]
    ) {
        self.mapping = mapping
        self.rows = rows
    }

    package func run(_ plan: QueryPlan) throws -> PlanAnswer {
        var answer = PlanAnswer()
        if let count = plan.countStatement {
            guard case .integer(let value)? = try rows(count).first?.first else {
                throw ODataError(.storage, "Expected a count.")
            }
            answer.count = value
        }
        guard let statement = plan.statement else { return answer }
        let found = try rows(statement)
        answer.rows = try found.map { try row($0, plan.shape) }
        try expand(&answer.rows, found, plan.shape, plan.expands)
        return answer
    }

    private func row(_ values: [SQLArgument], _ shape: ResultShape) throws -> PlanAnswer.Row {
        var row = PlanAnswer.Row()
        func cell(_ index: Int) throws -> SQLArgument {
            guard values.indices.contains(index) else {
                throw ODataError(.storage, "Expected \(shape.count) columns.")
            }
            return values[index]
        }
        for (name, index) in [("id", shape.id), ("type", shape.type), ("state", shape.state)] {
            guard let index, case let value = try cell(index) else { continue }
            if case .integer(let number) = value { row.cells["@\(name)"] = .integer(number) }
            if case .text(let text) = value { row.cells["@\(name)"] = .string(text) }
        }
        for column in shape.columns {
            row.cells[column.mapping.path] = try column.mapping.encoding.scalar(
                from: try cell(column.index),
                offset: try column.offsetIndex.map(cell) ?? .null)
        }
        for computed in shape.computed {
            row.cells[computed.path.joined(separator: "/")] = try computed.encoding.scalar(
                from: try cell(computed.index),
                offset: try computed.offsetIndex.map(cell) ?? .null)
        }
        if let dynamic = shape.dynamic, case .text(let text) = try cell(dynamic) {
            row.cells["@dynamic"] = .string(text)
        }
        return row
    }

    private func expand(
        _ parents: inout [PlanAnswer.Row], _ found: [[SQLArgument]], _ shape: ResultShape,
        _ plans: [ExpandPlan]
    ) throws {
        let ids = shape.id.map { id in Self.json(found.map { $0[id] }) }
        for plan in plans {
            let name = plan.alias ?? plan.navigation.path
            let keys = plan.parentIndex.map { index in Self.json(found.map { $0[index] }) }
            guard let json = keys ?? ids else {
                throw ODataError(.storage, "Expected rows with an id.")
            }
            for index in parents.indices { parents[index].expanded[name] = PlanAnswer() }
            if let count = plan.countStatement {
                for values in try rows(bound(count, json)) {
                    guard case .integer(let parent) = values[0],
                        case .integer(let number) = values[1]
                    else { throw ODataError(.storage, "Expected a parent and a count.") }
                    parents[Int(parent)].expanded[name]?.count = number
                }
            }
            guard let statement = plan.statement else { continue }
            // Behind the parent's position comes the key, where the rows are ordered at all.
            let isOrdered =
                !plan.isDerived
                && ["\"k\".\"key\", ", "\"_odata_number\""].contains {
                    statement.text.contains(" ORDER BY \($0)")
                        || statement.text.contains("_odata_parent_row\", \($0)")
                }
            for index in parents.indices { parents[index].expanded[name]?.isOrdered = isOrdered }
            let found = try rows(bound(statement, json))
            var children = try found.map { try row($0, plan.shape) }
            try expand(&children, found, plan.shape, plan.children)
            for (values, child) in zip(found, children) {
                guard let parentRow = plan.shape.parentRow,
                    case .integer(let parent) = values[parentRow]
                else { throw ODataError(.storage, "Expected rows that know their parents.") }
                parents[Int(parent)].expanded[name]?.rows.append(child)
            }
        }
    }

    /// What tells the parents apart, for the statements that read what belongs to them.
    private static func json(_ values: [SQLArgument]) -> String {
        let items = values.map { value -> JSONValue in
            switch value {
            case .integer(let number): .number(String(number))
            case .text(let text): .string(text)
            default: .null
            }
        }
        return JSONValue.array(items).text
    }

    private func bound(_ statement: SQLStatement, _ json: String) -> SQLStatement {
        SQLStatement(text: statement.text, arguments: statement.arguments(parentRows: json))
    }
}
