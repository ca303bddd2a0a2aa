import ODataModel
import ODataQuery
import ODataText

extension ExpressionCompiler {
    /// `any` and `all` over rows or over members of a JSON collection (URL Conventions 4.01, section 5.1.1.13).
    mutating func lambda(
        _ operation: LambdaOperator, _ path: ExpressionPath, variable: String,
        predicate: Expression?
    ) throws -> SQLTerm {
        let source = try open(path, variable: variable)
        var conditions = source.conditions
        if let predicate {
            let condition = try condition(predicate)
            conditions.append(
                operation == .any ? "(\(condition))" : dialect.isNotTrue(condition))
        } else if operation == .all {
            throw Self.invalid("Expected a predicate in all().")
        }
        let joins = joins(of: scopes.count - 1)
        scopes.removeLast()
        var body: SQLText = "SELECT 1 FROM \(source.from)\(joins)"
        if !conditions.isEmpty { body.append(" WHERE \(conditions.joined(" AND "))") }
        return SQLTerm("\(raw: operation == .any ? "" : "NOT ")EXISTS (\(body))", .boolean)
    }

    /// `path/$count`, the members filtered where asked.
    mutating func count(_ path: ExpressionPath, filter: Expression?) throws -> SQLTerm {
        let source = try open(path, variable: nil)
        var conditions = source.conditions
        if let filter {
            let outer = itScope
            itScope = scopes.count - 1
            conditions.append("(\(try condition(filter)))")
            itScope = outer
        }
        let joins = joins(of: scopes.count - 1)
        scopes.removeLast()
        var body: SQLText = "SELECT count(*) FROM \(source.from)\(joins)"
        if !conditions.isEmpty { body.append(" WHERE \(conditions.joined(" AND "))") }
        return SQLTerm("(\(body))", .integer)
    }

    /// Opens a scope over the collection that a path leads to; the caller closes it.
    mutating func open(
        _ path: ExpressionPath, variable: String?
    ) throws -> (from: SQLText, conditions: [SQLText]) {
        guard scopes.count < Self.maximumScopes else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumScopes) nested lambdas.",
                status: 400)
        }
        let crosses = crossesCollections
        crossesCollections = false
        defer { crossesCollections = crosses }
        switch try resolve(path) {
        case .rows(let navigation, let cursor, let cast):
            let alias = makeAlias()
            var source = try source(of: navigation, from: cursor, alias: alias)
            let target = mapping[navigation.target]
            if let cast, let condition = typeCondition(cast, table: target, alias: alias) {
                source.conditions.append(condition)
            }
            scopes.append(
                Scope(
                    variable: variable,
                    cursor: RowCursor(
                        scope: scopes.count, alias: alias, table: target,
                        structure: cast ?? target.structure)))
            return source
        case .elements(let sql, let type):
            let alias = makeAlias("j")
            var element = type
            element.isCollection = false
            var cursor = RowCursor(scope: scopes.count, alias: alias)
            cursor.json = RowCursor.JSONPlace(
                sql: "\(name: alias).\(name: "value")", type: element)
            scopes.append(Scope(variable: variable, cursor: cursor))
            return (dialect.elements(of: sql, alias: alias), [])
        case .table(let table, let cast):
            let alias = makeAlias()
            var conditions = options.visible(table, alias: alias).map { [$0] } ?? []
            if let cast, let condition = typeCondition(cast, table: table, alias: alias) {
                conditions.append(condition)
            }
            scopes.append(
                Scope(
                    variable: variable,
                    cursor: RowCursor(
                        scope: scopes.count, alias: alias, table: table,
                        structure: cast ?? table.structure)))
            return ("\(table: table.name) AS \(name: alias)", conditions)
        case .term(let term) where term.isOpen:
            throw Self.notImplemented("any, all and $count of a dynamic property")
        default: throw Self.invalid("Expected a collection before any, all or $count.")
        }
    }

    private static let maximumScopes = 16
}
