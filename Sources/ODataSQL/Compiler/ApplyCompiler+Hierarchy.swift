import ODataModel
import ODataQuery
import ODataText

/// `ancestors`, `descendants` and `traverse` (Data Aggregation 4.0, section 6.2): rows by the places of their nodes, found
/// by recursive queries over the table of the nodes.
extension ApplyCompiler {
    /// Leaves the rows whose node is above or below a start node of the same part.
    mutating func relatives(_ term: RelativesTerm) throws {
        let nodes = try target.expressions.hierarchyNodes(
            term.hierarchy.nodes, term.hierarchy.qualifier)
        var start = self
        try start.run(term.start)
        let first = try start.identifier(term.hierarchy.node)
        let alias = target.expressions.makeAlias("n")
        let tests =
            start.target.conditions + target.expressions.conditions(of: nodes, alias)
            + ["\(nodes.name(alias).compared) = \(first.compared)"]
        let part = partitions.last
        let carried: SQLText =
            start.partitions.last.map { ", \($0.sql) AS \(name: "part")" } ?? ""
        let begin: SQLText =
            "SELECT \(nodes.identity(alias)) AS \(name: "node")\(carried)\(start.target.fromClause)"
            + " CROSS JOIN \(table: nodes.table.name) AS \(name: alias) WHERE "
            + tests.joined(" AND ")
        let reached = try target.expressions.reached(
            nodes, isAncestors: term.isAncestors, maximumDistance: term.maximumDistance,
            keepsStart: term.keepsStart, from: begin, hasPart: part != nil)
        let own = try identifier(term.hierarchy.node).compared
        let (found, name) = (target.expressions.makeAlias("w"), nodes.name(alias).compared)
        let from: SQLText =
            "FROM (\(reached)) AS \(name: found) JOIN \(table: nodes.table.name) AS \(name: alias) ON "
            + "\(nodes.identity(alias)) = \(name: found).\(name: "node")"
        if let part {
            target.conditions.append(
                "(\(part.sql), \(own)) IN (SELECT \(name: found).\(name: "part"), \(name) \(from))")
        } else {
            target.conditions.append("\(own) IN (SELECT \(name) \(from))")
        }
    }

    /// Where a row has the identifier of its node.
    mutating func identifier(_ path: ExpressionPath) throws -> SQLTerm {
        let crossings = target.expressions.crossings.count
        target.expressions.crossesCollections = true
        defer { target.expressions.crossesCollections = false }
        let term = try target.expressions.rendered(target.expressions.compile(.path(path)))
        guard target.expressions.crossings.count == crossings else {
            throw ExpressionCompiler.notImplemented("rows with several nodes each")
        }
        return term
    }

    /// Puts the rows into the order of their nodes; rows without a node, and below a circle, are left out.
    mutating func traverse(_ term: TraverseTerm) throws {
        try dialect.requireSQLite(for: "traverse")
        let nodes = try singleParented(term.hierarchy)
        let positions = try positions(nodes, isPreorder: term.isPreorder, term.orderBy)
        let own = try identifier(term.hierarchy.node).compared
        bindJoins()
        let (place, node) = (
            target.expressions.makeAlias("o"), target.expressions.makeAlias("x")
        )
        target.from =
            "\(target.from) JOIN (\(positions)) AS \(name: place) ON \(name: place).\(name: "name") = "
            + "\(own) JOIN \(table: nodes.table.name) AS \(name: node) ON \(nodes.identity(node)) = "
            + "\(name: place).\(name: "node")"
        let name = "_odata_position\(target.expressions.aliasCount)"
        let position = SQLTerm("\(name: place).\(name: "position")", .integer)
        target.expressions.scopes[0].cursor.dynamic[name] = position
        order = [OrderItem(.path(ExpressionPath([.property(name)])))] + order
        let relation = relation(term.hierarchy, nodes)
        if derived == nil {
            if case .navigation(let path) = relation {
                expands.append(ExpandTerm(ExpressionPath(path.joined(separator: "/"))))
            }
            return
        }
        var column = column([name], nil, position)
        column.isHidden = true
        let injected = relation.columns(nodes, graph).map { path, column in
            let term = column.term(alias: node)
            return self.column(path, column.type, term)
        }
        computed.removeAll { old in injected.contains { $0.path == old.path } }
        computed += injected + [column]
        for column in injected {
            target.expressions.scopes[0].cursor.dynamic[column.name] = column.source
        }
    }

    /// The joins that paths made become part of the FROM clause, so that others can stand behind them.
    mutating func bindJoins() {
        target.from = "\(target.from)\(target.expressions.joins(of: 0))"
        for index in target.expressions.scopes[0].joins.indices {
            target.expressions.scopes[0].joins[index].sql = SQLText()
        }
    }

    func singleParented(
        _ hierarchy: HierarchyReference, _ steps: [Transformation] = []
    ) throws -> HierarchyNodes {
        var expressions = target.expressions
        let nodes = try expressions.hierarchyNodes(hierarchy.nodes, hierarchy.qualifier, steps)
        guard !nodes.navigation.isCollection else {
            throw ExpressionCompiler.notImplemented("a hierarchy of nodes with several parents")
        }
        return nodes
    }

    /// A SELECT of the nodes that roots lead to, each with its position: `node`, `name`, `position`.
    private mutating func positions(
        _ nodes: HierarchyNodes, isPreorder: Bool, _ order: [OrderItem]
    ) throws -> SQLText {
        let edges = try target.expressions.edges(of: nodes, order: order)
        let walk = target.expressions.makeAlias("h")
        let edge = target.expressions.makeAlias("e")
        // The deepest row that waits comes first. Postorder is the preorder of reversed siblings, read backwards.
        let direction = isPreorder ? "" : " DESC"
        let columns: SQLText =
            "\(name: edge).\(name: "node"), \(name: edge).\(name: "name"), \(name: edge).\(name: "rank")"
        return
            "WITH RECURSIVE \(name: edge) AS (\(edges)), \(name: walk)(\(name: "node"), "
            + "\(name: "name"), \(name: "rank"), \(name: "depth")) AS (SELECT \(columns), 0 FROM "
            + "\(name: edge) WHERE \(name: edge).\(name: "up") IS NULL UNION ALL SELECT \(columns), "
            + "\(name: walk).\(name: "depth") + 1 FROM \(name: walk) JOIN \(name: edge) ON "
            + "\(name: edge).\(name: "up") = \(name: walk).\(name: "node") ORDER BY 4 DESC, "
            + "3\(raw: direction)) SELECT \(name: "node"), \(name: "name"), "
            + "\(raw: isPreorder ? "" : "-")(row_number() OVER ()) AS \(name: "position") FROM "
            + "\(name: walk)"
    }
}

/// How rows are related to the nodes of a hierarchy (section 6.2.2): what a node adds to its rows depends on that.
enum NodeRelation: Sendable, Hashable {
    /// They are the nodes.
    case own
    case navigation([String])
    /// They have the same identifiers and nothing else.
    case identifier([String])

    /// The properties of a node that its rows get, by their paths in the rows.
    func columns(
        _ nodes: HierarchyNodes, _ graph: MetadataGraph
    ) -> [(path: [String], column: ColumnMapping)] {
        let prefix: [String]
        switch self {
        case .identifier(let path): return [(path, nodes.column)]
        case .own: prefix = []
        case .navigation(let path): prefix = path
        }
        return nodes.table.columns.filter {
            $0.encoding != .presence && graph.isA(nodes.table.structure, $0.owner)
        }.map { (prefix + $0.path.split(separator: "/").map(String.init), $0) }
    }
}

extension ApplyCompiler {
    func relation(_ hierarchy: HierarchyReference, _ nodes: HierarchyNodes) -> NodeRelation {
        let path = hierarchy.node.memberNames
        if path == nodes.path, target.table.id == nodes.table.id { return .own }
        let prefix = Array(path.dropLast(nodes.path.count))
        guard !prefix.isEmpty, Array(path.suffix(nodes.path.count)) == nodes.path,
            let type = graph.type(ofPath: prefix.joined(separator: "/"), in: target.structure)?
                .structure, graph.isA(type, nodes.table.structure)
        else { return .identifier(path) }
        return .navigation(prefix)
    }
}
