import ODataModel
import ODataQuery
import ODataText

/// `rolluprecursive` (Data Aggregation 4.0, section 6.3): each node of a hierarchy is a part of its own, which has the rows
/// of the node and of all nodes below it.
extension ApplyCompiler {
    typealias RecursiveGrouping = (hierarchy: HierarchyReference, steps: [Transformation])

    mutating func rollUp(
        _ recursive: [RecursiveGrouping], _ rest: [GroupingTerm], _ steps: [Transformation]
    ) throws {
        target.expressions.rollups = []
        for (hierarchy, subset) in recursive { try open(hierarchy, subset) }
        if !rest.isEmpty {
            try group(rest, steps)
        } else if steps.isEmpty {
            try groupRows([], by: [])
        } else {
            try run(steps)
        }
        if derived == nil { try materialise() }
        for _ in recursive { try close() }
        target.expressions.rollups = []
    }

    /// Makes the nodes parts.
    private mutating func open(
        _ hierarchy: HierarchyReference, _ steps: [Transformation]
    ) throws {
        try checkLevels()
        let nodes = try singleParented(hierarchy, steps)
        let own = try identifier(hierarchy.node).compared
        bindJoins()
        let edges = try target.expressions.edges(of: nodes)
        let (below, node) = (
            target.expressions.makeAlias("c"), target.expressions.makeAlias("x")
        )
        let group = "_odata_group\(partitions.count)"
        let table: SQLText = "\(table: nodes.table.name) AS \(name: node)"
        let shared = relation(hierarchy, nodes).columns(nodes, graph).enumerated().map {
            position, found -> (DerivedColumn, SQLTerm) in
            let term = found.column.term(alias: node)
            var column = column(found.path, found.column.type, term)
            column.name = "_odata_shared\(position)"
            return (column, term)
        }
        let outer = target.expressions.makeAlias("a")
        let number = { (part: SQLText?) -> SQLText in
            guard let part else { return nodes.identity(node) }
            return "(CAST(\(part) AS TEXT) || '/' || CAST(\(nodes.identity(node)) AS TEXT))"
        }
        let around = partitions.last
        let names = partitions.map {
            "\(name: outer).\(name: $0.name) AS \(name: $0.name)" as SQLText
        }
        let outerNumber = around.map { "\(name: outer).\(name: $0.name)" as SQLText }
        let items =
            names + ["\(number(outerNumber)) AS \(name: group)"]
            + shared.flatMap { $0.0.items($0.1) }
        let parts: SQLText = around.map { "(\($0.all)) AS \(name: outer) CROSS JOIN " } ?? ""
        let all: SQLText =
            "SELECT \(items.joined(", ")) FROM \(parts)\(table) WHERE \(nodes.identity(node)) IN ("
            + "\(Self.walk(edges, "SELECT \(name: "node") FROM \(name: "r")")))"
        target.from =
            "\(target.from) JOIN (\(Self.walk(edges, Self.below))) AS \(name: below) ON "
            + "\(name: below).\(name: "name") = \(own) JOIN \(table) ON \(nodes.identity(node)) = "
            + "\(name: below).\(name: "top")"
        base = target.conditions
        partitions.append(
            RowPartition(
                sql: number(around?.sql), name: group, all: all, shared: shared.map(\.0),
                overrides: true))
        var cursor = RowCursor(scope: 0, alias: node, table: nodes.table)
        cursor.structure = nodes.table.structure
        target.expressions.rollups.append(cursor)
    }

    /// The edges as `e` and the nodes that roots lead to as `r`, for a SELECT.
    private static func walk(_ edges: SQLText, _ select: SQLText) -> SQLText {
        let (edge, reached): (SQLText, SQLText) = ("\(name: "e")", "\(name: "r")")
        let (node, up): (SQLText, SQLText) = ("\(name: "node")", "\(name: "up")")
        return
            "WITH RECURSIVE \(edge) AS (\(edges)), \(reached)(\(node)) AS (SELECT \(node) FROM \(edge) "
            + "WHERE \(up) IS NULL UNION SELECT \(edge).\(node) FROM \(reached) JOIN \(edge) ON "
            + "\(edge).\(up) = \(reached).\(node)), \(name: "h")(\(name: "top"), \(node)) AS (SELECT "
            + "\(node), \(node) FROM \(reached) UNION ALL SELECT \(name: "h").\(name: "top"), "
            + "\(edge).\(node) FROM \(name: "h") JOIN \(edge) ON \(edge).\(up) = "
            + "\(name: "h").\(node)) \(select)"
    }

    /// Each node with the identifiers of itself and of all nodes below it.
    private static let below: SQLText =
        "SELECT \(name: "h").\(name: "top") AS \(name: "top"), \(name: "e").\(name: "name") AS "
        + "\(name: "name") FROM \(name: "h") JOIN \(name: "e") ON \(name: "e").\(name: "node") = "
        + "\(name: "h").\(name: "node")"
}
