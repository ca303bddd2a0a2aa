import ODataModel
import ODataQuery
import ODataText

/// `ancestors` and `descendants` (Data Aggregation 4.0, section 6.2): the rows whose node is above or below a start node,
/// found by a recursive query over the table of the nodes.
extension ApplyCompiler {
    mutating func relatives(_ term: RelativesTerm) throws {
        guard partitions.isEmpty else {
            throw ExpressionCompiler.notImplemented("hierarchies in groups and expanded rows")
        }
        let nodes = try nodeTable(term.hierarchy)
        guard
            let hierarchy = graph.recursiveHierarchy(term.hierarchy.qualifier, of: nodes.structure)
        else {
            throw ExpressionCompiler.invalid(
                "Expected a recursive hierarchy of \(graph[nodes.structure].qualifiedName), found "
                    + "\(term.hierarchy.qualifier).")
        }
        guard nodes.identityColumns.count == 1, let id = nodes.identityColumns.first else {
            throw ExpressionCompiler.notImplemented("nodes with a key of several properties")
        }
        var start = self
        try start.run(term.start)
        let first = try start.target.expressions.rendered(
            start.target.expressions.compile(.path(term.hierarchy.node)))
        let starts: SQLText =
            "SELECT \(first.compared)\(start.target.fromClause)\(start.target.whereClause)"
        let alias = target.expressions.makeAlias("n")
        let (node, visible) = try nodeProperty(hierarchy, nodes, alias)
        let begin: SQLText =
            "SELECT \(name: alias).\(name: id) AS \(name: "node") FROM \(name: nodes.name) AS "
            + "\(name: alias) WHERE \((visible + ["\(node) IN (\(starts))"]).joined(" AND "))"
        let reached = try reached(term, hierarchy, nodes, id, from: begin)
        let own = try target.expressions.rendered(
            target.expressions.compile(.path(term.hierarchy.node)))
        target.conditions.append(
            "\(own.compared) IN (SELECT \(node) FROM \(name: nodes.name) AS \(name: alias) WHERE "
                + "\((visible + ["\(name: alias).\(name: id) IN (\(reached))"]).joined(" AND ")))")
    }

    /// The table behind `$root/Set`.
    private func nodeTable(_ hierarchy: HierarchyReference) throws -> TableMapping {
        guard hierarchy.nodes.root == .root, hierarchy.nodes.segments.count == 1,
            case .property(let name)? = hierarchy.nodes.segments.first,
            let table = target.expressions.mapping.table(path: name)
        else {
            throw ExpressionCompiler.notImplemented("a hierarchy of other nodes than an entity set")
        }
        return table
    }

    /// What identifies a node, and the conditions under which its row is there.
    private func nodeProperty(
        _ hierarchy: RecursiveHierarchy, _ nodes: TableMapping, _ alias: String
    ) throws -> (SQLText, [SQLText]) {
        let path = hierarchy.node.propertyNames?.joined(separator: "/")
        guard let column = nodes.columns.first(where: { $0.path == path }) else {
            throw ExpressionCompiler.notImplemented("a node that no property of its own identifies")
        }
        let visible = target.expressions.options.visible(nodes, alias: alias).map { [$0] } ?? []
        return (column.term(alias: alias).compared, visible)
    }

    /// The nodes at a distance from 1 on, or from 0 on where the start is kept. Without a limit each node comes once,
    /// whatever circles there are.
    private mutating func reached(
        _ term: RelativesTerm, _ hierarchy: RecursiveHierarchy, _ nodes: TableMapping, _ id: String,
        from begin: SQLText
    ) throws -> SQLText {
        let path = hierarchy.parent.propertyNames?.joined(separator: "/") ?? ""
        guard let navigation = nodes.navigation(path: path) else {
            throw ExpressionCompiler.notImplemented("a hierarchy whose parents are not stored")
        }
        let (child, parent) = (
            target.expressions.makeAlias(), target.expressions.makeAlias()
        )
        let source = try target.expressions.source(
            of: navigation, from: RowCursor(scope: 0, alias: child, table: nodes), alias: parent)
        let (near, far) = term.isAncestors ? (child, parent) : (parent, child)
        let visible = target.expressions.options.visible(nodes, alias: child).map { [$0] } ?? []
        let limit = term.maximumDistance.flatMap { $0 < Self.maximumDistance ? $0 : nil }
        let distance: SQLText = "\(name: "h").\(name: "distance")"
        var conditions =
            ["\(name: near).\(name: id) = \(name: "h").\(name: "node")"] + source.conditions
            + visible
        if let limit { conditions.append("\(distance) < \(argument: .integer(Int64(limit)))") }
        let next: SQLText = limit == nil ? "1" : "\(distance) + 1"
        // Behind the first step a node has a distance of 1 at least, so that a start node is told from a reached one.
        let step: SQLText =
            "SELECT \(name: far).\(name: id), \(next) FROM \(name: "h"), \(name: nodes.name) AS "
            + "\(name: child), \(source.from) WHERE \(conditions.joined(" AND "))"
        let least: Int64 = term.keepsStart ? 0 : 1
        return "WITH RECURSIVE \(name: "h")(\(name: "node"), \(name: "distance")) AS (SELECT "
            + "\(name: "node"), 0 FROM (\(begin)) AS \(name: "b") UNION \(step)) SELECT "
            + "\(name: "node") FROM \(name: "h") WHERE \(name: "distance") >= \(number: least)"
    }

    /// Further levels are taken as all there are.
    private static let maximumDistance = 1_000
}
