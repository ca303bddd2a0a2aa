import ODataModel
import ODataSQL
import ODataText

/// What a document says of a database that is there: which tables and columns are offered, under which names and types.
///
/// A set is of the table that `OfflineOData.V1.Table` names, a property of the column that `OfflineOData.V1.Column` names, else
/// each of the one that has its name. A navigation property follows the foreign key of `OfflineOData.V1.ForeignKey`.
package struct ModelOverlay: Sendable {
    let graph: MetadataGraph
    private let sets: [String: EntitySetID]

    init(_ graph: MetadataGraph) {
        self.graph = graph
        var sets: [String: EntitySetID] = [:]
        for (position, set) in graph.entitySets.enumerated() {
            let table = Self.text(Terms.table, set.annotations) ?? set.name
            sets[table.lowercased()] = EntitySetID(position)
        }
        self.sets = sets
    }

    var namespace: String? { graph.schemas.first?.namespace }
    var container: String? {
        graph.containers.first?.qualifiedName.split(separator: ".").last.map(String.init)
    }

    /// The set of a table; nil for one that is left out.
    func set(of table: String) -> EntitySetDefinition? {
        sets[table.lowercased()].map { graph[$0] }
    }

    func type(of table: String) -> StructureDefinition? { set(of: table).map { graph[$0.type] } }

    /// The property of a column; nil for one that is left out.
    func property(of column: String, in table: String) -> PropertyDefinition? {
        type(of: table)?.properties.first {
            !$0.isNavigation
                && (Self.text(Terms.column, $0.annotations) ?? $0.name).lowercased()
                    == column.lowercased()
        }
    }

    /// The navigation property that follows a foreign key, from the table that has it or back.
    func navigation(
        along key: String, in table: String, isForward: Bool, target: String
    ) -> PropertyDefinition? {
        type(of: table)?.properties.first {
            guard let navigation = $0.navigation,
                Self.text(Terms.foreignKey, $0.annotations)?.lowercased() == key.lowercased()
            else { return false }
            // A table that refers to itself has both ends.
            return table != target
                || isForward == !navigation.referentialConstraints.isEmpty
        }
    }

    /// `Loans(ToolId)`: how a foreign key is named.
    static func name(_ key: DatabaseSchema.ForeignKey, of table: String) -> String {
        "\(table)(\(key.columns.joined(separator: ",")))"
    }

    static func text(_ term: String, _ annotations: [AnnotationDefinition]) -> String? {
        if case .string(let text)? = annotations.first(term: term)?.value { text } else { nil }
    }

    static func annotation(_ term: String, _ text: String) -> AnnotationDefinition {
        AnnotationDefinition(term: term, value: .string(text))
    }

    /// How values of a type stand in a column; nil where they cannot.
    static func encoding(
        of type: PrimitiveType, in typing: ColumnTyping
    ) -> ColumnEncoding? {
        if type == typing.type { return typing.encoding }
        switch (typing.encoding, type) {
        case (.integer, _) where type.isInteger: return .integer
        case (.integer, .boolean): return .looseBoolean
        case (.integer, .dateTimeOffset): return .unixSeconds
        case (.real, .single): return .real
        case (.real, .decimal): return .realDecimal
        case (.realDecimal, .double): return .real
        case (.string, .guid): return .guid
        case (.string, .date): return .date
        case (.string, .timeOfDay): return .timeOfDay
        case (.string, .duration): return .duration
        case (.string, .dateTimeOffset): return .isoDateTime
        case (.string, .decimal): return .textDecimal
        case (.binary, .guid): return .guidBytes
        default: return nil
        }
    }

    /// What the document names that the database does not have.
    func misfits(with schema: DatabaseSchema) -> [String] {
        var misfits: [String] = []
        for set in graph.entitySets {
            let name = Self.text(Terms.table, set.annotations) ?? set.name
            guard
                let table = schema.tables.first(where: { $0.name.lowercased() == name.lowercased() }
                )
            else {
                misfits.append("\(set.name): expected the table \(name), found none.")
                continue
            }
            for property in graph[set.type].properties {
                if let misfit = misfit(property, in: table, schema) {
                    misfits.append("\(set.name)/\(property.name): \(misfit)")
                }
            }
            let key = table.primaryKey.filter { property(of: $0.name, in: table.name) == nil }
            for column in key {
                misfits.append(
                    "\(set.name): expected a property of the key column \(column.name), found none."
                )
            }
        }
        return misfits
    }

    private func misfit(
        _ property: PropertyDefinition, in table: DatabaseSchema.Table, _ schema: DatabaseSchema
    ) -> String? {
        guard !property.isNavigation else {
            guard let key = Self.text(Terms.foreignKey, property.annotations) else {
                return "expected OfflineOData.V1.ForeignKey, found none."
            }
            let isThere = schema.tables.contains { table in
                table.foreignKeys.contains {
                    Self.name($0, of: table.name).lowercased() == key.lowercased()
                }
            }
            return isThere ? nil : "expected the foreign key \(key), found none."
        }
        if let misfit = ValueLimits.misfit(in: property) {
            return "expected \(misfit.expected), found \(misfit.found)."
        }
        let name = Self.text(Terms.column, property.annotations) ?? property.name
        // The row id stands in for a key that a table does not have.
        if table.rowIDName?.lowercased() == name.lowercased() { return nil }
        guard let column = table.column(named: name) else {
            return "expected the column \(name), found none."
        }
        if StreamColumn.Kind(declaredType: column.declaredType) != nil {
            return property.type.primitive == .stream ? nil : "expected Edm.Stream for the column."
        }
        guard let type = property.type.primitive, !property.type.isCollection,
            Self.encoding(of: type, in: ColumnTyping(column: column)) != nil
        else { return "expected a type whose values a column of \(column.declaredType) holds." }
        return nil
    }
}
