import ODataModel
import ODataQuery
import ODataText

/// The nodes of a recursive hierarchy in their table (Data Aggregation 4.0, section 5.5.2).
struct HierarchyNodes: Sendable {
    var table: TableMapping
    /// The column that identifies a node's row.
    var id: String
    /// The identifier of a node, as the model names it.
    var column: ColumnMapping
    var path: [String]
    /// The way to the parents.
    var navigation: NavigationMapping
    /// A SELECT of the rows that the hierarchy has; nil when it has all.
    var subset: SQLText?

    func identity(_ alias: String) -> SQLText { "\(name: alias).\(name: id)" }

    func name(_ alias: String) -> SQLTerm { column.term(alias: alias) }
}

extension ExpressionCompiler {
    /// The nodes that `$root/Set` has, or those that filters and steps leave of them.
    mutating func hierarchyNodes(
        _ path: ExpressionPath, _ qualifier: String, _ steps: [Transformation] = []
    ) throws -> HierarchyNodes {
        guard path.root == .root, case .property(let name)? = path.segments.first,
            let table = mapping.table(path: name), !graph[table.entitySet].isSingleton
        else {
            throw Self.notImplemented(
                "a hierarchy of other nodes than an entity set", at: qualifier)
        }
        let filters = try path.segments.dropFirst().map { segment -> Transformation in
            guard case .filter(let condition) = segment else {
                throw Self.notImplemented(
                    "a hierarchy of other nodes than an entity set", at: qualifier)
            }
            return .filter(condition)
        }
        guard let hierarchy = graph.recursiveHierarchy(qualifier, of: table.structure) else {
            throw Self.invalid(
                "Expected a recursive hierarchy of \(graph[table.structure].qualifiedName), found "
                    + "\(qualifier).", at: qualifier)
        }
        guard table.identityColumns.count == 1, let id = table.identityColumns.first else {
            throw Self.notImplemented(
                "nodes with a key of several properties", at: qualifier)
        }
        let node = hierarchy.node.propertyNames ?? []
        guard let column = table.column(path: node.joined(separator: "/")) else {
            throw Self.notImplemented(
                "a node that no property of its own identifies", at: qualifier)
        }
        let parent = hierarchy.parent.propertyNames?.joined(separator: "/") ?? ""
        guard let navigation = table.navigation(path: parent), navigation.target == table.id else {
            throw Self.notImplemented(
                "a hierarchy whose parents are not stored", at: qualifier)
        }
        var nodes = HierarchyNodes(
            table: table, id: id, column: column, path: node, navigation: navigation)
        if !filters.isEmpty || !steps.isEmpty {
            nodes.subset = try subset(nodes, filters + steps)
        }
        return nodes
    }

    /// The rows that steps leave of all nodes.
    private mutating func subset(
        _ nodes: HierarchyNodes, _ steps: [Transformation]
    ) throws -> SQLText {
        let alias = makeAlias("n")
        let target = QueryTarget(
            expressions: alone(nodes, alias), table: nodes.table,
            structure: nodes.table.structure, alias: alias,
            from: "\(table: nodes.table.name) AS \(name: alias)",
            conditions: options.visible(nodes.table, alias: alias).map { [$0] } ?? [],
            isSingle: false, result: .entities, propertyPath: "")
        var apply = ApplyCompiler(target)
        try apply.run(steps)
        guard apply.derived == nil, apply.nests.isEmpty else {
            throw Self.invalid(
                "Expected steps that keep nodes of the hierarchy.",
                at: nodes.path.joined(separator: "/"))
        }
        aliasCount = apply.target.expressions.aliasCount
        return
            "SELECT \(nodes.identity(alias))\(apply.target.fromClause)\(apply.target.whereClause)"
    }

    /// A compiler that sees nothing but a row of the nodes.
    private func alone(_ nodes: HierarchyNodes, _ alias: String) -> ExpressionCompiler {
        var inner = self
        var cursor = RowCursor(scope: 0, alias: alias, table: nodes.table)
        cursor.structure = nodes.table.structure
        inner.scopes = [Scope(cursor: cursor)]
        inner.itScope = 0
        inner.input = nil
        inner.rollups = []
        (inner.crossesCollections, inner.aggregatesGroup) = (false, false)
        return inner
    }

    /// The conditions under which a row is a node.
    func conditions(of nodes: HierarchyNodes, _ alias: String) -> [SQLText] {
        (options.visible(nodes.table, alias: alias).map { [$0] } ?? [])
            + (nodes.subset.map { ["\(nodes.identity(alias)) IN (\($0))"] } ?? [])
    }

    /// A SELECT of each node with its parent, null for a root: the columns `node`, `up`, `name`, and `rank` where an order
    /// is asked for. A node with several parents comes once for each.
    mutating func edges(of nodes: HierarchyNodes, order: [OrderItem]? = nil) throws -> SQLText {
        let alias = makeAlias("n")
        var inner = alone(nodes, alias)
        let parent = try inner.join(nodes.navigation, from: inner.scopes[0].cursor)
        var up = nodes.identity(parent.alias)
        if let subset = nodes.subset { up = "CASE WHEN \(up) IN (\(subset)) THEN \(up) END" }
        var items: [SQLText] = [
            "\(nodes.identity(alias)) AS \(name: "node")", "\(up) AS \(name: "up")",
            "\(nodes.name(alias).compared) AS \(name: "name")",
        ]
        if let order {
            let text = try inner.order(order, table: nodes.table, alias: alias, keyed: true)
            items.append("row_number() OVER (ORDER BY \(text)) AS \(name: "rank")")
        }
        let joins = inner.joins(of: 0)
        aliasCount = inner.aliasCount
        let conditions =
            conditions(of: nodes, alias) + ["\(nodes.name(alias).compared) IS NOT NULL"]
        return
            "SELECT \(items.joined(", ")) FROM \(table: nodes.table.name) AS \(name: alias)\(joins)"
            + " WHERE \(conditions.joined(" AND "))"
    }

    /// The rows of the nodes above or below others, at a distance from 1 on, or from 0 on where the start is kept. Without a
    /// limit each node comes once, whatever circles there are.
    ///
    /// - Parameter begin: A SELECT of the rows to start at as `node`, and with `hasPart` of the part they are in as `part`.
    mutating func reached(
        _ nodes: HierarchyNodes, isAncestors: Bool, maximumDistance: Int?, keepsStart: Bool,
        from begin: SQLText, hasPart: Bool = false
    ) throws -> SQLText {
        let (child, parent, walk) = (makeAlias(), makeAlias(), makeAlias("h"))
        let source = try source(
            of: nodes.navigation, from: RowCursor(scope: 0, alias: child, table: nodes.table),
            alias: parent)
        let (near, far) = isAncestors ? (child, parent) : (parent, child)
        let limit = maximumDistance.flatMap { $0 < Self.maximumDistance ? $0 : nil }
        let distance: SQLText = "\(name: walk).\(name: "distance")"
        var tests =
            ["\(nodes.identity(near)) = \(name: walk).\(name: "node")"] + source.conditions
            + conditions(of: nodes, child)
        if let subset = nodes.subset { tests.append("\(nodes.identity(parent)) IN (\(subset))") }
        if let limit { tests.append("\(distance) < \(argument: .integer(Int64(limit)))") }
        // Behind the first step a node has a distance of 1 at least, so that a start node is told from a reached one.
        let next: SQLText = limit == nil ? "1" : "\(distance) + 1"
        let part: SQLText = hasPart ? ", \(name: "part")" : ""
        let carried: SQLText = hasPart ? ", \(name: walk).\(name: "part")" : ""
        let step: SQLText =
            "SELECT \(nodes.identity(far)), \(next)\(carried) FROM \(name: walk), "
            + "\(table: nodes.table.name) AS \(name: child), \(source.from) WHERE "
            + tests.joined(" AND ")
        return
            "WITH RECURSIVE \(name: walk)(\(name: "node"), \(name: "distance")\(part)) AS (SELECT "
            + "\(name: "node"), 0\(part) FROM (\(begin)) AS \(name: "b") UNION \(step)) SELECT "
            + "\(name: "node")\(part) FROM \(name: walk) WHERE \(name: "distance") >= "
            + "\(number: keepsStart ? 0 : 1)"
    }

    /// Further levels are taken as all there are.
    private static let maximumDistance = 1_000
}
