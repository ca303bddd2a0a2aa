import ODataModel
import ODataText

/// Joins an app's own metadata with the service's into one document, and says when a later version of it cannot keep the
/// data of an earlier one (offline reference, 16.6).
package enum ClientMetadata {
    /// The service's document with the schemas and references of the client's added.
    ///
    /// The client's schemas may use the service's types, so they make sense only together.
    ///
    /// - Throws: `invalidMetadata` when one of the texts has no `DataServices` element.
    package static func combined(service: String, client: String) throws -> String {
        let (own, added) = (try Parts(service, "the service"), try Parts(client, "the client"))
        return own.beforeServices + added.references + own.servicesTag + own.schemas
            + added.schemas + own.rest
    }

    /// What keeps data of the old client-only sets from being kept under the new metadata; nil when all can stay.
    ///
    /// Types, sets and nullable properties may be added; everything else needs the data gone.
    package static func obstacle(
        from old: MetadataGraph, to new: MetadataGraph
    ) -> MetadataDifference.Change? {
        let names = names(of: old)
        guard !names.isEmpty else { return nil }
        return MetadataDifference(from: old, to: new).changes.first { change in
            let subject = change.path.split(separator: "/").first.map(String.init) ?? ""
            guard names.contains(subject) else { return false }
            switch change.effect {
            case .removed, .incompatible: return true
            case .added: return isRequired(change.path, in: new)
            case .compatible: return false
            }
        }
    }

    /// The client-only sets, and the types that only they use.
    private static func names(of graph: MetadataGraph) -> Set<String> {
        let structures = graph.structures.indices.map { StructureID($0) }
        return graph.clientOnlySets.union(
            structures.filter(graph.isClientOnly).map { graph[$0].qualifiedName })
    }

    private static func isRequired(_ path: String, in graph: MetadataGraph) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2, let type = graph.structure(named: parts[0]),
            let slot = graph[type].slot(named: parts[1])
        else { return false }
        let property = graph[type].properties[slot]
        return !property.type.isNullable && !property.isNavigation && !property.type.isCollection
    }

    /// A document cut at its `DataServices` element. Only the places are looked for here: reading the joined text finds
    /// every fault.
    private struct Parts {
        /// Up to the start tag of `DataServices`, references included.
        var beforeServices: String
        /// The `Reference` elements.
        var references: String
        var servicesTag: String
        var schemas: String
        /// From the end tag of `DataServices` on.
        var rest: String

        init(_ text: String, _ owner: String) throws {
            guard let name = text.firstRange(of: "DataServices"),
                let start = text[..<name.lowerBound].lastIndex(of: "<"),
                let tagEnd = text[name.upperBound...].firstIndex(of: ">"),
                text[text.index(before: tagEnd)] != "/",
                let last = text.ranges(of: "DataServices").last, last.lowerBound > tagEnd,
                let end = text[..<last.lowerBound].lastIndex(of: "<")
            else {
                throw ODataError(
                    .invalidMetadata,
                    "Expected a DataServices element in the metadata of \(owner), found none.")
            }
            beforeServices = String(text[..<start])
            servicesTag = String(text[start...tagEnd])
            schemas = String(text[text.index(after: tagEnd)..<end])
            rest = String(text[end...])
            references = ""
            if let edmx = beforeServices.ranges(of: "Edmx").last,
                let close = beforeServices[edmx.upperBound...].firstIndex(of: ">")
            {
                references = String(beforeServices[beforeServices.index(after: close)...])
            }
        }
    }
}
