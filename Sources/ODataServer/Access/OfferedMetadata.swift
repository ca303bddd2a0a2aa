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
    /// to them; they hold no rows.
    func offered(_ graph: MetadataGraph, roles names: Set<String>) -> MetadataGraph {
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
        return graph
    }
}
