import ODataModel
import ODataQuery
import ODataText

/// Walks a resource path over tables: `Customers(1)/Orders(2)/Items` becomes joined tables and key conditions.
struct ResourceCompiler {
    var expressions: ExpressionCompiler
    private var from = SQLText()
    private var conditions: [SQLText] = []
    /// Where the path begins.
    private var root: (table: TableMapping, alias: String)?
    private var table: TableMapping?
    private var structure = StructureID(0)
    private var alias = ""
    private var isSingle = false
    private var property: (path: String, slots: [Int], type: TypeReference)?
    private var form: QueryPlan.Result?
    private var expectsLink = false

    init(expressions: ExpressionCompiler) { self.expressions = expressions }

    private var graph: MetadataGraph { expressions.graph }

    mutating func step(_ segment: ResourcePath.Segment) throws {
        switch segment {
        case .entitySet(let name): try begin(name)
        case .key(let key): try apply(key)
        case .property(let name): try property(name)
        case .typeCast(let name): try cast(name)
        case .filter(let filter):
            syncScope()
            conditions.append("(\(try expressions.condition(filter)))")
        case .links: expectsLink = true
        case .count: form = .count
        case .ref: form = .references(isCollection: !isSingle)
        case .value:
            if let property {
                form = .property(slots: property.slots, type: property.type, isRaw: true)
            } else {
                form = .media
            }
        case .operation, .metadata, .batch, .all, .crossjoin, .entity, .each:
            throw ExpressionCompiler.notImplemented("this kind of resource path")
        }
    }

    /// The target of the whole path.
    func finish() throws -> QueryTarget {
        guard let table else { throw Self.misfit("an entity set or singleton") }
        var copy = self
        copy.syncScope()
        let result: QueryPlan.Result
        if let form {
            result = form
        } else if let property {
            result = .property(slots: property.slots, type: property.type, isRaw: false)
        } else if expectsLink {
            result = .references(isCollection: !isSingle)
        } else {
            result = isSingle ? .entity : .entities
        }
        return QueryTarget(
            expressions: copy.expressions, table: table, structure: structure, alias: alias,
            from: from, conditions: visible() + conditions, isSingle: isSingle, result: result,
            namesRows: isNamed, propertyPath: property?.path ?? "")
    }

    /// The rows are reached by a key or a link.
    private var isNamed: Bool { isSingle || root?.alias != alias }

    private mutating func begin(_ name: String) throws {
        guard table == nil else { throw Self.misfit("one entity set") }
        guard let found = expressions.mapping.table(path: name) else {
            throw ODataError(
                .unknownName, "Expected an entity set or singleton, found \(name).",
                at: .path(name), status: 404)
        }
        alias = expressions.makeAlias()
        from = "\(table: found.name) AS \(name: alias)"
        root = (found, alias)
        table = found
        structure = found.structure
        isSingle = graph[found.entitySet].isSingleton
        expressions.scopes = [
            ExpressionCompiler.Scope(cursor: RowCursor(scope: 0, alias: alias, table: found))
        ]
        syncScope()
    }

    /// The condition on the rows that the path begins with: of a set those that are loaded, else the one that is named.
    private func visible() -> [SQLText] {
        guard let root else { return [] }
        return expressions.options.visible(root.table, alias: root.alias, isNamed: isNamed)
            .map { [$0] } ?? []
    }

    /// Paths of filters start at the row that the resource path has reached.
    private mutating func syncScope() {
        guard let table, !expressions.scopes.isEmpty else { return }
        var cursor = RowCursor(scope: 0, alias: alias, table: table)
        cursor.structure = structure
        expressions.scopes[0].cursor = cursor
    }

    private mutating func apply(_ key: [KeyValue]) throws {
        guard let table, property == nil, !isSingle else { throw Self.misfit("a collection") }
        if let properties = graph.alternateKey(key, of: structure) {
            for property in properties {
                guard let value = key.first(where: { $0.name == property.name }) else { continue }
                let test = Expression.binary(
                    .eq, .path(ExpressionPath(property.path)), value.value)
                conditions.append("(\(try expressions.condition(test)))")
            }
            isSingle = true
            return
        }
        let names = graph[table.structure].key.map(\.name)
        guard key.count == table.keyColumns.count else {
            throw ODataError(
                .invalidQuery, "Expected \(table.keyColumns.count) key values, found \(key.count).",
                at: .path(table.path), status: 400)
        }
        for (position, value) in key.enumerated() {
            var index = position
            if let name = value.name {
                guard let found = names.firstIndex(of: name) else {
                    throw ODataError(
                        .unknownName, "Expected a key property, found \(name).", at: .path(name),
                        status: 400)
                }
                index = found
            } else if key.count > 1 {
                throw Self.misfit("key values with names")
            }
            let column = table.keys[index].term(alias: alias)
            conditions.append(
                try expressions.compare(.eq, column, expressions.compile(value.value)))
        }
        isSingle = true
    }

    private mutating func property(_ name: String) throws {
        guard let table else { throw Self.misfit("an entity set") }
        let path = property.map { $0.path + "/" + name } ?? name
        if let navigation = table.navigations.first(where: {
            $0.path == path && graph.isA(structure, $0.owner)
        }) {
            guard isSingle else { throw Self.misfit("a key before a navigation property") }
            return try follow(navigation)
        }
        guard isSingle else { throw Self.misfit("a key before a property") }
        let owner = property.map { $0.type.structure } ?? structure
        guard let owner, let slot = graph[owner].slot(named: name) else {
            throw ODataError(
                .unknownName, "Expected a property of the addressed type, found \(name).",
                at: .path(path), status: 404)
        }
        let definition = graph[owner].properties[slot]
        guard !definition.isNavigation else {
            throw ExpressionCompiler.notImplemented("a navigation that is not stored")
        }
        property = (path, (property?.slots ?? []) + [slot], definition.type)
    }

    private mutating func follow(_ navigation: NavigationMapping) throws {
        var cursor = RowCursor(scope: 0, alias: alias, table: table)
        cursor.structure = structure
        let target = expressions.mapping[navigation.target]
        let next = expressions.makeAlias()
        let source = try expressions.source(of: navigation, from: cursor, alias: next)
        from = "\(from) CROSS JOIN \(source.from)"
        alias = next
        table = target
        structure = target.structure
        conditions.append(contentsOf: source.conditions)
        property = nil
        isSingle = !navigation.isCollection
        syncScope()
    }

    private mutating func cast(_ name: String) throws {
        guard let table, let type = graph.structure(named: name) else {
            throw Self.misfit("a type of the model")
        }
        guard graph.isA(type, structure) || graph.isA(structure, type) else {
            throw Self.misfit("a type related to the path's")
        }
        if let condition = expressions.typeCondition(type, table: table, alias: alias) {
            conditions.append(condition)
        }
        if graph.isA(type, structure) { structure = type }
    }

    private static func misfit(_ expected: String) -> ODataError {
        ODataError(
            .invalidQuery, "Expected \(expected) in the resource path.", status: 400)
    }
}

/// The rows that a resource path addresses.
struct QueryTarget {
    var expressions: ExpressionCompiler
    var table: TableMapping
    var structure: StructureID
    var alias: String
    var from: SQLText
    var conditions: [SQLText]
    var isSingle: Bool
    var result: QueryPlan.Result
    var namesRows = false
    var propertyPath: String

    /// With the joins that were made so far.
    var fromClause: SQLText { " FROM \(from)\(expressions.joins(of: 0))" }

    var whereClause: SQLText {
        conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    }

    /// The plan of its rows, without statements.
    var plan: QueryPlan {
        var plan = QueryPlan(
            table: table.id, structure: structure, result: result,
            shape: ResultShape(table: table.id, structure: structure), expands: [])
        plan.namesRows = namesRows
        return plan
    }

    func count() -> SQLText { "SELECT count(*)\(fromClause)\(whereClause)" }
}
