import ODataModel
import ODataText
import ODataWire

extension AccessRules {
    /// Whether somebody with these roles may do anything with a set.
    func offers(set: String, roles names: Set<String>) -> Bool {
        AccessOperation.allCases.contains {
            $0 != .call && !rows(set, $0, roles: names).isNone
        }
    }

    func offers(_ entry: ServiceDocument.Entry, roles names: Set<String>) -> Bool {
        switch entry.kind {
        case .entitySet, .singleton: offers(set: entry.name, roles: names)
        case .functionImport: mayCall(entry.name, roles: names)
        case .serviceDocument: true
        }
    }

    /// What of a model somebody with these roles is told. Types stay: they say how what is shown looks, and others may refer
    /// to them; they hold no rows. Navigation properties that lead to no set that is shown go with these, for whoever
    /// follows each that there is. The result is to be written, its slots are not those of the model.
    ///
    /// - Parameter hidesNavigation: false for V2, whose documents describe these by associations of sets, which go as well.
    func offered(
        _ graph: MetadataGraph, roles names: Set<String>, hidesNavigation: Bool = true
    ) -> MetadataGraph {
        var graph = graph
        graph.entitySets.removeAll { !offers(set: $0.name, roles: names) }
        for index in graph.entitySets.indices {
            graph.entitySets[index].bindings.removeAll { binding in
                // A path of containment begins with its set; those of other containers have their names before them.
                let set = binding.target.split(separator: "/").first.map(String.init)
                return !offers(set: set ?? binding.target, roles: names)
            }
        }
        graph.operationImports.removeAll { call in
            let name = call.operation.split(separator: ".").last.map(String.init) ?? call.name
            return ![call.name, call.operation, name].contains { mayCall($0, roles: names) }
        }
        graph.reindexEntitySets()
        if hidesNavigation { hideNavigation(in: &graph) }
        return graph
    }

    private func hideNavigation(in graph: inout MetadataGraph) {
        let shown = graph.entitySets.map(\.type)
        let whole = graph
        func isHidden(_ property: PropertyDefinition) -> Bool {
            guard property.isNavigation, property.navigation?.containsTarget != true,
                let target = property.type.structure
            else { return false }
            return !shown.contains { whole.isA($0, target) || whole.isA(target, $0) }
        }
        for index in graph.structures.indices {
            let structure = whole.structures[index]
            let inherited = structure.properties.prefix(structure.inheritedCount)
            var own = structure.properties.dropFirst(structure.inheritedCount).filter {
                !isHidden($0)
            }
            for position in own.indices {
                guard let partner = own[position].navigation?.partner,
                    let target = own[position].type.structure,
                    let other = whole[target].properties.first(where: { $0.name == partner }),
                    isHidden(other)
                else { continue }
                own[position].navigation?.partner = nil
            }
            graph.structures[index].properties = inherited + own
        }
    }
}
