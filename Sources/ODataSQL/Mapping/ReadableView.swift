import ODataModel

extension TableMapping {
    /// `CREATE VIEW _odata_view_<table>`: what stock tools show of the rows in view, decimals with their
    /// point, enumeration members by name, instants with their `Z`.
    package func createView(graph: MetadataGraph, in dialect: SQLDialect = .sqlite) -> String {
        var lines: [String] = []
        if let type = system.type { lines.append("    \(SQLName.quoted(type))") }
        for column in columns {
            let expression = column.readableExpression(graph: graph, dialect)
            lines.append("    \(expression) AS \(SQLName.quoted(column.name))")
        }
        if let dynamic = system.dynamic { lines.append("    \(SQLName.quoted(dynamic))") }
        if lines.isEmpty { lines.append("    NULL AS \(SQLName.quoted("empty"))") }
        var text = "CREATE VIEW \(SQLName.quoted("_odata_view_\(name)")) AS SELECT\n"
        text += lines.joined(separator: ",\n") + "\nFROM \(SQLName.quoted(name))"
        if let state = system.state {
            text += "\nWHERE (\(SQLName.quoted(state)) & \(EntityState.hidden.rawValue)) = 0"
        }
        return text
    }
}

extension ColumnMapping {
    fileprivate func readableExpression(graph: MetadataGraph, _ dialect: SQLDialect) -> String {
        let name = SQLName.quoted(name)
        switch encoding {
        case .scaledDecimal(let scale) where scale > 0:
            return dialect.readable(scaled: name, scale)
        case .duration:
            return dialect.readable(duration: name)
        case .utcDateTime:
            return "\(name) || 'Z'"
        case .enumeration(let id) where !graph[id].isFlags && !graph[id].members.isEmpty:
            let cases = graph[id].members.map {
                "WHEN \($0.value) THEN \(SQLName.constant($0.name))"
            }
            return
                "CASE \(name) \(cases.joined(separator: " ")) ELSE \(dialect.readable(number: name)) END"
        default:
            return name
        }
    }
}
