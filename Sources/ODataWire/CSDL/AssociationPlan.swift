import ODataModel

/// The associations by which a V2 or V3 document says what navigation properties and bindings of a graph say.
///
/// Two navigation properties that are partners follow one association from its two ends; names are made from those of
/// the type and the property.
struct AssociationPlan {
    struct End {
        var role: String
        var type: StructureID
        var multiplicity: String
        var onDelete: NavigationDefinition.OnDelete?
    }

    struct Association {
        var namespace: String
        var name: String
        /// Two.
        var ends: [End]
        /// The end whose properties follow those of the other.
        var dependent: Int?
        var constraints: [ReferentialConstraint] = []
    }

    /// The association that a navigation property follows, and the end that it starts from.
    struct Place {
        var association: Int
        var end: Int
    }

    struct AssociationSet: Hashable {
        var name: String
        var container: String
        var association: Int
        /// The entity set of each end.
        var sets: [String]
    }

    private(set) var associations: [Association] = []
    private(set) var sets: [AssociationSet] = []
    private var places: [String: Place] = [:]
    private var saidBindings: Set<String> = []

    /// No associations, as in V4.
    init() {}

    init(_ graph: MetadataGraph) {
        var names: Set<String> = []
        for index in graph.structures.indices {
            let type = graph.structures[index]
            for property in type.properties.dropFirst(type.inheritedCount)
            where property.navigation != nil && property.type.structure != nil {
                follow(property, from: StructureID(index), in: graph, &names)
            }
        }
        planSets(graph)
    }

    /// Where a navigation property that a type itself declares starts.
    func place(of property: String, in type: StructureDefinition) -> Place? {
        places["\(type.qualifiedName)/\(property)"]
    }

    /// True when an association set says where a binding leads to.
    func says(_ binding: NavigationBinding, of set: EntitySetDefinition) -> Bool {
        saidBindings.contains("\(set.qualifiedName)/\(binding.path)")
    }

    // MARK: - Associations

    private mutating func follow(
        _ property: PropertyDefinition, from source: StructureID, in graph: MetadataGraph,
        _ names: inout Set<String>
    ) {
        let type = graph[source]
        let key = "\(type.qualifiedName)/\(property.name)"
        guard places[key] == nil, let target = property.type.structure,
            let navigation = property.navigation
        else { return }
        let partner = navigation.partner.flatMap { Self.owner(of: $0, in: target, graph) }
        if let partner, let place = places[partner.key] {
            places[key] = Place(association: place.association, end: 1 - place.end)
            describe(navigation, place.association, end: 1 - place.end)
            return
        }
        var name = "\(type.name)_\(property.name)"
        while !names.insert("\(type.namespace).\(name)").inserted { name += "_" }
        let back = partner?.property
        associations.append(
            Association(
                namespace: type.namespace, name: name,
                ends: [
                    End(
                        role: "FromRole_\(name)", type: back?.type.structure ?? source,
                        multiplicity: back.map { Self.multiplicity($0.type) } ?? "*"),
                    End(
                        role: "ToRole_\(name)", type: target,
                        multiplicity: Self.multiplicity(property.type)),
                ]))
        let association = associations.count - 1
        places[key] = Place(association: association, end: 0)
        describe(navigation, association, end: 0)
        if let partner, let navigation = partner.property.navigation {
            places[partner.key] = Place(association: association, end: 1)
            describe(navigation, association, end: 1)
        }
    }

    private mutating func describe(
        _ navigation: NavigationDefinition, _ association: Int, end: Int
    ) {
        if let action = navigation.onDelete {
            associations[association].ends[end].onDelete = action
        }
        if !navigation.referentialConstraints.isEmpty,
            associations[association].dependent == nil
        {
            associations[association].dependent = end
            associations[association].constraints = navigation.referentialConstraints
        }
    }

    private static func multiplicity(_ type: TypeReference) -> String {
        type.isCollection ? "*" : type.isNullable ? "0..1" : "1"
    }

    /// The navigation property of this name that the type, one it derives from, or one that derives from it declares.
    private static func owner(
        of name: String, in type: StructureID, _ graph: MetadataGraph
    ) -> (key: String, property: PropertyDefinition)? {
        guard let slot = graph[type].slot(named: name) else {
            return graph[type].derivedIDs.lazy.compactMap { owner(of: name, in: $0, graph) }.first
        }
        var declaring = type
        while slot < graph[declaring].inheritedCount, let base = graph[declaring].baseID {
            declaring = base
        }
        let property = graph[type].properties[slot]
        guard property.navigation?.partner != nil else { return nil }
        return ("\(graph[declaring].qualifiedName)/\(name)", property)
    }

    // MARK: - Association sets

    private mutating func planSets(_ graph: MetadataGraph) {
        var order: [AssociationSet] = []
        var count: [AssociationSet: Int] = [:]
        for set in graph.entitySets where !set.isSingleton {
            for binding in set.bindings {
                guard let place = place(of: binding, of: set, in: graph) else { continue }
                var names = [binding.target, binding.target]
                names[place.end] = set.name
                let found = AssociationSet(
                    name: "", container: set.container, association: place.association,
                    sets: names)
                if count[found] == nil { order.append(found) }
                count[found, default: 0] += 1
                saidBindings.insert("\(set.qualifiedName)/\(binding.path)")
            }
        }
        // Where a property is bound twice the first set counts, so those that bind both ways come first.
        let sorted = order.filter { count[$0] ?? 0 > 1 } + order.filter { count[$0] ?? 0 <= 1 }
        var numbers: [Int: Int] = [:]
        sets = sorted.map { set in
            numbers[set.association, default: 0] += 1
            var named = set
            let number = numbers[set.association] ?? 1
            named.name =
                "\(associations[set.association].name)_Set" + (number > 1 ? "\(number)" : "")
            return named
        }
    }

    /// The association of the navigation property that a binding path names: a property, perhaps behind one cast.
    private func place(
        of binding: NavigationBinding, of set: EntitySetDefinition, in graph: MetadataGraph
    ) -> Place? {
        var segments = binding.path.split(separator: "/").map(String.init)
        var type = set.type
        if segments.count == 2 {
            guard let cast = graph.structure(named: segments.removeFirst()) else { return nil }
            type = cast
        }
        guard segments.count == 1, let slot = graph[type].slot(named: segments[0]) else {
            return nil
        }
        var declaring = type
        while slot < graph[declaring].inheritedCount, let base = graph[declaring].baseID {
            declaring = base
        }
        return place(of: segments[0], in: graph[declaring])
    }
}
