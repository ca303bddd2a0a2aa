import ODataModel
import ODataQuery

/// The selected fields of a query as the engine reads them: properties of the entity itself, and of what its links lead to.
struct SelectedFieldTree {
    private let type: StructureID
    /// In the order in which they are asked for, each once.
    private var properties: [String] = []
    private var links: [(name: String, tree: SelectedFieldTree)] = []

    private init(type: StructureID) { self.type = type }

    /// - Throws: `unknownName` for what is no property, `notImplemented` for fields that are something else.
    init(of shape: QueryShape, in graph: MetadataGraph) throws {
        guard
            let type = shape.type.flatMap({ graph.structure(named: $0) })
                ?? graph.entitySet(named: shape.set).map({ graph[$0].type })
        else {
            throw ODataError(
                .unknownName, "Expected an entity set of the service, found none of this name.",
                at: shape.set)
        }
        self.init(type: type)
        for expression in shape.select {
            guard case .path(let path) = expression, path.root == .it,
                let names = path.propertyNames, !names.isEmpty
            else {
                throw ODataError(
                    .notImplemented, "Expected to select fields that are properties.", at: shape.set
                )
            }
            try add(names[...], graph)
        }
    }

    private mutating func add(_ names: ArraySlice<String>, _ graph: MetadataGraph) throws {
        guard let name = names.first else { return }
        guard let slot = graph[type].slot(named: name) else {
            // Of an open type it may be one that is not declared; for others the checker says what is wrong.
            if !properties.contains(name) { properties.append(name) }
            return
        }
        let property = graph[type].properties[slot]
        guard property.isNavigation, names.count > 1, let target = property.type.structure else {
            // A part of a complex value is read from the whole.
            if !properties.contains(name) { properties.append(name) }
            return
        }
        if let place = links.firstIndex(where: { $0.name == name }) {
            try links[place].tree.add(names.dropFirst(), graph)
        } else {
            var tree = SelectedFieldTree(type: target)
            try tree.add(names.dropFirst(), graph)
            links.append((name, tree))
            // The foreign key tells what is not here from what is not there.
            for constraint in property.navigation?.referentialConstraints ?? []
            where !properties.contains(constraint.property)
                && graph[type].slot(named: constraint.property) != nil
            {
                properties.append(constraint.property)
            }
        }
    }

    func select(in graph: MetadataGraph) -> [SelectTerm] {
        // Selecting nothing would be everything.
        let names =
            properties.isEmpty && !links.isEmpty ? graph[type].key.map(\.path) : properties
        return names.map { SelectTerm(ExpressionPath($0)) }
    }

    func expand(in graph: MetadataGraph) -> [ExpandTerm] {
        links.map { link in
            var options = NestedOptions()
            options.select = link.tree.select(in: graph)
            options.expand = link.tree.expand(in: graph)
            return ExpandTerm(ExpressionPath(link.name), options: options)
        }
    }
}
