import ODataModel
import ODataQuery
import ODataText

/// A place that a path has reached: a row, a complex value inside it, or a JSON value.
struct RowCursor: Sendable {
    /// The scope whose FROM clause takes the joins.
    var scope: Int
    var alias: String
    /// Nil for members of JSON collections.
    var table: TableMapping?
    /// The type in whose terms names are read, after casts.
    var structure: StructureID?
    /// The flattened complex properties walked so far, with a closing `/`.
    var prefix = ""
    /// The condition that a cast puts on values read through it.
    var castCondition: SQLText?
    /// A JSON value that is not mapped to columns, and its type.
    var json: JSONPlace?
    /// A value that no type declares.
    var open: ExpressionCompiler.OpenPlace?
    /// Values by name that are no columns: what `$compute` and the steps of `$apply` made.
    var dynamic: [String: SQLTerm] = [:]
    /// A row of a subselect, which has nothing but ``dynamic``.
    var isDerived = false

    struct JSONPlace: Sendable {
        var sql: SQLText
        var type: TypeReference
    }
}

/// Where a path ends.
enum PathEnd: Sendable {
    case term(SQLTerm)
    case row(RowCursor)
    /// Rows of a collection-valued navigation, seen from the row it starts at.
    case rows(NavigationMapping, from: RowCursor, cast: StructureID?)
    /// Members of a collection in JSON text.
    case elements(SQLText, TypeReference)
    /// All rows of an entity set.
    case table(TableMapping, cast: StructureID?)
}

extension ExpressionCompiler {
    /// The value a path leads to.
    mutating func term(for path: ExpressionPath) throws -> SQLTerm {
        if let term = try hierarchyFunction(path) { return term }
        switch try resolve(path) {
        case .term(let term): return term
        case .row(let cursor):
            if let json = cursor.json { return self.term(json) }
            guard let table = cursor.table else { throw Self.invalid("Expected a property path.") }
            guard cursor.prefix.isEmpty else {
                return Self.conditional(presence(in: table, cursor), in: cursor)
            }
            return SQLTerm(identity(of: table, alias: cursor.alias), .row)
        case .elements(let sql, let type): return SQLTerm(sql, .json(type))
        case .rows, .table:
            throw Self.invalid("Expected a single value, found a collection of entities.")
        }
    }

    /// What is null where a complex value is null: the column of the nearest complex property that can be, else the row's
    /// identity.
    private func presence(in table: TableMapping, _ cursor: RowCursor) -> SQLTerm {
        var path = cursor.prefix.dropLast()
        while !path.isEmpty {
            let column = table.columns.first { $0.path == path && $0.encoding == .presence }
            if let column {
                return SQLTerm("\(name: cursor.alias).\(name: column.name)", .complex)
            }
            path = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        }
        return SQLTerm(identity(of: table, alias: cursor.alias), .complex)
    }

    /// The column that tells whether an outer-joined row is there.
    func identity(of table: TableMapping, alias: String) -> SQLText {
        let column = table.identityColumns.first ?? table.columns.first?.name ?? "rowid"
        return "\(name: alias).\(name: column)"
    }

    /// Walks a path from its root.
    mutating func resolve(_ path: ExpressionPath) throws -> PathEnd {
        if let (start, rest) = try elsewhere(path) {
            guard case .row(let cursor) = start else { return start }
            return try walk(rest, from: cursor)
        }
        let cursor = try root(of: path)
        if let term = try dynamicTerm(path, at: cursor) {
            if case .json(let type) = term.kind, type.isCollection {
                return .elements(term.sql, type)
            }
            return .term(term)
        }
        return try walk(path.segments, from: cursor)
    }

    private mutating func walk(
        _ segments: [ExpressionPath.Segment], from start: RowCursor
    ) throws -> PathEnd {
        var cursor = start
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch segment {
            case .property(let name):
                let end = try step(cursor, to: name)
                switch end {
                case .row(let next): cursor = next
                case .rows(let navigation, let from, _):
                    let rest = segments[(position + 1)...]
                    return .rows(navigation, from: from, cast: try collectionCast(rest))
                default:
                    guard isLast else {
                        throw Self.invalid("Expected the end of a path after \(name).")
                    }
                    return end
                }
            case .typeCast(let name): cursor = try cast(cursor, to: name)
            case .annotation, .function, .key, .filter:
                throw Self.notImplemented("keys, functions and annotations in paths")
            }
        }
        if let open = cursor.open {
            return .term(Self.conditional(try Self.term(open), in: cursor))
        }
        return .row(cursor)
    }

    /// A value that is no column; nil for everything else.
    private func dynamicTerm(
        _ path: ExpressionPath, at cursor: RowCursor
    ) throws -> SQLTerm? {
        guard cursor.isDerived || !cursor.dynamic.isEmpty else { return nil }
        let name = path.propertyNames?.joined(separator: "/")
        if let name, var term = cursor.dynamic[name] {
            if term.kind == .boolean, !cursor.isDerived { term.sql = "(\(term.sql))" }
            return term
        }
        guard cursor.isDerived else { return nil }
        throw ODataError(
            .unknownName, "Expected a property of the rows that $apply gave.",
            at: .path(name ?? "path"), status: 400)
    }

    private func root(of path: ExpressionPath) throws -> RowCursor {
        switch path.root {
        case .it: return scopes[itScope].cursor
        case .this: return scopes[scopes.count - 1].cursor
        case .variable(let name):
            guard let scope = scopes.last(where: { $0.variable == name }) else {
                throw Self.invalid("Expected a lambda variable in scope, found \(name).")
            }
            return scope.cursor
        case .these: throw Self.notImplemented("$these")
        case .root: throw Self.notImplemented("$root")
        }
    }

    func collectionCast(_ rest: ArraySlice<ExpressionPath.Segment>) throws -> StructureID? {
        guard let first = rest.first else { return nil }
        guard rest.count == 1, case .typeCast(let name) = first,
            let type = graph.structure(named: name)
        else { throw Self.invalid("Expected any, all or $count after a collection.") }
        return type
    }

    /// One property further.
    private mutating func step(_ cursor: RowCursor, to name: String) throws -> PathEnd {
        var opened = cursor
        opened.open?.names.append(name)
        if cursor.open == nil { opened.open = try openPlace(name, of: cursor) }
        if opened.open != nil { return .row(opened) }
        if let json = cursor.json { return try step(json, in: cursor, to: name) }
        guard let table = cursor.table, let structure = cursor.structure else {
            throw Self.invalid("Expected a property of a structured type, found \(name).")
        }
        let path = cursor.prefix + name
        if let navigation = table.navigations.first(where: {
            $0.path == path && isVisible($0.owner, in: structure)
        }) {
            if navigation.isCollection {
                guard crossesCollections else { return .rows(navigation, from: cursor, cast: nil) }
                let crossing = Crossing(fromAlias: cursor.alias, path: navigation.path)
                if !crossings.contains(crossing) { crossings.append(crossing) }
            }
            return .row(try join(navigation, from: cursor))
        }
        if let column = table.columns.first(where: {
            $0.path == path && isVisible($0.owner, in: structure)
        }), column.encoding != .presence {
            return Self.end(column.term(alias: cursor.alias), in: cursor)
        }
        guard table.columns.contains(where: { $0.path.hasPrefix(path + "/") }) else {
            throw ODataError(
                .unknownName,
                "Expected a property of \(graph[structure].qualifiedName), found \(path).",
                at: .path(path), status: 400)
        }
        var next = cursor
        next.prefix = path + "/"
        return .row(next)
    }

    /// A property is visible in its own type and in types derived from that.
    private func isVisible(_ owner: StructureID, in structure: StructureID) -> Bool {
        graph.isA(structure, owner)
    }

    /// Null where the row is not of the type that the path was cast to.
    private static func conditional(_ term: SQLTerm, in cursor: RowCursor) -> SQLTerm {
        guard let condition = cursor.castCondition else { return term }
        var term = term
        term.sql = "CASE WHEN \(condition) THEN \(term.sql) END"
        return term
    }

    private static func end(_ term: SQLTerm, in cursor: RowCursor) -> PathEnd {
        let term = conditional(term, in: cursor)
        guard case .json(let type) = term.kind else { return .term(term) }
        if type.isCollection { return .elements(term.sql, type) }
        var next = cursor
        next.json = RowCursor.JSONPlace(sql: term.sql, type: type)
        return .row(next)
    }

    private func step(
        _ json: RowCursor.JSONPlace, in cursor: RowCursor, to name: String
    ) throws -> PathEnd {
        guard let id = json.type.structure, let slot = graph[id].slot(named: name) else {
            throw ODataError(
                .unknownName, "Expected a property of a complex value, found \(name).",
                at: .path(name), status: 400)
        }
        let type = graph[id].properties[slot].type
        let sql = dialect.member(name, of: json.sql)
        if type.isCollection { return .elements(sql, type) }
        var next = cursor
        next.json = RowCursor.JSONPlace(sql: sql, type: type)
        return .row(next)
    }

    /// A value inside JSON text, brought into the form of the columns.
    func term(_ place: RowCursor.JSONPlace) -> SQLTerm {
        let sql = place.sql
        switch place.type.kind {
        case .structure: return SQLTerm(sql, .complex)
        case .enumeration: return SQLTerm(sql, .string)
        case .primitive(let type):
            switch type {
            case .boolean: return SQLTerm(dialect.jsonBoolean(sql), .boolean)
            case .byte, .sbyte, .int16, .int32, .int64:
                return SQLTerm(dialect.integer(sql), .integer)
            case .single, .double, .decimal:
                return SQLTerm(dialect.real(sql), .real(isStored: false))
            case .guid: return SQLTerm("lower(\(sql))", .guid)
            case .date: return SQLTerm(sql, .date)
            case .timeOfDay: return SQLTerm(sql, .time)
            case .dateTimeOffset:
                return SQLTerm("rtrim(\(sql), 'Z')", .instant(offset: nil))
            case .dateTime: return SQLTerm(sql, .wall)
            case .string, .untyped: return SQLTerm(sql, .string)
            default: return SQLTerm(sql, .json(place.type))
            }
        }
    }

    private func cast(_ cursor: RowCursor, to name: String) throws -> RowCursor {
        guard let type = graph.structure(named: name) else {
            throw ODataError(
                .unknownName, "Expected a type of the model, found \(name).", at: .path(name),
                status: 400)
        }
        guard cursor.open == nil else { throw Self.notImplemented("casts of dynamic properties") }
        guard let table = cursor.table, cursor.prefix.isEmpty else { return cursor }
        guard graph.isA(type, table.structure) || graph.isA(table.structure, type) else {
            throw Self.invalid("Expected a type related to the path's, found \(name).")
        }
        var next = cursor
        next.structure = graph.isA(type, table.structure) ? type : table.structure
        next.castCondition = typeCondition(type, table: table, alias: cursor.alias)
        return next
    }

    /// The condition that a row is of this type or a derived one; nil when every row is.
    func typeCondition(_ type: StructureID, table: TableMapping, alias: String) -> SQLText? {
        if graph.isA(table.structure, type) { return nil }
        guard let column = table.system.type, graph.isA(type, table.structure) else {
            return SQLText(truth: false)
        }
        let names = graph.familyOf(type).map {
            SQLText(argument: .text(graph[$0].qualifiedName))
        }
        return "\(name: alias).\(name: column) IN (\(names.joined(", ")))"
    }
}
