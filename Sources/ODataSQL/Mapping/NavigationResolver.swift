import ODataModel

/// A navigation property as it is reached from an entity: directly, in a derived type or in a complex property.
struct NavigationSource {
    var path: String
    var slots: [Int]
    var owner: StructureID
    var definition: PropertyDefinition
    /// The paths under which a set may bind it.
    var bindingPaths: [String]

    /// Every navigation property of the type and of types derived from it.
    static func all(of structure: StructureID, in graph: MetadataGraph) -> [NavigationSource] {
        var found: [NavigationSource] = []
        for (position, type) in graph.familyOf(structure).enumerated() {
            let definition = graph[type]
            let first = position == 0 ? 0 : definition.inheritedCount
            let cast = "\(definition.qualifiedName)/"
            for slot in first..<max(first, definition.properties.count) {
                collect(
                    definition.properties[slot], path: "", slots: [slot], owner: type, cast: cast,
                    in: graph, depth: 0, into: &found)
            }
        }
        return found
    }

    private static func collect(
        _ property: PropertyDefinition, path: String, slots: [Int], owner: StructureID,
        cast: String, in graph: MetadataGraph, depth: Int, into found: inout [NavigationSource]
    ) {
        let path = path + property.name
        if property.isNavigation {
            found.append(
                NavigationSource(
                    path: path, slots: slots, owner: owner, definition: property,
                    bindingPaths: [path, cast + path]))
            return
        }
        guard depth < 8, !property.type.isCollection, let complex = property.type.structure else {
            return
        }
        for (slot, member) in graph[complex].properties.enumerated() {
            collect(
                member, path: path + "/", slots: slots + [slot], owner: owner, cast: cast,
                in: graph, depth: depth + 1, into: &found)
        }
    }

    /// The set it is bound to from this table; nil for contained and unbound ones.
    func boundSet(from table: TableMapping, graph: MetadataGraph) -> EntitySetID? {
        guard definition.navigation?.containsTarget != true, let type = definition.type.structure
        else { return nil }
        let prefix = table.parent == nil ? "" : Self.containedPath(of: table) + "/"
        for path in bindingPaths {
            if let name = graph[table.entitySet].target(of: prefix + path) {
                return graph.entitySet(named: name)
            }
        }
        return graph.onlySet(of: type)
    }

    func isNested(in table: TableMapping, graph: MetadataGraph) -> Bool {
        definition.type.structure != nil && boundSet(from: table, graph: graph) == nil
    }

    private static func containedPath(of table: TableMapping) -> String {
        table.path.split(separator: "/").dropFirst().joined(separator: "/")
    }
}

/// Decides for each navigation property where its links are stored.
struct NavigationResolver {
    let graph: MetadataGraph
    private(set) var tables: [TableMapping]
    private(set) var linkTables: [LinkTableMapping] = []
    private var linkIndex: [LinkKey: Int] = [:]
    private var tableByPath: [String: TableID] = [:]

    private struct LinkKey: Hashable {
        var table: TableID
        var path: String
    }

    init(graph: MetadataGraph, tables: [TableMapping]) {
        self.graph = graph
        self.tables = tables
        for table in tables { tableByPath[table.path] = table.id }
    }

    mutating func resolve() {
        for index in tables.indices {
            for source in NavigationSource.all(of: tables[index].structure, in: graph) {
                guard let navigation = mapping(of: source, in: tables[index]) else { continue }
                tables[index].navigations.append(navigation)
            }
        }
    }

    private mutating func mapping(
        of source: NavigationSource, in table: TableMapping
    ) -> NavigationMapping? {
        let contained = source.definition.navigation?.containsTarget == true
        let bound = source.boundSet(from: table, graph: graph).flatMap {
            tableByPath[graph[$0].name]
        }
        let nested = tableByPath[table.path + "/" + source.path]
        guard let target = bound ?? nested else { return nil }
        return NavigationMapping(
            path: source.path, slots: source.slots, owner: source.owner,
            isCollection: source.definition.type.isCollection, containsTarget: contained,
            target: target, storage: storage(of: source, from: table, to: tables[target.index]))
    }

    private mutating func storage(
        of source: NavigationSource, from table: TableMapping, to target: TableMapping
    ) -> NavigationStorage {
        if target.parent == table.id, let parent = target.system.parent, let id = table.system.id {
            return .columns([LinkedColumns(source: id, target: parent)])
        }
        let navigation = source.definition.navigation ?? NavigationDefinition()
        let prefix = source.path.lastIndex(of: "/").map { String(source.path[...$0]) } ?? ""
        let constraints = navigation.referentialConstraints
        if let pairs = pairs(constraints, dependent: table, prefix, principal: target) {
            return .columns(pairs)
        }
        let partner = self.partner(of: source, from: table, in: target)
        if let partner, let constraints = partner.definition.navigation?.referentialConstraints,
            let pairs = pairs(constraints, dependent: target, "", principal: table)
        {
            return .columns(pairs.map { LinkedColumns(source: $0.target, target: $0.source) })
        }
        return linkTable(of: source, from: table, to: target, partner: partner)
    }

    /// The equal columns of a constraint, source being the dependent side; nil when one is not stored alike.
    private func pairs(
        _ constraints: [ReferentialConstraint], dependent: TableMapping, _ prefix: String,
        principal: TableMapping
    ) -> [LinkedColumns]? {
        guard !constraints.isEmpty else { return nil }
        var pairs: [LinkedColumns] = []
        for constraint in constraints {
            let own =
                dependent.column(path: prefix + constraint.property)
                ?? dependent.column(path: constraint.property)
            guard let own, let other = principal.column(path: constraint.referencedProperty),
                own.encoding == other.encoding
            else { return nil }
            pairs.append(
                LinkedColumns(source: own.comparedColumn, target: other.comparedColumn))
        }
        return pairs
    }

    /// The navigation property that leads back from the target; nil when none is declared.
    private func partner(
        of source: NavigationSource, from table: TableMapping, in target: TableMapping
    ) -> NavigationSource? {
        NavigationSource.all(of: target.structure, in: graph).first { candidate in
            let isNamed =
                candidate.path == source.definition.navigation?.partner
                || candidate.definition.navigation?.partner == source.path
            guard isNamed, let set = candidate.boundSet(from: target, graph: graph) else {
                return false
            }
            return graph[set].name == table.path
        }
    }

    private mutating func linkTable(
        of source: NavigationSource, from table: TableMapping, to target: TableMapping,
        partner: NavigationSource?
    ) -> NavigationStorage {
        if let partner, let index = linkIndex[LinkKey(table: target.id, path: partner.path)],
            partner.path != source.path || table.id != target.id
        {
            return .linkTable(index, isReversed: true)
        }
        let index = linkTables.count
        linkIndex[LinkKey(table: table.id, path: source.path)] = index
        linkTables.append(
            LinkTableMapping(
                name: "_odata_link_\(table.name)_\(source.path)", source: table.id,
                target: target.id, isToOne: !source.definition.type.isCollection,
                isInverseToOne: partner.map { !$0.definition.type.isCollection } ?? false))
        return .linkTable(index, isReversed: false)
    }
}
