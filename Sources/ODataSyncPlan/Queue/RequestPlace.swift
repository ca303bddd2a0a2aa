import ODataModel
import ODataSQL

/// Where requests of the queue belong in a model, and whether it still has that place.
extension MetadataGraph {
    /// The declared type of the rows of a set, a singleton, or a path of containment such as `Customers/Notes`; nil where
    /// there is none.
    package func declaredType(ofTable path: String) -> StructureID? {
        let names = path.split(separator: "/").map(String.init)
        guard let first = names.first, let set = entitySet(named: first) else { return nil }
        var type = self[set].type
        for name in names.dropFirst() {
            guard let next = structure(named: name) ?? property(name, of: type)?.type.structure
            else { return nil }
            type = next
        }
        return type
    }

    /// A property of the type or of one derived from it.
    fileprivate func property(_ name: String, of type: StructureID) -> PropertyDefinition? {
        familyOf(type).lazy.compactMap { id in
            self[id].slot(named: name).map { self[id].properties[$0] }
        }.first
    }

    /// True when the path leads to a property, over complex ones and types.
    fileprivate func hasProperty(_ path: String, of type: StructureID) -> Bool {
        var type: StructureID? = type
        for name in path.split(separator: "/").map(String.init) {
            guard let owner = type else { return false }
            if let derived = structure(named: name) {
                type = derived
                continue
            }
            guard let property = property(name, of: owner) else { return false }
            type = property.type.structure
        }
        return true
    }
}

extension QueuedRequest {
    /// Why the model has no place for the request: its set, the navigation property that it names or its stream is gone. Nil
    /// where it has one. What the values name is looked at when they are read.
    package func misplacement(in graph: MetadataGraph) -> String? {
        guard let type = graph.declaredType(ofTable: target.table) else {
            return Self.sentence("an entity set", target.table)
        }
        if let navigation {
            let other = navigation.row?.table
            let otherType = other.flatMap { graph.declaredType(ofTable: $0) }
            if let other, otherType == nil { return Self.sentence("an entity set", other) }
            // A creation names the property of the row that it is made in.
            let owner = operation == .create ? otherType : type
            if let owner, !graph.hasProperty(navigation.property, of: owner) {
                return Self.sentence("a property", navigation.property)
            }
        }
        if bringsStream || operation == .deleteStream, operation == .create || navigation == nil,
            !graph.familyOf(type).contains(where: { graph[$0].hasStream })
        {
            return Self.sentence("a media entity", target.table)
        }
        return body.flatMap { Self.misplacement(of: $0, type, graph) }
    }

    private static func misplacement(
        of body: RequestBody, _ type: StructureID, _ graph: MetadataGraph
    ) -> String? {
        let names = body.binds.map(\.navigation) + body.inline.map(\.navigation)
        if let name = names.first(where: { !graph.hasProperty($0, of: type) }) {
            return sentence("a navigation property", name)
        }
        return body.inline.lazy.compactMap { child in
            guard let type = graph.declaredType(ofTable: child.row.table) else {
                return sentence("an entity set", child.row.table)
            }
            return misplacement(of: child.body, type, graph)
        }.first
    }

    private static func sentence(_ what: String, _ name: String) -> String {
        "Expected \(what) of the metadata in a queued request, found another. (\(name))"
    }
}
