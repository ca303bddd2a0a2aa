import ODataModel
import ODataSQL
import ODataText

/// Turns the schema of an existing database into OData metadata and the mapping that reads and writes it.
///
/// Tables become entity sets, foreign keys navigation properties both ways, views read-only sets. A pure function:
/// the same schema gives the same model.
package struct DatabaseModelBuilder: Sendable {
    package struct Options: Sendable {
        package var namespace = "Database"
        package var container = "Container"
        /// Names of entity types by table; a table without one gives its type its own name.
        package var typeNames: [String: String] = [:]
        /// True lets clients read only.
        package var isReadOnly = false
        /// Functions and actions to offer.
        package var operations: [ServiceOperation] = []
        /// Tables whose changes cannot be tracked.
        package var untracked: Set<String> = []
        /// False where changes are taken of tables only whose rows bring their tags, and tracked of ``tracked`` only.
        package var tracksChanges = true
        /// Tables whose changes are tracked though ``tracksChanges`` is false.
        package var tracked: Set<String> = []
        /// False where requests are not repeatable.
        package var remembersAnswers = true
        /// The document that says what of the database is offered; nil for all of it.
        package var overlay: ModelOverlay?
        /// True adds to each element which table, column or foreign key it is.
        package var namesOrigins = false

        package init() {}
    }

    /// What was made, and what is renamed, restricted or left out, and why.
    package struct Result: Sendable {
        package var mapping: SchemaMapping
        package var notes: [String]
        /// The streams of the rows, by table.
        package var streams: [TableID: TableStreams]
    }

    private struct Exposed {
        var table: DatabaseSchema.Table
        var setName: String
        var typeName: String
        var usesRowID: Bool
        var properties: [PropertyDefinition]
        var columns: [ColumnMapping]
        var key: [String]
        var names: IdentifierSpace
        /// False where clients read only.
        var takesChanges: Bool
        var navigations: [NavigationMapping] = []
        var bindings: [NavigationBinding] = []
        var streams = TableStreams()
    }

    private let schema: DatabaseSchema
    private let options: Options
    private var exposed: [Exposed] = []
    private var indexByTable: [String: Int] = [:]
    private var notes: [String] = []

    package init(_ schema: DatabaseSchema, options: Options = Options()) {
        self.schema = schema
        self.options = options
    }

    /// - Throws: `invalidMetadata` only when names could not be made unique.
    package static func build(_ schema: DatabaseSchema, options: Options = Options()) throws
        -> Result
    {
        var builder = DatabaseModelBuilder(schema, options: options)
        builder.notes = schema.problems
        builder.exposeTables()
        builder.exposeForeignKeys()
        let graph = try builder.graph()
        return Result(
            mapping: SchemaMapping(graph: graph, tables: builder.tables()), notes: builder.notes,
            streams: builder.streams())
    }

    private mutating func exposeTables() {
        var sets = IdentifierSpace()
        var types = IdentifierSpace()
        _ = types.claim(options.container)
        for table in schema.tables {
            let set = options.overlay?.set(of: table.name)
            // What the document does not have is left out on purpose.
            guard options.overlay == nil || set != nil else { continue }
            guard let key = key(of: table) else {
                notes.append(
                    "\(table.isView ? "View" : "Table") \(table.name) is not exposed: "
                        + "it has no key, no row id and no column with unique values.")
                continue
            }
            if key.isEmpty {
                notes.append(
                    "Table \(table.name) is read-only and its changes are not tracked: it has no key "
                        + "of its own, and its row ids can be renumbered.")
            }
            if options.untracked.contains(table.name) {
                notes.append(
                    "Table \(table.name) is read-only and its changes are not tracked: the database "
                        + "takes no triggers on it.")
            }
            let structure = StructureID(exposed.count)
            var item = Exposed(
                table: table, setName: sets.claim(set?.name ?? table.name),
                typeName: types.claim(
                    options.overlay?.type(of: table.name)?.name ?? options.typeNames[table.name]
                        ?? table.name),
                usesRowID: key.isEmpty, properties: [], columns: [], key: [],
                names: IdentifierSpace(),
                takesChanges: (options.tracksChanges || table.tagColumn != nil) && !table.isView
                    && !key.isEmpty && !options.untracked.contains(table.name))
            if item.setName != table.name, set == nil {
                notes.append("\(table.name) is the entity set \(item.setName).")
            }
            if key.isEmpty { addRowID(to: &item, structure) }
            for column in table.columns { add(column, to: &item, structure, key: key) }
            if !key.isEmpty {
                item.key = key.compactMap { name in
                    item.columns.first { $0.name == name }?.path
                }
            }
            indexByTable[table.name] = exposed.count
            exposed.append(item)
        }
    }

    /// The key's column names; empty when the row id stands in; nil when there is nothing to address rows by.
    private func key(of table: DatabaseSchema.Table) -> [String]? {
        if table.isView { return table.uniqueKeys.first { isUsable($0, in: table) } }
        let primary = table.primaryKey.map(\.name)
        if !primary.isEmpty, isUsable(primary, in: table) { return primary }
        let unique = table.uniqueKeys.first { key in
            isUsable(key, in: table)
                && key.allSatisfy { table.column(named: $0)?.isNotNull == true }
        }
        if let unique { return unique }
        if table.hasRowID { return [] }
        return primary.isEmpty ? nil : primary
    }

    /// Keys must compare exactly, so approximate numbers and binary values do not serve. What is declared decides: both
    /// forms of a Guid do.
    private func isUsable(_ key: [String], in table: DatabaseSchema.Table) -> Bool {
        key.allSatisfy { name in
            guard let column = table.column(named: name) else { return false }
            switch ColumnTyping(column: column).encoding {
            case .integer, .string, .guid, .guidBytes, .date: return true
            default: return false
            }
        }
    }

    private mutating func addRowID(to item: inout Exposed, _ structure: StructureID) {
        let column = item.table.rowIDName ?? "rowid"
        let name = item.names.claim(column == "rowid" ? "rowid" : "row_id")
        let type = TypeReference(.primitive(.int64), isNullable: false)
        item.properties.append(
            PropertyDefinition(
                name: name, type: type,
                annotations: [AnnotationDefinition(term: Terms.computed, value: .boolean(true))]))
        var mapping = ColumnMapping(
            path: name, slots: [0], owner: structure, type: type, encoding: .integer, name: column)
        mapping.isWritable = false
        item.columns.append(mapping)
        item.key = [name]
    }

    private mutating func add(
        _ column: DatabaseSchema.Column, to item: inout Exposed, _ structure: StructureID,
        key: [String]
    ) {
        let given = options.overlay?.property(of: column.name, in: item.table.name)
        if let kind = StreamColumn.Kind(declaredType: column.declaredType), !item.table.isView {
            return addStream(column, kind, to: &item, structure)
        }
        guard options.overlay == nil || given != nil else { return }
        var typing = ColumnTyping(column: column)
        let isKey = key.contains(column.name)
        if let pinned = given?.type, let type = pinned.primitive,
            let encoding = ModelOverlay.encoding(of: type, in: typing)
        {
            typing = ColumnTyping(type, encoding, facets: pinned.facets)
        }
        let type = TypeReference(
            .primitive(typing.type), isNullable: !column.isNotNull && !isKey,
            facets: typing.facets)
        var property = PropertyDefinition(
            name: item.names.claim(given?.name ?? column.name), type: type,
            defaultValue: Self.literalDefault(column.defaultSQL))
        property.annotations = given?.annotations ?? []
        if options.namesOrigins {
            property.annotations.append(ModelOverlay.annotation(Terms.column, column.name))
        }
        if property.name != column.name, given == nil {
            notes.append(
                "\(item.table.name).\(column.name) is the property \(item.setName)/\(property.name)."
            )
        }
        let isSaid =
            property.annotations.flag(Terms.computed) != nil
            || property.annotations.flag(Terms.computedDefaultValue) != nil
        if isSaid {
            // The document has what the database would say.
        } else if column.isGenerated || item.table.isView {
            property.annotations.append(
                AnnotationDefinition(term: Terms.computed, value: .boolean(true)))
        } else if column.hasComputedDefault
            || isKey && key.count == 1 && item.table.isRowID(column)
        {
            property.annotations.append(
                AnnotationDefinition(term: Terms.computedDefaultValue, value: .boolean(true)))
        }
        var mapping = ColumnMapping(
            path: property.name, slots: [item.properties.count], owner: structure, type: type,
            encoding: typing.encoding, name: column.name)
        mapping.native = column.native
        mapping.orderColumn = nil
        mapping.offsetColumn = nil
        // A database that checks its types holds nothing beyond them, and orders its own numbers.
        mapping.isSelfOrdered = column.typing != nil && typing.encoding.hasOrderCompanion
        mapping.range =
            isKey || column.typing != nil || item.table.identifiesRows(column) ? nil : typing.range
        mapping.isWritable = !column.isGenerated && !item.table.isView
        // The key of a new row may be one that the database makes.
        if mapping.isWritable, given != nil, !isKey, PropertyRules.isSetByService(property) {
            mapping.isWritable = false
        }
        item.properties.append(property)
        item.columns.append(mapping)
    }

    private func addStream(
        _ column: DatabaseSchema.Column, _ kind: StreamColumn.Kind, to item: inout Exposed,
        _ structure: StructureID
    ) {
        var stream = StreamColumn(
            column: ColumnMapping(
                path: column.name, slots: [], owner: structure,
                type: TypeReference(.primitive(.int64)), encoding: .integer, name: column.name))
        let given = options.overlay?.property(of: column.name, in: item.table.name)
        guard kind == .property || item.streams.media != nil else {
            guard options.overlay?.type(of: item.table.name)?.hasStream != false else { return }
            item.streams.media = stream
            return
        }
        guard options.overlay == nil || given != nil else { return }
        let name = item.names.claim(given?.name ?? column.name)
        stream.property = name
        item.properties.append(
            PropertyDefinition(
                name: name, type: TypeReference(.primitive(.stream), isNullable: !column.isNotNull),
                annotations: options.namesOrigins
                    ? [ModelOverlay.annotation(Terms.column, column.name)] : []))
        item.streams.properties.append(stream)
    }

    /// The streams by table, each with the text column beside it that names its media type.
    private func streams() -> [TableID: TableStreams] {
        var result: [TableID: TableStreams] = [:]
        for (position, item) in exposed.enumerated() where !item.streams.all.isEmpty {
            func completed(_ stream: StreamColumn) -> StreamColumn {
                var stream = stream
                let name = stream.column.name.lowercased() + "type"
                stream.typeColumn = item.columns.first {
                    $0.name.lowercased() == name && $0.encoding == .string
                }
                return stream
            }
            result[TableID(position)] = TableStreams(
                media: item.streams.media.map(completed),
                properties: item.streams.properties.map(completed))
        }
        return result
    }

    /// The text of a constant default; nil for expressions such as `CURRENT_TIMESTAMP`.
    package static func literalDefault(_ sql: String?) -> String? {
        guard let sql, let first = sql.first else { return nil }
        if first == "'", sql.count >= 2, sql.last == "'" {
            return String(sql.dropFirst().dropLast()).replacing("''", with: "'")
        }
        if first.isWholeNumber || first == "-" || first == "+" {
            return sql.allSatisfy { $0.isWholeNumber || "+-.eE".contains($0) } ? sql : nil
        }
        return ["true", "false"].contains(sql.lowercased()) ? sql.lowercased() : nil
    }
}

extension DatabaseModelBuilder {
    private mutating func exposeForeignKeys() {
        for source in exposed.indices {
            for key in exposed[source].table.foreignKeys {
                guard let target = indexByTable[key.targetTable],
                    let pairs = pairs(of: key, from: source, to: target)
                else { continue }
                expose(key, from: source, to: target, pairs: pairs)
            }
        }
    }

    private typealias Pair = (source: ColumnMapping, target: ColumnMapping)

    /// The columns on both sides; nil when one is not exposed or their types differ.
    private func pairs(of key: DatabaseSchema.ForeignKey, from source: Int, to target: Int)
        -> [Pair]?
    {
        var pairs: [Pair] = []
        for (own, other) in zip(key.columns, key.targetColumns) {
            guard let left = exposed[source].columns.first(where: { $0.name == own }),
                let right = exposed[target].columns.first(where: { $0.name == other }),
                left.encoding == right.encoding
            else { return nil }
            pairs.append((left, right))
        }
        return pairs.isEmpty ? nil : pairs
    }

    private mutating func expose(
        _ key: DatabaseSchema.ForeignKey, from source: Int, to target: Int, pairs: [Pair]
    ) {
        let table = exposed[source].table
        let origin = ModelOverlay.name(key, of: table.name)
        var ends: (forward: PropertyDefinition?, back: PropertyDefinition?)
        if let overlay = options.overlay {
            let other = exposed[target].table.name
            ends.forward = overlay.navigation(
                along: origin, in: table.name, isForward: true, target: other)
            ends.back = overlay.navigation(
                along: origin, in: other, isForward: false, target: table.name)
            // Either end needs the other one to be written by; left out is what neither names.
            guard ends.forward != nil || ends.back != nil else { return }
        }
        let own = exposed[source].names.claim(ends.forward?.name ?? Self.navigationName(key))
        let siblings = table.foreignKeys.filter { $0.targetTable == key.targetTable }.count
        let wanted =
            siblings > 1 || source == target
            ? "\(exposed[source].setName)_\(own)" : exposed[source].setName
        let inverse = exposed[target].names.claim(ends.back?.name ?? wanted)
        let columns = Set(key.columns)
        let isUnique =
            Set(table.primaryKey.map(\.name)) == columns
            || table.uniqueKeys.contains { Set($0) == columns }
        var forward = PropertyDefinition(
            name: own,
            type: TypeReference(
                .structure(StructureID(target)),
                isNullable: pairs.contains { $0.source.type.isNullable }),
            navigation: NavigationDefinition(
                partner: inverse,
                referentialConstraints: pairs.map {
                    ReferentialConstraint(
                        property: $0.source.path, referencedProperty: $0.target.path)
                }))
        let onDelete: NavigationDefinition.OnDelete? =
            key.cascadesDelete ? .cascade : key.setsNullOnDelete ? .setNull : nil
        var backward = PropertyDefinition(
            name: inverse,
            type: TypeReference(.structure(StructureID(source)), isCollection: !isUnique),
            navigation: NavigationDefinition(partner: own, onDelete: onDelete))
        if options.namesOrigins || options.overlay != nil {
            forward.annotations = [ModelOverlay.annotation(Terms.foreignKey, origin)]
            backward.annotations = forward.annotations
        }
        add(forward, at: source, to: target, pairs.map { ($0.source.name, $0.target.name) })
        add(backward, at: target, to: source, pairs.map { ($0.target.name, $0.source.name) })
    }

    private mutating func add(
        _ property: PropertyDefinition, at source: Int, to target: Int,
        _ columns: [(String, String)]
    ) {
        let slot = exposed[source].properties.count
        exposed[source].properties.append(property)
        exposed[source].bindings.append(
            NavigationBinding(path: property.name, target: exposed[target].setName))
        exposed[source].navigations.append(
            NavigationMapping(
                path: property.name, slots: [slot], owner: StructureID(source),
                isCollection: property.type.isCollection, containsTarget: false,
                target: TableID(target),
                storage: .columns(columns.map { LinkedColumns(source: $0.0, target: $0.1) })))
    }

    /// `CustomerId` → `Customer`, `ParentSerialNumber` referring to `SerialNumber` → `Parent`; the target's name
    /// where nothing sensible is left.
    static func navigationName(_ key: DatabaseSchema.ForeignKey) -> String {
        guard key.columns.count == 1, let column = key.columns.first,
            let referenced = key.targetColumns.first
        else { return key.targetTable }
        for suffix in [referenced, "id", "key", "code", "no"] {
            guard column.count > suffix.count,
                column.lowercased().hasSuffix(suffix.lowercased())
            else { continue }
            var stem = column.dropLast(suffix.count)
            while stem.last == "_" || stem.last == " " { stem = stem.dropLast() }
            // "code" must not cut "barcode": the cut is at a capital letter or a separator.
            let cut = column.dropFirst(column.count - suffix.count).first
            let isSeparated = stem.count < column.count - suffix.count
            if !stem.isEmpty, isSeparated || cut?.isUppercase == true { return String(stem) }
        }
        return key.targetTable
    }
}

extension DatabaseModelBuilder {
    private func graph() throws -> MetadataGraph {
        var graph = MetadataGraph(version: .v4)
        let container = "\(options.namespace).\(options.container)"
        graph.schemas = [MetadataGraph.Schema(namespace: options.namespace)]
        graph.containers = [
            MetadataGraph.Container(
                qualifiedName: container,
                annotations: ServiceAnnotations.container(
                    takesChanges: !options.isReadOnly, isRepeatable: options.remembersAnswers))
        ]
        for (position, item) in exposed.enumerated() {
            graph.structures.append(
                StructureDefinition(
                    kind: .entity, namespace: options.namespace, name: item.typeName,
                    hasStream: item.streams.media != nil, properties: item.properties,
                    key: item.key.map { KeyProperty(path: $0) }))
            graph.entitySets.append(
                EntitySetDefinition(
                    name: item.setName, container: container, type: StructureID(position),
                    bindings: item.bindings, annotations: annotations(of: item)))
        }
        try graph.add(options.operations, to: container)
        try graph.freeze()
        return graph
    }

    /// What the document says of a set, and what the service says of itself beside it.
    private func annotations(of item: Exposed) -> [AnnotationDefinition] {
        let takesChanges = item.takesChanges && !options.isReadOnly
        var own = ServiceAnnotations.set(
            isTracked: item.takesChanges && options.tracksChanges
                || options.tracked.contains(item.table.name),
            hasTags: item.takesChanges,
            takesChanges: takesChanges)
        if options.namesOrigins {
            own = [ModelOverlay.annotation(Terms.table, item.table.name)]
        }
        let given = options.overlay?.set(of: item.table.name)?.annotations ?? []
        // A table that cannot change does not do so because a document says so.
        let kept =
            takesChanges ? given : given.filter { known in !own.contains { $0.term == known.term } }
        let terms = Set(kept.map(\.term))
        return kept + own.filter { !terms.contains($0.term) }
    }

    private func tables() -> [TableMapping] {
        exposed.enumerated().map { position, item in
            var system = SystemColumns()
            system.etag = item.table.tagColumn
            var table = TableMapping(
                id: TableID(position), name: item.table.name, path: item.setName,
                entitySet: EntitySetID(position), structure: StructureID(position),
                columns: item.columns,
                keyColumns: item.key.compactMap { path in
                    item.columns.firstIndex { $0.path == path }
                },
                system: system)
            table.navigations = item.navigations
            table.isWritable = item.takesChanges
            table.rowID = item.table.hasRowID ? item.table.rowIDName : nil
            table.hasStream = item.streams.media != nil
            return table
        }
    }
}
