import ODataModel
import ODataSQL
import ODataText

/// A table that a service makes from a CSDL document, with the foreign keys that hold its links.
struct ModelTable {
    struct Column {
        var name: String
        var declaration: String
        /// What values look like in it: a column of another form is another column.
        var form: String
        /// What rows get that were there before the column; nil where the model wants a value of them.
        var initial: String?
    }

    var name: String
    var columns: [Column] = []
    /// Keys and links, which cannot change while rows are there.
    var rules: String
    var constraints: [String] = []
    var indexes: [String] = []
    var isLink = false

    func form(of column: Column) -> String { "\(name).\(column.name)" }

    var create: [String] {
        let lines =
            columns.map { "    \(SQLName.quoted($0.name)) \($0.declaration)" }
            + constraints.map { "    " + $0 }
        return [
            "CREATE TABLE \(SQLName.quoted(name)) (\n\(lines.joined(separator: ",\n"))\n)"
                + (isLink ? " WITHOUT ROWID" : "")
        ] + indexes
    }

    /// - Throws: `unhostable` for a column that the rows there are have no value for.
    func add(_ column: Column) throws -> String {
        guard let initial = column.initial else {
            throw ODataError(
                ServiceCode.unhostable,
                "Expected a new property that may be null or has a default value.",
                at: .path(form(of: column)))
        }
        let value = initial == "NULL" ? "" : " DEFAULT \(initial)"
        return "ALTER TABLE \(SQLName.quoted(name)) ADD COLUMN "
            + "\(SQLName.quoted(column.name)) \(column.declaration)\(value)"
    }

    static func all(of model: DocumentModel) -> [ModelTable] {
        model.mapping.tables.map { ModelTable($0, of: model) }
            + model.mapping.linkTables.map { ModelTable($0, of: model.mapping) }
    }

    private init(_ table: TableMapping, of model: DocumentModel) {
        name = table.name
        rules = "key \(table.keys.map(\.path).joined(separator: ","))"
        let system = table.system
        func add(_ name: String?, _ declaration: String, initial: String? = "NULL") {
            guard let name else { return }
            columns.append(
                Column(name: name, declaration: declaration, form: declaration, initial: initial))
        }
        add(system.id, "INTEGER PRIMARY KEY")
        add(system.type, "TEXT")
        add(system.parent, "INTEGER NOT NULL", initial: nil)
        let values = ValueRules(graph: model.mapping.graph)
        for column in table.columns {
            let declared = column.encoding.declaredType
            columns.append(
                Column(
                    name: column.name, declaration: declared,
                    form: "\(declared) \(Self.form(column, model.mapping.graph))",
                    initial: values.initialSQL(of: column)))
            add(column.orderColumn, "BLOB")
            add(column.offsetColumn, "INTEGER")
        }
        add(system.dynamic, "TEXT")
        for stream in model.streams[table.id]?.all ?? [] { add(stream.column.name, "INTEGER") }
        if let parent = table.parent, let column = system.parent {
            constraints.append(
                Self.reference([column], model.mapping[parent], ["_odata_id"], "CASCADE"))
        }
        for link in ModelLink.all(of: table, in: model.mapping) {
            constraints.append(
                Self.reference(link.columns, link.target, link.targetColumns, link.onDelete))
            rules += " link \(link.columns.joined(separator: ",")) \(link.target.path)"
        }
        indexes =
            ([table.createKeyIndex].compactMap { $0 } + table.createLinkIndexes).map(
                Self.unlessThere)
    }

    private init(_ link: LinkTableMapping, of mapping: SchemaMapping) {
        name = link.name
        isLink = true
        rules = "to one \(link.isToOne) \(link.isInverseToOne)"
        for (column, table) in [(link.sourceColumn, link.source), (link.targetColumn, link.target)]
        {
            columns.append(
                Column(name: column, declaration: "INTEGER NOT NULL", form: "", initial: nil))
            constraints.append(
                Self.reference([column], mapping[table], ["_odata_id"], "CASCADE"))
        }
        constraints.append(
            "PRIMARY KEY (\(link.isToOne ? link.sourceColumn : "\(link.sourceColumn), \(link.targetColumn)"))"
        )
        indexes = link.createStatements.dropFirst().map(Self.unlessThere)
    }

    private static func form(_ column: ODataSQL.ColumnMapping, _ graph: MetadataGraph) -> String {
        let type: String
        switch column.type.kind {
        case .primitive(let primitive): type = "Edm.\(primitive.name)"
        case .enumeration(let id): type = graph[id].qualifiedName
        case .structure(let id): type = graph[id].qualifiedName
        }
        var form = column.type.isCollection ? "Collection(\(type))" : type
        if case .scaledDecimal(let scale) = column.encoding { form += " scale \(scale)" }
        return form
    }

    private static func reference(
        _ columns: [String], _ target: TableMapping, _ targetColumns: [String], _ action: String
    ) -> String {
        func list(_ names: [String]) -> String {
            names.map { SQLName.quoted($0) }.joined(separator: ", ")
        }
        return "FOREIGN KEY (\(list(columns))) REFERENCES \(SQLName.quoted(target.name))"
            + " (\(list(targetColumns))) ON DELETE \(action)"
    }

    private static func unlessThere(_ statement: String) -> String {
        for word in ["CREATE UNIQUE INDEX ", "CREATE INDEX "] where statement.hasPrefix(word) {
            return word + "IF NOT EXISTS " + statement.dropFirst(word.count)
        }
        return statement
    }
}

/// A link that a foreign key of a table holds.
struct ModelLink {
    var columns: [String]
    var target: TableMapping
    var targetColumns: [String]
    /// What SQLite does with the row when the other one is deleted.
    var onDelete: String

    /// The links of a table whose properties name the key of another row (CSDL 4.01, section 8.5).
    static func all(of table: TableMapping, in mapping: SchemaMapping) -> [ModelLink] {
        table.navigations.compactMap { navigation in
            guard let slot = navigation.slots.first, navigation.slots.count == 1,
                case .columns(let pairs) = navigation.storage, !navigation.containsTarget,
                mapping.graph[navigation.owner].properties[slot].navigation?
                    .referentialConstraints.isEmpty == false
            else { return nil }
            let target = mapping[navigation.target]
            guard target.parent == nil, Set(pairs.map(\.target)) == Set(target.uniqueColumns)
            else { return nil }
            return ModelLink(
                columns: pairs.map(\.source), target: target, targetColumns: pairs.map(\.target),
                onDelete: action(navigation, pairs, target, mapping))
        }
    }

    /// What the way back says of deletions (CSDL 4.01, section 8.6); a row that others need stays where nothing is said.
    private static func action(
        _ navigation: NavigationMapping, _ pairs: [LinkedColumns], _ target: TableMapping,
        _ mapping: SchemaMapping
    ) -> String {
        let inverse = pairs.map { LinkedColumns(source: $0.target, target: $0.source) }
        for back in target.navigations where back.storage == .columns(inverse) {
            guard let slot = back.slots.first else { continue }
            switch mapping.graph[back.owner].properties[slot].navigation?.onDelete {
            case .cascade?: return "CASCADE"
            case .setNull?: return "SET NULL"
            case .setDefault?: return "SET DEFAULT"
            case .some(.none), nil: continue
            }
        }
        return "NO ACTION"
    }
}
