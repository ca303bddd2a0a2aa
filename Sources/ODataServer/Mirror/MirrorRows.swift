import GRDB
import ODataModel
import ODataQuery
import ODataSQL
import ODataText

/// Brings single entities of the service that is mirrored into the rows here, as a reading of everything does with all of
/// them, and compares them.
///
/// Used inside one write. Values are in the model that is offered.
struct MirrorRows {
    /// With nobody's view: what the other service says is so, whoever asked.
    let exchange: Exchange

    private var graph: MetadataGraph { exchange.graph }
    private var mapping: SchemaMapping { exchange.model.mapping }

    /// The columns that a value tells, with what they hold then.
    private struct Content {
        var names: [String] = []
        var values: [SQLArgument] = []

        mutating func add(_ name: String, _ value: SQLArgument) {
            names.append(name)
            values.append(value)
        }
    }

    private static func content(
        _ value: StructureValue, _ table: TableMapping, _ graph: MetadataGraph
    ) throws -> Content {
        var content = Content()
        let encoder = RowEncoder(table: table, graph: graph)
        for assignment in try encoder.assignments(for: value) {
            for (name, argument) in zip(assignment.column.storedColumns, assignment.arguments) {
                content.add(name, argument)
            }
        }
        if let name = table.system.type {
            let isDerived = value.type != table.structure
            content.add(name, isDerived ? .text(graph[value.type].qualifiedName) : .null)
        }
        if let name = table.system.dynamic, !value.dynamicValues.isEmpty {
            content.add(
                name, .text(try StoredJSON(graph: graph).dynamicText(value.dynamicValues)))
        }
        return content
    }

    /// The number of the row with a key.
    func id(_ key: [Scalar], of table: TableMapping, parent: Int64? = nil) throws -> Int64? {
        var row = EntityChanges(exchange).row(key, of: table)
        if let parent, let name = table.system.parent {
            row.memberships.append(
                RowTarget.Membership(sql: "\(SQLName.quoted(name)) = ?", value: parent))
        }
        return try TargetRows(exchange, sees: .all).rowID(of: row)
    }

    private func idName(_ table: TableMapping) -> String {
        SQLName.quoted(table.system.id ?? "rowid")
    }

    // MARK: Comparing

    /// Whether the row here is as a value says, in everything that it says.
    func isSame(_ value: StructureValue, in table: TableMapping) throws -> Bool {
        let key = try EntityTagger.key(of: value, in: table)
        guard let id = try id(key, of: table) else { return false }
        let content = try Self.content(value, table, graph)
        let same = content.names.map { "\(SQLName.quoted($0)) IS ?" }
        return try exchange.database.integer(
            "SELECT 1 FROM \(SQLName.quoted(table.name)) WHERE \(idName(table)) = \(id) AND "
                + same.joined(separator: " AND "), content.values) != nil
    }

    /// What tells one state of an entity from another.
    static func digest(
        _ value: StructureValue, in table: TableMapping, _ graph: MetadataGraph
    ) throws -> String {
        let content = try content(value, table, graph)
        let text = zip(content.names, content.values).map { name, value in
            "\(name)=\(RowKey.literal(value.databaseValue))"
        }
        return Fingerprint.text(of: text.joined(separator: "\n"))
    }

    /// Whether an entity has everything that a request has written.
    static func holds(
        _ found: StructureValue, _ written: StructureValue, in table: TableMapping,
        _ graph: MetadataGraph
    ) throws -> Bool {
        guard found.type == written.type else { return false }
        let encoder = RowEncoder(table: table, graph: graph)
        return try encoder.assignments(for: written).allSatisfy { assignment in
            let column = assignment.column
            return try encoder.comparedArgument(column, found)
                == encoder.comparedArgument(column, written)
        }
    }

    // MARK: Writing

    /// Makes or changes the row of an entity, and those of the entities inside of it, with the links between them.
    ///
    /// - Returns: the number of the row.
    @discardableResult
    func bring(
        _ value: StructureValue, into table: TableMapping, parent: Int64? = nil, depth: Int = 0
    ) throws -> Int64 {
        guard depth <= Self.maximumDepth else {
            throw ODataError(
                .limitExceeded, "Expected at most \(Self.maximumDepth) levels of related entities.")
        }
        let key = try EntityTagger.key(of: value, in: table)
        var content = try Self.content(value, table, graph)
        let row: Int64
        if let known = try id(key, of: table, parent: parent) {
            try update(known, of: table, content)
            row = known
        } else {
            if let parent, let name = table.system.parent { content.add(name, .integer(parent)) }
            row = try insert(content, into: table)
        }
        if table.parent == nil { try protect(key, of: table) }
        try bringRelated(of: value, row, table, depth)
        return row
    }

    private func update(_ id: Int64, of table: TableMapping, _ content: Content) throws {
        guard !content.names.isEmpty else { return }
        let names = content.names.map { SQLName.quoted($0) }
        let (set, differs) = (names.map { "\($0) = ?" }, names.map { "\($0) IS NOT ?" })
        try exchange.database.execute(
            sql: "UPDATE \(SQLName.quoted(table.name)) SET \(set.joined(separator: ", ")) WHERE "
                + "\(idName(table)) = ? AND (\(differs.joined(separator: " OR ")))",
            arguments: StatementArguments(
                content.values.map(\.databaseValue) + [id.databaseValue]
                    + content.values.map(\.databaseValue)))
    }

    private func insert(_ content: Content, into table: TableMapping) throws -> Int64 {
        let names = content.names.map { SQLName.quoted($0) }
        let marks = names.map { _ in "?" }
        try exchange.database.execute(
            sql: "INSERT INTO \(SQLName.quoted(table.name)) (\(names.joined(separator: ", ")))"
                + " VALUES (\(marks.joined(separator: ", ")))",
            arguments: StatementArguments(content.values.map(\.databaseValue)))
        // The triggers of the log insert rows, too; what they do is over by then.
        return try exchange.database.lastInsertedRowID
    }

    private func bringRelated(
        of value: StructureValue, _ row: Int64, _ table: TableMapping, _ depth: Int
    ) throws {
        for navigation in table.navigations where graph.isA(value.type, navigation.owner) {
            guard navigation.slots.count == 1, let slot = navigation.slots.first,
                value.slots.indices.contains(slot), let member = value.slots[slot]
            else { continue }
            var related: [StructureValue] = []
            switch member {
            case .structure(let one): related = [one]
            case .list(let list): related = list.compactMap(\.structure)
            default: continue
            }
            let target = mapping[navigation.target]
            for entity in related {
                let isInside = navigation.containsTarget
                let other = try bring(
                    entity, into: target, parent: isInside ? row : nil, depth: depth + 1)
                if isInside {
                    try LinkRows(exchange).touch(other, of: target)
                } else {
                    try LinkRows(exchange).add(navigation, from: row, of: table, to: other)
                }
            }
        }
    }

    /// Takes a row away, with what is part of it and its links.
    func remove(_ key: [Scalar], of table: TableMapping) throws {
        try protect(key, of: table)
        guard let id = try id(key, of: table) else { return }
        try LinkRows(exchange).touchLinked(with: id, of: table)
        try remove("SELECT \(id)", of: table, depth: 0)
    }

    private func remove(_ rows: String, of table: TableMapping, depth: Int) throws {
        for inner in mapping.tables where inner.parent == table.id && depth < Self.maximumDepth {
            let parent = SQLName.quoted(inner.system.parent ?? "_odata_parent")
            try remove(
                "SELECT \(idName(inner)) FROM \(SQLName.quoted(inner.name)) "
                    + "WHERE \(parent) IN (\(rows))", of: inner, depth: depth + 1)
        }
        for link in mapping.linkTables {
            for (end, column) in [
                (link.source, link.sourceColumn), (link.target, link.targetColumn),
            ] where end == table.id {
                try exchange.database.execute(
                    sql: "DELETE FROM \(SQLName.quoted(link.name)) "
                        + "WHERE \(SQLName.quoted(column)) IN (\(rows))")
            }
        }
        try exchange.database.execute(
            sql: "DELETE FROM \(SQLName.quoted(table.name)) WHERE \(idName(table)) IN (\(rows))")
    }

    /// The row stays as it is now for readings that have begun.
    func protect(_ key: [Scalar], of table: TableMapping) throws {
        try WrittenThrough(database: exchange.database).note(
            TargetRows.rowKey(key, of: table), of: table)
    }

    private static let maximumDepth = 8
}
