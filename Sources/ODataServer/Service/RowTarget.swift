import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// The rows that a resource path leads to: a table and the column values they have.
struct RowTarget {
    var table: TableMapping
    /// Property columns with the value that every row of the target has.
    var conditions: [(column: ODataSQL.ColumnMapping, value: Scalar)] = []
    /// A key or a to-one navigation leads to at most one row.
    var isSingle = false
    /// How the path got here from a row, when its last step was a navigation property.
    var step: Step?
    /// True when a link on the way is null: there is no row.
    var isEmpty = false
    /// Conditions that no property of the rows tells: the row that they are part of or linked with, and their type.
    var memberships: [Membership] = []
    /// How the rows are read where conditions on their properties do not tell them; nil where these do.
    var path: [ResourcePath.Segment]?
    /// The derived type that the path asks for; nil for the type of the table.
    var cast: StructureID?

    /// A condition on the internal columns of a row, with its value where it has one.
    struct Membership {
        var sql: String
        var value: Int64?
    }

    struct Step {
        var source: TableMapping
        /// The identity of the source row.
        var sourceKey: [(column: ODataSQL.ColumnMapping, value: Scalar)]
        var navigation: NavigationMapping
        /// The internal number of the source row; nil in tables without one.
        var sourceID: Int64?

        /// The row that the property is of.
        var target: RowTarget {
            guard let sourceID else {
                return RowTarget(table: source, conditions: sourceKey, isSingle: true)
            }
            return RowTarget.row(sourceID, of: source)
        }
    }

    /// The type that rows are declared to have.
    var structure: StructureID { cast ?? table.structure }

    /// The one row with an internal number.
    static func row(_ id: Int64, of table: TableMapping) -> RowTarget {
        var target = RowTarget(table: table, isSingle: true)
        let name = SQLName.quoted(table.system.id ?? "rowid")
        target.memberships = [Membership(sql: "\(name) = ?", value: id)]
        return target
    }

    /// The row as one of the rows that it was made among, with the path that names it there.
    func named(_ key: [Scalar], in rows: RowTarget) -> RowTarget {
        var result = self
        result.conditions = zip(table.keys, key).map { ($0, $1) }
        result.step = rows.step
        result.path = (rows.path ?? [.entitySet(table.path)])
        guard rows.step?.navigation.isCollection != false else { return result }
        let parts = zip(table.keys, key).map { column, scalar in
            KeyValue(
                name: table.keys.count == 1 ? nil : column.path,
                value: .literal(scalar, column.type.primitive))
        }
        result.path?.append(.key(parts))
        return result
    }

    /// What a query for the rows begins with.
    var query: Query {
        path.map { Query(path: ResourcePath($0)) } ?? Query(entitySet: table.path)
    }

    /// True when the last step was a to-one navigation property, so that there may be no row.
    var isLink: Bool { step.map { !$0.navigation.isCollection } ?? false }

    /// The conditions as an expression over the table's properties; nil when there are none.
    var filter: Expression? {
        guard path == nil else { return nil }
        return conditions.map { condition in
            Expression.binary(
                .eq, .path(ExpressionPath(condition.column.path)),
                .literal(condition.value, condition.column.type.primitive))
        }.reduce(nil) { sum, next in sum.map { .binary(.and, $0, next) } ?? next }
    }
}

/// Walks resource paths, one row at a time.
struct PathWalker {
    let exchange: Exchange

    private var mapping: SchemaMapping { exchange.model.mapping }

    /// Where a path ends: rows, or something of one row.
    struct End {
        var target: RowTarget
        /// The structural property after the rows.
        var property: ODataSQL.ColumnMapping?
        /// The names of a property after the rows that is more than one value: complex, or a collection.
        var structure: [String]?
        /// The stream property after the rows.
        var stream: StreamColumn?
        var wantsCount = false
        var wantsValue = false
        var wantsReference = false
        /// A condition of the path narrows the rows.
        var isFiltered = false
        /// The path so far.
        var walked: [ResourcePath.Segment] = []

        /// The table of the entity that a write changes: a link is part of the entity with the navigation property.
        var changed: TableMapping {
            wantsReference ? target.step?.source ?? target.table : target.table
        }

        /// True for the whole of one entity.
        var isEntity: Bool {
            target.isSingle && property == nil && structure == nil && stream == nil && !wantsCount
                && !wantsValue && !wantsReference
        }
    }

    func walk(_ path: ResourcePath) throws -> End {
        guard case .entitySet(let name)? = path.segments.first else {
            throw ODataError(
                .notImplemented, "Expected a path that begins with an entity set.", status: 501)
        }
        guard let table = mapping.table(path: name) else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service.", at: .path(name),
                status: 404)
        }
        var end = End(target: RowTarget(table: table), walked: [.entitySet(name)])
        if let set = exchange.graph.entitySet(named: name), exchange.graph[set].isSingleton {
            end.target.isSingle = true
        }
        for segment in path.segments.dropFirst() { try step(&end, segment) }
        return end
    }

    private func step(_ end: inout End, _ segment: ResourcePath.Segment) throws {
        guard !end.wantsCount, !end.wantsValue, !end.wantsReference else {
            throw Self.invalid("Expected the end of the path.")
        }
        try Self.requireRows(end, segment)
        end.walked.append(segment)
        switch segment {
        case .key(let values):
            guard !end.target.isSingle, end.property == nil else {
                throw Self.invalid("Expected a key after a collection of entities.")
            }
            let table = end.target.table
            if let properties = exchange.graph.alternateKey(values, of: table.structure) {
                end.target.conditions += try alternateConditions(values, properties, table)
            } else {
                let key = try keyScalars(values, of: table)
                end.target.conditions += zip(table.keys, key).map { ($0, $1) }
            }
            end.target.isSingle = true
            if end.target.path != nil { end.target.path = end.walked }
        case .property(let name):
            guard end.target.isSingle, end.property == nil, end.stream == nil else {
                throw Self.invalid("Expected a single entity before \(name).")
            }
            let path = ((end.structure ?? []) + [name]).joined(separator: "/")
            let table = end.target.table
            if let navigation = table.navigation(path: path) {
                try exchange.access?.require(.read, table)
                end.target = try follow(navigation, from: end.target, end.walked)
                end.structure = nil
            } else if let column = table.column(path: path), column.isOneValue {
                end.property = column
            } else if table.columns.contains(where: { ($0.path + "/").hasPrefix(path + "/") }) {
                end.structure = (end.structure ?? []) + [name]
            } else if end.structure == nil,
                let stream = exchange.model.streams[end.target.table.id]?.properties
                    .first(where: { $0.property == name })
            {
                end.stream = stream
            } else {
                throw ODataError(
                    .unknownName, "Expected a property of the entity type.", at: .path(name),
                    status: 404)
            }
        case .count: end.wantsCount = true
        case .value: end.wantsValue = true
        case .ref: end.wantsReference = true
        case .typeCast(let name):
            try cast(&end, to: name)
        case .filter: try filter(&end)
        default:
            throw ODataError(
                .notImplemented, "Expected keys, properties, $count, $value or $ref in the path.",
                status: 501)
        }
    }

    /// The rows that a navigation property leads to from the one row of `source`.
    private func follow(
        _ navigation: NavigationMapping, from source: RowTarget, _ walked: [ResourcePath.Segment]
    ) throws -> RowTarget {
        guard case .columns(let pairs) = navigation.storage, !navigation.containsTarget else {
            guard exchange.model.isDocument || exchange.model.isMirror && !exchange.isRead else {
                throw ODataError(
                    .notImplemented, "Expected links by foreign keys; $expand reads the others.",
                    status: 501)
            }
            return try members(navigation, of: source, walked)
        }
        let target = mapping[navigation.target]
        let wanted = source.table.keys.map(\.name) + pairs.map(\.source)
        guard let row = try TargetRows(exchange).values(wanted, of: source) else {
            throw Self.missing()
        }
        var result = RowTarget(table: target, isSingle: !navigation.isCollection)
        var sourceKey: [(column: ODataSQL.ColumnMapping, value: Scalar)] = []
        for (column, value) in zip(source.table.keys, row) { sourceKey.append((column, value)) }
        result.step = RowTarget.Step(
            source: source.table, sourceKey: sourceKey, navigation: navigation,
            sourceID: try TargetRows(exchange).rowID(of: source))
        for (pair, value) in zip(pairs, row.dropFirst(source.table.keys.count)) {
            guard let column = target.columns.first(where: { $0.name == pair.target }) else {
                throw ODataError(.storage, "Expected the linked column to be exposed.")
            }
            if value == .null { result.isEmpty = true }
            result.conditions.append((column, value))
        }
        return result
    }

    /// The rows that are part of a row, or linked with it by a table of links.
    private func members(
        _ navigation: NavigationMapping, of source: RowTarget, _ walked: [ResourcePath.Segment]
    ) throws -> RowTarget {
        guard let id = try TargetRows(exchange).rowID(of: source) else { throw Self.missing() }
        var result = RowTarget(
            table: mapping[navigation.target], isSingle: !navigation.isCollection)
        result.step = RowTarget.Step(
            source: source.table, sourceKey: [], navigation: navigation, sourceID: id)
        result.path = walked
        switch navigation.storage {
        case .columns:
            let parent = SQLName.quoted(result.table.system.parent ?? "_odata_parent")
            result.memberships = [RowTarget.Membership(sql: "\(parent) = ?", value: id)]
        case .linkTable(let index, let isReversed):
            let link = LinkRows.Ends(mapping.linkTables[index], isReversed: isReversed)
            result.memberships = [
                RowTarget.Membership(
                    sql: "\(SQLName.quoted(result.table.system.id ?? "rowid")) IN (SELECT "
                        + "\(link.there) FROM \(link.table) WHERE \(link.here) = ?)", value: id)
            ]
        }
        return result
    }

    /// Narrows the rows to those that pass a condition (URL Conventions 4.01, section 4.12).
    private func filter(_ end: inout End) throws {
        guard exchange.isRead else {
            throw ODataError(
                .notImplemented, "Expected a request that reads behind $filter(…).", status: 501)
        }
        guard !end.target.isSingle, end.property == nil, end.structure == nil, end.stream == nil
        else { throw Self.invalid("Expected a collection of entities before $filter(…).") }
        end.target.path = end.walked
        end.isFiltered = true
    }

    /// - Throws: 501 for what leads to one of the rows of a filtered collection.
    private static func requireRows(_ end: End, _ segment: ResourcePath.Segment) throws {
        switch segment {
        case .key, .property:
            guard end.isFiltered else { return }
            throw ODataError(
                .notImplemented, "Expected no single entity behind $filter(…).", status: 501)
        default: return
        }
    }

    /// Narrows the rows to those of a derived type.
    private func cast(_ end: inout End, to name: String) throws {
        let (graph, table) = (exchange.graph, end.target.table)
        guard end.property == nil, end.structure == nil, end.stream == nil,
            let type = graph.structure(named: name), graph.isA(type, table.structure)
        else {
            throw Self.invalid(
                "Expected \(graph[table.structure].qualifiedName) or a type derived from it.")
        }
        guard type != table.structure, let column = table.system.type else { return }
        let names = graph.familyOf(type).map { SQLName.constant(graph[$0].qualifiedName) }
        end.target.cast = type
        end.target.path = end.walked
        end.target.memberships.append(
            RowTarget.Membership(
                sql: "\(SQLName.quoted(column)) IN (\(names.joined(separator: ", ")))", value: nil))
    }

    /// The columns of an alternate key with the values wanted of them.
    private func alternateConditions(
        _ values: [KeyValue], _ properties: [KeyProperty], _ table: TableMapping
    ) throws -> [(ODataSQL.ColumnMapping, Scalar)] {
        try properties.map { property in
            guard let column = table.column(path: property.path),
                let value = values.first(where: { $0.name == property.name })
            else { throw Self.invalid("Expected a value for the key \(property.name).") }
            return (column, try KeyLiteral.scalar(value.value, for: column))
        }
    }

    /// The key's values in key order, brought to the types of the key properties.
    ///
    /// - Throws: 400 for a wrong number of values, unknown names and literals of other types.
    func keyScalars(_ values: [KeyValue], of table: TableMapping) throws -> [Scalar] {
        guard values.count == table.keys.count else {
            throw Self.invalid(
                "Expected \(table.keys.count) key values, found \(values.count).")
        }
        if values.count == 1, values[0].name == nil {
            return [try KeyLiteral.scalar(values[0].value, for: table.keys[0])]
        }
        return try table.keys.map { column in
            guard let value = values.first(where: { $0.name == column.path }) else {
                throw Self.invalid("Expected a value for the key property \(column.path).")
            }
            return try KeyLiteral.scalar(value.value, for: column)
        }
    }

    static func invalid(_ message: String) -> ODataError {
        ODataError(.invalidQuery, message, status: 400)
    }

    static func missing() -> ODataError {
        ODataError(.notFound, "Expected an entity with this key, found none.", status: 404)
    }
}

/// Reads literals of keys.
enum KeyLiteral {
    /// The value of a literal as the column's type.
    static func scalar(_ expression: Expression, for column: ODataSQL.ColumnMapping) throws
        -> Scalar
    {
        switch expression {
        case .literal(let scalar, let written):
            switch (column.type.primitive, scalar) {
            case (.string, .string), (.guid, .guid), (.date, .date), (.boolean, .boolean):
                return scalar
            case (let type?, .integer(let number)) where type.isInteger:
                return .integer(number)
            case (let type?, _) where type != .string && !type.isInteger:
                guard
                    let value = LiteralConversion.scalar(
                        scalar, written: written, as: type), value != Scalar.null
                else { throw mismatch(column) }
                return value
            default: throw mismatch(column)
            }
        case .unary(.negate, .literal(.integer(let number), _)) where number > 0:
            guard column.type.primitive?.isInteger == true else { throw mismatch(column) }
            return .integer(-number)
        default: throw mismatch(column)
        }
    }

    private static func mismatch(_ column: ODataSQL.ColumnMapping) -> ODataError {
        PathWalker.invalid(
            "Expected a literal of type Edm.\(column.type.primitive?.name ?? "PrimitiveType") "
                + "for \(column.path).")
    }
}

extension ODataSQL.ColumnMapping {
    /// False for complex properties and collections.
    var isOneValue: Bool {
        guard !type.isCollection else { return false }
        if case .structure = type.kind { return false }
        return encoding != .presence
    }
}
